/**
 * A worker pool of the outbox: which classes it takes, and how many effects it has in hand at once. One device that hangs
 * could fill it. So once it is full, a quarter more places are open to scopes that hold few of them. A scope that is alone
 * may use the whole pool.
 */

const QUICK = ["internal", "read", "message", "replace", "destructive"];
/** Calls that may take a minute and are never repeated have a pool of their own. */
const SLOW = ["fiscal", "costly"];
const SLOW_SHARE = 0.25;
const ROOM = 64;

/** Extra places, and what counts as few: this part of the pool's size. */
const SPARE = 4;
/** A full pool looks for scopes with few places this often, real ms: most of what it finds belongs to the full ones. */
const SPARE_EVERY_MS = 100;

/** What may be begun now: at most `limit`, and none of the scopes in `full`. */
export interface Room {
  readonly limit: number;
  readonly full: readonly string[];
}

const NO_ROOM: Room = { limit: 0, full: [] };

export class WorkerPool {
  readonly classes: readonly string[];
  readonly #size: number;
  readonly #real: () => number;
  /** In hand, by scope. */
  readonly #by = new Map<string, number>();
  #active = 0;
  #looked = -Infinity;
  /** The next round looks at all partitions, not only where hints point. */
  anywhere = true;
  /** A round found the pool full: the next free place is filled at once, not by the poll a second later. */
  turnedAway = false;

  /** `size`: effects at once. `real`: the clock, ms. */
  constructor(classes: readonly string[], size: number, real: () => number) {
    this.classes = classes;
    this.#size = size;
    this.#real = real;
  }

  /** Effects in hand. */
  get active(): number {
    return this.#active;
  }

  /** Whether there is a free place for any scope. */
  get hasRoom(): boolean {
    return this.#active < this.#size;
  }

  /** Takes one effect of a scope in hand; call `left` once it has ended. */
  enter(scope: string): void {
    this.#active++;
    this.#by.set(scope, (this.#by.get(scope) ?? 0) + 1);
  }

  left(scope: string): void {
    this.#active--;
    const left = (this.#by.get(scope) ?? 0) - 1;
    if (left > 0) this.#by.set(scope, left);
    else this.#by.delete(scope);
  }

  /** The places that a round has. A look for scopes with few places counts as made. */
  room(): Room {
    const limit = this.#size - this.#active;
    if (limit > 0) return { limit, full: [] };
    this.turnedAway = true;
    const full = this.#full();
    if (full.length === 0 || this.#spare <= 0 || this.#waitMs > 0) return NO_ROOM;
    this.#looked = this.#real();
    return { limit: this.#spare, full };
  }

  /** Real ms until a full pool may look for scopes with few places; undefined while it need not. */
  get nextMs(): number | undefined {
    if (!this.turnedAway || this.hasRoom || this.#spare <= 0) return undefined;
    return this.#full().length > 0 ? this.#waitMs : undefined;
  }

  get #waitMs(): number {
    const passed = this.#real() - this.#looked;
    // The clock may have been set back.
    return passed < 0 ? 0 : Math.max(0, SPARE_EVERY_MS - passed);
  }

  /** Free extra places while the pool itself is full. */
  get #spare(): number {
    return this.#size + this.#little - this.#active;
  }

  get #little(): number {
    return Math.floor(this.#size / SPARE);
  }

  /** Scopes that hold more than few places. */
  #full(): string[] {
    return [...this.#by].filter(([, held]) => held >= this.#little).map(([scope]) => scope);
  }
}

/** The pool of quick calls. `size`: effects at once. `real`: the clock, ms. */
export function quickPool(size: number = ROOM, real: () => number): WorkerPool {
  return new WorkerPool(QUICK, size, real);
}

/** The pool of calls that may take long, beside a quick one of `size`. */
export function slowPool(size: number = ROOM, real: () => number): WorkerPool {
  return new WorkerPool(SLOW, Math.max(2, Math.floor(size * SLOW_SHARE)), real);
}
