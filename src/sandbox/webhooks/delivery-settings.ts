/** How webhooks travel and where to: the switches of `PUT /sandbox/delivery` and `PUT /sandbox/subscriptions`. */
import { z } from "zod";
import { isLoopbackUrl } from "../http/loopback.ts";

export const Channel = z.enum(["sms", "engine-a", "engine-b", "engine-c"]);
export type Channel = z.output<typeof Channel>;

/** Engine A has one URL for each sort of event. */
export const Hook = z.enum(["message", "status", "connect", "qrcode"]);
export type Hook = z.output<typeof Hook>;

const probability = z.number().min(0).max(1);

export const DeliverySettings = z.strictObject({
  /** Chance that an event is posted twice. */
  duplicate: probability,
  /** Chance that an event is held until the next one for the same URL went out, or for a second. */
  reorder: probability,
  /** Real milliseconds before each first attempt. */
  delay_ms: z.number().int().min(0).max(600_000),
  /** Chance that an event is never posted. */
  drop: probability,
  /** Contacts are addressed by linked id instead of phone number. */
  lid: z.boolean(),
  /** Whether the phone number comes beside the linked id. */
  lid_alt: z.boolean(),
  /** Whether API sends are echoed as events. */
  echo: z.boolean(),
  /** How far the delivery progress of our sends is told. */
  acks: z.enum(["none", "sent", "delivered", "read"]),
  /** Engine B writes as its first version did: acks by `id` and `datetime`, times as text, long texts wrapped. */
  v1: z.boolean(),
  /** Engine B tells the contact's name after each message, as a body of its own. */
  contacts: z.boolean(),
  /** Engine C gathers receipts of a chat and tells several messages at once. */
  batch: z.boolean(),
  /** The echo of a send, and its progress, are told before the send itself is answered. */
  early: z.boolean(),
  /** Engines B and C tell each message twice: under the phone number and under the linked id. */
  both_forms: z.boolean(),
  /** Engine C forgets its filter when the line drops: nothing is told until `instance/connect` is called. */
  wipe_filter: z.boolean(),
});
export type DeliverySettings = z.output<typeof DeliverySettings>;

export const DELIVERY_AS_NEW: DeliverySettings = {
  duplicate: 0,
  reorder: 0,
  delay_ms: 0,
  drop: 0,
  lid: false,
  lid_alt: true,
  echo: true,
  acks: "delivered",
  v1: false,
  contacts: false,
  batch: false,
  early: false,
  both_forms: false,
  wipe_filter: false,
};

const localUrl = z.string().max(2_000).refine(isLoopbackUrl, "must be an http URL of this machine");

/** How events are signed. As new, and wherever a part is left out: HMAC-SHA256 in hex in `x-signature`. */
export const SignatureSettings = z.strictObject({
  header: z.string().min(1).max(100).optional(),
  algorithm: z.enum(["sha256", "sha512"]).optional(),
  encoding: z.enum(["hex", "base64"]).optional(),
  prefix: z.string().max(40).optional(),
  /** The time of sending, epoch seconds, in a header; with `joinedBy` it is signed as `<time><joinedBy><body>`. */
  timestamp: z
    .strictObject({ header: z.string().min(1).max(100), joinedBy: z.string().max(8).optional() })
    .optional(),
});
export type SignatureSettings = z.output<typeof SignatureSettings>;

export const SubscriptionRequest = z.strictObject({
  channel: Channel,
  /**
   * Where events go. Engine A: an object by hook, or four URLs in the order message, status, connect, qrcode, or one for
   * all. Others: every URL gets every event. An empty list unsubscribes.
   */
  urls: z.union([z.array(localUrl).max(8), z.partialRecord(Hook, localUrl)]),
  /** Event names (or engine C's groups) that are sent; absent or empty = all. */
  filter: z.array(z.string().max(100)).max(50).optional(),
  /** Key of the HMAC. Without it nothing is signed. */
  secret: z.string().min(1).max(200).optional(),
  signature: SignatureSettings.optional(),
  device: z.string().max(100).optional(),
});
export type SubscriptionRequest = z.output<typeof SubscriptionRequest>;

export interface Target {
  readonly url: string;
  readonly hook?: Hook;
}

export interface Subscription {
  readonly channel: Channel;
  readonly device: string;
  readonly targets: readonly Target[];
  readonly filter: readonly string[];
  readonly secret?: string;
  readonly signature?: SignatureSettings;
}

/** Where each hook goes for the forms of `urls`. */
export function targetsOf(request: SubscriptionRequest): readonly Target[] {
  const { urls, channel } = request;
  if (!Array.isArray(urls))
    return Object.entries(urls).map(([hook, url]) =>
      channel === "engine-a" ? { hook: Hook.parse(hook), url } : { url },
    );
  if (channel === "engine-a" && urls.length === Hook.options.length)
    return Hook.options.map((hook, index) => ({ hook, url: urls[index] ?? "" }));
  return urls.map((url) => ({ url }));
}

/** The subscriptions a new sandbox has: all four channels of the demo device, at the bot's webhook paths. */
export function subscriptionsAsNew(
  botUrl: string,
  device: string,
  token: string,
  secret: string,
): readonly Subscription[] {
  return Channel.options.map((channel) => {
    const url = `${botUrl}/webhooks/${channel}/${token}`;
    return channel === "engine-a"
      ? {
          channel,
          device,
          filter: [],
          secret,
          targets: Hook.options.map((hook) => ({ hook, url: `${url}/${hook}` })),
        }
      : { channel, device, filter: [], targets: [{ url }] };
  });
}
