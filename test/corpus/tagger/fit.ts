/**
 * Weights from examples: a linear chain (conditional random field) for the tags, a logistic regression for whether a note is
 * asked for; both by stochastic gradients with AdaGrad, in an order that is drawn from a fixed seed. The same texts give the same weights, byte
 * for byte: only sums, square roots and `Math.exp`, and they are rounded to eighths at the end.
 */
import { askedFeatures } from "../../../src/understanding/tagger/asked.ts";
import {
  AMOUNT_TAG,
  COUNT,
  follows,
  type Lattice,
  lattice,
  likelihood,
  STEPS,
} from "../../../src/understanding/tagger/chain.ts";
import { featuresOf } from "../../../src/understanding/tagger/features.ts";
import { inEighths, type Weights } from "../../../src/understanding/tagger/weights-file.ts";
import { Dice } from "../../support/dice.ts";
import type { Example } from "./example.ts";

/** Rarer features are one text's own. */
const FEWEST_TIMES = { chain: 4, asked: 4 } as const;
/** Weights that are all smaller are left out. */
const SMALLEST = { chain: 0.3, asked: 0.12 } as const;
const CHAIN = { epochs: 10, pace: 0.2, decay: 0.002 } as const;
const ASKED = { epochs: 20, pace: 0.1, decay: 0.01 } as const;
/** Before the first step, so that none is a division by zero. */
const FIRST_SQUARE = 0.01;
const NEGLIGIBLE = 1e-4;
const SEED = 12_345;

export interface Fitted {
  readonly chain: Weights;
  /** In eighths. */
  readonly steps: readonly number[];
  readonly asked: Weights;
}

export function fit(examples: readonly Example[]): Fitted {
  const { chain, steps } = fitChain(examples.filter(({ asks }) => asks));
  return { chain, steps, asked: fitAsked(examples) };
}

function fitChain(examples: readonly Example[]): Pick<Fitted, "chain" | "steps"> {
  const features = examples.map(({ tokens }) => featuresOf(tokens));
  const ids = idsOf(features.flat(), FEWEST_TIMES.chain);
  const weights = new Slope(ids.size * COUNT);
  const steps = new Slope(STEPS);
  const known = features.map((each) => each.map((list) => numbersOf(list, ids)));
  for (const at of shuffled(examples.length, CHAIN.epochs)) {
    const { tags = [], tokens = [] } = examples[at] ?? {};
    const each = known[at] ?? [];
    if (each.length === 0) continue;
    const of = lattice(scoresOf(each, tokens, weights.values), steps.values);
    for (const [token, list] of each.entries())
      for (let tag = 0; tag < COUNT; tag += 1) {
        const off = likelihood(of, token, tag) - (tags[token] === tag ? 1 : 0);
        if (Math.abs(off) < NEGLIGIBLE) continue;
        for (const feature of list) weights.step(feature * COUNT + tag, off, CHAIN);
      }
    for (const [step, off] of stepsOff(of, tags).entries())
      if (off !== 0) steps.step(step, off, CHAIN);
  }
  const chain = new Map<string, Int8Array>();
  for (const [feature, id] of ids) {
    const list = weights.values.slice(id * COUNT, (id + 1) * COUNT);
    if (list.some((one) => Math.abs(one) >= SMALLEST.chain))
      chain.set(feature, Int8Array.from(list, inEighths));
  }
  return { chain, steps: [...steps.values].map(inEighths) };
}

function scoresOf(
  each: readonly (readonly number[])[],
  tokens: Example["tokens"],
  weights: Float64Array,
): Float64Array {
  const scores = new Float64Array(each.length * COUNT);
  for (const [token, list] of each.entries()) {
    for (const feature of list)
      for (let tag = 0; tag < COUNT; tag += 1)
        scores[token * COUNT + tag] =
          (scores[token * COUNT + tag] ?? 0) + (weights[feature * COUNT + tag] ?? 0);
    if (tokens[token]?.kind !== "number") scores[token * COUNT + AMOUNT_TAG] = -Infinity;
  }
  return scores;
}

/** Of each step from tag to tag: how often it is expected, less how often it is there. */
function stepsOff(of: Lattice, tags: readonly number[]): Float64Array {
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
  for (const [token, tag] of tags.entries())
    add((token === 0 ? COUNT : (tags[token - 1] ?? 0)) * COUNT + tag, -1);
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

function fitAsked(examples: readonly Example[]): Weights {
  const features = examples.map(({ tokens, text }) => [...askedFeatures(tokens, text)]);
  const ids = idsOf(features, FEWEST_TIMES.asked);
  const weights = new Slope(ids.size);
  const known = features.map((list) => numbersOf(list, ids));
  for (const at of shuffled(examples.length, ASKED.epochs)) {
    const list = known[at] ?? [];
    const sum = list.reduce((total, feature) => total + (weights.values[feature] ?? 0), 0);
    const off = 1 / (1 + Math.exp(-sum)) - (examples[at]?.asks === true ? 1 : 0);
    for (const feature of list) weights.step(feature, off, ASKED);
  }
  const asked = new Map<string, Int8Array>();
  for (const [feature, id] of ids) {
    const weight = weights.values[id] ?? 0;
    if (Math.abs(weight) >= SMALLEST.asked) asked.set(feature, Int8Array.of(inEighths(weight)));
  }
  return asked;
}

/** Weights that go down a slope, each at its own pace: the farther it has gone, the slower. */
class Slope {
  readonly values: Float64Array;
  readonly #squares: Float64Array;

  constructor(size: number) {
    this.values = new Float64Array(size);
    this.#squares = new Float64Array(size).fill(FIRST_SQUARE);
  }

  step(
    at: number,
    off: number,
    { pace, decay }: { readonly pace: number; readonly decay: number },
  ): void {
    const value = this.values[at] ?? 0;
    const by = off + decay * value;
    const square = (this.#squares[at] ?? 0) + by * by;
    this.#squares[at] = square;
    this.values[at] = value - (pace * by) / Math.sqrt(square);
  }
}

function idsOf(lists: readonly (readonly string[])[], fewest: number): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const feature of lists.flat()) times.set(feature, (times.get(feature) ?? 0) + 1);
  const ids = new Map<string, number>();
  for (const [feature, often] of times) if (often >= fewest) ids.set(feature, ids.size);
  return ids;
}

function numbersOf(features: readonly string[], ids: ReadonlyMap<string, number>): number[] {
  return features.flatMap((feature) => ids.get(feature) ?? []);
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
