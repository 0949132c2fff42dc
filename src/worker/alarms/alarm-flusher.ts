/**
 * Writes down the alarms and the costs of a process that only takes webhooks, so that the processes that make turns can
 * tell and count them. A process that makes turns has loops of its own for both.
 */
import type { RuntimeContext } from "../context/contexts.ts";
import { Loop } from "../loop.ts";

/** A crash loses at most what came within this time, real ms. What must not be lost is waited for where it arises. */
const EVERY_MS = 2_000;

export class AlarmFlusher {
  readonly #loop: Loop;

  constructor({ pager, budget, log }: Pick<RuntimeContext, "pager" | "budget" | "log">) {
    this.#loop = new Loop({
      round: async () => {
        await pager.stored();
        await budget.flush();
        return false;
      },
      idleMs: () => EVERY_MS,
      failed: (error) => log.error({ err: error }, "what was heard could not be written down"),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Writes down what came since, at a stop. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }
}
