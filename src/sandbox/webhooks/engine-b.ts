/**
 * Events of engine B. The envelope never names the event; receivers tell it by the shape of `data`. There is no delivery
 * id and no signature; `sender` is our own number, `date_time` local time with a false `Z`.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import { PHONE_DOMAIN } from "../http/address.ts";
import { falseZulu, seconds } from "../world/clock.ts";

/** The phone that is paired with a device, as events name it. */
export interface OwnPhone {
  readonly instance: string;
  readonly instanceId: string;
  /** Digits. */
  readonly own: string;
}

/** How one contact is addressed. */
export interface ChatAddress {
  readonly remoteJid: string;
  readonly remoteJidAlt?: string;
  readonly addressingMode: "pn" | "lid";
}

interface MessageFacts {
  readonly id: string;
  readonly fromMe: boolean;
  readonly pushName: string;
  readonly status: string;
  readonly messageType: string;
  readonly message: JsonObject;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly source: string;
  readonly contextInfo?: JsonObject;
  readonly extra?: JsonObject;
}

/** The body for one URL. */
export function envelope(phone: OwnPhone, data: Json, now: number): (url: string) => Json {
  return (url) => ({
    instance: phone.instance,
    data,
    destination: url,
    date_time: falseZulu(now),
    sender: `${phone.own}${PHONE_DOMAIN}`,
    server_url: "http://127.0.0.1",
    apikey: null,
  });
}

/** A message, in or out: also the answer of a send and a row of findMessages. */
export function messageRecord(phone: OwnPhone, chat: ChatAddress, facts: MessageFacts): JsonObject {
  return {
    key: {
      ...chat,
      fromMe: facts.fromMe,
      id: facts.id,
      participant: "",
    },
    pushName: facts.pushName,
    status: facts.status,
    message: facts.message,
    contextInfo: facts.contextInfo ?? null,
    messageType: facts.messageType,
    messageTimestamp: seconds(facts.at),
    ...facts.extra,
    instanceId: phone.instanceId,
    source: facts.source,
  };
}

/** A message from the business's own number, as it is when the engine takes it. */
export function ownRecord(
  phone: OwnPhone,
  chat: ChatAddress,
  facts: Pick<MessageFacts, "id" | "at" | "messageType" | "message" | "contextInfo">,
): JsonObject {
  const own = { fromMe: true, pushName: "Você", status: "PENDING", source: "web" };
  return messageRecord(phone, chat, { ...facts, ...own });
}

export function messageUpdate(
  phone: OwnPhone,
  chat: ChatAddress,
  id: string,
  status: string,
  messageId: string,
): Json {
  return {
    keyId: id,
    remoteJid: chat.remoteJid,
    fromMe: true,
    participant: `${phone.own}:12${PHONE_DOMAIN}`,
    status,
    instanceId: phone.instanceId,
    messageId,
  };
}

/** The same progress as the first version of the engine tells it. */
export function messageUpdateV1(
  phone: OwnPhone,
  chat: ChatAddress,
  id: string,
  status: string,
  at: number,
): Json {
  const { remoteJid } = chat;
  return { remoteJid, fromMe: true, id, status, datetime: at, owner: phone.instance };
}

/** A record as the first version writes it: time as text, no state, answers and links as extended texts. */
export function recordV1(phone: OwnPhone, record: JsonObject): JsonObject {
  const { key, pushName, messageTimestamp, source, pollUpdates } = record;
  const message = record["message"] as JsonObject;
  const text = message["conversation"];
  const context = record["contextInfo"] as JsonObject | null;
  const isExtended = typeof text === "string" && (context !== null || /https?:/.test(text));
  const inside = { text: text ?? "", contextInfo: context ?? undefined };
  return {
    key: key ?? {},
    pushName: pushName ?? null,
    message: isExtended ? { extendedTextMessage: inside } : message,
    messageType: isExtended ? "extendedTextMessage" : (record["messageType"] ?? ""),
    messageTimestamp: typeof messageTimestamp === "number" ? String(messageTimestamp) : "",
    pollUpdates,
    owner: phone.instance,
    source: source ?? "",
  };
}

/** A person's name, as the engine tells it after each of their messages. */
export function contactUpdate(phone: OwnPhone, chat: ChatAddress, name: string): Json {
  const { addressingMode: _mode, ...address } = chat;
  return { ...address, pushName: name, profilePicUrl: null, instanceId: phone.instanceId };
}

/** An edit is a bare protocol message: no new messages.upsert follows. */
export function messageEdited(chat: ChatAddress, id: string, text: string, at: number): Json {
  return {
    key: { remoteJid: chat.remoteJid, fromMe: false, id },
    type: "MESSAGE_EDIT",
    editedMessage: { conversation: text },
    timestampMs: String(at),
  };
}

export function messageDeleted(chat: ChatAddress, id: string): Json {
  return { remoteJid: chat.remoteJid, fromMe: false, id, status: "DELETED" };
}

/** A contact calls: who, as the address book names people and as the engine addresses them. */
export interface IncomingCall {
  readonly id: string;
  readonly person: string;
  readonly chat: ChatAddress;
  readonly isVideo: boolean;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A call's id is its own; its date, unlike the envelope's, is true. */
export function callData(call: IncomingCall, status: string): Json {
  const { remoteJid } = call.chat;
  return {
    id: call.id,
    chatId: remoteJid,
    from: remoteJid,
    date: new Date(call.at).toISOString(),
    offline: false,
    status,
    isVideo: call.isVideo,
    isGroup: false,
  };
}
