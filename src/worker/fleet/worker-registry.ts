/**
 * How many workers run on this store. Each reports every five seconds and counts every second. So a new one has its share
 * from its start on, and the others exceed theirs for a second at most; a dead one is counted for fifteen seconds more. If
 * a new one waited until all had counted it, people would get no answer after a crash.
 */
import { randomUUID } from "node:crypto";
import type { Store } from "../../store/port/port.ts";
import { documentsOf } from "../context/document.ts";
import type { Log } from "../ports.ts";
import type { HeartbeatPart } from "./heartbeat.ts";

const COLLECTION = "workers";
const SAID_MS = 5_000;
/** How long a report counts, ms: two may get lost. */
const BELIEVED_MS = 15_000;
/** How long the report of a worker that is gone is kept, ms. */
const FORGOTTEN_MS = 3_600_000;

export class WorkerRegistry implements HeartbeatPart {
  /** Between two counts, ms: so long a device's pace may be exceeded by the share of a new worker. */
  readonly everyMs = 1_000;
  readonly #store: Pick<Store, "documents">;
  readonly #now: () => number;
  readonly #log: Pick<Log, "warn">;
  readonly #id = randomUUID();
  #count = 1;
  #saidAt = -Infinity;

  /** `now`: the store's real time, ms. */
  constructor(
    deps: {
      readonly store: Pick<Store, "documents">;
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

  /** Counts, and reports when it is time. */
  async beat(): Promise<void> {
    const age = this.#now() - this.#saidAt;
    // After a clock jumped back it must not stay silent for as long as the jump.
    if (age >= SAID_MS || age < 0) await this.say();
    // A failure is logged by the next report.
    else await this.#look().catch(() => undefined);
  }

  /** Takes its own report away. */
  async stop(): Promise<void> {
    await this.#store.documents.remove(COLLECTION, this.#id).catch(() => undefined);
  }

  /** Reports that it is there, and counts the others. */
  async say(): Promise<void> {
    try {
      this.#saidAt = this.#now();
      await this.#store.documents.put(COLLECTION, this.#id, { at: this.#saidAt });
      await this.#look();
    } catch (error) {
      this.#log.warn({ err: error }, "this worker could not say that it is there");
    }
  }

  async #look(): Promise<void> {
    const ages: { id: string; age: number }[] = [];
    // Reads all reports: those of workers that died within the hour are among them.
    for await (const { id, value } of documentsOf(this.#store, COLLECTION))
      ages.push({ id, age: this.#now() - Number(value["at"]) });
    this.#count = Math.max(1, ages.filter(({ age }) => age < BELIEVED_MS).length);
    for (const { id, age } of ages)
      if (age > FORGOTTEN_MS) await this.#store.documents.remove(COLLECTION, id);
  }
}
