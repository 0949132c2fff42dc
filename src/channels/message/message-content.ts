/**
 * What a message of the messenger's own format holds. Engines B and C relay that format nearly unchanged.
 *
 * Binary fields come as base64, as `{type:"Buffer",data:[…]}` or as objects with numbered keys: none is ever read.
 */
import { TEXT_LIMIT, type Content } from "../../engine/index.ts";
import {
  at,
  fieldsAt,
  isFields,
  numberAt,
  sizeAt,
  textAt,
  textOf,
  type Fields,
  messageIdOf,
  listAt,
} from "../field.ts";
import { pressOf, voteOf } from "./choice-content.ts";
import { headsOf, isEdited, partsOf, unwrap, visibleText } from "./message-text.ts";

export type MessageReading =
  | { readonly is: "content"; readonly content: Content }
  | { readonly is: "reaction"; readonly emoji: string; readonly of: string }
  /** `text`: absent where only the edit is told, not its words. */
  | { readonly is: "edit"; readonly text?: string; readonly of: string; readonly at?: unknown }
  | { readonly is: "delete"; readonly of: string }
  /** A message was written, and its words did not arrive. They may follow under the same id. */
  | { readonly is: "unreadable" }
  /** `form`: its name, where it is an unknown form. */
  | { readonly is: "nothing"; readonly reason: string; readonly form?: string };

const MEDIA = {
  imageMessage: "image",
  videoMessage: "video",
  ptvMessage: "video",
  audioMessage: "audio",
  documentMessage: "document",
  stickerMessage: "sticker",
} as const;

/** What people do to messages and calls with the messenger itself: no words were said. */
const SILENT = new Set([
  "pinInChatMessage",
  "keepInChatMessage",
  "encReactionMessage",
  "encEventResponseMessage",
  "stickerSyncRmrMessage",
  "call",
  "bcallMessage",
  "callLogMesssage",
  "callLogMessage",
  "scheduledCallEditMessage",
  "messageHistoryBundle",
  "messageHistoryNotice",
  // The pictures of an album follow, each as a message.
  "albumMessage",
]);

/** Message that holds a picture together with others: the head of its album, or its copy in another size. */
function albumOf(...levels: readonly Fields[]): string | undefined {
  for (const level of levels) {
    const parent = at(level, "messageContextInfo", "messageAssociation", "parentMessageKey");
    const id = messageIdOf(at(parent, "id") ?? at(parent, "ID"));
    if (id) return id;
  }
  return undefined;
}

function mediaOf(message: Fields, messageId: string, album?: string): Content | undefined {
  for (const [name, media] of Object.entries(MEDIA)) {
    const part = fieldsAt(message, name);
    if (!part) continue;
    const bytes = sizeAt(part, "fileLength");
    const seconds = numberAt(part, "seconds");
    const mimetype = textAt(part, 200, "mimetype");
    const fileName = textAt(part, 300, "fileName") ?? textAt(part, 300, "title");
    const caption = textAt(part, TEXT_LIMIT, "caption");
    return {
      type: "media",
      media,
      ref: {
        key: messageId,
        ...(mimetype ? { mimetype } : {}),
        ...(fileName ? { fileName } : {}),
        ...(bytes === undefined ? {} : { bytes }),
        ...(seconds !== undefined && seconds >= 0 ? { seconds } : {}),
      },
      ...(caption ? { caption } : {}),
      ...(album ? { album } : {}),
    };
  }
  return undefined;
}

function locationOf(message: Fields): Content | undefined {
  const part = fieldsAt(message, "locationMessage") ?? fieldsAt(message, "liveLocationMessage");
  const latitude = numberAt(part, "degreesLatitude");
  const longitude = numberAt(part, "degreesLongitude");
  if (latitude === undefined || longitude === undefined) return undefined;
  const name = textAt(part, 300, "name");
  const address = textAt(part, 500, "address");
  return {
    type: "location",
    latitude,
    longitude,
    ...(name ? { name } : {}),
    ...(address ? { address } : {}),
  };
}

/** The id that a key inside a message names. */
function targetOf(key: unknown): string | undefined {
  return messageIdOf(at(key, "id") ?? at(key, "ID"));
}

/** Edits and deletions: `type` is a word in one version and a number in the other (0 revoke, 14 edit). */
export function protocolReading(part: Fields): MessageReading {
  const of = targetOf(at(part, "key"));
  const type = textOf(at(part, "type"), 40)?.toUpperCase();
  const edited = fieldsAt(part, "editedMessage");
  if (!of) return { is: "nothing", reason: "protocol" };
  // A deletion may come under the name of an edit, with an empty one beside it.
  if (type === "REVOKE" || type === "0") return { is: "delete", of };
  if (edited || type === "MESSAGE_EDIT" || type === "14") {
    const when = at(part, "timestampMs") ?? at(part, "timestampMS");
    return editReading(of, edited && (fieldsAt(edited, "message") ?? edited), when);
  }
  return type === undefined ? { is: "delete", of } : { is: "nothing", reason: "protocol" };
}

/** An edit with its new words, as far as they can be read. */
export function editReading(of: string, edited: Fields | undefined, when: unknown): MessageReading {
  const inner = unwrap(edited ?? {});
  const media = mediaOf(inner, of);
  const text = visibleText(inner) ?? (media?.type === "media" ? media.caption : undefined);
  return { is: "edit", of, at: when, ...(text === undefined ? {} : { text }) };
}

