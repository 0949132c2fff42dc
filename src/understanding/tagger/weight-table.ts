/**
 * Weights found by their keys, in three arrays: a map of as many small arrays would take a start twice as long to make, and
 * twenty times the room.
 */
/** Of each feature, by its key, its weights in steps. */
export interface Weights {
  readonly size: number;
  get(key: number): Int8Array | undefined;
  entries(): Iterable<readonly [number, Int8Array]>;
}

export class WeightTable implements Weights {
  readonly size: number;
  readonly #each: number;
  readonly #keys: Int32Array;
  readonly #steps: Int8Array;
  /** One more than the number of the entry, at the key's own place or the next free one; 0 = nothing. */
  readonly #places: Int32Array;
  readonly #seen: (Int8Array | undefined)[] = [];

  /** `keys` are mixed already, and each is there once; of the one at place n, `each` weights begin at n times `each`. */
  constructor(keys: Int32Array, steps: Int8Array, each: number) {
    this.size = keys.length;
    this.#each = each;
    this.#keys = keys;
    this.#steps = steps;
    // At least half of the places stay free, so that what is not there is known by the next few.
    this.#places = new Int32Array(2 ** Math.ceil(Math.log2(2 * keys.length + 1)));
    for (let entry = 0; entry < keys.length; entry += 1)
      this.#places[this.#placeOf(keys[entry] ?? 0)] = entry + 1;
  }

  get(key: number): Int8Array | undefined {
    const entry = (this.#places[this.#placeOf(key)] ?? 0) - 1;
    if (entry < 0) return undefined;
    const begin = entry * this.#each;
    return (this.#seen[entry] ??= this.#steps.subarray(begin, begin + this.#each));
  }

  *entries(): Generator<readonly [number, Int8Array]> {
    for (const key of this.#keys) yield [key, this.get(key) ?? new Int8Array(this.#each)];
  }

  /** Where the key stands, or could. */
  #placeOf(key: number): number {
    const last = this.#places.length - 1;
    let place = key & last;
    for (;;) {
      const entry = this.#places[place] ?? 0;
      if (entry === 0 || this.#keys[entry - 1] === key) return place;
      place = (place + 1) & last;
    }
  }
}
