/**
 * An effect on its way: what the engine asked for, plus what the worker writes down, as it stands in the store's outbox.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import type { CallEffect, Effect, SendEffect, ChannelName } from "../../engine/index.ts";
import { itemsOf } from "../../store/index.ts";
import type { EffectView, Store } from "../../store/port/port.ts";

/**
 * A message whose time is further away is looked at again after this at most, virtual ms. The store hands out whatever
 * seems to wait for more than ten minutes, because a clock may have jumped.
 */
const HOP_MS = 300_000;
/** … and after this at least, ms, since each look costs the store something. */
const SHORT_HOP_MS = 15_000;
/** Looks in between come after this share of the remaining wait. */
const HOPS = 40;

/**
 * When a message that must not leave before `time` is looked at: its reader may have written meanwhile, and the answer to
 * that waits for this message.
 */
export function lookedAt(time: number, now: number): number {
  const hop = Math.min(HOP_MS, Math.max(SHORT_HOP_MS, (time - now) / HOPS));
  return Math.min(time, now + Math.round(hop));
}

/** Exact request of a call whose bytes must stay the same at each attempt. */
interface Frozen {
  readonly route: string;
  readonly bytes: string;
  /** Virtual time at which it was written, ms. */
  readonly at: number;
}

export interface Work {
  /** Virtual time of the turn, ms. */
  readonly at: number;
  /** A message that tells the result of a call: it may use the last share of the plan, and is never collapsed. */
  readonly result?: true;
  /** Its reader did not ask for it: such messages leave further apart. */
  readonly unasked?: true;
  /** Virtual time before which such a message must not leave, ms. */
  readonly slot?: number;
  /** It missed its time and was given another. */
  readonly late?: true;
  readonly frozen?: Frozen;
  /** The name and the key of the file that this effect makes, the same at each attempt. */
  readonly secret?: string;
  /** What the effect's own code keeps beside its bytes, in case its records are lost. */
  readonly kept?: JsonObject;
}

export type Entry<E extends Effect = Effect> = E & { readonly work: Work };
export type SendEntry = Entry<SendEffect>;
export type CallEntry = Entry<CallEffect>;

/** Event ids of mail with alarms for phones begin so; the message's turn is named after them. */
export const PAGE = "alarm:";

/** What an alarm about a failed send adds. */
export function asideOf(entry: Entry): { readonly aside?: true } {
  return entry.type === "send" && entry.turn.startsWith(PAGE) ? { aside: true } : {};
}

/** Payloads are sealed, so their shape is known. One that cannot be opened is shown without content. */
export function entryOf(payload: Json): Entry {
  const entry = payload as unknown as Entry;
  return entry.work === undefined ? { ...entry, work: { at: 0 } } : entry;
}

export function payloadOf(entry: Entry): Json {
  return entry as unknown as Json;
}

/**
 * The plan's scope, or that of one channel with a number of its own: its phone may be away while the others work. A pause
 * of the plan covers its channels, too, unless its reason is the phone.
 */
export function planScope(account: string, channel: ChannelName = "engine-b"): string {
  return channel === "engine-b" ? `plan:${account}` : `plan:${account}:${channel}`;
}

/** `plan:<account>` of a channel's scope; undefined for every other scope. */
export function planOf(scope: string): string | undefined {
  const [kind, account, channel] = scope.split(":");
  return kind === "plan" && channel !== undefined ? `plan:${account ?? ""}` : undefined;
}
export const creditsScope = (account: string): string => `credits:${account}`;
/** Work of the runtime itself: one scope for each sort, shared by all accounts. */
export const localScope = (name: string): string => `local:${name}`;
/** An effect of the bot's own, for each account: a service that is down holds back no other effect. */
export const ownScope = (account: string, name: string): string => `own:${account}:${name}`;
export const jobsScope = (account: string): string => `jobs:${account}`;

/** Effects of one page. */
const EFFECTS = 200;

type Some = Omit<Parameters<Store["views"]["effectsOf"]>[0], "after" | "limit">;

/** The latest first, each once. What is asked for meanwhile may be missing. */
export async function* everyEffect(
  store: Pick<Store, "views">,
  some: Some,
): AsyncGenerator<EffectView> {
  const seen = new Set<string>();
  const all = itemsOf((after) => store.views.effectsOf({ ...some, after, limit: EFFECTS }));
  for await (const effect of all) {
    if (seen.has(effect.id)) continue;
    seen.add(effect.id);
    yield effect;
  }
}
