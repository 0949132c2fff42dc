/**
 * How likely something is by what is known of it in numbers: small trees, each of which adds what its leaf is worth. All
 * branches of one depth ask the same question, so that a leaf is found without a jump.
 */

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
  readonly trees: readonly Tree[];
}

const PER_ONE = 1000;

/** The logarithm of how much likelier it is than not. */
export function oddsByForest({ base, trees }: Forest, numbers: ArrayLike<number>): number {
  let sum = base;
  for (const { features, bounds, leaves } of trees) {
    let leaf = 0;
    for (let depth = 0; depth < features.length; depth += 1)
      leaf = 2 * leaf + ((numbers[features[depth] ?? 0] ?? 0) > (bounds[depth] ?? 0) ? 1 : 0);
    sum += leaves[leaf] ?? 0;
  }
  return sum / PER_ONE;
}

/** 0 to 1. */
export function likelihoodByForest(forest: Forest, numbers: ArrayLike<number>): number {
  return 1 / (1 + Math.exp(-oddsByForest(forest, numbers)));
}
