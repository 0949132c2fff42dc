/** How likely something is by its traits, each of which adds its learnt weight: a logistic regression. */
import { fromSteps, keyOf, type Weights } from "./model/weights-file.ts";

/** The logarithm of how much likelier it is than not. */
export function oddsBy(weights: Weights, traits: Iterable<string>): number {
  let sum = 0;
  for (const trait of traits) sum += weights.get(keyOf(trait))?.[0] ?? 0;
  return fromSteps(sum);
}

/** … by several judges, who look at the same traits. */
export function oddsByEach(judges: readonly Weights[], traits: readonly string[]): number[] {
  const sums = judges.map(() => 0);
  for (const trait of traits) {
    const key = keyOf(trait);
    for (const [at, weights] of judges.entries())
      sums[at] = (sums[at] ?? 0) + (weights.get(key)?.[0] ?? 0);
  }
  return sums.map(fromSteps);
}

/** 0 to 1. */
export function likelihoodBy(weights: Weights, traits: Iterable<string>): number {
  return 1 / (1 + Math.exp(-oddsBy(weights, traits)));
}
