/** Once a minute, and whenever virtual time jumped: what is due by the clock alone, for nobody in particular. */
import { alarmExpiring } from "../plugins/invoicing/certificates/index.ts";
import type { Desk } from "./desk.ts";
import { Loop } from "./loop.ts";
import { alarmDead } from "./alarms/dead-letters.ts";
import { HeldCalls } from "./alarms/held-calls.ts";
import { forgetOld } from "./privacy/index.ts";
import type { Reports } from "./alarms/reports.ts";
import { deskOf } from "../plugins/invoicing/desk.ts";
import { alarmStuck } from "../plugins/invoicing/reports/stuck.ts";

const EVERY_MS = 60_000;

export class Watch {
  readonly #desk: Desk;
  readonly #reports: Reports;
  readonly #owner: string;
  readonly #held: HeldCalls;
  readonly #loop: Loop;
  #current: Promise<number> | undefined;
  /** Virtual time of the last round. */
  #last: number;

  constructor(desk: Desk, reports: Reports, owner: string) {
    this.#desk = desk;
    this.#reports = reports;
    this.#owner = owner;
    this.#held = new HeldCalls(desk, owner);
    this.#last = desk.clock.now();
    this.#loop = new Loop({
      round: async () => {
        await this.round();
        return false;
      },
      idleMs: () => EVERY_MS,
      failed: (error) => desk.log.error({ err: error }, "what is due was not all looked after"),
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
    const desk = deskOf(this.#desk);
    // One that fails is told, and keeps none of the others from being done.
    const ended = await Promise.allSettled([
      alarmStuck(desk, this.#owner),
      this.#held.round(),
      alarmDead(this.#desk, this.#owner),
      alarmExpiring(this.#desk, this.#owner),
      this.#reports.round(),
      desk.certificates.sweep().then(() => 0),
      forgetOld(desk),
    ]);
    const failed = ended.find((one) => one.status === "rejected");
    if (failed) throw failed.reason;
    return ended.reduce((sum, one) => sum + (one.status === "fulfilled" ? one.value : 0), 0);
  }
}
