/**
 * What a contact can send, as the control takes it, and the same as engine B and C put it into `message`.
 */
import { z } from "zod";
import type { Json, JsonObject } from "../../base/index.ts";
import type { StoredFile } from "../http/bounded.ts";
import { Hook } from "../webhooks/subscriptions.ts";

/** Characters of one media in Base64 that the control takes: 12 MiB of bytes. */
const BASE64_LIMIT = 16 * 1_024 * 1_024;

const text = z.string().max(65_536);
const short = z.string().max(300);
const messageId = z.string().min(1).max(200);
/** Looks for what is foreign, as `fromBase64` does. */
const isBare = (text: string) => !/[^A-Za-z0-9+/]/.test(text.replace(/={1,2}$/, ""));
const base64 = z.string().max(BASE64_LIMIT).refine(isBare, "must be bare Base64");

const ButtonShape = z.enum(["buttons", "template", "interactive", "list"]);

export const InboundContent = {
  text,
  image: z.strictObject({ caption: text.optional(), base64: base64.optional() }),
  audio: z.strictObject({ seconds: z.number().min(0).max(86_400), base64: base64.optional() }),
  document: z.strictObject({ fileName: short, mimetype: short, base64, caption: text.optional() }),
  location: z.strictObject({ latitude: z.number(), longitude: z.number(), name: short.optional() }),
  contact: z.strictObject({ name: short, phone: short }),
  sticker: z.strictObject({}),
  video: z.strictObject({
    seconds: z.number().min(0).max(86_400).optional(),
    caption: text.optional(),
    base64: base64.optional(),
  }),
  /** An order from the catalogue. */
  order: z.strictObject({ items: z.number().int().min(1).max(1_000) }),
  /** The voter's whole selection; empty takes the vote back. */
  poll_vote: z.strictObject({ poll: messageId, options: z.array(short).max(20) }),
  button_reply: z.strictObject({ id: short, text: short, shape: ButtonShape.optional() }),
  reaction: z.strictObject({ to: messageId, emoji: z.string().max(32) }),
  edit: z.strictObject({ id: messageId, text }),
  delete: z.strictObject({ id: messageId }),
  /** Typed on the business's own phone, in this contact's chat. */
  human: z.strictObject({ text }),
  /** Rings the business's phone. */
  call: z.strictObject({ video: z.boolean().optional() }),
  /** Any body at all, or any text that is none; signed as others are, and past every filter. */
  raw: z
    .strictObject({
      body: z.json().optional(),
      text: text.optional(),
      hook: Hook.optional(),
    })
    .refine((raw) => (raw.body === undefined) !== (raw.text === undefined), "a body or a text"),
} as const;

type ContentKind = keyof typeof InboundContent;
export const CONTENT_KINDS = Object.keys(InboundContent) as readonly ContentKind[];

export type InboundContents = {
  readonly [K in ContentKind]?: z.output<(typeof InboundContent)[K]> | undefined;
};

/** A message as the engines hold it. */
export interface WireMessage {
  readonly messageType: string;
  readonly message: JsonObject;
  /** Media bytes, kept for the download call. */
  readonly media?: StoredFile;
}

/** The smallest real files of each sort, for media sent without bytes. */
const TINY_JPEG =
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=";
const TINY_OGG = "T2dnUwACAAAAAAAAAAAAAAAAAAAAAAAAAAABE09wdXNIZWFkAQE4AYC7AAAAAAA=";
const TINY_MP4 = "AAAAHGZ0eXBpc29tAAACAGlzb21pc28ybXA0MQAAAAhmcmVl";
const TINY_WEBP = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==";

/** Bytes that the engines never give out in a webhook: an address of encrypted content. */
export function encrypted(kind: string, id: string, base64Text: string, at: number): JsonObject {
  return {
    url: `https://mmg.whatsapp.net/${kind}/${id}.enc`,
    directPath: `/${kind}/${id}.enc`,
    mediaKey: "c2FuZGJveA==",
    fileLength: String(Math.floor((base64Text.length * 3) / 4)),
    mediaKeyTimestamp: String(Math.floor(at / 1_000)),
  };
}

