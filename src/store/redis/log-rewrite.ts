/**
 * After an erasure the append-only file still holds what was erased, the wrapped data key with it, until Redis writes that
 * file anew. It is asked to, soon and not too often: a rewrite forks the server. A Cluster's replicas have files of their own
 * and are asked as well; those behind one address or behind Sentinels are not known here, and rewrite when their file has grown.
 */
import { Cluster } from "ioredis";
import type { Client } from "./client.ts";

/** At most one rewrite in this time, ms; erasures meanwhile share the next one. */
const EVERY_MS = 10 * 60_000;
/** Writes of the erasure itself have ended by then, ms. */
const SOON_MS = 100;

export class LogRewrite {
  readonly #client: Client;
  #asked = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  /** To be called once something was erased. */
  due(): void {
    if (this.#timer) return;
    const wait = Math.max(SOON_MS, this.#asked + EVERY_MS - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#asked = performance.now();
      void this.#ask();
    }, wait);
    this.#timer.unref();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** Without the right to ask, or while one runs already, Redis' own rewrite does it later. */
  async #ask(): Promise<void> {
    const { raw } = this.#client;
    for (const node of raw instanceof Cluster ? raw.nodes("all") : [raw])
      await this.#client.ask(() => node.bgrewriteaof()).catch(() => undefined);
  }
}
