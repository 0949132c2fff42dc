/** How what was learnt is written down, so that a source file holds much of it: see what reads it. */
import { BITS, LETTERS } from "../../../src/plugins/invoicing/sentence/learned/model/letters.ts";
import {
  EACH_NUMBER,
  type Forest,
  FOREST_ZERO,
} from "../../../src/plugins/invoicing/sentence/learned/model/forest.ts";
import {
  DENSE_ZERO,
  LETTERS_OF_DENSE,
  NET_STEPS,
  type NetFile,
  type Shape,
} from "../../../src/plugins/invoicing/sentence/learned/model/net.ts";
import {
  KEY,
  PER_ONE,
  SMALL,
  type Weights,
  ZERO,
} from "../../../src/plugins/invoicing/sentence/learned/model/weights-file.ts";

/** A whole number that is no less than nothing, its highest bits first. */
function inLetters(number: number, count: number): string {
  let letters = "";
  for (let shift = (count - 1) * BITS; shift >= 0; shift -= BITS)
    letters += LETTERS.charAt((number >>> shift) & (LETTERS.length - 1));
  return letters;
}

/** A tree as it grows: all branches of one depth ask the same question. */
export interface Tree {
  /** Which number is asked about, at each depth. */
  readonly features: readonly number[];
  /** Whether it is more than this. */
  readonly bounds: readonly number[];
  /** What it adds, in thousandths: two to the depth of them. */
  readonly leaves: readonly number[];
}

export function forestOf(base: number, trees: readonly Tree[]): Forest {
  return {
    base,
    numbers: Int16Array.from(
      trees.flatMap(({ features, bounds, leaves }) => [...features, ...bounds, ...leaves]),
    ),
  };
}

/** A number that can be written is no farther from nothing. */
export const FARTHEST = FOREST_ZERO - 1;

export function writeForest({ base, numbers }: Forest): string {
  return [base, ...numbers].map((one) => inLetters(one + FOREST_ZERO, EACH_NUMBER)).join("");
}

/** What is written down: the dense numbers in one piece, as `denseOf` parts them, and the features by their keys. */
export interface Loose extends Shape {
  readonly dense: readonly number[];
  readonly features: readonly (readonly [number, readonly number[]])[];
}

export function writeNet({ width, hidden, dense, features }: Loose): NetFile {
  const steps = new Map(
    features.map(([key, numbers]) => [key, Int8Array.from(numbers, inNetSteps)] as const),
  );
  const letters = Array.from(dense, (one) => {
    const place = Math.round(one * NET_STEPS.dense) + DENSE_ZERO;
    return inLetters(Math.max(0, Math.min(2 * DENSE_ZERO - 1, place)), LETTERS_OF_DENSE);
  });
  return { width, hidden, features: writeWeights(withoutNothing(steps)), dense: letters.join("") };
}

const MOST_OF_FEATURE = 31;

function inNetSteps(number: number): number {
  const steps = Math.round(number * NET_STEPS.feature);
  return Math.max(-MOST_OF_FEATURE, Math.min(MOST_OF_FEATURE, steps));
}

/** A feature that says nothing is none. */
function withoutNothing(steps: ReadonlyMap<number, Int8Array>): Weights {
  return new Map([...steps].filter(([, list]) => list.some((one) => one !== 0)));
}

const MOST = 31;

/** The nearest weight that can be written, in steps. */
export function inSteps(weight: number): number {
  return Math.max(-MOST, Math.min(MOST, Math.round(weight * PER_ONE)));
}

/** None, one or two letters of a key say where it stands: of more there would be more compartments than keys. */
const FRONTS = 3;
/** More keys than a letter can tell are in no compartment. */
const FULL = LETTERS.length - 1;

/** Those with an even number of weights that are all small, and the others. */
export function writeWeights(weights: Weights): string {
  const all = [...weights.entries()].sort(([one], [other]) => one - other);
  const isSmall = ([, list]: readonly [number, Int8Array]): boolean =>
    list.length % 2 === 0 && list.every((one) => one >= SMALL.least && one <= SMALL.most);
  const inPairs = (list: Int8Array): string =>
    Array.from({ length: list.length / 2 }, (_, pair) =>
      LETTERS.charAt(
        ((list[2 * pair] ?? 0) - SMALL.least) * SMALL.count +
          ((list[2 * pair + 1] ?? 0) - SMALL.least),
      ),
    ).join("");
  const inSingles = (list: Int8Array): string =>
    Array.from(list, (one) => LETTERS.charAt(one + ZERO)).join("");
  return (
    shelfOf(all.filter(isSmall), inPairs) +
    shelfOf(
      all.filter((one) => !isSmall(one)),
      inSingles,
    )
  );
}

/** With as many compartments as make it shortest. */
function shelfOf(
  all: readonly (readonly [number, Int8Array])[],
  write: (list: Int8Array) => string,
): string {
  const keys = Array.from({ length: FRONTS }, (_, front) => keysOf(all, front))
    .filter((written) => written !== null)
    .sort((one, other) => one.length - other.length);
  const [shortest] = keys;
  if (shortest === undefined) throw new Error(`${all.length} keys are too many to be written.`);
  return shortest + all.map(([, list]) => write(list)).join("");
}

/** Null when a letter cannot tell how many keys are in each compartment. */
function keysOf(all: readonly (readonly [number, Int8Array])[], front: number): string | null {
  const rest = KEY - front;
  const counts = new Array<number>(LETTERS.length ** front).fill(0);
  for (const [key] of all) {
    const compartment = key >>> (rest * BITS);
    counts[compartment] = (counts[compartment] ?? 0) + 1;
  }
  if (counts.some((count) => count > FULL)) return null;
  return [
    LETTERS.charAt(front),
    ...counts.map((count) => LETTERS.charAt(count)),
    ...all.map(([key]) => inLetters(key, rest)),
  ].join("");
}