/** Writes a media or plain content in the engines' form; undefined for what is no message (edit, delete, votes …). */
export function wireMessage(
  content: InboundContents,
  id: string,
  at: number,
): WireMessage | undefined {
  if (content.text !== undefined || content.human !== undefined)
    return {
      messageType: "conversation",
      message: { conversation: content.text ?? content.human?.text ?? "" },
    };
  if (content.location) {
    const { latitude, longitude, name } = content.location;
    return one("locationMessage", {
      degreesLatitude: latitude,
      degreesLongitude: longitude,
      name,
    });
  }
  if (content.contact) {
    const { name, phone } = content.contact;
    const digits = phone.replace(/\D/g, "");
    return one("contactMessage", {
      displayName: name,
      vcard: `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\nTEL;waid=${digits}:+${digits}\nEND:VCARD`,
    });
  }
  if (content.button_reply) return buttonReply(content.button_reply);
  if (content.order)
    return one("orderMessage", { orderId: `order-${id}`, itemCount: content.order.items });
  return mediaMessage(content, id, at);
}

/** What tells one sort of media from the others: the engine's path, its type, its bytes where none are given, its own fields. */
const MEDIA = {
  image: { path: "o1", mimetype: "image/jpeg", tiny: TINY_JPEG },
  audio: { path: "v", mimetype: "audio/ogg; codecs=opus", tiny: TINY_OGG },
  document: { path: "d", mimetype: "application/octet-stream", tiny: "" },
  video: { path: "m", mimetype: "video/mp4", tiny: TINY_MP4 },
  sticker: { path: "s", mimetype: "image/webp", tiny: TINY_WEBP },
} as const;

function mediaMessage(content: InboundContents, id: string, at: number): WireMessage | undefined {
  const kind = (Object.keys(MEDIA) as (keyof typeof MEDIA)[]).find((sort) => content[sort]);
  if (!kind) return undefined;
  const { path, mimetype: usual, tiny } = MEDIA[kind];
  const sent: InboundMedia = content[kind] ?? {};
  const { base64: bytes = tiny, mimetype = usual, fileName, caption, seconds } = sent;
  const body = {
    ...encrypted(path, id, bytes, at),
    mimetype,
    title: fileName,
    fileName,
    seconds,
    ...(kind === "audio" ? { ptt: true, waveform: "AAECAw==" } : {}),
    isAnimated: kind === "sticker" ? false : undefined,
    caption,
  };
  return one(`${kind}Message`, body, { base64: bytes, mimetype, fileName });
}

interface InboundMedia {
  readonly base64?: string | undefined;
  readonly mimetype?: string;
  readonly fileName?: string;
  readonly caption?: string | undefined;
  readonly seconds?: number | undefined;
}

/** The four shapes in which a pressed button or list row arrives. */
function buttonReply(reply: z.output<(typeof InboundContent)["button_reply"]>): WireMessage {
  const { id, text: label } = reply;
  switch (reply.shape ?? "buttons") {
    case "buttons":
      return one("buttonsResponseMessage", {
        selectedButtonId: id,
        selectedDisplayText: label,
        type: 1,
      });
    case "template":
      return one("templateButtonReplyMessage", {
        selectedId: id,
        selectedDisplayText: label,
        selectedIndex: 0,
      });
    case "interactive":
      return one("interactiveResponseMessage", {
        body: { text: label, format: "DEFAULT" },
        nativeFlowResponseMessage: {
          name: "quick_reply",
          paramsJson: JSON.stringify({ id, display_text: label }),
          version: 3,
        },
      });
    case "list":
      return one("listResponseMessage", {
        title: label,
        listType: 1,
        singleSelectReply: { selectedRowId: id },
      });
  }
}

function one(messageType: string, body: Json, media?: WireMessage["media"]): WireMessage {
  return { messageType, message: { [messageType]: body }, media };
}
