/**
 * The stop: everything that was opened is closed, the last first, and all of it within one time. What an orchestrator
 * kills after ten seconds must have ended before.
 */
import { setTimeout as pause } from "node:timers/promises";

/** The whole stop, ms. */
const STOP_MS = 9_500;
/** Of it for connections: the store, the gateway's. */
const CONNECTIONS_MS = 500;
/** What calls on their way have, fiscal ones too; they are waited for while the listeners close. */
export const GRACE_MS = STOP_MS - CONNECTIONS_MS;
/** Requests that are being read or answered have this long; a body that drips would hold the listener, ms. */
export const ANSWERS_MS = 2_000;

interface Part {
  readonly close: () => Promise<void>;
  readonly atOnce: boolean;
}

export class Closing {
  readonly #parts: Part[] = [];
  #isStopping = false;

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Closed before all that was added earlier. `atOnce`: begun with the stop, and waited for in its place. */
  add(close: () => Promise<void>, { atOnce = false } = {}): void {
    this.#parts.push({ close, atOnce });
  }

  /**
   * Closes all, each within what is left of the time. One part that fails or hangs must not keep the worker from finishing
   * nor the store from being closed; the first failure is thrown at the end.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const until = performance.now() + STOP_MS;
    const failures: unknown[] = [];
    const parts = this.#parts.splice(0).reverse();
    const begun = parts.map(({ close, atOnce }) => (atOnce ? close() : undefined));
    // What fails early is told in its place.
    for (const one of begun) one?.catch(() => undefined);
    for (const [at, { close }] of parts.entries()) {
      const left = Math.max(0, until - performance.now());
      await within(begun[at] ?? close(), left).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** Waits for `work`, but no longer than `ms`. */
export async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  const over = new AbortController();
  const late = pause(ms, false, { signal: over.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    over.abort();
    // Nobody hears of it any more once the time is over.
    work.catch(() => undefined);
  }
}
