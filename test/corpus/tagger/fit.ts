/**
 * Weights from examples: a linear chain (conditional random field) for the tags, logistic regressions for what is judged; both
 * by stochastic gradients with AdaGrad, in an order that is drawn from a fixed seed. The same texts give the same weights, byte
 * for byte: only sums, square roots and `Math.exp`, and they are rounded to small steps at the end.
 */
import { askedFeatures } from "../../../src/plugins/invoicing/sentence/learned/judge.ts";
import {
  AMOUNT_TAG,
  COUNT,
  follows,
  type Lattice,
  lattice,
  likelihood,
  STEPS,
} from "../../../src/plugins/invoicing/sentence/learned/model/chain.ts";
import { featuresOf } from "../../../src/plugins/invoicing/sentence/learned/model/features.ts";
import {
  keyOf,
  type Weights,
} from "../../../src/plugins/invoicing/sentence/learned/model/weights-file.ts";
import { inSteps } from "./writing.ts";
import { Dice } from "../../support/dice.ts";
import type { Example } from "./example.ts";

export interface Pace {
  readonly epochs: number;
  readonly pace: number;
  /** Pulls every weight back to nothing: the more, the less is learnt of a single text. */
  readonly decay: number;
  /** Rarer features are one text's own. */
  readonly fewest: number;
  /** Weights that are all smaller are left out. */
  readonly smallest: number;
}
export const CHAIN: Pace = { epochs: 10, pace: 0.2, decay: 0.02, fewest: 9, smallest: 0.2 };
export const ASKED: Pace = { epochs: 20, pace: 0.1, decay: 0.01, fewest: 4, smallest: 0.13 };
/** Before the first step, so that none is a division by zero. */
const FIRST_SQUARE = 0.01;
const NEGLIGIBLE = 1e-4;
/** After so many rounds the weights only swing about: from then on the mean of every round's is taken. */
const SETTLED = 4;
const SEED = 12_345;

export interface Fitted {
  readonly chain: Weights;
  /** In steps of their own (`weights-file.ts`). */
  readonly steps: readonly number[];
  readonly asked: Weights;
}

export function fit(examples: readonly Example[], by = { chain: CHAIN, asked: ASKED }): Fitted {
  const { chain, steps } = fitChain(
    examples.filter(({ asks }) => asks),
    by.chain,
  );
  const judged = examples.map(({ tokens, text, asks }) => ({
    traits: [...askedFeatures(tokens, text)],
    right: asks,
  }));
  return { chain, steps, asked: fitJudge(judged, by.asked) };
}

export function fitChain(examples: readonly Example[], by: Pace): Pick<Fitted, "chain" | "steps"> {
  const features = examples.map(({ tokens }) => featuresOf(tokens).map((list) => list.map(keyOf)));
  const ids = idsOf(features.flat(), by.fewest);
  const weights = new Slope(ids.size * COUNT);
  const steps = new Slope(STEPS);
  const known = features.map((each) =>
    each.map((list) => Int32Array.from(numbersOf(list, ids), (id) => id * COUNT)),
  );
  const off = new Float64Array(COUNT);
  for (const [count, at] of [...shuffled(examples.length, by.epochs)].entries()) {
    if (count % examples.length === 0 && count >= SETTLED * examples.length) {
      weights.remember();
      steps.remember();
    }
    const { ways = [], tokens = [] } = examples[at] ?? {};
    const each = known[at] ?? [];
    if (each.length === 0) continue;
    const of = lattice(scoresOf(each, tokens, weights.values), steps.values);
    const shares = sharesOf(of, ways);
    for (const [token, list] of each.entries()) {
      for (let tag = 0; tag < COUNT; tag += 1) off[tag] = likelihood(of, token, tag);
      for (const [way, tags] of ways.entries()) {
        const tag = tags[token] ?? 0;
        off[tag] = (off[tag] ?? 0) - (shares[way] ?? 0);
      }
      for (const from of list) weights.stepAll(from, off, by);
    }
    for (const [step, far] of stepsOff(of, ways, shares).entries())
      if (far !== 0) steps.step(step, far, by);
  }
  weights.settle();
  steps.settle();
  const chain = new Map<number, Int8Array>();
  for (const [feature, id] of ids) {
    const list = weights.values.slice(id * COUNT, (id + 1) * COUNT);
    if (list.some((one) => Math.abs(one) >= by.smallest))
      chain.set(feature, Int8Array.from(list, inSteps));
  }
  return { chain, steps: [...steps.values].map(inSteps) };
}

function scoresOf(
  each: readonly Int32Array[],
  tokens: Example["tokens"],
  weights: Float64Array,
): Float64Array {
  const scores = new Float64Array(each.length * COUNT);
  for (const [token, list] of each.entries()) {
    const at = token * COUNT;
    for (const from of list)
      for (let tag = 0; tag < COUNT; tag += 1)
        scores[at + tag] = (scores[at + tag] ?? 0) + (weights[from + tag] ?? 0);
    if (tokens[token]?.kind !== "number") scores[at + AMOUNT_TAG] = -Infinity;
  }
  return scores;
}

/** Of every way to tag a sentence that is right, how likely it is among them. */
export function sharesOf({ scores, steps }: Lattice, ways: Example["ways"]): readonly number[] {
  const sums = waySums(scores, steps, ways);
  const most = Math.max(...sums);
  const worth = sums.map((sum) => Math.exp(sum - most));
  const all = worth.reduce((sum, one) => sum + one, 0);
  return worth.map((one) => one / all);
}

