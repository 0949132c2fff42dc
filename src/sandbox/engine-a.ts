/**
 * Events of engine A: flat objects, named by `wook`, posted to four URLs by sort and signed over the raw bytes. Message
 * ids are `<fromMe>_<chat>_<id>`.
 */
import type { Json, JsonObject } from "../base/index.ts";
import type { OwnPhone } from "./engine-b.ts";
import type { InboundContents, WireMessage } from "./content.ts";
import { dashed, seconds } from "./wire-time.ts";

export function compositeId(fromMe: boolean, person: string, id: string): string {
  return `${fromMe}_${person.includes("@") ? person : `${person}@c.us`}_${id}`;
}

/** RECEIVE_MESSAGE, or SEND_MESSAGE for what left from the business's number. */
export function messageEvent(
  phone: OwnPhone,
  message: {
    readonly id: string;
    readonly person: string;
    readonly name: string;
    readonly fromMe: boolean;
    readonly at: number;
    readonly content: JsonObject;
  },
): Json {
  const { fromMe, person, at } = message;
  const id = compositeId(fromMe, person, message.id);
  return {
    wook: fromMe ? "SEND_MESSAGE" : "RECEIVE_MESSAGE",
    status: fromMe ? "SENT" : "RECEIVED",
    type: "text",
    fromMe,
    id,
    session: phone.instance,
    isGroupMsg: false,
    author: null,
    name: message.name,
    to: fromMe ? person : phone.own,
    from: fromMe ? phone.own : person,
    quotedMsg: "",
    quotedMsgId: "",
    timestamp: seconds(at),
    datetime: dashed(at),
    ...message.content,
    data: { id, t: seconds(at) },
  };
}

/** What differs by sort of content; undefined for sorts this engine does not tell. */
export function contentOf(
  content: InboundContents,
  wire: WireMessage | undefined,
): JsonObject | undefined {
  const text = content.text ?? content.human?.text;
  if (text !== undefined) return { type: "text", content: text };
  if (content.location) {
    const { latitude, longitude, name } = content.location;
    return { type: "location", loc: name ?? "", lat: latitude, lng: longitude, content: "" };
  }
  if (content.contact) {
    const card = wire?.message["contactMessage"] as JsonObject | undefined;
    return {
      type: "vcard",
      contactName: content.contact.name,
      contactVcard: card?.["vcard"] ?? "",
      content: "",
    };
  }
  if (content.button_reply) {
    const { id, text: title } = content.button_reply;
    return {
      type: "list_response",
      content: title,
      listResponse: { title, singleSelectReply: { selectedRowId: id } },
    };
  }
  return wire?.media ? mediaOf(content, wire.media) : undefined;
}

/** Media come with their bytes inside: these bodies are big. */
function mediaOf(content: InboundContents, media: NonNullable<WireMessage["media"]>): JsonObject {
  const type = content.image
    ? "image"
    : content.audio
      ? "ptt"
      : content.sticker
        ? "sticker"
        : "document";
  const caption = content.image?.caption ?? content.document?.caption ?? "";
  return {
    type,
    mimetype: media.mimetype,
    caption,
    base64: media.base64,
    content: caption,
    ...(media.fileName === undefined ? {} : { fileName: media.fileName }),
  };
}

export function statusEvent(
  phone: OwnPhone,
  message: { readonly id: string; readonly person: string; readonly at: number },
  status: "SENT" | "RECEIVED" | "READ",
): Json {
  return {
    wook: "MESSAGE_STATUS",
    status,
    type: "text",
    id: compositeId(true, message.person, message.id),
    from: phone.own,
    to: message.person,
    session: phone.instance,
    dateTime: dashed(message.at),
    data: { ack: { SENT: 1, RECEIVED: 2, READ: 3 }[status] },
  };
}

export function connectEvent(phone: OwnPhone, state: string): Json {
  const open = state === "open";
  return {
    wook: "STATUS_CONNECT",
    result: 200,
    session: phone.instance,
    state: open ? "CONNECTED" : state === "connecting" ? "OPENING" : "DISCONNECTED",
    status: open ? "inChat" : state === "connecting" ? "INITIALIZING" : "DISCONNECTED",
    number: `${phone.own}@c.us`,
    message: { message: open ? "Client is ready" : "Client is not ready" },
    body: [],
  };
}

export function qrCodeEvent(phone: OwnPhone, code: string, base64: string): Json {
  return {
    wook: "QRCODE",
    result: 200,
    session: phone.instance,
    state: "QRCODE_RECEIVED",
    status: "awaitReadQrCode",
    qrcode: base64,
    attempts: 1,
    urlCode: code,
  };
}

/** A call. Only its offer says whether it has a picture. */
export function callEvent(
  phone: OwnPhone,
  call: {
    readonly id: string;
    readonly person: string;
    readonly isVideo: boolean;
    readonly at: number;
  },
  status: string,
): Json {
  const from = call.person.includes("@") ? call.person : `${call.person}@c.us`;
  const { id, isVideo } = call;
  return {
    wook: "INCOMING_CALL",
    result: 200,
    session: phone.instance,
    id,
    from,
    status,
    type: "call",
    isVideo,
    datetime: dashed(call.at),
    data: { id, peerJid: from, offerTime: seconds(call.at), isVideo, isGroup: false },
  };
}
