/**
 * Leases of effects that may be repeated: short, and renewed while their calls run. So what a dead process left behind is
 * judged in seconds, however long a call may take.
 */
import type { Begun } from "../store/port.ts";
import type { Desk } from "./desk.ts";

/** The tail after a crash. Two renewals may fail before a call that still runs is taken for lost. */
export const SHORT_LEASE_MS = 6_000;
const RENEW_MS = 2_000;

export class Leases {
  readonly #desk: Pick<Desk, "store" | "log">;
  readonly #held = new Set<Begun>();
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;

  constructor(desk: Pick<Desk, "store" | "log">) {
    this.#desk = desk;
  }

  /** Renewed from now on, until {@link drop}. */
  hold(begun: Begun): void {
    this.#held.add(begun);
    this.#timer ??= setInterval(() => void this.#tick(), RENEW_MS).unref();
  }

  drop(begun: Begun): void {
    this.#held.delete(begun);
  }

  /**
   * Renews all that are held, in one step; errors are told in the log. A refused one goes on: its call was made, and only
   * the token decides whether its end counts.
   */
  async renew(): Promise<void> {
    if (this.#held.size === 0) return;
    this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined));
    await this.#renewing;
  }

  /** Nothing is renewed any more: what is still held is left to others. */
  stop(): void {
    this.#held.clear();
    this.#rest();
  }

  async #tick(): Promise<void> {
    if (this.#held.size === 0) this.#rest();
    else await this.renew();
  }

  async #renew(): Promise<void> {
    try {
      await this.#desk.store.renew([...this.#held], SHORT_LEASE_MS);
    } catch (error) {
      this.#desk.log.error({ err: error }, "leases of calls on their way could not be renewed");
    }
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
