/**
 * Virtual time: runs with real time until moved, and goes back only when it is set back. What waits for a moment waits in
 * the agenda and is run when that moment comes, by itself or because somebody moved the clock. Below: how times are printed.
 */
import { isoWithOffset, localTime } from "../../brazil/index.ts";

/** Furthest one move may go, in milliseconds: ten years, the same bound as every duration. */
export const ADVANCE_LIMIT = 3_650 * 86_400_000;

/** Entries waiting at most; one more is run at once, so that nothing is lost. */
const AGENDA_LIMIT = 50_000;

/** Node's timers cannot wait longer than this, in milliseconds. */
const TIMER_LIMIT = 2 ** 31 - 1;

interface Entry {
  readonly due: number;
  /** Whether it also runs when the agenda is forgotten: somebody waits for it. */
  readonly always: boolean;
  readonly run: () => void | Promise<void>;
}

export class VirtualClock {
  #offset: number;
  #last = 0;
  #entries: Entry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  readonly #onError: (error: unknown) => void;

  constructor(offset: number, onError: (error: unknown) => void) {
    this.#offset = offset;
    this.#onError = onError;
  }

  /** Epoch milliseconds of virtual time. */
  now(): number {
    this.#last = Math.max(this.#last, Date.now() + this.#offset);
    return this.#last;
  }

  iso(): string {
    return new Date(this.now()).toISOString();
  }

  get offset(): number {
    return this.#offset;
  }

  /** Moves the time without running what became due: {@link runDue} does. Back: what waits still waits as long as before. */
  move(ms: number): void {
    this.#offset += ms;
    if (ms < 0) {
      this.#last = 0;
      this.#entries = this.#entries.map((entry) => ({ ...entry, due: entry.due + ms }));
    }
    this.#arm();
  }

  /** Runs something `ms` of virtual time from now. Entries of one moment run in the order they were made. */
  after(ms: number, run: () => void | Promise<void>, always = false): void {
    if (this.#closed) return;
    const entry = { due: this.now() + ms, always, run };
    if (this.#entries.length >= AGENDA_LIMIT) {
      void this.#settle(entry);
      return;
    }
    let at = this.#entries.length;
    while (at > 0 && (this.#entries[at - 1] as Entry).due > entry.due) at -= 1;
    this.#entries.splice(at, 0, entry);
    if (at === 0) this.#arm();
  }

  sleep(ms: number): Promise<void> {
    if (ms <= 0) return Promise.resolve();
    return new Promise((resolve) => this.after(ms, resolve, true));
  }

  /** Runs everything that is due, in order of due time, and waits for it. */
  async runDue(): Promise<void> {
    const running: Promise<void>[] = [];
    for (;;) {
      const first = this.#entries[0];
      if (!first || first.due > this.now()) break;
      this.#entries.shift();
      running.push(this.#settle(first));
    }
    await Promise.all(running);
  }

  /** Forgets the agenda, as a reset does. Sleepers are woken, so that no request hangs. */
  clear(): void {
    const entries = this.#entries;
    this.#entries = [];
    clearTimeout(this.#timer);
    for (const entry of entries) if (entry.always) void this.#settle(entry);
  }

  close(): void {
    this.#closed = true;
    this.clear();
  }

  async #settle(entry: Entry): Promise<void> {
    try {
      await entry.run();
    } catch (error) {
      this.#onError(error);
    }
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const first = this.#entries[0];
    if (!first || this.#closed) return;
    const wait = Math.min(TIMER_LIMIT, Math.max(0, first.due - this.now()));
    this.#timer = setTimeout(() => {
      void this.runDue().then(() => this.#arm());
    }, wait);
    this.#timer.unref();
  }
}

const ZONE = "America/Sao_Paulo";

/** Engine B: local time with a `Z` that is not true. */
export function falseZulu(now: number): string {
  const { day, time } = localTime(now, ZONE);
  return `${day}T${time}.${String(now % 1_000).padStart(3, "0")}Z`;
}

/** Engine A: `21-11-2026 01:31:00`. */
export function dashed(now: number): string {
  const { day, time } = localTime(now, ZONE);
  return `${day.split("-").reverse().join("-")} ${time}`;
}

/** Engine C and invoices: ISO 8601 with offset, no fraction. */
export function withOffset(now: number): string {
  return isoWithOffset(now, ZONE);
}

/** Epoch seconds, as message times travel. */
export function seconds(now: number): number {
  return Math.floor(now / 1_000);
}
