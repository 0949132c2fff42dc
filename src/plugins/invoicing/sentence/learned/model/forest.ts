/**
 * How likely something is by what is known of it in numbers: small trees, each of which adds what its leaf is worth. All
 * branches of one depth ask the same question, so that a leaf is found without a jump.
 */

/** Questions from a root to a leaf, the same in every tree. */
export const DEPTH = 4;
const LEAVES = 2 ** DEPTH;
/** Numbers of a tree. */
const EACH = DEPTH + DEPTH + LEAVES;

export interface Tree {
  /** Which number is asked about, at each depth. */
  readonly features: readonly number[];
  /** Whether it is more than this. */
  readonly bounds: readonly number[];
  /** What it adds, in thousandths: two to the depth of them. */
  readonly leaves: readonly number[];
}

export interface Forest {
  /** What is likely before any tree is asked, in thousandths. */
  readonly base: number;
  /** Tree after tree what is asked about, the bounds, the leaves: in one piece, for there are thousands of them. */
  readonly numbers: Int16Array;
}

export function forestOf(base: number, trees: readonly Tree[]): Forest {
  return {
    base,
    numbers: Int16Array.from(
      trees.flatMap(({ features, bounds, leaves }) => [...features, ...bounds, ...leaves]),
    ),
  };
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
