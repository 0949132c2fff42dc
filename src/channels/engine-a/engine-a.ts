/**
 * Engine A: flat objects that name their event in `wook`, posted to up to four URLs and signed over the raw bytes. An event
 * is read by its name at whichever URL it arrives; without a name by its shape, then by its URL. None is sent twice.
 */
import { TEXT_LIMIT, type Parsed } from "../../engine/index.ts";
import { SEND_LIMIT } from "../message/rendering.ts";
import type { Channel, Delivery } from "../channel.ts";
import { createCollector, wanted, type Collector } from "../collector.ts";
import { isEditEvent, readEngineAMessage } from "./engine-a-message.ts";
import { renderEngineA } from "./engine-a-render.ts";
import {
  readEngineACall,
  readEngineAConnection,
  readEngineAQrCode,
  readEngineAStatus,
} from "./engine-a-signal.ts";
import { at, isFields, numberAt, textAt, type Fields } from "../field.ts";
import { verifySignature } from "../signature.ts";

type Reader = (body: Fields, source: Delivery, into: Collector, event: string) => void;

const message: Reader = (body, source, into, event) =>
  readEngineAMessage(event, body, source, into);
const ignored =
  (reason: string): Reader =>
  (_body, _source, into) =>
    into.ignore(reason);

/** All 19 names, and that of a message that waits for its key. */
const READERS: Readonly<Record<string, Reader>> = {
  RECEIVE_MESSAGE: message,
  SEND_MESSAGE: message,
  MESSAGE_STATUS: readEngineAStatus,
  STATUS_CONNECT: readEngineAConnection,
  STATUS_CONNECTION: readEngineAConnection,
  QRCODE: readEngineAQrCode,
  CODE: readEngineAQrCode,
  INCOMING_CALL: readEngineACall,
  PAYMENT: message,
  PRODUCT: message,
  POLL_CREATION: message,
  TEMPLATE_BUTTON_REPLY: message,
  GROUPS_V4_INVITE: message,
  CIPHERTEXT: message,
  PROTOCOL: message,
  EVENT: message,
  GP2: ignored("group-notice"),
  INTERFACE_CHANGED: ignored("interface-changed"),
  NOTIFICATION_MESSAGE: ignored("notification"),
  E2E_NOTIFICATION: ignored("e2e-notice"),
};

/** Which event a body without a name is, by the URL it came to. */
const BY_HOOK: Readonly<Record<string, string>> = {
  message: "RECEIVE_MESSAGE",
  status: "STATUS_CONNECTION",
  connect: "STATUS_CONNECT",
  qrcode: "QRCODE",
};

/** A body without a name at the wrong URL, where its shape leaves no doubt. */
function byShape(body: Fields): string | undefined {
  if (textAt(body, 4_000, "urlCode")) return "QRCODE";
  if (at(body, "data", "peerJid") ?? at(body, "peerJid")) return "INCOMING_CALL";
  const isMessage = at(body, "content") !== undefined || at(body, "fromMe") !== undefined;
  const ack = numberAt(body, "data", "ack") ?? numberAt(body, "ack");
  return !isMessage && ack !== undefined ? "MESSAGE_STATUS" : undefined;
}

function parse(delivery: Delivery): Parsed {
  const { body, hook } = delivery;
  if (!isFields(body)) return { ok: false, reason: "body is no object" };
  const into = createCollector();
  const named = textAt(body, 60, "wook") ?? textAt(body, 60, "event");
  const byHook = hook && Object.hasOwn(BY_HOOK, hook) ? BY_HOOK[hook] : undefined;
  const event = named?.trim().toUpperCase() ?? byShape(body) ?? byHook ?? "";
  const unnamed = isEditEvent(event) ? message : undefined;
  const reader = Object.hasOwn(READERS, event) ? READERS[event] : unnamed;
  if (!wanted(delivery.filter, event)) into.ignore("filtered");
  else if (reader) reader(body, delivery, into, event);
  else into.ignore(event ? "event" : "unknown");
  return into.done();
}

export const engineA: Channel = {
  name: "engine-a",
  capabilities: {
    choices: ["text"],
    bold: true,
    media: ["image", "document", "audio"],
    maxText: Math.min(SEND_LIMIT, TEXT_LIMIT),
  },
  hooks: Object.keys(BY_HOOK),
  verify: verifySignature,
  parse,
  render: renderEngineA,
};
