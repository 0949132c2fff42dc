/** Waits until a replica has what was written. Callers of one moment share one `WAIT`: it covers all that went before. */
import { Fault } from "../../base/index.ts";
import type { Client } from "./client.ts";

/** A healthy replica answers within milliseconds; past this the write counts as not confirmed. */
const WAIT_MS = 1_000;

export class Barrier {
  readonly #client: Client;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Throws `STORE_UNAVAILABLE` when no replica confirmed in time. */
  pass(): Promise<void> {
    // One that runs may have begun before the caller's write; the next one has not.
    this.#next ??= this.#after(this.#running);
    return this.#next;
  }

  async #after(running: Promise<void> | undefined): Promise<void> {
    await running?.catch(() => undefined);
    const mine = this.#wait();
    this.#running = mine;
    this.#next = undefined;
    return mine;
  }

  async #wait(): Promise<void> {
    const replicas = await this.#client.ask((redis) => redis.wait(1, WAIT_MS));
    if (replicas < 1)
      throw new Fault("STORE_UNAVAILABLE", "No replica confirmed the write in time.");
  }
}
