/**
 * What a process that only takes webhooks hears of (alarms) and pays for (the lookups of notices), written down: those that
 * make the turns tell it on phones and count it. One that makes turns has loops of its own for both.
 */
import type { WorkerContext } from "../context/worker-context.ts";
import { Loop } from "../loop.ts";

/** What a crash may lose is this old at most, real ms. What must not be lost is waited for where it is heard. */
const EVERY_MS = 2_000;

export class AlarmFlusher {
  readonly #loop: Loop;

  constructor({ pager, budget, log }: Pick<WorkerContext, "pager" | "budget" | "log">) {
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

  /** Whoever stops it writes down what came since. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }
}
