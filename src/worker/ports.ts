/** What the worker takes from outside: accounts, channels, chance, keys, a log, and the way in of events. */
import { randomInt } from "node:crypto";
import type { JsonObject } from "../base/index.ts";
import type { Account, ChannelName, InboundEvent, Outbound } from "../engine/index.ts";
import type { RouteId } from "../gateway/index.ts";

export type { Log } from "../base/index.ts";

/** Randomness from a cryptographic source, for nonces and jitter. */
export interface Random {
  /** Uniform over 0 … `below` − 1; `below` ≤ 2^48. */
  int(below: number): number;
}

/** Accounts as they are now; the caller caches, the worker asks at each turn and each send. */
export interface Accounts {
  get(id: string): Promise<Account | null>;
  ids(): Promise<readonly string[]>;
  /** Accounts that were removed, with the retention that they promised. */
  removed?(): Promise<readonly Pick<Account, "id" | "zone" | "retention">[]>;
  /**
   * Changes an account in the store by compare-and-set, however many processes change it. `change` may run more than once;
   * it gives null to leave the account as it is. Answers the account afterwards, or null when there is none.
   */
  change?(id: string, change: (account: Account) => Account | null): Promise<Account | null>;
  /** Called at each change made by this process, so that it is in force at once. */
  onChange?(listener: () => void): void;
}

/** One message as one gateway call of the channel it leaves by. */
export interface Channels {
  render(
    outbound: Outbound,
    to: { readonly channel: ChannelName; readonly address: string; readonly account: Account },
  ): RenderedCall;
  /** The call that registers the account's webhook and filter where the engine keeps them; null where none does. */
  subscription?(account: Account): { readonly route: RouteId; readonly body: JsonObject } | null;
}
export interface RenderedCall {
  readonly route: string;
  readonly body: JsonObject;
  /** The text as our own echo will show it. */
  readonly text: string;
}

/** Keyed hash for what would name a person: business keys, echo digests. */
export interface Keys {
  hash(text: string): string;
}

/** Takes events in, as webhooks do. */
export type Ingest = (
  account: Account,
  channel: ChannelName,
  events: readonly InboundEvent[],
  options: { readonly pulled: { readonly answeredSince: number } },
) => Promise<{ readonly accepted: number; readonly duplicate: number }>;

/** Node's cryptographic source. */
export const systemRandom: Random = { int: (below) => randomInt(below) };

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** 43 of 64 characters are 258 bits: beyond guessing, and safe in a path and in a message. */
const CODE_LENGTH = 43;

/** A secret that is part of an address: a one-time page, a webhook. */
export function newCode(random: Random): string {
  return Array.from({ length: CODE_LENGTH }, () => LETTERS[random.int(LETTERS.length)]).join("");
}
