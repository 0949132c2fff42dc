/**
 * Engine C: `{event, data, instanceToken, instanceId, instanceName, state?}`; the event's name is in the body, a filter
 * chooses which are sent. `instanceToken` is a secret and is never read. Receipts name several messages at once.
 */
import {
  TEXT_LIMIT,
  type AckStatus,
  type InboundEvent,
  type Parsed,
  standing,
  type Outbound,
} from "../engine/index.ts";
import {
  SEND_LIMIT,
  CAPTION_LIMIT,
  cutTo,
  numberedText,
  namedPlace,
  placeInWords,
  withoutBold,
} from "./message/rendering.ts";
import type { Channel, Delivery, RenderOptions, Rendered } from "./channel.ts";
import {
  createCollector,
  stamped,
  takeQrCode,
  takeReading,
  wanted,
  type Collector,
} from "./collector.ts";
import {
  eventId,
  messageIdOf,
  revision,
  at,
  fieldsAt,
  isFields,
  listAt,
  momentOf,
  numberAt,
  textAt,
  type Fields,
} from "./field.ts";
import { formsOf, peerOf, numberFor } from "./jid.ts";
import {
  asEdit,
  isMarkedEdited,
  quotedBy,
  readMessage as readContent,
  wordsOf,
  type MessageReading,
} from "./message/message-content.ts";
import { fitsPoll } from "./engine-b/engine-b-render.ts";

type ConnectionState = Extract<InboundEvent, { kind: "connection" }>["state"];

/**
 * The engine repairs a lost line itself, and a phone just paired is about to be connected; after the other reasons nothing
 * happens by itself.
 */
const STATES: Readonly<Record<string, ConnectionState>> = {
  Connected: "open",
  PairSuccess: "connecting",
  Disconnected: "connecting",
  LoggedOut: "close",
  ConnectFailure: "close",
  TemporaryBan: "refused",
  QRTimeout: "refused",
};

const RECEIPTS: Readonly<Record<string, AckStatus>> = {
  read: "read",
  delivered: "delivered",
  "": "delivered",
  played: "played",
};
/** Message ids of one receipt that are looked at. */
const RECEIPT_LIMIT = 1_000;

/** An edit may come unwrapped: the new text under the edited message's id, marked beside it. */
function editOf(
  plain: MessageReading,
  data: Fields,
  info: Fields,
  messageId: string,
): MessageReading {
  if (!isMarkedEdited(data, info) && textAt(info, 4, "Edit") !== "1") return plain;
  const of = messageIdOf(at(info, "MsgMetaInfo", "TargetID")) ?? messageId;
  return asEdit(plain, of, at(info, "Timestamp"));
}

function readMessage(data: Fields, api: boolean, source: Delivery, into: Collector): void {
  const info = fieldsAt(data, "Info") ?? {};
  // Words that could not be opened come without a message, or under an event of their own.
  const message = fieldsAt(data, "Message") ?? {};
  const messageId = messageIdOf(at(info, "ID"));
  if (!messageId) return into.ignore("unknown");
  if (at(info, "IsGroup") === true) return into.ignore("group");
  const fromMe = api || at(info, "IsFromMe") === true;
  const found = peerOf({
    address: at(info, "Chat"),
    forms: fromMe ? formsOf("recipient", info) : [at(info, "Sender"), ...formsOf("sender", info)],
    ...(fromMe ? {} : { name: at(info, "PushName") }),
  });
  if ("ignored" in found) return into.ignore(found.ignored);
  // A reaction, a vote or the like: its sender's phone marks it as of no interest to others.
  if (textAt(data, 10, "DecryptFailMode")?.toLowerCase() === "hide") return into.ignore("no-words");
  const when = momentOf(at(info, "Timestamp"), source.receivedAt);
  const plain = readContent(message, {
    messageId,
    pollUpdates: at(data, "pollUpdates"),
  });
  const reading = stamped(editOf(plain, data, info, messageId), at(info, "Timestamp"));
  if (!fromMe)
    return takeReading(
      reading,
      { peer: found.peer, messageId, at: when },
      into,
      quotedBy(info, message),
    );
  if (reading.is !== "content") return into.ignore(`own-${reading.is}`);
  const text = wordsOf(message).slice(0, TEXT_LIMIT);
  const id = eventId("own", messageId);
  into.take({ kind: "own", id, at: when, from: found.peer, messageId, api, text });
}

