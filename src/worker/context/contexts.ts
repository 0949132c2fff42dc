/** What the parts of the worker work with: rounds over stored data, sends, turns. Plugins get `Context`. */
import type { Library, AccountModel } from "../../engine/index.ts";
import type { Budget } from "../alarms/budget.ts";
import type { Gaps } from "../backfill/gaps.ts";
import type { Context } from "./context.ts";
import type { WorkerRegistry } from "../fleet/worker-registry.ts";
import type { Plugged } from "./hooks.ts";
import type { z } from "zod";
import type { EffectSpec, LocalSpec } from "../effects/spec.ts";
import type { Echoes } from "../outbox/sending/echoes.ts";
import type { Channels, Ingest, Accounts, Log } from "../ports.ts";
import type { OwnEffects } from "../effects/own.ts";
import type { Pacing } from "../outbox/pacing/pacing.ts";
import type { Scopes } from "../outbox/pacing/scopes.ts";
import type { Queue } from "../outbox/queue/queue.ts";
import type { AutomaticWords } from "../outbox/sending/automatic-words.ts";
import type { Store } from "../../store/port/port.ts";
import type { Alarms } from "../alarms/alarms.ts";
import type { VirtualClock } from "../clock.ts";
import type { WorkerEvent } from "../events.ts";
import type { Listeners } from "../../store/index.ts";

/** For the runtime's own effects and its rounds over stored data, besides what plugins get. */
export interface RuntimeContext extends Context {
  readonly plugins?: readonly Plugged[];
  readonly library: Library;
  readonly channels: Channels;
  readonly echoes: Echoes;
  readonly gaps: Gaps;
  readonly budget: Budget;
  readonly workers: Pick<WorkerRegistry, "othersCan">;
  /** Where events go that were pulled back. */
  readonly ingest?: Ingest;
}

/** Done by code, of the runtime or of a plugin. */
export type RuntimeLocal = LocalSpec<z.ZodObject, RuntimeContext>;

export interface EffectTable {
  /** Effects that become one gateway call. */
  readonly calls: ReadonlyMap<string, EffectSpec<RuntimeContext>>;
  /** Effects that are done by code of the runtime or of a plugin. */
  readonly locals: ReadonlyMap<string, RuntimeLocal>;
}

/** For the outbox, the reaper and the queue, besides what the effects themselves are given. */
export interface SendContext extends RuntimeContext {
  readonly scopes: Scopes;
  readonly pacing: Pacing;
  readonly queue: Queue;
  readonly automatic: Pick<AutomaticWords, "sweep">;
  /** Effects of the runtime and its plugins. */
  readonly effects: EffectTable;
  /** Effects of the bot's own, by name. */
  readonly own?: OwnEffects;
  readonly timeouts: { readonly callMs: number; readonly fiscalMs: number };
  readonly concurrency?: number;
}

/** For turns; how their effects leave is in `CommitContext`. */
export interface TurnContext {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly accountModel: AccountModel;
  readonly library: Library;
  readonly clock: VirtualClock;
  readonly log: Log;
  readonly alarms: Pick<Alarms, "raise">;
  readonly automatic: Pick<AutomaticWords, "tell">;
  readonly workers: Pick<WorkerRegistry, "othersCan">;
  /** Events that cost work are made only while somebody listens. */
  readonly events: Pick<Listeners<WorkerEvent>, "tell" | "isEmpty">;
  readonly wake: (what: "turns" | "outbox") => void;
  readonly counted?: (metric: string, labels: Readonly<Record<string, string>>) => void;
}
