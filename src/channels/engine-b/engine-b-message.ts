/**
 * Messages of engine B, from either side of a chat, and the raw edits that come without a message.
 */
import { TEXT_LIMIT } from "../../engine/index.ts";
import { stamped, takeReading, type Collector } from "../collector.ts";
import {
  eventId,
  messageIdOf,
  at,
  fieldsAt,
  isFields,
  momentOf,
  textOf,
  type Fields,
} from "../field.ts";
import { formsOf, peerOf } from "../jid.ts";
import {
  asEdit,
  isMarkedEdited,
  protocolReading,
  quotedBy,
  readMessage,
  wordsOf,
} from "../message/message-content.ts";

export interface EngineBSource {
  readonly receivedAt: number;
  /** Stated event name, dotted; engine B often states none. */
  readonly event: string | undefined;
  /** The business's own number. */
  readonly own: string | undefined;
}

/**
 * The person of a record. The Alt and Pn/Lid fields complete what the address leaves out; for our own messages the fields
 * that name the recipient are used. There the sender is us, so a phone counts only where our own number is known and it is
 * another one. `beside`: where more such fields may be.
 */
export function chatPeer(
  key: Fields,
  source: EngineBSource,
  { beside, name }: { readonly beside?: Fields; readonly name?: unknown } = {},
): ReturnType<typeof peerOf> {
  const fromMe = at(key, "fromMe") === true;
  return peerOf({
    address: at(key, "remoteJid"),
    forms: [
      at(key, "remoteJidAlt"),
      at(key, "previousRemoteJid"),
      ...formsOf(fromMe ? "recipient" : "sender", key, beside),
      ...(fromMe && source.own ? [key, beside].map((place) => at(place, "senderPn")) : []),
    ],
    own: source.own,
    ...(fromMe ? {} : { name }),
  });
}

/**
 * What the engine writes in place of a message: that it could not be opened (2), that its form is newer than the engine
 * (3), or what happened in the chat (a call, a member, a setting).
 */
function stubOf(record: Fields): "none" | "unreadable" | "notice" {
  const stub = textOf(at(record, "messageStubType"), 60)?.toUpperCase() ?? "";
  if (stub === "" || stub === "0" || stub === "UNKNOWN") return "none";
  return /^(?:2|3|CIPHERTEXT|FUTUREPROOF)$/.test(stub) ? "unreadable" : "notice";
}

/** Test 6 of the shapes: a record with `key.id` and a `message`, or with what stands in its place. */
export function readEngineBMessage(data: unknown, source: EngineBSource, into: Collector): void {
  const record = isFields(data) ? data : {};
  const key = fieldsAt(record, "key") ?? {};
  const messageId = messageIdOf(at(key, "id"));
  const message = fieldsAt(record, "message") ?? {};
  if (!messageId) return into.ignore("unknown");
  const found = chatPeer(key, source, { beside: record, name: at(record, "pushName") });
  if ("ignored" in found) return into.ignore(found.ignored);
  const when = momentOf(at(record, "messageTimestamp"), source.receivedAt);
  const plain = readMessage(message, {
    messageId,
    messageType: at(record, "messageType"),
    pollUpdates: at(record, "pollUpdates"),
  });
  const isMarked = isMarkedEdited(record, key);
  const reading = isMarked ? asEdit(plain, messageId, at(record, "messageTimestamp")) : plain;
  if (reading.is === "unreadable" && stubOf(record) === "notice") return into.ignore("notice");
  if (at(key, "fromMe") === true) {
    if (reading.is !== "content") return into.ignore(`own-${reading.is}`);
    const api = source.event === "send.message" || at(record, "status") === "PENDING";
    const text = wordsOf(message).slice(0, TEXT_LIMIT);
    const id = eventId("own", messageId);
    into.take({ kind: "own", id, at: when, from: found.peer, messageId, api, text });
    return;
  }
  const occasion = { peer: found.peer, messageId, at: when };
  const stamp = at(record, "messageTimestamp");
  takeReading(stamped(reading, stamp), occasion, into, quotedBy(record, message));
}

/**
 * Test 9: the raw protocol message of an edit. It also comes for deletions. Its key is written from its sender's side, so that
 * `fromMe` does not tell whose message it is.
 */
export function readEdited(data: unknown, source: EngineBSource, into: Collector): void {
  const record = isFields(data) ? data : {};
  const key = fieldsAt(record, "key") ?? {};
  const found = chatPeer(key, source);
  if ("ignored" in found) return into.ignore(found.ignored);
  const reading = protocolReading(record);
  const messageId = messageIdOf(at(key, "id"));
  if (!messageId) return into.ignore("unknown");
  const when = momentOf(at(record, "timestampMs"), source.receivedAt);
  const own = at(key, "fromMe") === true;
  takeReading(reading, { peer: found.peer, messageId, at: when, own }, into);
}
