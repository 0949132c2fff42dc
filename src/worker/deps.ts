/** What the worker is given by the composition root. */
import type { Account, AccountModel, Library } from "../engine/index.ts";
import type { Gateway } from "../gateway/index.ts";
import type { Store } from "../store/port/port.ts";
import type { Refused } from "./backfill/liveness.ts";
import type { VirtualClock } from "./clock.ts";
import type { EffectTable } from "./context/contexts.ts";
import type { OwnEffects } from "./effects/own.ts";
import type { Plugged } from "./context/hooks.ts";
import type { Accounts, Channels, Ingest, Keys, Log, Random } from "./ports.ts";

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
  /** Effects of the runtime and its plugins; made of both unless it is given. */
  readonly effects?: EffectTable;
  /** Effects of the bot's own, by name. */
  readonly own?: OwnEffects;
  readonly alertUrl?: string;
  /** Where channels, webhooks of plugins and people reach us, without a slash at the end. */
  readonly publicUrl?: string;
  /** Where pulled back events go: the same way as a webhook's. Without it no events are pulled back. */
  readonly ingest?: Ingest;
  /** Hands over the webhooks that were refused since the last call. */
  readonly refused?: (take: (refused: Refused) => Promise<void>) => Promise<void>;
  /** This process takes webhooks: at its start timers wait until missed messages are back. */
  readonly listens?: boolean;
  /** Contacts with an unfinished turn or send at once. */
  readonly concurrency?: number;
  readonly counted?: (metric: string, labels: Readonly<Record<string, string>>) => void;
}
