/** Which tokens of a sentence are a name, what was done, or the amount, and how likely each is. Learnt, not written by hand. */
import {
  AMOUNT_TAG,
  BEGINS,
  bestTags,
  COUNT,
  type Lattice,
  lattice,
  likelihood,
  noneLikelihood,
  spanLikelihood,
} from "./chain.ts";
import { featuresOf } from "./features.ts";
import type { Token } from "./tokens.ts";
import type { Learnt } from "./learnt.ts";
import { fromSteps, keyOf, type Weights } from "./weights-file.ts";

export type SpanKind = keyof typeof BEGINS;
export const SPAN_KINDS: readonly SpanKind[] = ["name", "description"];

/** Tokens from `first` to `last`, both of them in it. */
export interface Span {
  readonly kind: SpanKind;
  readonly first: number;
  readonly last: number;
  /** 0 to 1. */
  readonly likelihood: number;
}

export interface Tagged {
  readonly spans: readonly Span[];
  /** Each number of the sentence, and how likely it is the amount. */
  readonly amounts: readonly { readonly token: number; readonly likelihood: number }[];
  /** How likely exactly these tokens are a span of this kind. */
  likelihoodOf(kind: SpanKind, first: number, last: number): number;
  /** How likely a token has this tag (`TAGS`). */
  likelihoodOfTag(token: number, tag: number): number;
  /** How likely none of these tokens belongs to anything. */
  likelihoodOfNone(first: number, last: number): number;
}

export function tagged(
  tokens: readonly Token[],
  { chain, steps: between }: Pick<Learnt, "chain" | "steps">,
): Tagged {
  const scores = scoresOf(tokens, chain);
  const steps = Float64Array.from(between, fromSteps);
  const of = lattice(scores, steps);
  const amounts = tokens.flatMap(({ kind }, token) =>
    kind === "number" ? [{ token, likelihood: likelihood(of, token, AMOUNT_TAG) }] : [],
  );
  return {
    spans: spansOf(bestTags(scores, steps), of),
    amounts,
    likelihoodOf: (kind, first, last) => spanLikelihood(of, first, last, BEGINS[kind]),
    likelihoodOfTag: (token, tag) => likelihood(of, token, tag),
    likelihoodOfNone: (first, last) => noneLikelihood(of, first, last),
  };
}

function scoresOf(tokens: readonly Token[], of: Weights): Float64Array {
  const scores = new Float64Array(tokens.length * COUNT);
  const sums = new Int32Array(COUNT);
  for (const [token, features] of featuresOf(tokens).entries()) {
    sums.fill(0);
    for (const feature of features) {
      const each = of.get(keyOf(feature));
      if (!each) continue;
      for (let tag = 0; tag < COUNT; tag += 1) sums[tag] = (sums[tag] ?? 0) + (each[tag] ?? 0);
    }
    for (const [tag, sum] of sums.entries()) scores[token * COUNT + tag] = fromSteps(sum);
    // Only a number is an amount.
    if (tokens[token]?.kind !== "number") scores[token * COUNT + AMOUNT_TAG] = -Infinity;
  }
  return scores;
}

function spansOf(tags: readonly number[], of: Lattice): readonly Span[] {
  return SPAN_KINDS.flatMap((kind) =>
    tags.flatMap((tag, first) => {
      if (tag !== BEGINS[kind]) return [];
      let last = first;
      while (tags[last + 1] === BEGINS[kind] + 1) last += 1;
      return [{ kind, first, last, likelihood: spanLikelihood(of, first, last, BEGINS[kind]) }];
    }),
  );
}
