/** Chance that comes again: the same seed throws the same numbers (mulberry32). */
export class Dice {
  readonly seed: number;
  #state: number;

  constructor(seed: number) {
    this.seed = seed;
    this.#state = seed | 0;
  }

  /** 0 ≤ x < 1. */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.unit() * (to - from + 1));
  }

  chance(share: number): boolean {
    return this.unit() < share;
  }

  pick<T>(list: readonly T[]): T {
    const one = list[Math.floor(this.unit() * list.length)];
    if (one === undefined) throw new Error("nothing to pick from");
    return one;
  }

  shuffled<T>(list: readonly T[]): T[] {
    const mixed = [...list];
    for (let at = mixed.length - 1; at > 0; at -= 1) {
      const other = this.between(0, at);
      [mixed[at], mixed[other]] = [mixed[other] as T, mixed[at] as T];
    }
    return mixed;
  }

  /** Dice of their own for one part of a run: what other parts throw does not move them. */
  split(name: string): Dice {
    let hash = this.seed;
    for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
    return new Dice(hash);
  }
}
