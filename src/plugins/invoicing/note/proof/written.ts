/** The answer of a call to the tax authority, written down although the store is away for a moment. */
import { setTimeout as pause } from "node:timers/promises";
import { type Ending, Fault } from "../../../../plugin.ts";

/** A store that restarts is back within this time; between two tries to write the answer of a call, real ms. */
const ANSWER_KEPT_MS = 30_000;
const ANSWER_PAUSE_MS = 300;

/**
 * The answer is known, and only here: a store that is away for a moment must not make a call uncertain whose end was told.
 * Each step of it may be done again. Another process may have called it uncertain since; the answer stands above that.
 */
export async function written(conclude: () => Promise<Ending>): Promise<Ending> {
  const until = performance.now() + ANSWER_KEPT_MS;
  for (;;) {
    try {
      return await conclude();
    } catch (error) {
      if (!Fault.is(error) || !error.retry || performance.now() > until) throw error;
      await pause(ANSWER_PAUSE_MS);
    }
  }
}
