/**
 * What the worker is given: the store, the accounts, the flows, the way out, time and chance. And what it tells.
 */
import type { JsonObject } from "../base/index.ts";
import type {
  Account,
  AccountModel,
  ChannelName,
  JournalRecord,
  Library,
  Outbound,
  Session,
} from "../engine/index.ts";
import type { Gateway, RouteId } from "../gateway/index.ts";
import type { Store } from "../store/port.ts";
import type { Alarm } from "./alarms/alarms.ts";
import type { Ingest } from "./backfill/backfill.ts";
import type { Refused } from "./backfill/ears.ts";
import type { VirtualClock } from "./clock.ts";
import type { OwnEffects } from "./effects/own.ts";
import type { Plugged } from "./hooks.ts";
import type { SessionLive } from "./live.ts";

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

export type WorkerEvent =
  | {
      readonly type: "turn";
      readonly account: string;
      readonly contact: string;
      readonly name?: string;
      readonly address?: string;
      readonly record: JournalRecord;
      readonly view: SessionLive;
      readonly session: Session;
    }
  | {
      readonly type: "call";
      readonly account: string;
      readonly contact?: string;
      /** Id of the gateway's route, or the name of an effect of the bot's own. */
      readonly route: string;
      readonly method: string;
      readonly path: string;
      readonly status?: number;
      readonly outcome: string;
      readonly ms: number;
      readonly attempt: number;
      readonly effect?: string;
    }
  | { readonly type: "clock"; readonly now: number }
  | { readonly type: "pause"; readonly scope: string; readonly reason: string }
  | { readonly type: "resume"; readonly scope: string }
  | ({ readonly type: "alarm" } & Alarm);

export interface WorkerDeps {
  readonly store: Store;
  readonly accounts: Accounts;
  /** What plugins add to an account, and what flows read of it. */
  readonly accountModel: AccountModel;
  readonly library: Library;
  /** The account's gateway with its own credentials and time-outs. */
  readonly gatewayFor: (account: Account) => Pick<Gateway, "call" | "exactBytes">;
  readonly channels: Channels;
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly log: Log;
  readonly keys: Keys;
  /** Total time of one gateway call, ms of real time: leases of effects in flight are made from them. */
  readonly timeouts?: { readonly callMs: number; readonly fiscalMs: number };
  /** What the bot's plugins add to the worker. */
  readonly plugins?: readonly Plugged[];
  /** Effects of the bot's own, by name. */
  readonly own?: OwnEffects;
  readonly alertUrl?: string;
  /** Where channels, webhooks of plugins and people reach us, without a slash at the end. */
  readonly publicUrl?: string;
  /** Where events go that were pulled back: the way of a webhook's. Without it nothing is pulled back. */
  readonly ingest?: Ingest;
  /** Hands over when webhooks were refused since it last did. */
  readonly refused?: (take: (refused: Refused) => Promise<void>) => Promise<void>;
  /** This process takes webhooks: timers wait at its start until what was missed is back. */
  readonly listens?: boolean;
  /** Contacts with an unfinished turn or send at once. */
  readonly concurrency?: number;
  readonly counted?: (metric: string, labels: Readonly<Record<string, string>>) => void;
}
