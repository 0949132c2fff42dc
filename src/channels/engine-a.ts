/**
 * Engine A: flat objects that name their event in `wook`, posted to up to four URLs and signed over the raw bytes.
 *
 * Ids are `<fromMe>_<chat>_<id>`: the chat in it is the true address (`from` may be bare digits of a linked id), the last
 * part is the messenger's own id. `SEND_MESSAGE` tells API sends and the phone's own sends alike. No event is sent twice.
 */
import { TEXT_LIMIT, type AckStatus, type Outbound, type Parsed } from "../engine/index.ts";
import { cutTo, numberedText, SEND_LIMIT } from "./bubble.ts";
import type { Channel, Delivery, RenderOptions, Rendered } from "./channel.ts";
import { createCollector, wanted, type Collector } from "./collector.ts";
import { lastPart, readEngineAContent } from "./engine-a-content.ts";
import { eventId, messageIdOf, revision } from "./event-id.ts";
import { at, isFields, momentOf, numberAt, textAt, type Fields } from "./field.ts";
import { numberFor, peerOf } from "./jid.ts";
import { verifySignature } from "./signature.ts";

/** Which event a body without `wook` is, by the URL it came to. */
const BY_HOOK: Readonly<Record<string, string>> = {
  message: "RECEIVE_MESSAGE",
  status: "STATUS_CONNECTION",
  connect: "STATUS_CONNECT",
  qrcode: "QRCODE",
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
};
const ACKS: readonly AckStatus[] = ["pending", "sent", "delivered", "read", "played"];

/** Words of `state` and `status` by what they mean for sending; any other word is told as `connecting`. */
const OPEN = /^(connected|inchat|islogged|open)$/i;
const CLOSED =
  /^(disconnected|unpaired|notlogged|browserclose|serverclose|phonenotconnected|close|conflict)$/i;
const REFUSED = /^(autoclosecalled|qrreaderror|qrreadfail|timeout)$/i;

function chatOf(body: Fields, own: boolean): unknown {
  const id = textAt(body, 300, "id") ?? textAt(body, 300, "data", "id");
  const chat = /^(?:true|false)_([^_]+)_/.exec(id ?? "")?.[1];
  return chat ?? at(body, own ? "to" : "from");
}

function readMessage(body: Fields, own: boolean, source: Delivery, into: Collector): void {
  const composite = textAt(body, 300, "id") ?? textAt(body, 300, "data", "id");
  const messageId = messageIdOf(lastPart(composite));
  if (!messageId) return into.ignore("unknown");
  if (at(body, "isGroupMsg") === true) return into.ignore("group");
  const fromMe = own || at(body, "fromMe") === true;
  const found = peerOf({
    address: chatOf(body, fromMe),
    forms: [at(body, "data", fromMe ? "to" : "from"), at(body, "phone")],
    ...(fromMe ? {} : { name: at(body, "name") }),
  });
  if ("ignored" in found) return into.ignore(found.ignored);
  const when = momentOf(
    at(body, "timestamp") ?? at(body, "data", "t") ?? at(body, "data", "timestamp"),
    source.receivedAt,
  );
  const content = readEngineAContent(body, composite ?? messageId);
  if (fromMe) {
    const caption = content.type === "media" ? content.caption : undefined;
    const text = content.type === "text" ? content.text : (caption ?? "");
    const id = eventId("own", messageId);
    into.take({ kind: "own", id, at: when, from: found.peer, messageId, api: false, text });
    return;
  }
  const quoted = messageIdOf(lastPart(textAt(body, 300, "quotedMsgId")));
  into.take({
    kind: "message",
    id: eventId("message", messageId),
    at: when,
    from: found.peer,
    messageId,
    content,
    ...(quoted ? { quoted } : {}),
  });
}

