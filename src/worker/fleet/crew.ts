/**
 * How many workers there are on this store: each says every five seconds that it is there. A new one is counted by the others
 * within that time, one that died for fifteen seconds longer.
 */
import { randomUUID } from "node:crypto";
import type { Store } from "../../store/port.ts";
import type { Log } from "../ports.ts";

const COLLECTION = "workers";
const SAID_MS = 5_000;
/** How long a word is believed, ms: two may get lost. */
const BELIEVED_MS = 15_000;
/** What is kept of a worker that is gone, ms. */
const FORGOTTEN_MS = 3_600_000;
/** Workers counted. */
const WORKERS = 200;

export class Crew {
  readonly #store: Pick<Store, "list" | "put" | "remove">;
  readonly #now: () => number;
  readonly #log: Pick<Log, "warn">;
  readonly #id = randomUUID();
  #count = 1;
  #timer: NodeJS.Timeout | undefined;

  /** `now`: the store's real time, ms. */
  constructor(
    deps: {
      readonly store: Pick<Store, "list" | "put" | "remove">;
      readonly log: Pick<Log, "warn">;
    },
    now: () => number,
  ) {
    this.#store = deps.store;
    this.#log = deps.log;
    this.#now = now;
  }

  /** Workers that are alive, this one among them. */
  get count(): number {
    return this.#count;
  }

  async start(): Promise<void> {
    await this.say();
    this.#timer = setInterval(() => void this.say(), SAID_MS).unref();
  }

  /** Counts no more, and is counted no more. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#store.remove(COLLECTION, this.#id).catch(() => undefined);
  }

  /** Says that it is there, and counts who else is. */
  async say(): Promise<void> {
    try {
      await this.#store.put(COLLECTION, this.#id, { at: this.#now() });
      const { items } = await this.#store.list(COLLECTION, { limit: WORKERS });
      const ages = items.map(({ id, value }) => ({ id, age: this.#now() - Number(value["at"]) }));
      this.#count = Math.max(1, ages.filter(({ age }) => age < BELIEVED_MS).length);
      for (const { id, age } of ages)
        if (age > FORGOTTEN_MS) await this.#store.remove(COLLECTION, id);
    } catch (error) {
      this.#log.warn({ err: error }, "this worker could not say that it is there");
    }
  }
}
