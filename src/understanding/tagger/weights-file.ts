/**
 * How weights are written down: of each feature a short key instead of its name, as the way from the key before it, then its
 * weights in small steps, a letter for each or, of small ones, for two: so a source file holds many and is read once, quickly.
 */

import { type Weights, WeightTable } from "./weight-table.ts";

export type { Weights };

export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const ZERO = 32;
const MOST = 31;
/** Steps in one. */
const PER_ONE = 8;

/** The nearest weight that can be written, in steps. */
export function inSteps(weight: number): number {
  return Math.max(-MOST, Math.min(MOST, Math.round(weight * PER_ONE)));
}

export function fromSteps(steps: number): number {
  return steps / PER_ONE;
}

/** A feature's key, 30 bits (FNV-1a, mixed once more). */
export function keyOf(feature: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at += 1)
    hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 2;
}

/** Where each letter stands, by its code. */
const PLACES = new Int8Array(128);
for (let place = 0; place < LETTERS.length; place += 1) PLACES[LETTERS.charCodeAt(place)] = place;

/** Between the entries whose weights are all small and the others. */
const BETWEEN = ".";
/** Small weights, of which a letter holds two. */
const SMALL = { least: -4, most: 3, count: 8 } as const;
/** Bits of a letter that belong to the way from one key to the next; one more says that it goes on. */
const WAY = 5;
const GOES_ON = 1 << WAY;

export function readWeights(written: string, each: number): WeightTable {
  const between = written.indexOf(BETWEEN);
  // An entry has a letter for its key at least, and one for two weights at most.
  const keys = new Int32Array(written.length);
  const all = new Int8Array(2 * written.length);
  let count = 0;
  let filled = 0;
  let at = 0;
  let key = 0;
  const next = (): number => PLACES[written.charCodeAt(at++)] ?? 0;
  while (at < written.length) {
    if (at === between) {
      at += BETWEEN.length;
      key = 0;
      continue;
    }
    for (let shift = 0; ; shift += WAY) {
      const letter = next();
      key += (letter & (GOES_ON - 1)) << shift;
      if (letter < GOES_ON) break;
    }
    const end = filled + each;
    if (at < between)
      for (let one = filled; one < end; one += 2) {
        const letter = next();
        all[one] = Math.floor(letter / SMALL.count) + SMALL.least;
        all[one + 1] = (letter % SMALL.count) + SMALL.least;
      }
    else for (let one = filled; one < end; one += 1) all[one] = next() - ZERO;
    keys[count] = key;
    count += 1;
    filled = end;
  }
  return new WeightTable(keys.slice(0, count), all.slice(0, filled), each);
}

/** In the order of the keys, first those with an even number of weights that are all small. */
export function writeWeights(weights: Weights): string {
  const all = [...weights.entries()].sort(([one], [other]) => one - other);
  const isSmall = ([, list]: readonly [number, Int8Array]): boolean =>
    list.length % 2 === 0 && list.every((one) => one >= SMALL.least && one <= SMALL.most);
  return [
    entriesOf(all.filter(isSmall), (list) =>
      Array.from({ length: list.length / 2 }, (_, pair) =>
        LETTERS.charAt(
          ((list[2 * pair] ?? 0) - SMALL.least) * SMALL.count +
            ((list[2 * pair + 1] ?? 0) - SMALL.least),
        ),
      ).join(""),
    ),
    entriesOf(
      all.filter((one) => !isSmall(one)),
      (list) => Array.from(list, (one) => LETTERS.charAt(one + ZERO)).join(""),
    ),
  ].join(BETWEEN);
}

function entriesOf(
  all: readonly (readonly [number, Int8Array])[],
  write: (list: Int8Array) => string,
): string {
  let before = 0;
  return all
    .map(([key, list]) => {
      let letters = "";
      let way = key - before;
      for (; way >= GOES_ON; way >>= WAY)
        letters += LETTERS.charAt(GOES_ON + (way & (GOES_ON - 1)));
      before = key;
      return letters + LETTERS.charAt(way) + write(list);
    })
    .join("");
}
