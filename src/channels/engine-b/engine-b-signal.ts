/**
 * Engine B's events that are no message: acks of both versions, deletions, contacts, connection, QR code, calls.
 */
import type { AckStatus, InboundEvent } from "../../engine/index.ts";
import { takeQrCode, takeReading, type Collector } from "../collector.ts";
import { chatPeer, type EngineBSource } from "./engine-b-message.ts";
import {
  eventId,
  messageIdOf,
  revision,
  at,
  fieldsAt,
  type Fields,
  isFields,
  momentOf,
  numberAt,
  textAt,
  textOf,
} from "../field.ts";
import { peerOf } from "../jid.ts";
import { editReading } from "../message/message-content.ts";

/** Status words and their numbers, as the engine stores them. */
const STATUS: Readonly<Record<string, AckStatus>> = {
  ERROR: "error",
  "0": "error",
  PENDING: "pending",
  "1": "pending",
  SERVER_ACK: "sent",
  "2": "sent",
  DELIVERY_ACK: "delivered",
  "3": "delivered",
  READ: "read",
  "4": "read",
  PLAYED: "played",
  "5": "played",
};

/**
 * Test 7: progress of a message of ours. Progress of a contact's message (our own reading of it) is ignored, its edit is
 * not.
 */
export function readAck(data: unknown, source: EngineBSource, into: Collector): void {
  const record = isFields(data) ? data : {};
  const messageId = messageIdOf(at(record, "keyId") ?? at(record, "id") ?? at(record, "key", "id"));
  const word = textOf(at(record, "status"), 20)?.toUpperCase() ?? "";
  const changed = fieldsAt(record, "message") ?? fieldsAt(record, "update", "message");
  const edit = changed && fieldsAt(changed, "editedMessage");
  if (messageId && (edit || word === "EDITED"))
    return readUpdated(record, { messageId, edit }, source, into);
  const status = Object.hasOwn(STATUS, word) ? STATUS[word] : undefined;
  if (!messageId || !status) return into.ignore("update-without-status");
  if (at(record, "fromMe") !== true) return into.ignore("ack-of-inbound");
  const found = chatPeer(record, source);
  if ("ignored" in found && found.ignored !== "address") return into.ignore(found.ignored);
  into.take({
    kind: "ack",
    id: eventId("ack", messageId, status),
    at: momentOf(at(record, "datetime"), source.receivedAt),
    messageId,
    status,
    ...("peer" in found ? { from: found.peer } : {}),
  });
}

/** An edit told as progress: the words stand beside it, or are not told. */
function readUpdated(
  record: Fields,
  { messageId, edit }: { readonly messageId: string; readonly edit: Fields | undefined },
  source: EngineBSource,
  into: Collector,
): void {
  const key = fieldsAt(record, "key") ?? record;
  if (at(key, "fromMe") === true) return into.ignore("own-edit");
  const found = chatPeer(key, source);
  if ("ignored" in found) return into.ignore(found.ignored);
  const reading = editReading(messageId, edit && (fieldsAt(edit, "message") ?? edit), undefined);
  takeReading(reading, { peer: found.peer, messageId, at: source.receivedAt }, into);
}

/** Test 8: the contact took a message back. As progress (`keyId`) some versions tell of edits so, too. */
export function readDelete(data: unknown, source: EngineBSource, into: Collector): void {
  const record = isFields(data) ? data : {};
  const messageId = messageIdOf(at(record, "keyId") ?? at(record, "id"));
  if (!messageId) return into.ignore("unknown");
  if (at(record, "fromMe") === true) return into.ignore("own-delete");
  const found = chatPeer(record, source);
  if ("ignored" in found) return into.ignore(found.ignored);
  const unsure = at(record, "keyId") !== undefined;
  const occasion = { peer: found.peer, messageId, at: source.receivedAt, unsure };
  takeReading({ is: "delete", of: messageId }, occasion, into);
}

/** Tests 1 and 10: a person's name or aliases. Update and insert look the same and need not be told apart. */
export function readContact(data: unknown, source: EngineBSource, into: Collector): void {
  if (!isFields(data)) return into.ignore("unknown");
  const address = at(data, "remoteJid") ?? at(data, "id");
  const found = peerOf({
    address,
    forms: [at(data, "remoteJidAlt"), at(data, "lid"), at(data, "jid")],
    name: at(data, "pushName"),
    own: source.own,
  });
  if ("ignored" in found) return into.ignore(found.ignored);
  const { peer } = found;
  const id = `contact:${revision(peer.address, peer.phone, peer.lid, peer.name)}`;
  into.take({ kind: "contact", id, at: source.receivedAt, from: peer });
}

/** Tests 3, 4 and 5. `given` names the state where the body does not. */
export function readConnection(given?: "refused" | "close") {
  return (data: unknown, source: EngineBSource, into: Collector): void => {
    const stated = textAt(data, 20, "state") as
      Extract<InboundEvent, { kind: "connection" }>["state"] | undefined;
    const state = given ?? stated;
    if (!state) return into.ignore("unknown");
    const reason =
      numberAt(data, "statusReason") ??
      numberAt(data, "disconnectionReasonCode") ??
      numberAt(data, "statusCode");
    // A state may come back (open, close, open): the time of arrival tells the occasions apart.
    const id = `connection:${state}:${revision(reason, source.receivedAt)}`;
    const told = reason === undefined ? {} : { reason };
    into.take({ kind: "connection", id, at: source.receivedAt, state, ...told });
  };
}

/** Test 2. */
export function readQrCode(data: unknown, source: EngineBSource, into: Collector): void {
  takeQrCode(textAt(data, 4_000, "qrcode", "code"), source.receivedAt, into);
}

/** Test 11. */
export function readCall(data: unknown, source: EngineBSource, into: Collector): void {
  const callId = messageIdOf(at(data, "id"));
  const status = textAt(data, 40, "status");
  if (!callId || !status) return into.ignore("unknown");
  const found = peerOf({
    address: at(data, "from"),
    forms: [at(data, "chatId"), at(data, "callerPn")],
    own: source.own,
  });
  if ("ignored" in found) return into.ignore(found.ignored);
  const when = momentOf(at(data, "date"), source.receivedAt);
  into.take({
    kind: "call",
    id: eventId("call", callId, status),
    at: when,
    from: found.peer,
    status,
  });
}
