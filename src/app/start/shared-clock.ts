/**
 * The sandbox's clock for several processes: it tells one of them, which writes the offset down where the others look. Only
 * against a sandbox, and only where the store can be shared.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Store } from "../../store/port/port.ts";
import type { VirtualClock } from "../../worker/index.ts";

const COLLECTION = "meta";
/** The offset all go to. */
const OFFSET = "clock";
/** One document per process: how far it is. */
const PROCESS = "clock.";
/** How often each process looks. */
const LOOK_MS = 100;
/** A process that has not followed by then was killed: its document goes. */
const FOLLOW_MS = 2_000;
/** Processes of one installation, and the other documents of the collection. */
const LISTED = 200;

interface SharedClockOptions {
  readonly store: Pick<Store, "documents">;
  readonly clock: VirtualClock;
  /** Names this process. */
  readonly id: string;
  readonly failed: (error: unknown) => void;
}

export class SharedClock {
  readonly #options: SharedClockOptions;
  readonly #own: string;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  /** What was there before this process began is the sandbox's to tell: it may be of another one. */
  #seen = 0;

  private constructor(options: SharedClockOptions) {
    this.#options = options;
    this.#own = `${PROCESS}${options.id}`;
  }

  static async join(options: SharedClockOptions): Promise<SharedClock> {
    const shared = new SharedClock(options);
    shared.#seen = (await options.store.documents.get(COLLECTION, OFFSET))?.rev ?? 0;
    await shared.#say();
    shared.#timer = setInterval(() => {
      shared.#looking = shared.#look().catch(options.failed);
    }, LOOK_MS);
    shared.#timer.unref();
    return shared;
  }

  /** Processes of this installation beside this one. */
  async others(): Promise<number> {
    return (await this.#others()).length;
  }

  /** Moves this process and all others; resolves when they are there. An earlier time only where the clock is set `back`. */
  async move(time: number, back: boolean): Promise<void> {
    const { clock, store } = this.#options;
    clock.moveTo(time, back);
    await this.#say();
    const rev = await store.documents.put(COLLECTION, OFFSET, { offsetMs: clock.offsetMs, back });
    if (rev !== "conflict") this.#seen = Math.max(this.#seen, rev);
    for (const end = Date.now() + FOLLOW_MS; ; await pause(LOOK_MS / 5)) {
      const others = await this.#others();
      const behind = others.filter(({ offsetMs }) =>
        back ? offsetMs > clock.offsetMs : offsetMs < clock.offsetMs,
      );
      if (behind.length === 0) return;
      if (Date.now() < end) continue;
      for (const { id } of behind) await store.documents.remove(COLLECTION, id);
      return;
    }
  }

  async leave(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    await this.#options.store.documents.remove(COLLECTION, this.#own);
  }

  async #look(): Promise<void> {
    const { clock, store } = this.#options;
    const told = await store.documents.get(COLLECTION, OFFSET);
    if (!told || told.rev <= this.#seen) return;
    this.#seen = told.rev;
    const to = clock.now() - clock.offsetMs + Number(told.value["offsetMs"]);
    clock.moveTo(to, told.value["back"] === true);
    await this.#say();
  }

  async #say(): Promise<void> {
    const { store, clock } = this.#options;
    await store.documents.put(COLLECTION, this.#own, { offsetMs: clock.offsetMs });
  }

  async #others(): Promise<{ readonly id: string; readonly offsetMs: number }[]> {
    const { items } = await this.#options.store.documents.list(COLLECTION, {
      after: OFFSET,
      limit: LISTED,
    });
    return items
      .filter(({ id }) => id.startsWith(PROCESS) && id !== this.#own)
      .map(({ id, value }) => ({ id, offsetMs: Number(value["offsetMs"]) }));
  }
}
