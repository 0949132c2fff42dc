/**
 * How weights are written down: of each feature a short key instead of its name, then its weights in small steps, a letter for
 * each or, where all are small, for two. So a source file holds many, and what is asked for is found in it without reading the
 * others. Two shelves, small weights first; of each
 *
 * - a letter: how many letters of a key say in which compartment it stands;
 * - a letter for each compartment: how many keys there are in it;
 * - the rest of each key, in order, and then the weights, in the same order.
 */
import { BITS, LETTERS, placeAt } from "./letters.ts";

/**
 * Of each feature, by its key, its weights in steps. They are found in the very letters: taking all apart would cost a start
 * tens of milliseconds, and a sentence asks for a few hundred.
 */
export interface Weights {
  readonly size: number;
  get(key: number): Int8Array | undefined;
  entries(): Iterable<readonly [number, Int8Array]>;
}

/** Bits of a key. */
const KEY_BITS = 30;

/** Entries that are written alike, in the order of their keys. */
interface Shelf {
  /** Letters of a key that tell which compartment it stands in. */
  readonly front: number;
  /** Number of the first entry of each compartment, and of all entries. */
  readonly starts: Int32Array;
  /** Where in the letters the rest of each key stands. */
  readonly keys: number;
  /** The weights of an entry. */
  weightsOf(entry: number): Int8Array;
}

class WeightTable implements Weights {
  readonly size: number;
  readonly #written: string;
  readonly #shelves: readonly { readonly of: Shelf; readonly seen: (Int8Array | undefined)[] }[];

  constructor(written: string, shelves: readonly Shelf[]) {
    this.#written = written;
    this.#shelves = shelves.map((of) => ({ of, seen: [] }));
    this.size = shelves.reduce((sum, { starts }) => sum + (starts.at(-1) ?? 0), 0);
  }

  get(key: number): Int8Array | undefined {
    for (const { of, seen } of this.#shelves) {
      const entry = this.#entryOf(of, key);
      if (entry >= 0) return (seen[entry] ??= of.weightsOf(entry));
    }
    return undefined;
  }

  *entries(): Generator<readonly [number, Int8Array]> {
    for (const { of } of this.#shelves) {
      const { front, starts, keys } = of;
      const rest = KEY_BITS / BITS - front;
      for (let compartment = 0; compartment < starts.length - 1; compartment += 1)
        for (let one = starts[compartment] ?? 0; one < (starts[compartment + 1] ?? 0); one += 1) {
          let key = compartment;
          for (let letter = 0; letter < rest; letter += 1)
            key = (key << BITS) + placeAt(this.#written, keys + one * rest + letter);
          yield [key, of.weightsOf(one)];
        }
    }
  }

  /** -1: it is not there. */
  #entryOf({ front, starts, keys }: Shelf, key: number): number {
    const written = this.#written;
    const rest = KEY_BITS / BITS - front;
    const compartment = key >>> (rest * BITS);
    const last = keys + (starts[compartment + 1] ?? 0) * rest;
    const first = LETTERS.charCodeAt((key >>> ((rest - 1) * BITS)) & (LETTERS.length - 1));
    for (let at = keys + (starts[compartment] ?? 0) * rest; at < last; at += rest) {
      if (written.charCodeAt(at) !== first) continue;
      let letter = 1;
      while (
        letter < rest &&
        placeAt(written, at + letter) ===
          ((key >>> ((rest - 1 - letter) * BITS)) & (LETTERS.length - 1))
      )
        letter += 1;
      if (letter === rest) return (at - keys) / rest;
    }
    return -1;
  }
}

/** The letter of no weight. */
export const ZERO = 32;
/** Steps in one. */
export const PER_ONE = 8;

export function fromSteps(steps: number): number {
  return steps / PER_ONE;
}

/** A feature's key, `KEY_BITS` bits (FNV-1a, mixed once more). */
export function keyOf(feature: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at += 1)
    hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> (32 - KEY_BITS);
}

/** Small weights, of which a letter holds two. */
export const SMALL = { least: -4, most: 3, count: 8 } as const;
/** Letters of a key. */
export const KEY = KEY_BITS / BITS;
/** `each`: weights of an entry. */
export function readWeights(written: string, each: number): WeightTable {
  const shelves: Shelf[] = [];
  let at = 0;
  for (const pairs of [true, false]) {
    const front = placeAt(written, at);
    at += 1;
    const starts = new Int32Array(LETTERS.length ** front + 1);
    let count = 0;
    for (let compartment = 1; compartment < starts.length; compartment += 1, at += 1) {
      count += placeAt(written, at);
      starts[compartment] = count;
    }
    const keys = at;
    const weights = keys + count * (KEY - front);
    const letters = pairs ? each / 2 : each;
    at = weights + count * letters;
    const weightsOf = pairs ? pairsAt : singlesAt;
    shelves.push({
      front,
      starts,
      keys,
      weightsOf: (entry) => weightsOf(written, weights + entry * letters, each),
    });
  }
  return new WeightTable(written, shelves);
}

function pairsAt(written: string, at: number, each: number): Int8Array {
  return Int8Array.from({ length: each }, (_, one) => {
    const pair = placeAt(written, at + (one >> 1));
    return SMALL.least + (one % 2 === 0 ? Math.floor(pair / SMALL.count) : pair % SMALL.count);
  });
}

function singlesAt(written: string, at: number, each: number): Int8Array {
  return Int8Array.from({ length: each }, (_, one) => placeAt(written, at + one) - ZERO);
}
