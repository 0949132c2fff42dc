/** What the worker takes from outside: accounts, channels, chance, keys, a log, and the way in of events. */
import type { JsonObject } from "../base/index.ts";
import type { Account, ChannelName, InboundEvent, Outbound } from "../engine/index.ts";
import type { RouteId } from "../gateway/index.ts";

/** The part of pino that is used. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Chance, from a cryptographic source: nonces and jitter. */
export interface Random {
  /** Uniform over 0 … `below` − 1; `below` ≤ 2^48. */
  int(below: number): number;
}

/** Accounts as they are now; the caller caches, the worker asks at each turn and each send. */
export interface Accounts {
  get(id: string): Promise<Account | null>;
  ids(): Promise<readonly string[]>;
  /** Those that were removed, with what they promised to forget. */
  removed?(): Promise<readonly Pick<Account, "id" | "zone" | "retention">[]>;
  /**
   * Changes an account as it stands in the store, however many processes change it; `change` may run again and gives null
   * to leave it. Answers the account afterwards; null when there is none.
   */
  change?(id: string, change: (account: Account) => Account | null): Promise<Account | null>;
  /** Told of each change made by this process, so that it is in force at once. */
  onChange?(listener: () => void): void;
}

/** One bubble as one gateway call of the channel it leaves by. */
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

/** What takes events in, as it does for webhooks. */
export type Ingest = (
  account: Account,
  channel: ChannelName,
  events: readonly InboundEvent[],
  options: { readonly pulled: { readonly answeredSince: number } },
) => Promise<{ readonly accepted: number; readonly duplicate: number }>;