function readReceipt(body: Fields, data: Fields, source: Delivery, into: Collector): void {
  const word = (textAt(body, 20, "state") ?? textAt(data, 20, "Type") ?? "").toLowerCase();
  const played = textAt(data, 20, "Type")?.toLowerCase() === "played";
  const status = played ? "played" : Object.hasOwn(RECEIPTS, word) ? RECEIPTS[word] : undefined;
  if (!status) return into.ignore("receipt");
  if (at(data, "IsGroup") === true) return into.ignore("group");
  if (at(data, "IsFromMe") === true) return into.ignore("ack-of-inbound");
  const found = peerOf({ address: at(data, "Chat"), forms: [at(data, "SenderAlt")] });
  if ("ignored" in found && found.ignored !== "address") return into.ignore(found.ignored);
  const when = momentOf(at(data, "Timestamp"), source.receivedAt);
  for (const one of listAt(data, RECEIPT_LIMIT, "MessageIDs")) {
    const messageId = messageIdOf(one);
    if (!messageId) continue;
    const id = eventId("ack", messageId, status);
    const from = "peer" in found ? { from: found.peer } : {};
    into.take({ kind: "ack", id, at: when, messageId, status, ...from });
  }
}

function readCall(event: string, data: Fields, source: Delivery, into: Collector): void {
  const callId = messageIdOf(at(data, "CallID") ?? at(data, "BasicCallMeta", "CallID"));
  const from = at(data, "From") ?? at(data, "BasicCallMeta", "From") ?? at(data, "CallCreator");
  const found = peerOf({ address: from, forms: [at(data, "CallCreatorAlt")] });
  if (!callId) return into.ignore("unknown");
  if ("ignored" in found) return into.ignore(found.ignored);
  if (event === "CallRelayLatency") return into.ignore("call-latency");
  const status = event === "CallOfferNotice" ? "offer" : event.slice("Call".length).toLowerCase();
  const id = eventId("call", callId, status);
  into.take({ kind: "call", id, at: source.receivedAt, from: found.peer, status });
}

function readConnection(event: string, data: Fields, source: Delivery, into: Collector): void {
  const state = Object.hasOwn(STATES, event) ? STATES[event] : undefined;
  if (!state) return into.ignore("unknown");
  const reason = numberAt(data, "Reason") ?? numberAt(data, "reason") ?? numberAt(data, "Code");
  const id = `connection:${state}:${revision(event, reason, source.receivedAt)}`;
  const told = reason === undefined ? {} : { reason };
  into.take({ kind: "connection", id, at: source.receivedAt, state, ...told });
}

function parse(delivery: Delivery): Parsed {
  const { body } = delivery;
  if (!isFields(body)) return { ok: false, reason: "body is no object" };
  const into = createCollector();
  const event = textAt(body, 60, "event")?.trim() ?? "";
  const group = groupOf(event);
  const data = fieldsAt(body, "data") ?? {};
  if (!group) into.ignore(event ? "event" : "unknown");
  // The connection is always told, because the filter is renewed by it.
  else if (group !== "CONNECTION" && !wanted(delivery.filter, event, group))
    into.ignore("filtered");
  else if (isNotice(group)) into.ignore(group.toLowerCase().replaceAll("_", "-"));
  else if (group === "MESSAGE") readMessage(data, false, delivery, into);
  else if (group === "SEND_MESSAGE") readMessage(data, true, delivery, into);
  else if (group === "READ_RECEIPT") readReceipt(body, data, delivery, into);
  else if (group === "CALL") readCall(event, data, delivery, into);
  else if (event === "QRCode") takeQrCode(textAt(data, 4_000, "code"), delivery.receivedAt, into);
  else if (event === "QRSuccess") into.ignore("qr-success");
  else readConnection(event, data, delivery, into);
  return into.done();
}

export const engineC: Channel = {
  name: "engine-c",
  hooks: [],
  parse,
  render: renderEngineC,
};

