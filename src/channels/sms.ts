/**
 * SMS: an array (or a lone object) of `{id, status, …}`: delivery progress of what we sent, and answers of people.
 *
 * The last hop known is the carrier; no handset ever confirms. The field of an answer's text is not settled, so several
 * names are read; its sender's phone is mostly absent: then the id of the message it answers names the person, if any does.
 * What is sent is fitted into at most ten segments.
 */
import {
  TEXT_LIMIT,
  type AckStatus,
  type Outbound,
  type Parsed,
  type Peer,
} from "../engine/index.ts";
import { placeInWords, numberedText, withoutBold } from "./message/rendering.ts";
import type { Channel, Delivery, RenderOptions, Rendered } from "./channel.ts";
import { createCollector, wanted, type Collector } from "./collector.ts";
import {
  eventId,
  messageIdOf,
  revision,
  at,
  isFields,
  momentOf,
  textAt,
  textOf,
  type Fields,
} from "./field.ts";
import { numberFor, peerOf } from "./jid.ts";

/**
 * Segments of one message: beyond ten, carriers refuse or lose parts. One has 160 septets of the GSM alphabet or 70 UTF-16
 * units, 153 and 67 when there are several (3GPP TS 23.038 and 23.040). One letter outside the alphabet, such as `ã`, makes
 * the whole message the second kind.
 */
export const SEGMENT_LIMIT = 10;
const GSM = { alone: 160, joined: 153 } as const;
const UNICODE = { alone: 70, joined: 67 } as const;
/** Longest message of the cheaper kind, septets. */
export const SMS_LIMIT = SEGMENT_LIMIT * GSM.joined;

const ALPHABET = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** These take two septets. */
const EXTENSION = new Set("^{}\\[~]|€");

/** Signs that phones and flows write, by those the alphabet has. */
const PLAIN: Readonly<Record<string, string>> = {
  "“": '"',
  "”": '"',
  "‘": "'",
  "’": "'",
  "–": "-",
  "—": "-",
  "•": "-",
  "…": "...",
  º: "o",
  ª: "a",
  "\u00a0": " ",
};

/** Septets of a text, or null when it holds a sign outside the alphabet. */
function septets(text: string): number | null {
  let sum = 0;
  for (const sign of text) {
    if (ALPHABET.has(sign)) sum += 1;
    else if (EXTENSION.has(sign)) sum += 2;
    else return null;
  }
  return sum;
}

/** How many segments a text is sent and charged as. */
export function smsSegments(text: string): number {
  const count = septets(text);
  const [length, size] = count === null ? [text.length, UNICODE] : [count, GSM];
  return length <= size.alone ? 1 : Math.ceil(length / size.joined);
}

/** The same words in the alphabet, as far as they can be: accents that it lacks are left off. */
export function withoutAccents(text: string): string {
  return [...text]
    .map((sign) => {
      if (ALPHABET.has(sign) || EXTENSION.has(sign)) return sign;
      return PLAIN[sign] ?? sign.normalize("NFD").replace(/\p{M}/gu, "");
    })
    .join("");
}

/** The message and what is told below it, which is never cut, in at most so many characters. */
function joined(message: Outbound, below: string, limit: number): string {
  const words = numberedText(message, Math.max(0, limit - below.length - 1), false, "...");
  return below === "" ? words : `${words}\n${below}`.trim();
}

function within(message: Outbound, below: string, limit: number): string {
  let room = limit;
  let text = joined(message, below, room);
  // Signs of two septets make it longer than its letters; each round takes off what is over.
  while (smsSegments(text) > SEGMENT_LIMIT && room > below.length) {
    room -= Math.max(1, (septets(text) ?? text.length) - limit);
    text = joined(message, below, room);
  }
  return text;
}

/**
 * A message in at most {@link SEGMENT_LIMIT} segments: whole with its accents, else without them, and cut only then.
 * `below` is a link that must stay whole.
 */
function fitSms(message: Outbound, below = ""): string {
  const all = Number.MAX_SAFE_INTEGER;
  const whole = joined(message, below, all);
  if (smsSegments(whole) <= SEGMENT_LIMIT) return whole;
  const plain: Outbound = {
    ...message,
    text: withoutAccents(message.text),
    ...(message.choices
      ? {
          choices: message.choices.map(({ id, label }) => ({ id, label: withoutAccents(label) })),
        }
      : {}),
  };
  const isPlain = septets(joined(plain, below, all)) !== null;
  return within(plain, below, isPlain ? SMS_LIMIT : SEGMENT_LIMIT * UNICODE.joined);
}

/** What a text that is cut as a short message would lack: the rest of a sentence about it. Undefined: it is sent whole. */
export function smsCut(text: string): string | undefined {
  const plain = withoutAccents(withoutBold(text));
  if (smsSegments(text) <= SEGMENT_LIMIT || smsSegments(plain) <= SEGMENT_LIMIT) return undefined;
  const sign = [...plain].find((one) => septets(one) === null);
  const why = sign === undefined ? "" : ` (“${sign}” makes each hold 67 letters and not 153)`;
  return `it is cut as a short message: it has ${smsSegments(plain)} segments${why}, ${SEGMENT_LIMIT} are sent`;
}

