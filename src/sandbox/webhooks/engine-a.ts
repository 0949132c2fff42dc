/**
 * Events of engine A: flat objects, named by `wook`, posted to four URLs by sort and signed over the raw bytes. Message
 * ids are `<fromMe>_<chat>_<id>`.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import type { IncomingCall, OwnPhone } from "./engine-b.ts";
import type { InboundContents, WireMessage } from "../messages/content.ts";
import type { StoredFile } from "../http/bounded.ts";
import { dashed, seconds } from "../world/clock.ts";

export function compositeId(fromMe: boolean, person: string, id: string): string {
  return `${fromMe}_${person.includes("@") ? person : `${person}@c.us`}_${id}`;
}

/** RECEIVE_MESSAGE unless the content names another event, or SEND_MESSAGE for what left from the business's number. */
export function messageEvent(
  phone: OwnPhone,
  message: {
    readonly id: string;
    readonly person: string;
    readonly name: string;
    readonly fromMe: boolean;
    readonly at: number;
    readonly content: JsonObject;
    /** Who of a group writes. */
    readonly author?: string;
  },
): Json {
  const { fromMe, person, at, content } = message;
  const id = compositeId(fromMe, person, message.id);
  const isTimed = content["type"] === "text" || content["type"] === "location";
  const data = content["data"] as JsonObject | undefined;
  return {
    wook: fromMe ? "SEND_MESSAGE" : "RECEIVE_MESSAGE",
    status: fromMe ? "SENT" : "RECEIVED",
    type: "text",
    fromMe,
    id,
    session: phone.instance,
    isGroupMsg: person.endsWith("@g.us"),
    author: message.author === undefined ? null : `${message.author}@c.us`,
    name: message.name,
    to: fromMe ? person : phone.own,
    from: fromMe ? phone.own : person,
    quotedMsg: "",
    quotedMsgId: "",
    timestamp: isTimed ? seconds(at) : undefined,
    datetime: dashed(at),
    ...content,
    data: { id, t: seconds(at), ...data },
  };
}

/** What differs by sort of content; undefined for sorts this engine does not tell. */
export function contentOf(
  content: InboundContents,
  wire: WireMessage | undefined,
  person: string,
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
  if (content.button_reply) return pressOf(content.button_reply);
  if (content.order) return { type: "order", order: { itemCount: content.order.items } };
  if (wire?.media) return mediaOf(content, wire.media);
  return aboutAnother(content, person);
}

/** The four shapes of a press. Rows of a list are what this engine shows itself. */
function pressOf({ id, text, shape = "list" }: NonNullable<InboundContents["button_reply"]>) {
  switch (shape) {
    case "list":
      return {
        type: "list_response",
        content: text,
        listResponse: { title: text, singleSelectReply: { selectedRowId: id } },
      };
    case "buttons":
      return {
        type: "buttons_response",
        content: text,
        data: { selectedButtonId: id, body: text },
      };
    case "interactive":
      return { type: "interactive_response", content: text, data: { selectedId: id, body: text } };
    case "template":
      return {
        wook: "TEMPLATE_BUTTON_REPLY",
        type: "template_button_reply",
        content: text,
        data: { selectedId: id, body: text },
      };
  }
}

/** What has no name of its own among the 19: votes, reactions, edits, deletions. */
function aboutAnother(content: InboundContents, person: string): JsonObject | undefined {
  const { poll_vote: vote, reaction, edit, delete: gone } = content;
  if (vote) {
    const selectedOptions = vote.options.map((name) => ({ name }));
    const msgId = compositeId(true, person, vote.poll);
    return { wook: "EVENT", type: "poll_update", data: { selectedOptions, msgId } };
  }
  if (reaction) {
    const msgId = compositeId(true, person, reaction.to);
    return { wook: "EVENT", type: "reaction", data: { reactionText: reaction.emoji, msgId } };
  }
  const touched = edit?.id ?? gone?.id;
  if (touched === undefined) return undefined;
  const subtype = edit ? "message_edit" : "revoke";
  const protocolMessageKey = { _serialized: compositeId(false, person, touched) };
  return {
    wook: "PROTOCOL",
    type: "protocol",
    ...(edit ? { content: edit.text } : {}),
    data: { subtype, protocolMessageKey },
  };
}

/** Media come with their bytes inside: these bodies are big. */
function mediaOf(content: InboundContents, media: StoredFile): JsonObject {
  const type = content.image
    ? "image"
    : content.audio
      ? "ptt"
      : content.sticker
        ? "sticker"
        : content.video
          ? "video"
          : "document";
  const { image, document, video } = content;
  const caption = image?.caption ?? document?.caption ?? video?.caption ?? "";
  return {
    type,
    mimetype: media.mimetype,
    caption,
    base64: media.base64,
    content: caption,
    fileName: media.fileName,
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

/** Nobody scanned: the engine closes its window by itself. */
export function pairingEndedEvent(phone: OwnPhone): Json {
  return {
    wook: "STATUS_CONNECT",
    result: 200,
    session: phone.instance,
    state: "TIMEOUT",
    status: "autocloseCalled",
    message: { message: "Auto close called" },
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
export function callEvent(phone: OwnPhone, call: IncomingCall, status: string): Json {
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
