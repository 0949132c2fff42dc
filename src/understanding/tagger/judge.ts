/** How likely something is by its traits, each of which adds its learnt weight: a logistic regression. */
import { fromSteps, keyOf, type Weights } from "./weights-file.ts";

/** 0 to 1. */
export function likelihoodBy(weights: Weights, traits: Iterable<string>): number {
  let sum = 0;
  for (const trait of traits) sum += weights.get(keyOf(trait))?.[0] ?? 0;
  return 1 / (1 + Math.exp(-fromSteps(sum)));
}
