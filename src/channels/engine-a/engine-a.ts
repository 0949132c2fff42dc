/**
 * Engine A: flat objects that name their event in `wook`, posted to up to four URLs and signed over the raw bytes. An event
 * is read by its name at whichever URL it arrives; without a name by its shape, then by its URL. None is sent twice. It
 * sends text, replies, files and places, and shows neither buttons nor polls.
 */
import { type Parsed, type AckStatus, type Outbound } from "../../engine/index.ts";
import {
  SEND_LIMIT,
  CAPTION_LIMIT,
  cutTo,
  numberedText,
  placeInWords,
} from "../message/rendering.ts";
import type { Channel, Delivery, RenderOptions, Rendered } from "../channel.ts";
import { createCollector, takeQrCode, wanted, type Collector } from "../collector.ts";
import { isEditEvent, readEngineAMessage, chatOf, compositeOf } from "./engine-a-message.ts";
import {
  at,
  isFields,
  numberAt,
  textAt,
  type Fields,
  eventId,
  messageIdOf,
  revision,
} from "../field.ts";
import { lastPart } from "./engine-a-content.ts";
import { peerOf, numberFor, readJid } from "../jid.ts";

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
  hooks: Object.keys(BY_HOOK),
  parse,
  render: renderEngineA,
};

const STATUS: Readonly<Record<string, AckStatus>> = {
  CLOCK: "pending",
  SENT: "sent",
  RECEIVED: "delivered",
  READ: "read",
  PLAYED: "played",
  FAILED: "error",
  EXPIRED: "error",
  CONTENT_GONE: "error",
  CONTENT_TOO_BIG: "error",
  CONTENT_UNUPLOADABLE: "error",
  INACTIVE: "error",
  MD_DOWNGRADE: "error",
};
/** The same by number, from 0 on; every negative number is a failure of its own kind. */
const ACKS: readonly AckStatus[] = ["pending", "sent", "delivered", "read", "played"];

/** Words of `state` and `status` by what they mean for sending; any other word is told as `connecting`. */
const OPEN = /^(connected|inchat|islogged|open)$/i;
const CLOSED =
  /^(disconnected|unpaired|notlogged|browserclose|serverclose|phonenotconnected|close|conflict)$/i;
const REFUSED = /^(autoclosecalled|qrreaderror|qrreadfail|timeout)$/i;

function readEngineAStatus(body: Fields, source: Delivery, into: Collector): void {
  const composite = compositeOf(at(body, "id")) ?? compositeOf(at(body, "data", "id"));
  const messageId = messageIdOf(lastPart(composite));
  const word = textAt(body, 40, "status")?.toUpperCase() ?? "";
  const ack = numberAt(body, "data", "ack") ?? numberAt(body, "ack");
  const byNumber = ack === undefined ? undefined : ack < 0 ? "error" : ACKS[ack];
  const status = Object.hasOwn(STATUS, word) ? STATUS[word] : byNumber;
  if (!messageId || !status) return into.ignore("update-without-status");
  if (composite?.startsWith("false_")) return into.ignore("ack-of-inbound");
  const found = peerOf({ address: chatOf(body, true) });
  if ("ignored" in found && found.ignored !== "address") return into.ignore(found.ignored);
  into.take({
    kind: "ack",
    id: eventId("ack", messageId, status),
    at: source.receivedAt,
    messageId,
    status,
    ...("peer" in found ? { from: found.peer } : {}),
  });
}

function readEngineAConnection(body: Fields, source: Delivery, into: Collector): void {
  const words = [textAt(body, 40, "state"), textAt(body, 40, "status")].filter((word) => word);
  if (words.length === 0) return into.ignore("unknown");
  const is = (shape: RegExp): boolean => words.some((word) => shape.test(word ?? ""));
  // A closed word wins: right after a loss the other field may still hold the state of before.
  const state = is(CLOSED) ? "close" : is(REFUSED) ? "refused" : is(OPEN) ? "open" : "connecting";
  const id = `connection:${state}:${revision(...words, source.receivedAt)}`;
  into.take({ kind: "connection", id, at: source.receivedAt, state });
}

function readEngineAQrCode(body: Fields, source: Delivery, into: Collector): void {
  const code = textAt(body, 4_000, "urlCode") ?? textAt(body, 4_000, "code");
  takeQrCode(code, source.receivedAt, into);
}

function readEngineACall(body: Fields, source: Delivery, into: Collector): void {
  const callId = messageIdOf(compositeOf(at(body, "id")) ?? compositeOf(at(body, "data", "id")));
  const peer = [at(body, "from"), at(body, "peerJid"), at(body, "data", "peerJid")].map(
    compositeOf,
  );
  const found = peerOf({ address: peer.find(Boolean) });
  if (!callId) return into.ignore("unknown");
  if (at(body, "isGroup") === true || at(body, "data", "isGroup") === true)
    return into.ignore("group");
  if ("ignored" in found) return into.ignore(found.ignored);
  const status = textAt(body, 40, "status")?.toLowerCase() ?? "offer";
  const id = eventId("call", callId, status);
  into.take({ kind: "call", id, at: source.receivedAt, from: found.peer, status });
}

/** The engine's id of a message of the contact; what already is one stays. */
function compositeFor(address: string, messageId: string): string {
  if (/^(true|false)_/.test(messageId)) return messageId;
  const jid = readJid(address);
  const chat = jid?.kind === "phone" ? `${jid.user}@c.us` : (jid?.address ?? address);
  return `false_${chat}_${messageId}`;
}

function renderEngineA(message: Outbound, address: string, options: RenderOptions = {}): Rendered {
  const number = numberFor(address);
  const { media, location } = message;
  if (media?.base64) {
    const caption = numberedText(message, CAPTION_LIMIT, true);
    const path = `data:${media.mimetype};base64,${media.base64}`;
    const named = media.fileName ? { fileName: media.fileName } : {};
    return {
      route: "engineA.sendFile64",
      body: { number, path, ...(caption ? { caption } : {}), ...named },
      text: caption,
    };
  }
  const words = numberedText(message, SEND_LIMIT, true);
  if (location && words.trim() === "") {
    const { latitude: lat, longitude: lng, name: title, address: description } = location;
    return {
      route: "engineA.sendLocation",
      body: {
        number,
        lat,
        lng,
        ...(title ? { title } : {}),
        ...(description ? { description } : {}),
      },
      text: "",
    };
  }
  // This engine takes no file by address and no words beside a place: both become text.
  const told = location ? placeInWords(location) : media?.url;
  const text = told ? cutTo(`${words}\n${told}`.trim(), SEND_LIMIT) : words;
  if (message.reply) {
    const messageid = compositeFor(address, message.reply);
    return { route: "engineA.reply", body: { number, messageid, text }, text };
  }
  const typing = options.delayMs ? { time_typing: options.delayMs } : {};
  return { route: "engineA.sendText", body: { number, text, ...typing }, text };
}
