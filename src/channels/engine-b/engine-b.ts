/**
 * Engine B: an envelope `{event?, instance, data, sender, date_time, apikey, …}` without event name, delivery id or
 * signature; v1 and v2 bodies. `sender` is the business's own number, `date_time` is local time with a false zone and is
 * never read. `apikey` is a secret and never leaves this file.
 */
import type { Parsed } from "../../engine/index.ts";
import type { Channel, Delivery } from "../channel.ts";
import { SEND_LIMIT } from "../message/rendering.ts";
import { createCollector, EVENTS_LIMIT, wanted, type Collector } from "../collector.ts";
import {
  EVENT_OF_SHAPE,
  isUninteresting,
  shapeOf,
  statedEvent,
  type Shape,
} from "./engine-b-shape.ts";
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
import { at, isFields, listAt, textAt } from "../field.ts";
import { readJid } from "../jid.ts";
import { verifySignature } from "../signature.ts";

type Reader = (data: unknown, source: EngineBSource, into: Collector) => void;

const READERS: Readonly<Record<Shape, Reader>> = {
  contacts: (data, source, into) => {
    for (const one of listAt({ data }, EVENTS_LIMIT, "data")) readContact(one, source, into);
  },
  contact: readContact,
  chats: (_data, _source, into) => into.ignore("chats"),
  qrcode: readQrCode,
  "qrcode-limit": (data, source, into) => readConnection({ state: "refused" }, data, source, into),
  connection: (data, source, into) => readConnection({}, data, source, into),
  "logged-out": (data, source, into) => readConnection({ state: "close" }, data, source, into),
  message: readEngineBMessage,
  ack: readAck,
  delete: readDelete,
  edited: readEdited,
  call: readCall,
  unknown: (_data, _source, into) => into.ignore("unknown"),
};

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
  const name = event === "send.message" ? event : EVENT_OF_SHAPE[shape];
  // Progress of a message that is told with its key: it does not say that words are missing.
  if (shape === "message" && event === "messages.update" && !isFields(at(data, "message")))
    into.ignore("update-without-status");
  else if (shape !== "unknown" && !wanted(delivery.filter, name, event ?? name))
    into.ignore("filtered");
  else READERS[shape](data, source, into);
  return into.done();
}

export const engineB: Channel = {
  name: "engine-b",
  capabilities: {
    choices: ["text", "poll"],
    bold: true,
    media: ["image", "document", "audio"],
    maxText: SEND_LIMIT,
  },
  hooks: [],
  verify: verifySignature,
  parse,
  render: renderEngineB,
};
