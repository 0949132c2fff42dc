/** What the worker is given by the composition root, and what it offers. */
import type { Account, AccountModel, Library } from "../engine/index.ts";
import type { Gateway } from "../gateway/index.ts";
import type { Acceptance, Accepted, Store } from "../store/port/port.ts";
import type { Usage } from "./alarms/sums.ts";
import type { Alarms } from "./alarms/alarms.ts";
import type { Pager } from "./alarms/pager.ts";
import type { Gaps } from "./backfill/gaps.ts";
import type { Echoes } from "./outbox/sending/echoes.ts";
import type { AutomaticWords } from "./outbox/sending/automatic-words.ts";
import type { Scopes } from "./outbox/pacing/scopes.ts";
import type { Jobs } from "./outbox/queue/jobs.ts";
import type { Signals } from "./signals.ts";
import type { WorkerEvent } from "./events.ts";
import type { Liveness, Refused } from "./backfill/liveness.ts";
import type { VirtualClock } from "./clock.ts";
import type { EffectTable, RuntimeContext } from "./context/contexts.ts";
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

export interface Worker {
  /**
   * Starts the worker. With `works: false` it makes no turns and sends nothing; what webhooks bring is stored for other
   * processes.
   */
  start(how?: { readonly works: boolean }): Promise<void>;
  /**
   * No new claims; calls on their way end, at most `graceMs`. None is aborted: one that takes longer stays in flight in the
   * store and is judged by its class when its lease is over, a fiscal one as uncertain.
   */
  stop(graceMs?: number): Promise<void>;
  /** When no mail, due timer or due effect is left; paused scopes and held effects do not count. */
  drain(): Promise<void>;
  /**
   * One round of a loop, for whoever drives the worker instead of starting it; answers how much was found. Effects that were
   * begun are not waited for ({@link Worker.inHand}).
   */
  round(of: "outbox" | "reaper" | "timers" | "turns"): Promise<number>;
  /** Effects on their way. */
  inHand(): number;
  /** There may be work of any kind, anywhere. */
  wake(): void;
  /** As `accept` of the store. While this worker runs, it begins at once with contacts that would be claimed next. */
  accept(items: readonly Acceptance[]): Promise<readonly Accepted[]>;
  /** Everything the console shows. Returns what takes the listener off again. */
  onEvent(listener: (event: WorkerEvent) => void): () => void;
  readonly signals: Signals;
  /** What plugins open their services with (`use`), for their routes, pages and webhooks. */
  readonly context: RuntimeContext;
  /** What the account's calls of this month use and cost. */
  usage(account: string): Promise<Usage>;
  readonly scopes: Scopes;
  readonly jobs: Jobs;
  readonly echoes: Echoes;
  readonly automatic: AutomaticWords;
  readonly liveness: Liveness;
  readonly gaps: Gaps;
  readonly pager: Pager;
  readonly alarms: Alarms;
}
