/**
 * How likely something is by what is known of it in numbers: small trees, each of which adds what its leaf is worth. All
 * branches of one depth ask the same question, so that a leaf is found without a jump.
 */
import { LETTERS, placeAt } from "./letters.ts";

/** Questions from a root to a leaf, the same in every tree. */
export const DEPTH = 4;
const LEAVES = 2 ** DEPTH;
/** Numbers of a tree. */
const EACH = DEPTH + DEPTH + LEAVES;

export interface Forest {
  /** What is likely before any tree is asked, in thousandths. */
  readonly base: number;
  /** Tree after tree what is asked about, the bounds, the leaves: in one piece, for there are thousands of them. */
  readonly numbers: Int16Array;
}

const PER_ONE = 1000;

/** The logarithm of how much likelier it is than not. */
export function oddsByForest({ base, numbers: trees }: Forest, numbers: ArrayLike<number>): number {
  let sum = base;
  for (let tree = 0; tree < trees.length; tree += EACH) {
    let leaf = 0;
    for (let question = tree; question < tree + DEPTH; question += 1) {
      const asked = numbers[trees[question] ?? 0] ?? 0;
      leaf = 2 * leaf + (asked > (trees[question + DEPTH] ?? 0) ? 1 : 0);
    }
    sum += trees[tree + 2 * DEPTH + leaf] ?? 0;
  }
  return sum / PER_ONE;
}

/** 0 to 1. */
export function likelihoodByForest(forest: Forest, numbers: ArrayLike<number>): number {
  return 1 / (1 + Math.exp(-oddsByForest(forest, numbers)));
}

/** Letters of a number, so that a source file holds many. */
export const EACH_NUMBER = 2;
const BASE = LETTERS.length;
/** What stands for nothing. */
export const FOREST_ZERO = (BASE * BASE) / 2;

export function readForest(written: string): Forest {
  const numbers = new Int16Array(written.length / EACH_NUMBER - 1);
  for (let one = 0; one < numbers.length; one += 1) numbers[one] = numberAt(written, one + 1);
  return { base: numberAt(written, 0), numbers };
}

function numberAt(written: string, at: number): number {
  return (
    placeAt(written, EACH_NUMBER * at) * BASE + placeAt(written, EACH_NUMBER * at + 1) - FOREST_ZERO
  );
}
