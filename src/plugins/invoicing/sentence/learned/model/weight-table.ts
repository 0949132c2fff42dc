/**
 * Weights found by their keys in the very letters they are written in. A start reads nothing but how many keys begin alike:
 * taking all of them apart would cost it tens of milliseconds, and a sentence asks for a few hundred.
 */
import { BITS, LETTERS, placeAt } from "./letters.ts";

/** Of each feature, by its key, its weights in steps. */
export interface Weights {
  readonly size: number;
  get(key: number): Int8Array | undefined;
  entries(): Iterable<readonly [number, Int8Array]>;
}

/** Bits of a key. */
export const KEY_BITS = 30;

/** Entries that are written alike, in the order of their keys: see `weights-file.ts`. */
export interface Shelf {
  /** Letters of a key that tell which compartment it stands in. */
  readonly front: number;
  /** Number of the first entry of each compartment, and of all entries. */
  readonly starts: Int32Array;
  /** Where in the letters the rest of each key stands. */
  readonly keys: number;
  /** The weights of an entry. */
  weightsOf(entry: number): Int8Array;
}

export class WeightTable implements Weights {
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
