/**
 * How weights are written down: of each feature a short key instead of its name, then its weights, one letter each, in small
 * steps. Every entry is as long as the other, so that a source file holds many and is read once, quickly.
 */

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BITS = 6;
const ZERO = 32;
const MOST = 31;
/** Steps in one. */
const PER_ONE = 8;
/** Letters of a key: with 20,000 features one in 50,000 that nobody learnt is taken for one of them. */
const KEY = 5;

/** Of each feature, by its key, its weights in steps. */
export type Weights = ReadonlyMap<number, Int8Array>;

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

export function readWeights(written: string, each: number): Weights {
  const weights = new Map<number, Int8Array>();
  const all = new Int8Array((written.length / (KEY + each)) * each);
  let next = 0;
  for (let at = 0; at < written.length; at += KEY + each) {
    let key = 0;
    for (let letter = 0; letter < KEY; letter += 1)
      key = (key << BITS) | (PLACES[written.charCodeAt(at + letter)] ?? 0);
    const from = next;
    for (let one = 0; one < each; one += 1, next += 1)
      all[next] = (PLACES[written.charCodeAt(at + KEY + one)] ?? 0) - ZERO;
    weights.set(key, all.subarray(from, next));
  }
  return weights;
}

/** In the order of the keys. */
export function writeWeights(weights: Weights): string {
  return [...weights]
    .sort(([one], [other]) => one - other)
    .map(([key, list]) => {
      let letters = "";
      for (let left = KEY - 1; left >= 0; left -= 1)
        letters += LETTERS.charAt((key >> (BITS * left)) & (LETTERS.length - 1));
      for (const one of list) letters += LETTERS.charAt(one + ZERO);
      return letters;
    })
    .join("");
}
