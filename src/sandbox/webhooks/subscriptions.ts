/** Who asked for which events of which device, where they go, and how they are signed. */
import { z } from "zod";
import { isLoopbackUrl } from "../http/loopback.ts";
import { createHmac } from "node:crypto";
import { seconds } from "../world/clock.ts";

export const Channel = z.enum(["sms", "engine-a", "engine-b", "engine-c"]);
export type Channel = z.output<typeof Channel>;

/** Engine A has one URL for each sort of event. */
export const Hook = z.enum(["message", "status", "connect", "qrcode"]);
export type Hook = z.output<typeof Hook>;

const localUrl = z.string().max(2_000).refine(isLoopbackUrl, "must be an http URL of this machine");

/** How events are signed. As new, and wherever a part is left out: HMAC-SHA256 in hex in `x-signature`. */
const SignatureSettings = z.strictObject({
  header: z.string().min(1).max(100).optional(),
  algorithm: z.enum(["sha256", "sha512"]).optional(),
  encoding: z.enum(["hex", "base64"]).optional(),
  prefix: z.string().max(40).optional(),
  /** The time of sending, epoch seconds, in a header; with `joinedBy` it is signed as `<time><joinedBy><body>`. */
  timestamp: z
    .strictObject({ header: z.string().min(1).max(100), joinedBy: z.string().max(8).optional() })
    .optional(),
});
type SignatureSettings = z.output<typeof SignatureSettings>;

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

interface Target {
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

/** A filter that no event's name passes. */
const NOTHING = "(nothing)";

/** What of an event decides where it goes. */
export interface Addressed {
  readonly channel: Channel;
  readonly device: string;
  /** Names a filter may hold: the event's own and, for engine C, its group's. None = past every filter. */
  readonly names: readonly string[];
  readonly hook?: Hook;
}

export class Subscriptions {
  #rows: readonly Subscription[];

  constructor(rows: readonly Subscription[]) {
    this.#rows = rows;
  }

  all(): readonly Subscription[] {
    return this.#rows;
  }

  hears(channel: Channel, device: string): boolean {
    return this.#rows.some((row) => row.channel === channel && row.device === device);
  }

  /** Takes the place of the channel's and device's one before; without targets it ends that one. */
  set(subscription: Subscription): void {
    const { channel, device, targets } = subscription;
    const others = this.#rows.filter((row) => row.channel !== channel || row.device !== device);
    this.#rows = targets.length > 0 ? [...others, subscription] : others;
  }

  /** Engine C asks for nothing any more, until it is told anew. */
  wipe(device: string): void {
    this.#rows = this.#rows.map((row) =>
      row.channel === "engine-c" && row.device === device ? { ...row, filter: [NOTHING] } : row,
    );
  }

  /** Every URL an event goes to, with the subscription that asked for it. */
  of(event: Addressed): readonly { readonly url: string; readonly subscription: Subscription }[] {
    return this.#rows
      .filter((row) => row.channel === event.channel && row.device === event.device)
      .filter((row) => wanted(row.filter, event.names))
      .flatMap((subscription) =>
        subscription.targets
          .filter(({ hook }) => hook === undefined || hook === event.hook)
          .map(({ url }) => ({ url, subscription })),
      );
  }
}

function wanted(filter: readonly string[], names: readonly string[]): boolean {
  if (filter.length === 0 || names.length === 0) return true;
  const asked = new Set(filter.map((name) => name.toUpperCase()));
  return asked.has("ALL") || names.some((name) => asked.has(name.toUpperCase()));
}

/** `now` in epoch milliseconds: when the event is packed, the same over all its attempts. */
export function signatureHeaders(
  bytes: string,
  { secret, signature = {} }: Pick<Subscription, "secret" | "signature">,
  now: number,
): Readonly<Record<string, string>> {
  if (secret === undefined) return {};
  const { header = "x-signature", algorithm = "sha256", encoding = "hex" } = signature;
  const { prefix = "", timestamp } = signature;
  const sent = String(seconds(now));
  const before = timestamp?.joinedBy === undefined ? "" : `${sent}${timestamp.joinedBy}`;
  const mac = createHmac(algorithm, secret).update(before).update(bytes).digest(encoding);
  return {
    [header.toLowerCase()]: `${prefix}${mac}`,
    ...(timestamp ? { [timestamp.header.toLowerCase()]: sent } : {}),
  };
}
