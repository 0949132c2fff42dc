/**
 * Trees from examples, each fitted to what those before it still get wrong (gradient boosting on the logistic loss). All numbers
 * are whole; the same examples give the same trees.
 */
import {
  DEPTH,
  type Forest,
} from "../../../src/plugins/invoicing/sentence/learned/model/forest.ts";
import { FARTHEST, forestOf, type Tree } from "./writing.ts";

export interface Counted {
  /** Whole numbers, as many for each example. */
  readonly numbers: readonly number[];
  readonly right: boolean;
}

export interface Growth {
  readonly trees: number;
  /** How much of what a leaf asks for is done. */
  readonly pace: number;
  /** Pulls leaves of few examples to nothing. */
  readonly pull: number;
}
export const GROWTH: Growth = { trees: 120, pace: 0.1, pull: 10 };

const PER_ONE = 1000;
/** Questions about one number at most. */
const MOST_BOUNDS = 40;
const MOST_BINS = MOST_BOUNDS + 1;
/** So that the smallest digits of a sum choose nothing. */
const CLEARLY = 1e-9;

export function fitForest(all: readonly Counted[], by: Growth = GROWTH): Forest {
  const width = all[0]?.numbers.length ?? 0;
  const bounds = Array.from({ length: width }, (_, one) => boundsOf(all, one));
  const bins = bounds.map((list, one) =>
    Uint8Array.from(all, ({ numbers }) => binOf(list, numbers[one] ?? 0)),
  );
  const right = all.filter((one) => one.right).length;
  const base = written(Math.log((right + 1) / (all.length - right + 1)));
  const sums = new Float64Array(all.length).fill(base / PER_ONE);
  const ground: Ground = {
    bounds,
    bins,
    slope: new Float64Array(all.length),
    curve: new Float64Array(all.length),
    leafOf: new Uint8Array(all.length),
    pull: by.pull,
  };
  const trees: Tree[] = [];
  for (let tree = 0; tree < by.trees; tree += 1) {
    for (let at = 0; at < all.length; at += 1) {
      const likely = 1 / (1 + Math.exp(-(sums[at] ?? 0)));
      ground.slope[at] = (all[at]?.right === true ? 1 : 0) - likely;
      ground.curve[at] = likely * (1 - likely);
    }
    const grown = treeOf(ground, by.pace);
    for (let at = 0; at < all.length; at += 1)
      sums[at] = (sums[at] ?? 0) + (grown.leaves[ground.leafOf[at] ?? 0] ?? 0) / PER_ONE;
    trees.push(grown);
  }
  return forestOf(base, trees);
}

/** What a tree grows on. */
interface Ground {
  /** Of each number, where it may be asked about, and between which of these each example stands. */
  readonly bounds: readonly (readonly number[])[];
  readonly bins: readonly Uint8Array[];
  /** Of each example, how much more would be right, and how fast that changes. */
  readonly slope: Float64Array;
  readonly curve: Float64Array;
  /** … and its leaf so far. */
  readonly leafOf: Uint8Array;
  readonly pull: number;
}

interface Question {
  readonly gain: number;
  readonly feature: number;
  readonly bin: number;
}

function treeOf(ground: Ground, pace: number): Tree {
  const { bounds, bins, slope, curve, leafOf, pull } = ground;
  leafOf.fill(0);
  const asked: Question[] = [];
  for (let depth = 0; depth < DEPTH; depth += 1) {
    let best: Question = { gain: -Infinity, feature: 0, bin: 0 };
    for (const feature of bounds.keys()) {
      const question = questionOf(feature, 1 << depth, ground);
      if (question.gain > best.gain + CLEARLY) best = question;
    }
    asked.push(best);
    const of = bins[best.feature] ?? new Uint8Array();
    for (let at = 0; at < of.length; at += 1)
      leafOf[at] = 2 * (leafOf[at] ?? 0) + ((of[at] ?? 0) > best.bin ? 1 : 0);
  }
  const slopes = new Float64Array(1 << DEPTH);
  const curves = new Float64Array(1 << DEPTH);
  for (let at = 0; at < leafOf.length; at += 1) {
    const leaf = leafOf[at] ?? 0;
    slopes[leaf] = (slopes[leaf] ?? 0) + (slope[at] ?? 0);
    curves[leaf] = (curves[leaf] ?? 0) + (curve[at] ?? 0);
  }
  return {
    features: asked.map(({ feature }) => feature),
    bounds: asked.map(({ feature, bin }) => bounds[feature]?.[bin] ?? 0),
    leaves: Array.from(slopes, (sum, leaf) => written((pace * sum) / ((curves[leaf] ?? 0) + pull))),
  };
}

/** The bound of a number that parts the examples of all leaves best. */
function questionOf(
  feature: number,
  leaves: number,
  { bounds, bins, slope, curve, leafOf, pull }: Ground,
): Question {
  const count = bounds[feature]?.length ?? 0;
  const of = bins[feature] ?? new Uint8Array();
  const slopes = new Float64Array(leaves * MOST_BINS);
  const curves = new Float64Array(leaves * MOST_BINS);
  for (let at = 0; at < of.length; at += 1) {
    const cell = (leafOf[at] ?? 0) * MOST_BINS + (of[at] ?? 0);
    slopes[cell] = (slopes[cell] ?? 0) + (slope[at] ?? 0);
    curves[cell] = (curves[cell] ?? 0) + (curve[at] ?? 0);
  }
  const gains = new Float64Array(count);
  for (let leaf = 0; leaf < leaves; leaf += 1) {
    const from = leaf * MOST_BINS;
    let [allSlope, allCurve] = [0, 0];
    for (let bin = 0; bin <= count; bin += 1) {
      allSlope += slopes[from + bin] ?? 0;
      allCurve += curves[from + bin] ?? 0;
    }
    let [below, bend] = [0, 0];
    for (let bin = 0; bin < count; bin += 1) {
      below += slopes[from + bin] ?? 0;
      bend += curves[from + bin] ?? 0;
      const above = allSlope - below;
      gains[bin] =
        (gains[bin] ?? 0) +
        (below * below) / (bend + pull) +
        (above * above) / (allCurve - bend + pull);
    }
  }
  let best: Question = { gain: -Infinity, feature, bin: 0 };
  for (const [bin, gain] of gains.entries())
    if (gain > best.gain + CLEARLY) best = { gain, feature, bin };
  return best;
}

/** In thousandths, as near as can be written. */
function written(worth: number): number {
  return Math.max(-FARTHEST, Math.min(FARTHEST, Math.round(PER_ONE * worth)));
}

/** Where a number may be asked about: between its values, evenly by how often they are. */
function boundsOf(all: readonly Counted[], one: number): readonly number[] {
  const values = all.map(({ numbers }) => numbers[one] ?? 0).sort((a, b) => a - b);
  const distinct = [...new Set(values)];
  if (distinct.length <= MOST_BOUNDS) return distinct.slice(0, -1);
  const chosen = Array.from(
    { length: MOST_BOUNDS },
    (_, at) => values[Math.floor(((at + 1) * values.length) / (MOST_BOUNDS + 1))] ?? 0,
  );
  return [...new Set(chosen)].filter((value) => value < (distinct.at(-1) ?? 0));
}

/** How many of the bounds it is more than. */
function binOf(bounds: readonly number[], value: number): number {
  let bin = 0;
  while (bin < bounds.length && value > (bounds[bin] ?? 0)) bin += 1;
  return bin;
}