/** What each way is worth. */
export function waySums(
  scores: Float64Array,
  steps: Float64Array,
  ways: Example["ways"],
): readonly number[] {
  return ways.map((tags) =>
    tags.reduce(
      (sum, tag, token) =>
        sum + (scores[token * COUNT + tag] ?? 0) + (steps[stepOf(tags, token)] ?? 0),
      0,
    ),
  );
}

/** The step that leads to a token. */
function stepOf(tags: readonly number[], token: number): number {
  return (token === 0 ? COUNT : (tags[token - 1] ?? 0)) * COUNT + (tags[token] ?? 0);
}

/** Of each step from tag to tag: how often it is expected, less how often it is there. */
export function stepsOff(
  of: Lattice,
  ways: Example["ways"],
  shares: readonly number[],
): Float64Array {
  const off = new Float64Array(STEPS);
  const add = (step: number, by: number): void => {
    off[step] = (off[step] ?? 0) + by;
  };
  for (let tag = 0; tag < COUNT; tag += 1) add(COUNT * COUNT + tag, likelihood(of, 0, tag));
  for (let token = 1; token < of.length; token += 1)
    for (let before = 0; before < COUNT; before += 1)
      for (let tag = 0; tag < COUNT; tag += 1)
        if (follows(tag, before))
          add(before * COUNT + tag, Math.exp(pairOf(of, token, before, tag)));
  for (const [way, tags] of ways.entries())
    for (const token of tags.keys()) add(stepOf(tags, token), -(shares[way] ?? 0));
  return off;
}

function pairOf(of: Lattice, token: number, before: number, tag: number): number {
  const { forward, backward, scores, steps, total } = of;
  return (
    (forward[(token - 1) * COUNT + before] ?? 0) +
    (steps[before * COUNT + tag] ?? 0) +
    (scores[token * COUNT + tag] ?? 0) +
    (backward[token * COUNT + tag] ?? 0) -
    total
  );
}

/** Something that was judged: what is known of it, and whether it was right. */
export interface Case {
  readonly traits: readonly string[];
  readonly right: boolean;
}

export function fitJudge(all: readonly Case[], by: Pace): Weights {
  const traits = all.map((one) => one.traits.map(keyOf));
  const ids = idsOf(traits, by.fewest);
  const weights = new Slope(ids.size);
  const known = traits.map((list) => numbersOf(list, ids));
  for (const at of shuffled(all.length, by.epochs)) {
    const list = known[at] ?? [];
    const sum = list.reduce((total, trait) => total + (weights.values[trait] ?? 0), 0);
    const off = 1 / (1 + Math.exp(-sum)) - (all[at]?.right === true ? 1 : 0);
    for (const trait of list) weights.step(trait, off, by);
  }
  const judge = new Map<number, Int8Array>();
  for (const [trait, id] of ids) {
    const weight = weights.values[id] ?? 0;
    if (Math.abs(weight) >= by.smallest) judge.set(trait, Int8Array.of(inSteps(weight)));
  }
  return judge;
}

/** Weights that go down a slope, each at its own pace: the farther it has gone, the slower. */
class Slope {
  readonly values: Float64Array;
  readonly #squares: Float64Array;
  readonly #sums: Float64Array;
  #remembered = 0;

  constructor(size: number) {
    this.values = new Float64Array(size);
    this.#sums = new Float64Array(size);
    this.#squares = new Float64Array(size).fill(FIRST_SQUARE);
  }

  step(at: number, off: number, { pace, decay }: Pace): void {
    const value = this.values[at] ?? 0;
    const by = off + decay * value;
    const square = (this.#squares[at] ?? 0) + by * by;
    this.#squares[at] = square;
    this.values[at] = value - (pace * by) / Math.sqrt(square);
  }

  /** Those of all tags, from the first one's place; nothing is learnt of a tag that is hardly off. */
  stepAll(from: number, off: Float64Array, { pace, decay }: Pace): void {
    for (let tag = 0; tag < COUNT; tag += 1) {
      const far = off[tag] ?? 0;
      if (far < NEGLIGIBLE && far > -NEGLIGIBLE) continue;
      const at = from + tag;
      const value = this.values[at] ?? 0;
      const by = far + decay * value;
      const square = (this.#squares[at] ?? 0) + by * by;
      this.#squares[at] = square;
      this.values[at] = value - (pace * by) / Math.sqrt(square);
    }
  }

  /** Where the weights are now counts for the mean. */
  remember(): void {
    for (const [at, value] of this.values.entries()) this.#sums[at] = (this.#sums[at] ?? 0) + value;
    this.#remembered += 1;
  }

  /** The mean of all that was remembered, in place of the last. */
  settle(): void {
    this.remember();
    for (const [at, sum] of this.#sums.entries()) this.values[at] = sum / this.#remembered;
  }
}

export function idsOf(
  lists: readonly (readonly number[])[],
  fewest: number,
): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  for (const list of lists) for (const one of list) times.set(one, (times.get(one) ?? 0) + 1);
  const ids = new Map<number, number>();
  for (const [one, often] of times) if (often >= fewest) ids.set(one, ids.size);
  return ids;
}

function numbersOf(list: readonly number[], ids: ReadonlyMap<number, number>): number[] {
  return list.flatMap((one) => ids.get(one) ?? []);
}

/** Each example once in every round, in another order each time, always the same. */
function* shuffled(count: number, rounds: number): Generator<number> {
  const dice = new Dice(SEED);
  let order = Array.from({ length: count }, (_, at) => at);
  for (let round = 0; round < rounds; round += 1) {
    order = dice.shuffled(order);
    yield* order;
  }
}
