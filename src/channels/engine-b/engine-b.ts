/**
 * Engine B: an envelope `{event?, instance, data, sender, date_time, apikey, …}` without event name, delivery id or
 * signature; v1 and v2 bodies. `sender` is the business's own number, `date_time` is local time with a false zone and is
 * never read. `apikey` is a secret and never leaves this file.
 */
import type { Parsed } from "../../engine/index.ts";
import type { Channel, Delivery } from "../channel.ts";
import { createCollector, EVENTS_LIMIT, wanted, type Collector } from "../collector.ts";
import { readEdited, readEngineBMessage, type EngineBSource } from "./engine-b-message.ts";
import {
  readAck,
  readCall,
  readConnection,
  readContact,
  readDelete,
  readQrCode,
} from "./engine-b-signal.ts";
import { renderEngineB } from "./engine-b-render.ts";
import { at, isFields, listAt, textAt, fieldsAt, textOf, type Fields } from "../field.ts";
import { readJid } from "../jid.ts";

type Reader = (data: unknown, source: EngineBSource, into: Collector) => void;

/** What `data` may be: the event that the account's filter knows it by, and its reading. */
const SHAPES = {
  contacts: {
    event: "contacts.update",
    read: (data, source, into) => {
      for (const one of listAt({ data }, EVENTS_LIMIT, "data")) readContact(one, source, into);
    },
  },
  contact: { event: "contacts.update", read: readContact },
  chats: { event: "chats.update", read: (_data, _source, into) => into.ignore("chats") },
  qrcode: { event: "qrcode.updated", read: readQrCode },
  "qrcode-limit": { event: "qrcode.updated", read: readConnection("refused") },
  connection: { event: "connection.update", read: readConnection() },
  "logged-out": { event: "status.instance", read: readConnection("close") },
  message: { event: "messages.upsert", read: readEngineBMessage },
  ack: { event: "messages.update", read: readAck },
  delete: { event: "messages.delete", read: readDelete },
  edited: { event: "messages.edited", read: readEdited },
  call: { event: "call", read: readCall },
  unknown: { event: "unknown", read: (_data, _source, into) => into.ignore("unknown") },
} as const satisfies Record<string, { readonly event: string; readonly read: Reader }>;
type Shape = keyof typeof SHAPES;

/** Whether a body is broken, not merely unknown: data that is no structure, or a message key no engine writes. */
function isBroken(data: unknown): boolean {
  if (Array.isArray(data) || data === null) return false;
  if (!isFields(data)) return true;
  const key = at(data, "key");
  if (key === undefined || key === null) return false;
  return !isFields(key) || typeof at(key, "id") !== "string" || !isText(at(key, "remoteJid"));
}

function isText(value: unknown): boolean {
  return value === undefined || value === null || typeof value === "string";
}

function parse(delivery: Delivery): Parsed {
  const { body } = delivery;
  if (!isFields(body) && !Array.isArray(body)) return { ok: false, reason: "body is no object" };
  const into = createCollector();
  const event = isFields(body) ? statedEvent(body) : undefined;
  if (isUninteresting(event)) {
    into.ignore("event");
    return into.done();
  }
  const data = at(body, "data") ?? body;
  if (isBroken(data)) return { ok: false, reason: "data is of a wrong type" };
  const shape = shapeOf(data);
  const own = readJid(textAt(body, 128, "sender"));
  const source: EngineBSource = {
    receivedAt: delivery.receivedAt,
    event,
    own: own?.kind === "phone" ? own.user : undefined,
  };
  const name = event === "send.message" ? event : SHAPES[shape].event;
  // Progress of a message that is told with its key: it does not say that words are missing.
  if (shape === "message" && event === "messages.update" && !isFields(at(data, "message")))
    into.ignore("update-without-status");
  else if (shape !== "unknown" && !wanted(delivery.filter, name, event ?? name))
    into.ignore("filtered");
  else SHAPES[shape].read(data, source, into);
  return into.done();
}

