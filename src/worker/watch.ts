/** Once a minute, and whenever virtual time jumped: what is due by the clock alone, for nobody in particular. */
import type { Desk } from "./desk.ts";
import { Loop } from "./loop.ts";
import type { Reports } from "./alarms/reports.ts";
import { alarmStuck } from "./alarms/stuck.ts";

const EVERY_MS = 60_000;

export class Watch {
  readonly #desk: Desk;
  readonly #reports: Reports;
  readonly #owner: string;
  readonly #loop: Loop;
  #current: Promise<number> | undefined;
  /** Virtual time of the last round. */
  #last: number;

  constructor(desk: Desk, reports: Reports, owner: string) {
    this.#desk = desk;
    this.#reports = reports;
    this.#owner = owner;
    this.#last = desk.clock.now();
    this.#loop = new Loop({
      round: async () => {
        await this.round();
        return false;
      },
      idleMs: () => EVERY_MS,
      failed: (error) => desk.log.error({ err: error }, "open notes could not be looked after"),
    });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  /** A round when so much virtual time went by that something may be due. */
  async hurry(): Promise<number> {
    return this.#desk.clock.now() - this.#last < EVERY_MS ? 0 : this.round();
  }

  /** One round at a time; answers how many alarms and reports came of it. */
  round(): Promise<number> {
    return (this.#current ??= this.#round().finally(() => (this.#current = undefined)));
  }

  async #round(): Promise<number> {
    this.#last = this.#desk.clock.now();
    return (await alarmStuck(this.#desk, this.#owner)) + (await this.#reports.round());
  }
}
