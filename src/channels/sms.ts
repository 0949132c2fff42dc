/**
 * SMS: an array (or a lone object) of `{id, status, …}`: delivery progress of what we sent, and answers of people.
 *
 * The last hop known is the carrier; no handset ever confirms. The field of an answer's text is not settled, so several
 * names are read; its sender's phone is mostly absent: then the id of the message it answers names the person.
 */
import {
  TEXT_LIMIT,
  type AckStatus,
  type Outbound,
  type Parsed,
  type Peer,
} from "../engine/index.ts";
import { cutTo, numberedText } from "./bubble.ts";
import type { Channel, Delivery, RenderOptions, Rendered } from "./channel.ts";
import { createCollector, wanted, type Collector } from "./collector.ts";
import { eventId, messageIdOf, revision } from "./event-id.ts";
import { at, isFields, momentOf, textAt, type Fields } from "./field.ts";
import { numberFor, peerOf } from "./jid.ts";
import { verifySignature } from "./signature.ts";

/** Ten segments of 160 characters: beyond it carriers refuse. */
const SMS_LIMIT = 1_600;
/** Most items of one body that are read; the rest is counted as ignored. */
const ITEMS_LIMIT = 1_000;

const STATUS: Readonly<Record<string, AckStatus>> = {
  inserted_for_processing: "pending",
  valid: "pending",
  processed: "pending",
  sent_to_carrier: "sent",
  delivered: "delivered",
  invalid: "error",
  error: "error",
  failed: "error",
};

/** Begins the address of somebody known only by the message that was answered. */
export const ID_ADDRESS = "id:";

function firstText(item: Fields, limit: number, ...names: readonly string[]): string | undefined {
  return names.map((name) => textAt(item, limit, name)).find((text) => text !== undefined);
}

function senderOf(item: Fields, messageId: string): Peer {
  const phone = firstText(item, 40, "from", "phone", "sender", "number", "msisdn");
  const digits = phone?.replace(/[\s()+-]/g, "") ?? "";
  const full = /^\d{10,11}$/.test(digits) ? `55${digits}` : digits;
  const found = peerOf({ address: full });
  return "peer" in found ? found.peer : { address: `${ID_ADDRESS}${messageId.slice(0, 100)}` };
}

function readItem(item: unknown, source: Delivery, into: Collector): void {
  if (!isFields(item)) return into.ignore("malformed-item");
  const messageId = messageIdOf(at(item, "id") ?? at(item, "message_id") ?? at(item, "sms_id"));
  if (!messageId) return into.ignore("unknown");
  const word = textAt(item, 60, "status")?.trim().toLowerCase() ?? "";
  const words = firstText(item, TEXT_LIMIT, "reply", "text", "message", "body", "content");
  const date = firstText(item, 60, "date", "datetime", "received_at", "created_at", "timestamp");
  const when = momentOf(date, source.receivedAt);
  if (!wanted(source.filter, word)) return into.ignore("filtered");
  if (word === "reply" || word === "replied" || (word === "" && words !== undefined)) {
    if (words === undefined) return into.ignore("reply-without-text");
    into.take({
      kind: "message",
      id: eventId("message", messageId, revision(words, date)),
      at: when,
      from: senderOf(item, messageId),
      messageId,
      content: { type: "text", text: words },
      quoted: messageId,
    });
    return;
  }
  const status = Object.hasOwn(STATUS, word) ? STATUS[word] : undefined;
  if (!status) return into.ignore("unknown");
  const id = eventId("ack", messageId, revision(word));
  into.take({ kind: "ack", id, at: when, messageId, status });
}

function parse(delivery: Delivery): Parsed {
  const { body } = delivery;
  if (!isFields(body) && !Array.isArray(body)) return { ok: false, reason: "body is no list" };
  const items: readonly unknown[] = Array.isArray(body) ? (body as unknown[]) : [body];
  const into = createCollector();
  for (const item of items.slice(0, ITEMS_LIMIT)) readItem(item, delivery, into);
  if (items.length > ITEMS_LIMIT) into.ignore("too-many");
  return into.done();
}

function render(message: Outbound, address: string, options: RenderOptions = {}): Rendered {
  const words = numberedText(message, SMS_LIMIT, false);
  const link = message.media?.url;
  const text = link ? `${cutTo(words, SMS_LIMIT - link.length - 1)}\n${link}`.trim() : words;
  return {
    route: "sms.send",
    body: {
      number: numberFor(address),
      message: text,
      tipo: "sms-otp",
      user_reply: true,
      ...(options.webhookUrl ? { webhook_url: options.webhookUrl } : {}),
      ...(options.homolog ? { homolog: true } : {}),
    },
    text,
  };
}

export const sms: Channel = {
  name: "sms",
  capabilities: { choices: ["text"], bold: false, media: [], maxText: SMS_LIMIT },
  hooks: [],
  verify: verifySignature,
  parse,
  render,
};
