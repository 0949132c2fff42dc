/** Work that a worker does again and again: in rounds while there is any, or at each beat of one timer. */
import type { Page } from "../store/index.ts";

/** Pauses after rounds that threw: long enough not to spin on a store that is down, short enough not to be noticed. */
const ERROR_PAUSE_MS = 200;
const ERROR_PAUSE_MAX_MS = 2_000;

interface LoopOptions {
  /** One round. True = there may be more work right away; anything else is ignored. */
  readonly round: () => Promise<unknown>;
  /** Longest sleep in ms; asked again before each one. */
  readonly idleMs: () => number;
  readonly failed: (error: unknown) => void;
}

/**
 * Does rounds of work while there is any, then sleeps until it is woken or its poll is due.
 *
 * A round that throws (the store is away, a bug) is reported and tried again after a pause; it never ends the loop.
 */
export class Loop {
  readonly #options: LoopOptions;
  #running: Promise<void> | undefined;
  #stopping = false;
  #rung = false;
  #wakeUp: (() => void) | undefined;

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#running) return;
    this.#stopping = false;
    this.#running = this.#run();
  }

  /** Ends after the round that is being done. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wakeUp?.();
    await this.#running;
    this.#running = undefined;
  }

  /** There is work. A call during a round causes another round, so none is lost. */
  ring(): void {
    this.#rung = true;
    this.#wakeUp?.();
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#stopping) {
      this.#rung = false;
      let more = false;
      try {
        more = (await this.#options.round()) === true;
        failures = 0;
      } catch (error) {
        this.#options.failed(error);
        const pause = ERROR_PAUSE_MS * 2 ** failures++;
        await this.#sleep(Math.min(pause, ERROR_PAUSE_MAX_MS), false);
        continue;
      }
      if (!more) await this.#sleep(this.#options.idleMs(), true);
    }
  }

  /** Sleeps. `audible`: a call of `ring` ends the sleep. A stop always does. */
  async #sleep(ms: number, audible: boolean): Promise<void> {
    if (this.#stopping || (audible && this.#rung)) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#wakeUp = undefined;
        resolve();
      };
      const timer = setTimeout(done, Math.max(0, ms));
      this.#wakeUp = () => {
        if (audible || this.#stopping) done();
      };
    });
  }
}

/**
 * Runs `act` for one item after the other. A failure of one does not stop the others; the first failure is thrown at the
 * end.
 */
export async function each<T>(
  items: Iterable<T> | AsyncIterable<T>,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for await (const item of items)
    await act(item).catch((error: unknown) => void failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** A look through a long list, a bounded number of pages each round; the next round continues there. */
export class Tour<T> {
  readonly #pages: number;
  readonly #read: (after: string | undefined) => Promise<Page<T>>;
  #after: string | undefined;

  constructor(pages: number, read: (after: string | undefined) => Promise<Page<T>>) {
    this.#pages = pages;
    this.#read = read;
  }

  /** Answers whether the end was reached. An `act` that answers false ends the round; the next begins with the same page. */
  async round(act: (item: T) => Promise<unknown>): Promise<boolean> {
    for (let page = 0; page < this.#pages; page++) {
      const { items, next } = await this.#read(this.#after);
      for (const item of items) if ((await act(item)) === false) return false;
      this.#after = next;
      if (next === undefined) return true;
    }
    return false;
  }
}

const BEAT_MS = 1_000;

export interface HeartbeatPart {
  /** Between two beats, ms: a multiple of a second. The first one comes a second early at most. */
  readonly everyMs: number;
  /** Never rejects. */
  beat(): Promise<void>;
}

/**
 * The one timer of what a worker does regularly, whatever comes in: it looks at the store, says that it is there, and
 * renews its leases. No part waits for another.
 */
export class Heartbeat {
  /** The parts, and how many of the timer's beats each has seen. */
  readonly #parts = new Map<HeartbeatPart, number>();
  #timer: NodeJS.Timeout | undefined;

  /** Beats from now on, until {@link remove}. A part that was added already keeps its time. */
  add(part: HeartbeatPart): void {
    if (!this.#parts.has(part)) this.#parts.set(part, 0);
    this.#timer ??= setInterval(() => this.#beat(), BEAT_MS).unref();
  }

  /** The timer ends with its last part. */
  remove(part: HeartbeatPart): void {
    this.#parts.delete(part);
    if (this.#parts.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #beat(): void {
    for (const [part, seen] of this.#parts) {
      this.#parts.set(part, seen + 1);
      if ((seen + 1) % (part.everyMs / BEAT_MS) === 0) void part.beat();
    }
  }
}
