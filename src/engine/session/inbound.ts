/**
 * Events of all channels, in one vocabulary. Plain JSON.
 *
 * `id` is the dedupe id of the *event*: the provider's message id, its kind, and what tells revisions apart (status of an
 * acknowledgement, digest of an edit or of a poll vote). Every delivery of the event has the same one.
 */
import { z } from "zod";

export const ChannelName = z.enum(["sms", "engine-a", "engine-b", "engine-c"]);
export type ChannelName = z.output<typeof ChannelName>;

/** The other side of a chat. `address` is where replies go: the phone where the channel gave it, otherwise the whole LID. */
export const Peer = z.object({
  address: z.string().min(1).max(128),
  /** Digits in international form, when the channel gave them. Never made from a LID. */
  phone: z
    .string()
    .regex(/^\d{8,15}$/)
    .optional(),
  /** Digits of the linked id, when the channel gave it. */
  lid: z
    .string()
    .regex(/^\d{1,32}$/)
    .optional(),
  name: z.string().max(200).optional(),
});
export type Peer = z.output<typeof Peer>;

/** Where media can be had. Bytes never travel in events. `key` is what the channel's download call needs. */
export const MediaRef = z.object({
  mimetype: z.string().max(200).optional(),
  fileName: z.string().max(300).optional(),
  bytes: z.number().int().nonnegative().optional(),
  seconds: z.number().nonnegative().optional(),
  key: z.string().max(300).optional(),
});
export type MediaRef = z.output<typeof MediaRef>;

/** Longest text that is kept of one message, in UTF-16 units; the engines cut at 65,536, people far earlier. */
export const TEXT_LIMIT = 16_000;

export const Content = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string().max(TEXT_LIMIT) }),
  /** A press on a button, a row of a list, or the voter's whole current poll selection (empty = withdrawn). */
  z.object({
    type: z.literal("choice"),
    via: z.enum(["button", "list", "poll"]),
    picks: z
      .array(z.object({ id: z.string().max(300).optional(), label: z.string().max(300) }))
      .max(20),
    /** Message id of the poll or of the message with the buttons. */
    of: z.string().max(200).optional(),
  }),
  z.object({
    type: z.literal("media"),
    media: z.enum(["image", "video", "audio", "document", "sticker"]),
    ref: MediaRef,
    caption: z.string().max(TEXT_LIMIT).optional(),
    /** Id of the message that holds it together with others: an album, or the same picture in another size. */
    album: z.string().max(200).optional(),
  }),
  z.object({
    type: z.literal("location"),
    latitude: z.number(),
    longitude: z.number(),
    name: z.string().max(300).optional(),
    address: z.string().max(500).optional(),
  }),
  z.object({
    type: z.literal("contacts"),
    contacts: z
      .array(z.object({ name: z.string().max(200), phone: z.string().max(20).optional() }))
      .max(50),
  }),
  /** Understood as a message, but of a sort the bot has no use for (order, payment, …). */
  z.object({ type: z.literal("other"), what: z.string().max(100) }),
]);
export type Content = z.output<typeof Content>;

export const AckStatus = z.enum(["pending", "sent", "delivered", "read", "played", "error"]);
export type AckStatus = z.output<typeof AckStatus>;

const head = { id: z.string().min(1).max(200), at: z.number() };
const ofChat = { ...head, from: Peer, messageId: z.string().min(1).max(200) };

/** Told as a message of the business's: the id decides, because the key inside an edit is written from its sender's side. */
const toldAsOwn = z.literal(true).optional();

/** The contact wrote. */
export const WrittenEvent = z.object({
  kind: z.literal("message"),
  ...ofChat,
  content: Content,
  quoted: z.string().max(200).optional(),
});
export type WrittenEvent = z.output<typeof WrittenEvent>;

/** The same as mail. */
export const WrittenMail = z.object({
  kind: z.literal("inbound"),
  channel: ChannelName,
  event: WrittenEvent,
  acceptedAt: z.number(),
});
export type WrittenMail = z.output<typeof WrittenMail>;

/**
 * When a message was written, ms, by its sender's clock; nobody writes later than it came. The time of a short message may be in a
 * zone nobody names, so that one counts from when it came.
 */
export function writtenAt({ channel, event, acceptedAt }: WrittenMail): number {
  return channel === "sms" ? acceptedAt : Math.min(event.at, acceptedAt);
}

export const InboundEvent = z.discriminatedUnion("kind", [
  WrittenEvent,
  /** The contact wrote, and the words did not arrive. They may follow under the same message id. */
  z.object({ kind: z.literal("unreadable"), ...ofChat }),
  /** `text`: the new words; absent where the channel tells only that there was an edit. */
  z.object({
    kind: z.literal("edit"),
    ...ofChat,
    text: z.string().max(TEXT_LIMIT).optional(),
    own: toldAsOwn,
  }),
  /** `unsure`: this channel announces edits in the same form. */
  z.object({
    kind: z.literal("delete"),
    ...ofChat,
    unsure: z.literal(true).optional(),
    own: toldAsOwn,
  }),
  z.object({
    kind: z.literal("reaction"),
    ...ofChat,
    emoji: z.string().max(32),
    of: z.string().max(200),
  }),
  /**
   * Something left from the business's own number in this chat. `api` when the channel says that it was an API send;
   * otherwise the worker decides (id of ours, or recipient + text hash within 60 s) between an echo and a human.
   */
  z.object({
    kind: z.literal("own"),
    ...ofChat,
    api: z.boolean(),
    text: z.string().max(TEXT_LIMIT),
  }),
  /** Delivery progress of one of our messages. Apply as a maximum; `error` apart. */
  z.object({
    kind: z.literal("ack"),
    ...head,
    messageId: z.string().max(200),
    status: AckStatus,
    from: Peer.optional(),
  }),
  /** What is known of a person changed: only good for aliases and the name. */
  z.object({ kind: z.literal("contact"), ...head, from: Peer }),
  z.object({
    kind: z.literal("connection"),
    ...head,
    state: z.enum(["open", "connecting", "close", "refused"]),
    reason: z.number().optional(),
  }),
  z.object({ kind: z.literal("qrcode"), ...head, code: z.string().max(4000).optional() }),
  z.object({ kind: z.literal("call"), ...head, from: Peer, status: z.string().max(40) }),
]);
export type InboundEvent = z.output<typeof InboundEvent>;

/** Result of reading one webhook body. `ignored` is counted by reason; `malformed` is answered 400. */
export type Parsed =
  | {
      readonly ok: true;
      readonly events: readonly InboundEvent[];
      readonly ignored: readonly string[];
      /** Unknown names of forms among the ignored events, as a stranger wrote them. */
      readonly forms?: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };
