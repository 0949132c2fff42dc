/** A sandbox's clock as a chat file moves it: to the file's own day, to each due time on the way, and back where it was. */
import type { ApiClient } from "./client.ts";

/** Due times that one move of the clock stops at. */
const STEPS_MAX = 200;

export class HttpClock {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async now(): Promise<number> {
    return (await this.#told()).now;
  }

  /** How far it is ahead of real time, ms; what a killed replay set back is none of it. */
  async ahead(): Promise<number> {
    return Math.max(0, (await this.#told()).offsetMs);
  }

  /** Answers when everything due is done. */
  async advance(ms: number): Promise<void> {
    if (ms <= 0) return;
    const advance = `${Math.max(0.001, ms / 1_000).toFixed(3)}s`;
    await this.#api.send("POST", "/api/sandbox/clock", { advance });
  }

  /** To each due time in order, so that a reminder is said before what comes hours later, as time would have it. */
  async until(end: number, dues: () => Promise<readonly number[]>): Promise<void> {
    let now = await this.now();
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      const next = (await dues()).filter((due) => due > now && due < end);
      if (next.length === 0) break;
      await this.advance(Math.min(...next) - now);
      now = await this.now();
    }
    await this.advance(end - now);
  }

  /** To the time a file begins at, be it past. */
  async goTo(at: number): Promise<void> {
    await this.#api.send("POST", "/api/sandbox/clock", { to: new Date(at).toISOString() });
  }

  /** As far ahead of real time as it was. */
  async restore(ahead: number): Promise<void> {
    const { now, offsetMs } = await this.#told();
    await this.goTo(now - offsetMs + ahead);
  }

  async #told(): Promise<{ readonly now: number; readonly offsetMs: number }> {
    const { clock } = (await this.#api.get("/api/meta")) as {
      clock: { now: number; offsetMs: number };
    };
    return clock;
  }
}
