/** The timer loop: moves due timers into mailboxes, when the next one is due or once a second. */
import type { TurnContext } from "../context/contexts.ts";
import { Loop } from "../loop.ts";
import type { Outbox } from "../outbox/outbox.ts";

/**
 * Timers moved in one step in each partition while no other contact is ready there: about a tenth of a second of turns. A
 * new message waits at most that long for timers, however many are due.
 */
const LIMIT = 6;
/** The same while this process has no room for another send: more timers would only delay other replies. */
const LIMIT_BUSY = 1;
/** Between two steps while more may be due, ms. */
const PACE_MS = 20;
/** The same without room for sends: one timer of a partition must not come faster than sends leave. */
const PACE_BUSY_MS = 200;
const IDLE_MS = 1_000;
/** Due times remembered before the next poll. */
const SOON = 200;

export class Timers {
  readonly #context: Pick<TurnContext, "store" | "clock" | "wake" | "log">;
  readonly loop: Loop;
  readonly #outbox: Pick<Outbox, "hasRoom">;
  /** Due times before the next poll, virtual ms. */
  #soon: number[] = [];
  #moved = 0;

  constructor(
    context: Pick<TurnContext, "store" | "clock" | "wake" | "log">,
    outbox: Pick<Outbox, "hasRoom">,
  ) {
    this.#context = context;
    this.#outbox = outbox;
    this.loop = new Loop({
      round: async () => (this.#moved = await this.runOnce()),
      idleMs: () => {
        const next = this.#soon.map((at) => at - context.clock.now());
        return Math.max(1, Math.min(this.#moved > 0 ? this.#paceMs : IDLE_MS, ...next));
      },
      failed: (error) => context.log.error({ err: error }, "timers could not be moved"),
    });
  }

  /** A timer of this process is due at `at` (virtual ms). Later ones, and those of other processes, are found by polling. */
  expect(at: number): void {
    if (at - this.#context.clock.now() >= IDLE_MS || this.#soon.length >= SOON) return;
    this.#soon.push(at);
    this.loop.ring();
  }

  get #paceMs(): number {
    return this.#outbox.hasRoom ? PACE_MS : PACE_BUSY_MS;
  }

  /** One step; answers how many timers were due. */
  async runOnce(): Promise<number> {
    const { store, clock, wake } = this.#context;
    this.#soon = this.#soon.filter((at) => at > clock.now());
    const limit = this.#outbox.hasRoom ? LIMIT : LIMIT_BUSY;
    const moved = await store.mail.tick({ offsetMs: clock.offsetMs, limit });
    if (moved > 0) wake("turns");
    return moved;
  }
}