/** Whether a record says beside its message that the words are the edited ones of the message under its id. */
export function isMarkedEdited(...records: readonly unknown[]): boolean {
  return records.some(
    (record) =>
      ["edited", "isEdited", "isEdit", "IsEdit"].some((name) => at(record, name) === true) ||
      fieldsAt(isFields(record) ? record : {}, "latestEditMsgKey") !== undefined,
  );
}

/** An edit whose new words stand where a message of their own would. A reaction, a vote or a deletion stays what it is. */
export function asEdit(plain: MessageReading, of: string, when: unknown): MessageReading {
  if (!["content", "unreadable", "nothing"].includes(plain.is)) return plain;
  const content = plain.is === "content" ? plain.content : undefined;
  const caption = content?.type === "media" ? content.caption : undefined;
  const text = content?.type === "text" ? content.text : caption;
  return { is: "edit", of, at: when, ...(text === undefined ? {} : { text }) };
}

/** Kinds of encrypted change that are no edit of a message: of an event, of a schedule, of a poll. */
const OTHER_SECRETS = /^(?:1|3|4|5|EVENT_EDIT|MESSAGE_SCHEDULE|POLL_EDIT|POLL_ADD_OPTION)$/i;

/** An edit that came encrypted, and that the engine did not open. */
function secretReading(part: Fields): MessageReading {
  const of = targetOf(at(part, "targetMessageKey"));
  const isOther = OTHER_SECRETS.test(textOf(at(part, "secretEncType"), 40) ?? "");
  return of && !isOther ? { is: "edit", of } : { is: "nothing", reason: "secret" };
}

function reactionReading(part: Fields): MessageReading {
  const of = targetOf(at(part, "key"));
  if (!of) return { is: "nothing", reason: "reaction-without-target" };
  return { is: "reaction", emoji: textOf(at(part, "text"), 32) ?? "", of };
}

/** Reads one message. `messageType` names what we have no reading for; `pollUpdates` stands beside the message. */
export function readMessage(
  raw: Fields,
  about: {
    readonly messageId: string;
    readonly messageType?: unknown;
    readonly pollUpdates?: unknown;
  },
): MessageReading {
  const protocol =
    fieldsAt(unwrap(raw), "protocolMessage") ??
    fieldsAt(raw, "editedMessage", "message", "protocolMessage");
  if (protocol) return protocolReading(protocol);
  const message = unwrap(raw);
  const secret = fieldsAt(message, "secretEncryptedMessage");
  if (secret) return secretReading(secret);
  if (isEdited(raw)) return editReading(about.messageId, message, undefined);
  const reaction = fieldsAt(message, "reactionMessage");
  if (reaction) return reactionReading(reaction);
  const vote = voteOf(message, about.pollUpdates);
  // A vote whose choice could not be read is known: the question is put in words, instead of a chat that stays silent.
  if (vote === "unreadable")
    return { is: "content", content: { type: "other", what: "poll-vote" } };
  const content =
    vote ??
    pressOf(message) ??
    contactsOf(message) ??
    locationOf(message) ??
    mediaOf(message, about.messageId, albumOf(raw, message));
  if (content) return { is: "content", content };
  const text = visibleText(message);
  if (text !== undefined) return { is: "content", content: { type: "text", text } };
  const [head] = headsOf(message).flatMap((part) => mediaOf(part, about.messageId) ?? []);
  if (head) return { is: "content", content: head };
  const [form, ...others] = partsOf(message);
  if (form === undefined || form === "placeholderMessage") return { is: "unreadable" };
  if (SILENT.has(form) && others.length === 0) return { is: "nothing", reason: "no-words" };
  const what = textOf(form, 100) || textOf(about.messageType, 100)?.trim() || "unknown";
  return { is: "content", content: { type: "other", what } };
}

/** Words of a message from the business's own side, as far as an echo shows them; empty when it has none. */
export function wordsOf(raw: Fields): string {
  const message = unwrap(raw);
  const text = visibleText(message);
  if (text !== undefined) return text;
  const media = mediaOf(message, "");
  return media?.type === "media" ? (media.caption ?? "") : "";
}

/** Message id this one answers, wherever the version puts it. */
export function quotedBy(record: Fields, raw: Fields): string | undefined {
  const message = unwrap(raw);
  const inside = Object.values(message).find(
    (part) => isFields(part) && isFields(at(part, "contextInfo")),
  );
  return messageIdOf(
    at(record, "contextInfo", "stanzaId") ??
      at(inside, "contextInfo", "stanzaId") ??
      at(inside, "contextInfo", "stanzaID"),
  );
}

/** Contact cards: a display name and, out of a vCard, one phone. Nothing else of the card is kept. */
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
function contactsOf(message: Fields): Contacts | undefined {
  const one = at(message, "contactMessage");
  const many = at(message, "contactsArrayMessage");
  if (!isFields(one) && !isFields(many)) return undefined;
  const cards = isFields(one) ? [one] : listAt(many, CARDS_LIMIT, "contacts");
  return {
    type: "contacts",
    contacts: cards.map((card) => cardOf(textAt(card, 200, "displayName"), at(card, "vcard"))),
  };
}
