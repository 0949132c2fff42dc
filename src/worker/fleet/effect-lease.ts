/**
 * How long an effect is certainly ours. A process may be stopped at any instruction and go on minutes later; by then
 * another one has judged its effects. So right before a request leaves, the time since its lease was asked for is checked.
 */
import type { Begun } from "../../store/port/port.ts";
import type { VirtualClock } from "../clock.ts";

/** A moment on both of the machine's clocks, ms. */
export interface Moment {
  readonly wall: number;
  readonly steady: number;
}

export function moment(clock: Pick<VirtualClock, "real">): Moment {
  return { wall: clock.real(), steady: performance.now() };
}

export class Tenure {
  readonly #clock: Pick<VirtualClock, "real">;
  #since: Moment;
  #ms: number;

  /** `since`: taken before the store was asked, so that its lease cannot be the older one. `ms`: not counting a margin. */
  constructor(clock: Pick<VirtualClock, "real">, since: Moment, ms: number) {
    this.#clock = clock;
    this.#since = since;
    this.#ms = ms;
  }

  /** The lease was renewed. */
  extend(since: Moment, ms: number): void {
    this.#since = since;
    this.#ms = ms;
  }

  /** The store said that another worker has it. */
  end(): void {
    this.#ms = 0;
  }

  /**
   * Whether a request may still leave. The steady clock cannot be set but stands still while the machine is suspended; the
   * wall clock goes on. The larger difference counts: in doubt the request does not leave, and the effect is done later.
   */
  readonly stands = (): boolean => {
    const now = moment(this.#clock);
    return Math.max(now.steady - this.#since.steady, now.wall - this.#since.wall) < this.#ms;
  };
}

/** An effect in hand. */
export interface Held extends Begun {
  readonly tenure: Tenure;
}
