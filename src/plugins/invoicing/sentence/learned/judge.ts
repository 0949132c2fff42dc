/** How likely something is by its traits, each of which adds its learnt weight: a logistic regression. */
import { fromSteps, keyOf, type Weights } from "./model/weights-file.ts";
import type { Token } from "./tokens.ts";

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

/* Whether a sentence asks for a note at all, or only speaks of one: by its words and those beside them. */

const MARKED = /r\$|reais|,\d\d$|conto|pila/;
const SHORTEST_STEM = 5;
const STEM = 4;

function wordOf({ kind, text }: Token): string {
  if (kind === "word" || kind === "mark") return text;
  if (kind !== "number") return `<${kind}>`;
  return MARKED.test(text) ? "<R$>" : "<N>";
}

/** Each once: words, two and three of them in a row, beginnings and ends, and what the sentence holds. */
export function askedFeatures(tokens: readonly Token[], text: string): ReadonlySet<string> {
  const said = tokens.map(wordOf);
  const words = ["^", ...said, "$"];
  const features = new Set<string>(["any="]);
  for (const [at, word] of words.entries()) {
    features.add(`one=${word}`);
    const before = words[at - 1];
    if (before !== undefined) features.add(`two=${before}|${word}`);
    const beforeThat = words[at - 2];
    if (beforeThat !== undefined) features.add(`three=${beforeThat}|${before}|${word}`);
    if (at < SHORTEST_STEM) features.add(`early=${word}`);
    if (word.length >= SHORTEST_STEM) features.add(`stem=${word.slice(0, STEM)}`);
    features.add(`end=${word.slice(-3)}`);
  }
  const has = (one: string): string => (said.includes(one) ? "1" : "0");
  features.add(`document=${has("<document>")}`);
  features.add(`number=${has("<R$>")}${has("<N>")}`);
  features.add(`question=${text.includes("?") ? (/\?\s*$/.test(text) ? 2 : 1) : 0}`);
  features.add(`length=${Math.min(12, Math.floor(said.length / 3))}`);
  return features;
}

/** The logarithm of how much likelier it is than not. */
export function askedOdds(tokens: readonly Token[], text: string, weights: Weights): number {
  return oddsBy(weights, askedFeatures(tokens, text));
}
