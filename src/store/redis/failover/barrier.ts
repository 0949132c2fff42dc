/**
 * Waits until the required replicas have what was written. Callers of one moment share one `WAIT`: it covers all that went
 * before on this connection. In a Cluster every primary is asked, each for its own.
 */
import { Cluster } from "ioredis";
import { Fault } from "../../../base/index.ts";
import type { Client } from "../connection/client.ts";

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

  /**
   * Throws `STORE_UNAVAILABLE` when not enough replicas confirmed in time, or when a connection was lost after `since`, when
   * the caller began to write: the server behind the new one may never have had what was written, and so its replicas.
   */
  async pass(since: number): Promise<void> {
    if (this.#replicas === 0) return;
    // One that runs may have begun before the caller's write; the next one has not.
    this.#next ??= this.#after(this.#running);
    await this.#next;
    if (this.#client.lostAt < since) return;
    throw new Fault("STORE_UNAVAILABLE", "The connection was lost before replicas confirmed.");
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
