/** What the parts of the worker that make turns and do effects work with. Made once, in `worker.ts`. */
import type { Alarms } from "../alarms/alarms.ts";
import type { Pager } from "../alarms/pager.ts";
import type { Liveness } from "../backfill/liveness.ts";
import type { Filters } from "../backfill/filters.ts";
import type { WorkerDeps } from "../deps.ts";
import type { EffectTable } from "../effects/table.ts";
import type { AutomaticWords } from "../outbox/sending/automatic-words.ts";
import type { Pacing } from "../outbox/pacing/pacing.ts";
import type { Queue } from "../outbox/queue/queue.ts";
import type { Scopes } from "../outbox/pacing/scopes.ts";
import type { RuntimeContext } from "./runtime-context.ts";

export interface WorkerContext extends RuntimeContext {
  readonly accountModel: WorkerDeps["accountModel"];
  /** Effects of the bot's own, by name. */
  readonly own?: WorkerDeps["own"];
  readonly concurrency?: number;
  readonly timeouts: { readonly callMs: number; readonly fiscalMs: number };
  readonly alarms: Alarms;
  readonly scopes: Scopes;
  readonly pacing: Pacing;
  readonly automatic: AutomaticWords;
  readonly liveness: Liveness;
  readonly pager: Pager;
  readonly filters: Filters;
  readonly queue: Queue;
  /** Effects of the runtime and its plugins. */
  readonly effects: EffectTable;
  /** Whether a console listens: events that cost work are made only then. */
  readonly watched: () => boolean;
}
