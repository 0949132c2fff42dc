/** A sandbox's clock as a chat file moves it: forward only, and to each due time on the way. */
import type { ApiClient } from "./client.ts";
import { NotOverHttp } from "./http-refusals.ts";

/** Due times that one move of the clock stops at. */
const STEPS_MAX = 200;

export class HttpClock {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async now(): Promise<number> {
    const { clock } = (await this.#api.get("/api/meta")) as { clock: { now: number } };
    return clock.now;
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

  /** To the time a file begins at. */
  async goTo(at: number | undefined): Promise<void> {
    if (at === undefined) return;
    const now = await this.now();
    if (at < now)
      throw new NotOverHttp(
        `@at ${new Date(at).toISOString()} cannot be played over HTTP: the server's clock is past it, and goes forward only.`,
      );
    await this.advance(at - now);
  }
}
