/** How trees are written down: every number in two letters, tree after tree, so that a source file holds many. */
import type { Forest, Tree } from "./forest.ts";
import { LETTERS } from "./weights-file.ts";

/** Questions from a root to a leaf, the same in every tree. */
export const DEPTH = 4;
const LEAVES = 2 ** DEPTH;
/** Numbers of a tree: what is asked about, the bounds, the leaves. */
const EACH = DEPTH + DEPTH + LEAVES;
const BASE = LETTERS.length;
const ZERO = (BASE * BASE) / 2;
/** A number that can be written is no farther from nothing. */
export const FARTHEST = ZERO - 1;

export function writeForest({ base, trees }: Forest): string {
  const numbers = trees.flatMap(({ features, bounds, leaves }) => [
    ...features,
    ...bounds,
    ...leaves,
  ]);
  return [base, ...numbers]
    .map((one) => one + ZERO)
    .map((one) => LETTERS.charAt(Math.floor(one / BASE)) + LETTERS.charAt(one % BASE))
    .join("");
}

export function readForest(written: string): Forest {
  const numbers: number[] = [];
  for (let at = 0; at < written.length; at += 2)
    numbers.push(
      LETTERS.indexOf(written.charAt(at)) * BASE + LETTERS.indexOf(written.charAt(at + 1)) - ZERO,
    );
  const [base = 0] = numbers;
  const trees: Tree[] = [];
  for (let at = 1; at < numbers.length; at += EACH)
    trees.push({
      features: numbers.slice(at, at + DEPTH),
      bounds: numbers.slice(at + DEPTH, at + 2 * DEPTH),
      leaves: numbers.slice(at + 2 * DEPTH, at + EACH),
    });
  return { base, trees };
}
