/**
 * A small recurrent net that reads a whole sentence from both ends: what each token is worth as each tag, how likely a day is that
 * of the work, and how likely a note is asked for. The chain beside it sees only what stands near a token.
 */
import { COUNT, STEPS } from "./chain.ts";
import { addRows, GATES, type Layer, walk, type Walk } from "../layer.ts";
import { BITS, placeAt } from "./letters.ts";
import { readWeights } from "./weights-file.ts";

export interface Shape {
  /** Numbers that a feature is. */
  readonly width: number;
  /** Cells of each direction. */
  readonly hidden: number;
}

/** All but the features. */
export interface Dense {
  readonly ahead: Layer;
  readonly back: Layer;
  /** `COUNT` rows of twice `hidden`: what both directions tell of a token, and a number each to begin with. */
  readonly tags: Float64Array;
  readonly tagsBase: Float64Array;
  /** Twice `hidden`: what the most of each number over all tokens is worth, and one to begin with. */
  readonly asked: Float64Array;
  readonly askedBase: Float64Array;
  /** Twice `hidden`: what both directions tell of a token that is a day, and one to begin with. */
  readonly day: Float64Array;
  readonly dayBase: Float64Array;
  /** What each step from tag to tag is worth: `STEPS`. */
  readonly steps: Float64Array;
}

export interface Net extends Shape, Dense {
  /** `width` numbers of a feature by its key; none of one that was never learnt. */
  readonly feature: (key: number) => ArrayLike<number> | undefined;
}

function sizesOf({ width, hidden }: Shape): readonly number[] {
  const rows = GATES * hidden;
  const layer = [rows * width, rows * hidden, rows];
  return [...layer, ...layer, COUNT * 2 * hidden, COUNT, 2 * hidden, 1, 2 * hidden, 1, STEPS];
}

/** Numbers of all that is dense. */
export function denseSize(shape: Shape): number {
  return sizesOf(shape).reduce((sum, size) => sum + size, 0);
}

/** Views of numbers in one piece: whoever changes one changes the other. `numbers`: `denseSize` of them. */
export function denseOf(numbers: Float64Array, shape: Shape): Dense {
  let at = 0;
  const parts = sizesOf(shape).map((size) => numbers.subarray(at, (at += size)));
  const part = (one: number): Float64Array => parts[one] ?? new Float64Array();
  const layer = (first: number): Layer => ({
    ...shape,
    input: part(first),
    again: part(first + 1),
    bias: part(first + 2),
  });
  return {
    ahead: layer(0),
    back: layer(3),
    tags: part(6),
    tagsBase: part(7),
    asked: part(8),
    askedBase: part(9),
    day: part(10),
    dayBase: part(11),
    steps: part(12),
  };
}

export interface Opinion {
  /** `COUNT` for each token. */
  readonly scores: Float64Array;
  /** Of each token, were it a day: the logarithm of how much likelier it is that of the work than not. */
  readonly days: Float64Array;
  /** The logarithm of how much likelier it is that a note is asked for than not. */
  readonly asked: number;
}

/** `keys`: of each token those of its features. Linear in the tokens. */
export function opinionOf(net: Net, keys: readonly (readonly number[])[]): Opinion {
  const { width, feature } = net;
  const inputs = new Float64Array(keys.length * width);
  for (const [token, list] of keys.entries())
    for (const key of list) {
      const numbers = feature(key);
      if (numbers !== undefined) add(inputs, token * width, numbers);
    }
  return told(net, both(walk(net.ahead, inputs, false), walk(net.back, inputs, true)));
}

/** Adds numbers to those from `at` on. */
export function add(to: Float64Array, at: number, numbers: ArrayLike<number>): void {
  for (let one = 0; one < numbers.length; one += 1)
    to[at + one] = (to[at + one] as number) + (numbers[one] as number);
}

/** Of each token what is told of it on the way there, then on the way back. */
export function both({ out: ahead, hidden }: Walk, { out: back }: Walk): Float64Array {
  const numbers = new Float64Array(2 * ahead.length);
  for (let at = 0; at < ahead.length; at += hidden) {
    numbers.set(ahead.subarray(at, at + hidden), 2 * at);
    numbers.set(back.subarray(at, at + hidden), 2 * at + hidden);
  }
  return numbers;
}

/** `numbers`: twice `hidden` for each token. */
export function told(
  { tags, tagsBase, asked, askedBase, day, dayBase }: Omit<Dense, "ahead" | "back">,
  numbers: Float64Array,
): Opinion {
  const width = asked.length;
  const length = numbers.length / width;
  const scores = new Float64Array(length * COUNT);
  const days = new Float64Array(length).fill(dayBase[0] ?? 0);
  for (let token = 0; token < length; token += 1) {
    const sums = scores.subarray(token * COUNT, (token + 1) * COUNT);
    sums.set(tagsBase);
    const own = numbers.subarray(token * width, (token + 1) * width);
    addRows(sums, tags, own);
    addRows(days.subarray(token, token + 1), day, own);
  }
  let sum = askedBase[0] ?? 0;
  for (const [one, at] of mostOf(numbers, width).entries())
    sum += (asked[one] ?? 0) * (numbers[at] ?? 0);
  return { scores, days, asked: sum };
}

/** Of each of `width` numbers, where it is most over all tokens. */
export function mostOf(numbers: Float64Array, width: number): Int32Array {
  const places = Int32Array.from({ length: width }, (_, one) => one);
  for (let at = width; at < numbers.length; at += 1) {
    const one = at % width;
    if ((numbers[at] ?? 0) > (numbers[places[one] ?? 0] ?? 0)) places[one] = at;
  }
  return places;
}

/**
 * How the net is written down. Its features as all weights are (`weights-file.ts`), in steps of their own, which are small
 * because so are they; of everything else two letters a number.
 */
export interface NetFile extends Shape {
  readonly features: string;
  readonly dense: string;
}

/** Steps in one. */
export const NET_STEPS = { feature: 10, dense: 512 } as const;
/** Letters of a number, and where nothing is. */
export const LETTERS_OF_DENSE = 2;
export const DENSE_ZERO = 2 ** (LETTERS_OF_DENSE * BITS - 1);

export function readNet({ width, hidden, features, dense }: NetFile): Net {
  const shape = { width, hidden };
  const numbers = new Float64Array(denseSize(shape));
  for (const at of numbers.keys()) {
    let place = 0;
    for (let letter = 0; letter < LETTERS_OF_DENSE; letter += 1)
      place = (place << BITS) + placeAt(dense, at * LETTERS_OF_DENSE + letter);
    numbers[at] = (place - DENSE_ZERO) / NET_STEPS.dense;
  }
  const table = readWeights(features, width);
  return { ...shape, ...ofSteps(denseOf(numbers, shape)), feature: (key) => table.get(key) };
}

/** What comes in are steps: what they are multiplied with is as much smaller. */
function ofSteps(dense: Dense): Dense {
  for (const { input } of [dense.ahead, dense.back])
    for (const [at, one] of input.entries()) input[at] = one / NET_STEPS.feature;
  return dense;
}