function readStatus(body: Fields, source: Delivery, into: Collector): void {
  const composite = textAt(body, 300, "id");
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

function readConnection(body: Fields, source: Delivery, into: Collector): void {
  const words = [textAt(body, 40, "state"), textAt(body, 40, "status")].filter((word) => word);
  if (words.length === 0) return into.ignore("unknown");
  const is = (shape: RegExp): boolean => words.some((word) => shape.test(word ?? ""));
  const state = is(OPEN) ? "open" : is(CLOSED) ? "close" : is(REFUSED) ? "refused" : "connecting";
  const id = `connection:${state}:${revision(...words, source.receivedAt)}`;
  into.take({ kind: "connection", id, at: source.receivedAt, state });
}

function readQrCode(body: Fields, source: Delivery, into: Collector): void {
  const code = textAt(body, 4_000, "urlCode") ?? textAt(body, 4_000, "code");
  const id = `qrcode:${revision(code)}`;
  into.take({ kind: "qrcode", id, at: source.receivedAt, ...(code ? { code } : {}) });
}

function readCall(body: Fields, source: Delivery, into: Collector): void {
  const callId = messageIdOf(at(body, "id") ?? at(body, "data", "id"));
  const found = peerOf({ address: at(body, "from") ?? at(body, "data", "peerJid") });
  if (!callId) return into.ignore("unknown");
  if ("ignored" in found) return into.ignore(found.ignored);
  const status = textAt(body, 40, "status") ?? "offer";
  const id = eventId("call", callId, status);
  into.take({ kind: "call", id, at: source.receivedAt, from: found.peer, status });
}

function parse(delivery: Delivery): Parsed {
  const { body } = delivery;
  if (!isFields(body)) return { ok: false, reason: "body is no object" };
  const into = createCollector();
  const named = textAt(body, 60, "wook") ?? textAt(body, 60, "event");
  const byHook = delivery.hook && Object.hasOwn(BY_HOOK, delivery.hook) ? delivery.hook : undefined;
  const event = named?.toUpperCase() ?? (byHook ? BY_HOOK[byHook] : undefined) ?? "";
  if (!wanted(delivery.filter, event)) into.ignore("filtered");
  else if (event === "RECEIVE_MESSAGE" || event === "TEMPLATE_BUTTON_REPLY")
    readMessage(
      event === "TEMPLATE_BUTTON_REPLY" ? { ...body, type: "template_button_reply" } : body,
      false,
      delivery,
      into,
    );
  else if (event === "SEND_MESSAGE") readMessage(body, true, delivery, into);
  else if (event === "MESSAGE_STATUS") readStatus(body, delivery, into);
  else if (event === "STATUS_CONNECT" || event === "STATUS_CONNECTION")
    readConnection(body, delivery, into);
  else if (event === "QRCODE" || event === "CODE") readQrCode(body, delivery, into);
  else if (event === "INCOMING_CALL") readCall(body, delivery, into);
  else into.ignore(event ? "event" : "unknown");
  return into.done();
}

function render(message: Outbound, address: string, options: RenderOptions = {}): Rendered {
  const number = numberFor(address);
  const text = numberedText(message, SEND_LIMIT, true);
  const { media } = message;
  if (media?.base64) {
    const path = `data:${media.mimetype};base64,${media.base64}`;
    const named = media.fileName ? { fileName: media.fileName } : {};
    return {
      route: "engineA.sendFile64",
      body: { number, path, ...(text ? { caption: text } : {}), ...named },
      text,
    };
  }
  // This engine takes no file by address: the link is told in words.
  const words = media?.url ? cutTo(`${text}\n${media.url}`.trim(), SEND_LIMIT) : text;
  if (message.reply)
    return {
      route: "engineA.reply",
      body: { number, messageid: message.reply, text: words },
      text: words,
    };
  const typing = options.delayMs ? { time_typing: options.delayMs } : {};
  return { route: "engineA.sendText", body: { number, text: words, ...typing }, text: words };
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
  render,
};
