/** What the outbox, the reaper and the queue do effects with, besides what the effects themselves are given. */
import type { WorkerDeps } from "../deps.ts";
import type { EffectTable } from "../effects/table.ts";
import type { Pacing } from "../outbox/pacing/pacing.ts";
import type { Scopes } from "../outbox/pacing/scopes.ts";
import type { Queue } from "../outbox/queue/queue.ts";
import type { AutomaticWords } from "../outbox/sending/automatic-words.ts";
import type { RuntimeContext } from "./runtime-context.ts";

export interface SendContext extends RuntimeContext {
  readonly scopes: Scopes;
  readonly pacing: Pacing;
  readonly queue: Queue;
  readonly automatic: Pick<AutomaticWords, "sweep">;
  /** Effects of the runtime and its plugins. */
  readonly effects: EffectTable;
  /** Effects of the bot's own, by name. */
  readonly own?: WorkerDeps["own"];
  readonly timeouts: { readonly callMs: number; readonly fiscalMs: number };
  readonly concurrency?: number;
}
