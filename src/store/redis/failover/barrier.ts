/**
 * Waits until the required replicas have what was written. Callers of one moment share one `WAIT`, which covers everything
 * written before on this connection. In a Cluster every primary is asked, each for its own.
 */
import { Cluster } from "ioredis";
import { Fault } from "../../../base/index.ts";
import type { Client } from "../connection/client.ts";

/** A healthy replica answers within milliseconds; past this the write counts as not confirmed. Ms. */
const WAIT_MS = 1_000;

export class Barrier {
  readonly #client: Client;
  readonly #replicas: number;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #short = false;

  /** `replicas`: how many have to answer for each primary; 0: no wait. */
  constructor(client: Client, replicas: number) {
    this.#client = client;
    this.#replicas = replicas;
  }

  /**
   * Throws `STORE_UNAVAILABLE` when too few replicas confirmed in time, or when a connection was lost after `since`, the
   * moment at which the caller began to write: the server of the new connection may never have had what was written.
   */
  async pass(since: number): Promise<void> {
    if (this.#replicas === 0) return;
    // The running wait may have begun before the caller's write; the next one did not.
    this.#next ??= this.#after(this.#running);
    await this.#next;
    if (this.#client.lostAt < since) return;
    throw new Fault("STORE_UNAVAILABLE", "The connection was lost before replicas confirmed.");
  }

  /** Whether too few replicas answered last. */
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
        ...(nodes.length === 0 ? [0] : []),
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
