/**
 * A lane of the outbox: which classes it takes, and how many of them one process has in hand at once. A device that hangs, or
 * a company, would fill it with what waits for nobody but itself; so a quarter more of room is kept for those who hold
 * little, once the room of all is taken. Nothing is held back for that: a scope that is alone has all the room there is.
 */

const QUICK = ["internal", "read", "message", "replace", "destructive"];
/** Calls that may take a minute, and are never repeated: they get their own room. */
const SLOW = ["fiscal", "costly"];
const SLOW_SHARE = 0.25;
const ROOM = 64;

/** Room for those who hold little, and what is called little: parts of the room of all. */
const SPARE = 4;
/** A room that is taken is looked past this often, real ms: most of what it finds are more of the same. */
const SPARE_EVERY_MS = 100;

/** What may be begun now: how many at most, of none of these scopes. */
export interface Room {
  readonly limit: number;
  readonly full: readonly string[];
}

const NO_ROOM: Room = { limit: 0, full: [] };

export class Lane {
  readonly classes: readonly string[];
  readonly #size: number;
  readonly #real: () => number;
  /** In hand, by scope. */
  readonly #by = new Map<string, number>();
  #active = 0;
  #looked = -Infinity;
  /** Look everywhere at the next round, not only where hints point. */
  anywhere = true;
  /** A round found no room: what it would have taken is taken by whoever makes room, not by the net a second later. */
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

  /** Whether there is room for whatever comes. */
  get hasRoom(): boolean {
    return this.#active < this.#size;
  }

  /** Takes one of a scope in hand; `left` once it has ended, by whatever way. */
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

  /** The room that a round has. A look past a room that is taken counts as made. */
  room(): Room {
    const limit = this.#size - this.#active;
    if (limit > 0) return { limit, full: [] };
    this.turnedAway = true;
    const full = this.#full();
    if (full.length === 0 || this.#spare <= 0 || this.#waitMs > 0) return NO_ROOM;
    this.#looked = this.#real();
    return { limit: this.#spare, full };
  }

  /** Real ms until one may look past a room that is taken; undefined while nobody would. */
  get nextMs(): number | undefined {
    if (!this.turnedAway || this.hasRoom || this.#spare <= 0) return undefined;
    return this.#full().length > 0 ? this.#waitMs : undefined;
  }

  get #waitMs(): number {
    const passed = this.#real() - this.#looked;
    // The clock may have been set back.
    return passed < 0 ? 0 : Math.max(0, SPARE_EVERY_MS - passed);
  }

  /** What is left of the room for those who hold little, while that of all is taken. */
  get #spare(): number {
    return this.#size + this.#little - this.#active;
  }

  get #little(): number {
    return Math.floor(this.#size / SPARE);
  }

  /** Scopes that hold more than little. */
  #full(): string[] {
    return [...this.#by].filter(([, held]) => held >= this.#little).map(([scope]) => scope);
  }
}

/** The lane of what is done quickly; `size`: effects at once, `real`: the clock, ms. */
export function quickLane(size: number = ROOM, real: () => number): Lane {
  return new Lane(QUICK, size, real);
}

/** The lane of what may take long, beside a quick one of `size`. */
export function slowLane(size: number = ROOM, real: () => number): Lane {
  return new Lane(SLOW, Math.max(2, Math.floor(size * SLOW_SHARE)), real);
}
