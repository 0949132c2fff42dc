/** Bodies of the `/message` routes. Flat fields; `options` is taken by text and poll for certain, by the others likely. */
import { z } from "zod";
import { Base64, MessageKey, Recipient, SendOptions, Text, WebUrl } from "./shapes.ts";

/** `delay` beside `options.delay`: newer engines read only the outer one. */
const sendHead = {
  number: Recipient,
  options: SendOptions.optional(),
  delay: z.int().min(0).optional(),
};
const Quoted = z.strictObject({
  key: MessageKey,
  message: z.strictObject({ conversation: z.string() }).optional(),
});

export const SendText = z.strictObject({ ...sendHead, text: Text });
export const SendReply = z.strictObject({ ...sendHead, text: Text, quoted: Quoted });
export const SendMention = z
  .strictObject({
    ...sendHead,
    text: Text,
    mentionsEveryOne: z.literal(true).optional(),
    mentioned: z.array(z.string()).min(1).optional(),
  })
  .refine((body) => (body.mentionsEveryOne ?? body.mentioned) !== undefined, {
    error: "mentionsEveryOne or mentioned",
  });
/** Any of the three forms of sendText: the queue takes them all under one variant. */
export const SendTextQueued = z.strictObject({
  ...sendHead,
  text: Text,
  quoted: Quoted.optional(),
  mentionsEveryOne: z.literal(true).optional(),
  mentioned: z.array(z.string()).min(1).optional(),
});

const audience = {
  allContacts: z.boolean().optional(),
  statusJidList: z.array(z.string()).min(1).optional(),
};
const Colour = z.string().regex(/^#[0-9A-Fa-f]{6}$/, "#RRGGBB");
/** Engine's numbered fonts, 1 to 5. */
export const StatusText = z.strictObject({
  type: z.literal("text"),
  content: Text,
  backgroundColor: Colour,
  font: z.int().min(1).max(5),
  ...audience,
});
export const StatusMedia = z.strictObject({
  type: z.enum(["image", "video"]),
  content: z.union([WebUrl, Base64]),
  caption: z.string().optional(),
  ...audience,
});
export const StatusAudio = z.strictObject({
  type: z.literal("audio"),
  content: z.union([WebUrl, Base64]),
  ...audience,
});

const Button = z.looseObject({
  type: z.enum(["reply", "copy", "url", "call", "pix"]),
  displayText: z.string().optional(),
  id: z.string().optional(),
});
export const SendButtons = z.strictObject({
  ...sendHead,
  title: z.string().optional(),
  description: z.string().optional(),
  footer: z.string().optional(),
  thumbnailUrl: WebUrl.optional(),
  buttons: z.array(Button).min(1).max(10),
});

/** `selectableCount` 0 lets people pick any number; 2 to 10 options, all different. */
export const SendPoll = z.strictObject({
  ...sendHead,
  name: z.string().min(1),
  selectableCount: z.int().min(0).max(10),
  values: z
    .array(z.string().min(1))
    .min(2)
    .max(10)
    .refine((values) => new Set(values).size === values.length, "options differ"),
});

const mediaHead = {
  ...sendHead,
  /** `image` and `document` are the samples of the interface; the engine also knows `video` and `audio`. */
  mediatype: z.string().min(1).max(20),
  mimetype: z.string().min(1).max(200).optional(),
  caption: z.string().optional(),
  fileName: z.string().max(255).optional(),
};
export const MediaImage = z.strictObject({
  ...mediaHead,
  mediatype: z.literal("image"),
  media: Base64,
});
export const MediaByUrl = z.strictObject({ ...mediaHead, media: WebUrl });
export const MediaFile = z.strictObject({ ...mediaHead, media: Base64 });
export const MediaPdf = z.strictObject({
  ...mediaHead,
  mediatype: z.literal("document"),
  mimetype: z.string().regex(/\/pdf$/i),
  media: Base64,
});

/** `encoding` true lets the engine convert to a voice note. */
const audioHead = { ...sendHead, encoding: z.boolean().optional() };
export const AudioByUrl = z.strictObject({ ...audioHead, audio: WebUrl });
export const AudioFile = z.strictObject({ ...audioHead, audio: Base64 });

const stickerHead = { ...sendHead, notConvertSticker: z.boolean().optional() };
export const StickerByUrl = z.strictObject({ ...stickerHead, sticker: WebUrl });
export const StickerFile = z.strictObject({ ...stickerHead, sticker: Base64 });

export const SendLocation = z.strictObject({
  ...sendHead,
  name: z.string(),
  address: z.string(),
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
});
/** An empty `reaction` takes the reaction back. */
export const SendReaction = z.strictObject({
  key: MessageKey.required({ remoteJid: true, fromMe: true }),
  reaction: z.string().max(20),
});
const ContactCard = z.strictObject({
  fullName: z.string().min(1),
  phoneNumber: z.string().min(1),
  wuid: z.string().optional(),
  organization: z.string().optional(),
  email: z.string().optional(),
  url: z.string().optional(),
});
export const SendContact = z.strictObject({ ...sendHead, contact: z.array(ContactCard).min(1) });
