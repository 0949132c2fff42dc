/** The timer loop: moves due timers into mailboxes, when the next one is due or once a second. */
import type { Desk } from "./desk.ts";
import { Loop } from "./loop.ts";

/** Timers moved in one step: many due at once drain steadily instead of blocking the store. */
const LIMIT = 200;
const IDLE_MS = 1_000;

export class Timers {
  readonly #desk: Pick<Desk, "store" | "clock" | "wake" | "log">;
  readonly #loop: Loop;
  /** Due times before the next poll, virtual ms. */
  #soon: number[] = [];

  constructor(desk: Pick<Desk, "store" | "clock" | "wake" | "log">) {
    this.#desk = desk;
    this.#loop = new Loop({
      round: async () => (await this.runOnce()) >= LIMIT,
      idleMs: () =>
        Math.max(1, Math.min(IDLE_MS, ...this.#soon.map((at) => at - desk.clock.now()))),
      failed: (error) => desk.log.error({ err: error }, "timers could not be moved"),
    });
  }

  /** A timer of this process is due at `at` (virtual ms). Later ones, and those of others, are found by polling. */
  expect(at: number): void {
    if (at - this.#desk.clock.now() >= IDLE_MS || this.#soon.length >= LIMIT) return;
    this.#soon.push(at);
    this.#loop.ring();
  }

  /** One step; answers how many timers were due. */
  async runOnce(): Promise<number> {
    const { store, clock, wake } = this.#desk;
    this.#soon = this.#soon.filter((at) => at > clock.now());
    const moved = await store.tick({ offsetMs: clock.offsetMs, limit: LIMIT });
    if (moved > 0) wake("turns");
    return moved;
  }

  wake(): void {
    this.#loop.ring();
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }
}