/** Most items of one body. A larger one is refused whole: a 200 would say that its replies are kept. */
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
  rejected: "error",
  undelivered: "error",
  expired: "error",
};

const IDS = ["id", "message_id", "sms_id", "messageId", "smsId", "id_sms"] as const;
const WORDS = ["reply", "text", "message", "body", "content"] as const;
const DATES = ["date", "datetime", "received_at", "created_at", "timestamp"] as const;
/** Where a sender may be named. Never `to`: in an answer that may be either side. */
const SENDERS = [
  "from",
  "phone",
  "sender",
  "number",
  "msisdn",
  "from_number",
  "phone_number",
  "originator",
  "source",
  "mobile",
  "telefone",
  "celular",
  "numero",
  "remetente",
  "contact",
] as const;

/** Begins the address of a person known only by the message that was answered. */
export const ID_ADDRESS = "id:";

function firstText(item: Fields, limit: number, names: readonly string[]): string | undefined {
  return names.map((name) => textAt(item, limit, name)).find((text) => text !== undefined);
}

/** A phone as people write it, with the country's code; undefined for anything else, such as a short code. */
function phoneIn(value: unknown): Peer | undefined {
  const written = textOf(value, 40)?.trim() ?? "";
  if (!/^[+\d][\d\s().-]*$|^\(\d/.test(written)) return undefined;
  const digits = written.replace(/\D/g, "").replace(/^0+/, "");
  const full = /^\d{10,11}$/.test(digits) ? `55${digits}` : digits;
  if (full.length < 10) return undefined;
  const found = peerOf({ address: full });
  return "peer" in found ? found.peer : undefined;
}

function senderOf(item: Fields): Peer | undefined {
  for (const name of SENDERS) {
    const value = at(item, name);
    const peer = isFields(value)
      ? (phoneIn(at(value, "phone")) ?? phoneIn(at(value, "number")))
      : phoneIn(value);
    if (peer) return peer;
  }
  return undefined;
}

function readReply(item: Fields, id: string | undefined, source: Delivery, into: Collector): void {
  const words = firstText(item, TEXT_LIMIT, WORDS);
  const date = firstText(item, 60, DATES);
  const sender = senderOf(item);
  if (words === undefined) return into.ignore("reply-without-text");
  // Without an id, an answer delivered twice cannot be told from the same words said twice: it is taken as said.
  const messageId = id ?? `sms-${revision(sender?.address, words, date ?? source.receivedAt)}`;
  into.take({
    kind: "message",
    id: eventId("message", messageId, revision(words, date)),
    at: momentOf(date, source.receivedAt),
    from: sender ?? { address: `${ID_ADDRESS}${messageId.slice(0, 100)}` },
    messageId,
    content: { type: "text", text: words },
    ...(id === undefined ? {} : { quoted: id }),
  });
}

function readItem(item: unknown, source: Delivery, into: Collector): void {
  if (!isFields(item)) return into.ignore("malformed-item");
  const id = messageIdOf(IDS.map((name) => at(item, name)).find((value) => messageIdOf(value)));
  const word = (textAt(item, 60, "status") ?? "")
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  if (!wanted(source.filter, word)) return into.ignore("filtered");
  const isNamed = id !== undefined || senderOf(item) !== undefined;
  const isReply = word === "" && isNamed && firstText(item, TEXT_LIMIT, WORDS) !== undefined;
  if (word === "reply" || word === "replied" || isReply) return readReply(item, id, source, into);
  const status = Object.hasOwn(STATUS, word) ? STATUS[word] : undefined;
  if (!id || !status) return into.ignore("unknown");
  const when = momentOf(firstText(item, 60, DATES), source.receivedAt);
  into.take({
    kind: "ack",
    id: eventId("ack", id, revision(word)),
    at: when,
    messageId: id,
    status,
  });
}

function parse(delivery: Delivery): Parsed {
  const { body } = delivery;
  if (!isFields(body) && !Array.isArray(body)) return { ok: false, reason: "body is no list" };
  const items: readonly unknown[] = Array.isArray(body) ? (body as unknown[]) : [body];
  if (items.length > ITEMS_LIMIT)
    return { ok: false, reason: `more than ${ITEMS_LIMIT} items in one body` };
  const into = createCollector();
  for (const item of items) readItem(item, delivery, into);
  return into.done();
}

function render(message: Outbound, address: string, options: RenderOptions = {}): Rendered {
  const { media, location } = message;
  const more = location ? placeInWords(location) : media?.url;
  const text = fitSms(message, more);
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
  hooks: [],
  parse,
  render,
};