export const engineB: Channel = {
  name: "engine-b",
  hooks: [],
  parse,
  render: renderEngineB,
};

/*
 * The engine does not say which event a body is: it is told by shape, in a fixed order of tests. A stated event name is only
 * believed where it makes us ignore something, or where two shapes are the same.
 */

const STATES = new Set(["open", "connecting", "close", "refused"]);
const CALLS = new Set(["offer", "ringing", "timeout", "reject", "accept", "terminate"]);
const PERSON = ["pushName", "profilePicUrl", "profilePictureUrl"] as const;

function has(value: Fields, ...names: readonly string[]): boolean {
  return names.some((name) => Object.hasOwn(value, name));
}

function listShape(list: readonly unknown[]): Shape {
  const first = list.find(isFields);
  if (!first) return "unknown";
  if (has(first, "key", "message")) return "unknown";
  if (has(first, "unreadMessages")) return "chats";
  if (has(first, "remoteJid") || (has(first, "id") && has(first, ...PERSON))) return "contacts";
  return Object.keys(first).length === 1 && has(first, "id") ? "chats" : "unknown";
}

/** A message whose words did not arrive: no `message`, or none that is one, beside what only messages have. */
function isWordless(data: Fields): boolean {
  if (has(data, "update", "editedMessage")) return false;
  return has(data, "message", "messageStubType", "messageType", "messageTimestamp", "pushName");
}

/** Which event `data` is. The order of the tests matters: the first that holds wins. */
export function shapeOf(data: unknown): Shape {
  if (Array.isArray(data)) return listShape(data as unknown[]);
  if (!isFields(data)) return "unknown";
  const qrcode = fieldsAt(data, "qrcode");
  if (qrcode && has(qrcode, "code", "base64", "pairingCode")) return "qrcode";
  if (has(data, "statusCode") && typeof at(data, "message") === "string") return "qrcode-limit";
  if (STATES.has(textOf(at(data, "state"), 20) ?? "")) return "connection";
  const status = at(data, "status");
  if (status === "closed" && has(data, "disconnectionReasonCode")) return "logged-out";
  const keyed = textAt(data, 4_096, "key", "id") !== undefined;
  if (keyed && (fieldsAt(data, "message") || isWordless(data))) return "message";
  if (has(data, "keyId") && status !== "DELETED") return "ack";
  if (keyed && fieldsAt(data, "update", "message")) return "ack";
  const named = textAt(data, 4_096, "id") !== undefined && has(data, "remoteJid");
  if (named && has(data, "status", "datetime") && status !== "DELETED" && !has(data, ...PERSON))
    return "ack";
  if (status === "DELETED") return "delete";
  if (named && has(data, "fromMe") && !has(data, "status", "message", ...PERSON)) return "delete";
  if (keyed && has(data, "type", "editedMessage") && !has(data, "messageType")) return "edited";
  if (!has(data, "key", "status") && has(data, "remoteJid", "id") && has(data, ...PERSON))
    return "contact";
  if (has(data, "id") && has(data, "from") && CALLS.has(textOf(status, 20) ?? "")) return "call";
  return "unknown";
}

/** Names of events that hold something for us; another stated name is ignored by its name. */
const TAKEN = new Set([
  "messages.upsert",
  "messages.update",
  "messages.delete",
  "messages.edited",
  "send.message",
  "contacts.update",
  "contacts.upsert",
  "connection.update",
  "qrcode.updated",
  "status.instance",
  "call",
]);

/** The stated event name, folded to the dotted form; undefined when none is stated. */
function statedEvent(body: Fields): string | undefined {
  const text = textAt(body, 60, "event");
  return text?.toLowerCase().replaceAll("_", ".");
}

/** Whether a stated name says that the body holds nothing for us (groups, presence, history sync, …). */
function isUninteresting(event: string | undefined): boolean {
  return event !== undefined && /^[a-z]+(\.[a-z]+){0,3}$/.test(event) && !TAKEN.has(event);
}
