/**
 * Waits until the required replicas have what was written. Callers of one moment share one `WAIT`: it covers all that went
 * before on this connection. In a Cluster every primary is asked, each for its own.
 */
import { Cluster } from "ioredis";
import { Fault } from "../../base/index.ts";
import type { Client } from "./client.ts";

/** A healthy replica answers within milliseconds; past this the write counts as not confirmed. */
const WAIT_MS = 1_000;

export class Barrier {
  readonly #client: Client;
  readonly #replicas: number;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #short = false;

  /** `replicas`: how many have to answer, of each primary; 0 = nothing is waited for. */
  constructor(client: Client, replicas: number) {
    this.#client = client;
    this.#replicas = replicas;
  }

  /** Throws `STORE_UNAVAILABLE` when not enough replicas confirmed in time. */
  pass(): Promise<void> {
    if (this.#replicas === 0) return Promise.resolve();
    // One that runs may have begun before the caller's write; the next one has not.
    this.#next ??= this.#after(this.#running);
    return this.#next;
  }

  /** Whether the last answer was too few. */
  get short(): boolean {
    return this.#short;
  }

  async #after(running: Promise<void> | undefined): Promise<void> {
    await running?.catch(() => undefined);
    const mine = this.#wait();
    this.#running = mine;
    this.#next = undefined;
    return mine;
  }

  async #wait(): Promise<void> {
    const confirmed = await this.#client.ask(async (redis) => {
      const nodes = redis instanceof Cluster ? redis.nodes("master") : [redis];
      return Math.min(
        ...(await Promise.all(nodes.map((node) => node.wait(this.#replicas, WAIT_MS)))),
      );
    });
    this.#short = confirmed < this.#replicas;
    if (!this.#short) return;
    throw new Fault(
      "STORE_UNAVAILABLE",
      `${confirmed} of ${this.#replicas} required replicas confirmed the write in time.`,
    );
  }
}
