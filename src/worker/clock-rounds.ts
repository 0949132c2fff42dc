/** Work that is due by the clock alone: once a minute, and whenever virtual time jumped. */
import type { Chore } from "./context/hooks.ts";
import { Loop } from "./loop.ts";
import { alarmDead } from "./alarms/dead-letters.ts";
import { type HeldContext, HeldCalls } from "./alarms/held-calls.ts";
import { forgetOld } from "./privacy/retention.ts";

const EVERY_MS = 60_000;

export class ClockRounds {
  readonly #context: HeldContext;
  readonly #owner: string;
  readonly #held: HeldCalls;
  readonly loop: Loop;
  #current: Promise<number> | undefined;
  /** Virtual time of the last round. */
  #last: number;

  constructor(context: HeldContext, owner: string) {
    this.#context = context;
    this.#owner = owner;
    this.#held = new HeldCalls(context, owner);
    this.#last = context.clock.now();
    this.loop = new Loop({
      round: () => this.round(),
      idleMs: () => EVERY_MS,
      failed: (error) => context.log.error({ err: error }, "what is due was not all looked after"),
    });
  }

  /** Does a round when enough virtual time passed for something to be due. */
  async hurry(): Promise<number> {
    return this.#context.clock.now() - this.#last < EVERY_MS ? 0 : this.round();
  }

  /** One round at a time; answers how many alarms and messages came of it. */
  round(): Promise<number> {
    return (this.#current ??= this.#round().finally(() => (this.#current = undefined)));
  }

  async #round(): Promise<number> {
    this.#last = this.#context.clock.now();
    const chores = (this.#context.plugins ?? []).flatMap((plugin) => plugin.chores ?? []);
    // A failing piece of work is logged; the others are done all the same.
    const ended = await Promise.allSettled([
      this.#held.round(),
      alarmDead(this.#context, this.#owner),
      ...chores.map((chore) => this.#chore(chore)),
      forgetOld(this.#context),
    ]);
    const failed = ended.find((one) => one.status === "rejected");
    if (failed) throw failed.reason;
    return ended.reduce((sum, one) => sum + (one.status === "fulfilled" ? one.value : 0), 0);
  }

  /** A chore of a plugin that throws is logged by its name, and runs again in the next round. */
  async #chore({ name, run }: Chore): Promise<number> {
    try {
      return await run(this.#context, this.#owner);
    } catch (err) {
      this.#context.log.error(
        { err, chore: name },
        "a chore of a plugin failed; it runs again in a minute",
      );
      return 0;
    }
  }
}
