/**
 * Which tokens of a sentence are a name, what was done, or the amount, and how likely each is; and whether a note is asked for.
 * Learnt, not written by hand. The chain knows words and what stands near them, the net the whole sentence: what both say of a
 * token is worth the mean of the two.
 */
import {
  AMOUNT_TAG,
  BEGINS,
  bestTags,
  COUNT,
  type Lattice,
  lattice,
  likelihood,
  noneLikelihood,
  SPAN_KINDS,
  type SpanKind,
  spanLikelihood,
} from "./model/chain.ts";
import { featuresOf, netFeaturesOf } from "./model/features.ts";
import type { Token } from "./tokens.ts";
import type { Learnt } from "./learnt.ts";
import { type Net, opinionOf } from "./model/net.ts";
import { fromSteps, keyOf, type Weights } from "./model/weights-file.ts";

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
  /** … by the net alone. */
  likelihoodByNet(kind: SpanKind, first: number, last: number): number;
  /** How likely a token has this tag (`TAGS`). */
  likelihoodOfTag(token: number, tag: number): number;
  /** The logarithm of how much likelier it is that a note is asked for than not, by the net. */
  readonly asked: number;
  /** Of a token that is a day: the logarithm of how much likelier it is that of the work than not, by the net. */
  dayOdds(token: number): number;
  /** How likely none of these tokens belongs to anything. */
  likelihoodOfNone(first: number, last: number): number;
}

export function tagged(
  tokens: readonly Token[],
  { chain, steps: between, net }: Pick<Learnt, "chain" | "steps" | "net">,
): Tagged {
  const features = featuresOf(tokens);
  const { scores: byNet, days, asked } = netOpinion(features, net);
  const scores = mean(scoresOf(features, tokens, chain), byNet);
  const steps = mean(Float64Array.from(between, fromSteps), net.steps);
  const of = lattice(scores, steps);
  const ofNet = lattice(byNet, net.steps);
  const amounts = tokens.flatMap(({ kind }, token) =>
    kind === "number" ? [{ token, likelihood: likelihood(of, token, AMOUNT_TAG) }] : [],
  );
  return {
    spans: spansOf(bestTags(scores, steps), of),
    amounts,
    asked,
    dayOdds: (token) => days[token] ?? 0,
    likelihoodOf: (kind, first, last) => spanLikelihood(of, first, last, BEGINS[kind]),
    likelihoodByNet: (kind, first, last) => spanLikelihood(ofNet, first, last, BEGINS[kind]),
    likelihoodOfTag: (token, tag) => likelihood(of, token, tag),
    likelihoodOfNone: (first, last) => noneLikelihood(of, first, last),
  };
}

function netOpinion(features: readonly (readonly string[])[], net: Net) {
  return opinionOf(
    net,
    features.map((list) => netFeaturesOf(list).map(keyOf)),
  );
}

function mean(one: Float64Array, other: Float64Array): Float64Array {
  return one.map((number, at) => (number + (other[at] ?? 0)) / 2);
}

function scoresOf(
  all: readonly (readonly string[])[],
  tokens: readonly Token[],
  of: Weights,
): Float64Array {
  const scores = new Float64Array(tokens.length * COUNT);
  const sums = new Int32Array(COUNT);
  for (const [token, features] of all.entries()) {
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
