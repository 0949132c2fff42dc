/**
 * Contact cards: a display name and, out of a vCard, one phone. Nothing else of the card is kept.
 */
import type { Content } from "../../engine/index.ts";
import { at, isFields, listAt, textAt, textOf, type Fields } from "../field.ts";

type Contacts = Extract<Content, { type: "contacts" }>;

/** Longest part of a vCard that is searched, UTF-16 units; photos come after the numbers. */
const VCARD_LIMIT = 8_192;
const CARDS_LIMIT = 50;

/** First phone of a vCard: the messenger's own id of it, else the digits of its first TEL line. */
function phoneOfCard(vcard: unknown): string | undefined {
  const text = textOf(vcard, VCARD_LIMIT);
  if (!text) return undefined;
  const known = /waid=(\d{8,15})/.exec(text)?.[1];
  if (known) return known;
  const line = /^(?:[\w-]{1,20}\.)?TEL[^:\r\n]{0,100}:([^\r\n]{1,40})/im.exec(text)?.[1];
  const digits = line?.replace(/\D/g, "") ?? "";
  return digits.length >= 8 && digits.length <= 15 ? digits : undefined;
}

export function cardOf(name: unknown, vcard: unknown): Contacts["contacts"][number] {
  const full = /^FN[^:\r\n]{0,60}:([^\r\n]{1,200})/im.exec(textOf(vcard, VCARD_LIMIT) ?? "")?.[1];
  const phone = phoneOfCard(vcard);
  const shown = textOf(name, 200)?.trim() || full?.trim() || phone || "?";
  return { name: shown, ...(phone ? { phone } : {}) };
}

/** Cards of a message, if it holds any. */
export function contactsOf(message: Fields): Contacts | undefined {
  const one = at(message, "contactMessage");
  const many = at(message, "contactsArrayMessage");
  if (!isFields(one) && !isFields(many)) return undefined;
  const cards = isFields(one) ? [one] : listAt(many, CARDS_LIMIT, "contacts");
  return {
    type: "contacts",
    contacts: cards.map((card) => cardOf(textAt(card, 200, "displayName"), at(card, "vcard"))),
  };
}
