/**
 * How the net is written down. Its features as all weights are (`weights-file.ts`), in steps of their own, which are small
 * because so are they; of everything else two letters a number.
 */
import { BITS, inLetters, placeAt } from "./letters.ts";
import { type Dense, denseOf, denseSize, type Net, type Shape } from "./net.ts";
import { readWeights, type Weights, writeWeights } from "./weights-file.ts";

export interface NetFile extends Shape {
  readonly features: string;
  readonly dense: string;
}

/** Steps in one. */
const PER_ONE = { feature: 10, dense: 512 } as const;
const MOST_OF_FEATURE = 31;
/** Letters of a number, and where nothing is. */
const LETTERS_OF_DENSE = 2;
const ZERO = 2 ** (LETTERS_OF_DENSE * BITS - 1);

/** What is written down: the dense numbers in one piece, as `denseOf` parts them, and the features by their keys. */
export interface Loose extends Shape {
  readonly dense: readonly number[];
  readonly features: readonly (readonly [number, readonly number[]])[];
}

export function writeNet({ width, hidden, dense, features }: Loose): NetFile {
  const steps = new Map(
    features.map(([key, numbers]) => [key, Int8Array.from(numbers, inSteps)] as const),
  );
  const letters = Array.from(dense, (one) => {
    const place = Math.round(one * PER_ONE.dense) + ZERO;
    return inLetters(Math.max(0, Math.min(2 * ZERO - 1, place)), LETTERS_OF_DENSE);
  });
  return { width, hidden, features: writeWeights(withoutNothing(steps)), dense: letters.join("") };
}

function inSteps(number: number): number {
  const steps = Math.round(number * PER_ONE.feature);
  return Math.max(-MOST_OF_FEATURE, Math.min(MOST_OF_FEATURE, steps));
}

/** A feature that says nothing is none. */
function withoutNothing(steps: ReadonlyMap<number, Int8Array>): Weights {
  return new Map([...steps].filter(([, list]) => list.some((one) => one !== 0)));
}

export function readNet({ width, hidden, features, dense }: NetFile): Net {
  const shape = { width, hidden };
  const numbers = new Float64Array(denseSize(shape));
  for (const at of numbers.keys()) {
    let place = 0;
    for (let letter = 0; letter < LETTERS_OF_DENSE; letter += 1)
      place = (place << BITS) + placeAt(dense, at * LETTERS_OF_DENSE + letter);
    numbers[at] = (place - ZERO) / PER_ONE.dense;
  }
  const table = readWeights(features, width);
  return { ...shape, ...ofSteps(denseOf(numbers, shape)), feature: (key) => table.get(key) };
}

/** What comes in are steps: what they are multiplied with is as much smaller. */
function ofSteps(dense: Dense): Dense {
  for (const { input } of [dense.ahead, dense.back])
    for (const [at, one] of input.entries()) input[at] = one / PER_ONE.feature;
  return dense;
}