function renderEngineC(message: Outbound, address: string, options: RenderOptions = {}): Rendered {
  const number = numberFor(address);
  const delay = options.delayMs ? { delay: options.delayMs } : {};
  const quoted = message.reply ? { quoted: { messageId: message.reply } } : {};
  const { media, location } = message;
  const content = media?.url ?? media?.base64;
  if (media && content) {
    const caption = numberedText(message, CAPTION_LIMIT, true);
    // An audio shows no words beside it; as a file it does.
    const type = media.kind === "audio" && caption.trim() !== "" ? "document" : media.kind;
    const named = media.fileName ? { filename: media.fileName } : {};
    const words = caption ? { caption } : {};
    const body = { number, url: content, type, ...words, ...named, ...delay, ...quoted };
    return { route: "engineC.sendMedia", body, text: caption };
  }
  if (options.choices === "poll" && fitsPoll(message)) {
    const question = withoutBold(message.text).trim();
    const labels = (message.choices ?? []).map(standing);
    const body = { number, question, maxAnswer: 1, options: labels, ...delay, ...quoted };
    return { route: "engineC.sendPoll", body, text: question };
  }
  const words = numberedText(message, SEND_LIMIT, true);
  if (location && words.trim() === "") {
    const body = { number, ...namedPlace(location), ...delay, ...quoted };
    return { route: "engineC.sendLocation", body, text: "" };
  }
  const text = location ? cutTo(`${words}\n${placeInWords(location)}`, SEND_LIMIT) : words;
  return { route: "engineC.sendText", body: { number, text, ...delay, ...quoted }, text };
}

/** The filter's group of each event name, as in the engine's public sources. An empty filter there means messages only. */
const GROUPS: Readonly<Record<string, string>> = {
  Message: "MESSAGE",
  UndecryptableMessage: "MESSAGE",
  SendMessage: "SEND_MESSAGE",
  Receipt: "READ_RECEIPT",
  CallOffer: "CALL",
  CallAccept: "CALL",
  CallTerminate: "CALL",
  CallOfferNotice: "CALL",
  CallRelayLatency: "CALL",
  GroupInfo: "GROUP",
  JoinedGroup: "GROUP",
  Connected: "CONNECTION",
  PairSuccess: "CONNECTION",
  TemporaryBan: "CONNECTION",
  LoggedOut: "CONNECTION",
  ConnectFailure: "CONNECTION",
  Disconnected: "CONNECTION",
  QRCode: "QRCODE",
  QRTimeout: "QRCODE",
  QRSuccess: "QRCODE",
  Presence: "PRESENCE",
  ChatPresence: "CHAT_PRESENCE",
  Archive: "ARCHIVE",
  HistorySync: "HISTORY_SYNC",
  LabelEdit: "LABEL",
  LabelAssociationChat: "LABEL",
  LabelAssociationMessage: "LABEL",
  Contact: "CONTACT",
  PushName: "CONTACT",
  NewsletterJoin: "NEWSLETTER",
  NewsletterLeave: "NEWSLETTER",
};

/** Groups the bot uses, in the order in which they are asked for. */
const TAKEN = ["MESSAGE", "SEND_MESSAGE", "READ_RECEIPT", "CALL", "CONNECTION", "QRCODE"] as const;

/** The group of an event name; undefined for an unknown name. */
function groupOf(event: string): string | undefined {
  return Object.hasOwn(GROUPS, event) ? GROUPS[event] : undefined;
}

/** Whether a group holds nothing for the bot: such events are ignored and counted by the group's name. */
function isNotice(group: string): boolean {
  return !TAKEN.some((taken) => taken === group);
}

/**
 * The groups to subscribe to for an account's filter (names of events or of groups, any spelling; empty = all taken).
 * The connection is always among them: it tells when the filter has to be sent again.
 */
export function subscriptionOf(filter: readonly string[]): readonly string[] {
  const fold = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");
  const asked = new Set(filter.map(fold));
  if (asked.size === 0 || asked.has("all")) return TAKEN;
  const events = Object.entries(GROUPS).filter(([event]) => asked.has(fold(event)));
  const groups = new Set(events.map(([, group]) => group));
  return TAKEN.filter(
    (group) => group === "CONNECTION" || asked.has(fold(group)) || groups.has(group),
  );
}
