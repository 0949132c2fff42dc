/**
 * The sums of a linear chain: every token has a tag, what it is worth there is a score, and so is the step from one tag to the
 * next. Which tags are likeliest together, and how likely a stretch of them is among all that could be. Pure arithmetic.
 */

export const TAGS = [
  "none",
  "name",
  "name goes on",
  "description",
  "description goes on",
  "amount",
] as const;
export const COUNT = TAGS.length;
/** The first tag of a span; the one after it goes on. */
export const BEGINS = { name: 1, description: 3 } as const;
export type SpanKind = keyof typeof BEGINS;
export const SPAN_KINDS: readonly SpanKind[] = ["name", "description"];
export const AMOUNT_TAG = 5;
/** Rows of the steps: one for each tag, and one for the beginning. */
export const STEPS = (COUNT + 1) * COUNT;
const START = COUNT;
const NEVER = -Infinity;

/** What goes on has begun. */
export function follows(tag: number, before: number): boolean {
  if (tag !== BEGINS.name + 1 && tag !== BEGINS.description + 1) return true;
  return before === tag || before === tag - 1;
}

export interface Lattice {
  readonly length: number;
  /** `COUNT` scores for each token. */
  readonly scores: Float64Array;
  readonly steps: Float64Array;
  /** Logarithms of the sums over all tags before a token and its own, and over all behind it. */
  readonly forward: Float64Array;
  readonly backward: Float64Array;
  /** Logarithm of the sum over all that could be. */
  readonly total: number;
}

export function lattice(scores: Float64Array, steps: Float64Array): Lattice {
  const length = scores.length / COUNT;
  const forward = new Float64Array(scores.length).fill(NEVER);
  const backward = new Float64Array(scores.length).fill(NEVER);
  const sums = new Float64Array(COUNT);
  for (let tag = 0; tag < COUNT; tag += 1) {
    if (follows(tag, START)) forward[tag] = at(scores, tag) + at(steps, START * COUNT + tag);
    if (length > 0) backward[(length - 1) * COUNT + tag] = 0;
  }
  for (let token = 1; token < length; token += 1)
    for (let tag = 0; tag < COUNT; tag += 1) {
      for (let before = 0; before < COUNT; before += 1)
        sums[before] = follows(tag, before)
          ? at(forward, (token - 1) * COUNT + before) + at(steps, before * COUNT + tag)
          : NEVER;
      forward[token * COUNT + tag] = logOfSum(sums) + at(scores, token * COUNT + tag);
    }
  for (let token = length - 2; token >= 0; token -= 1)
    for (let tag = 0; tag < COUNT; tag += 1) {
      for (let next = 0; next < COUNT; next += 1)
        sums[next] = follows(next, tag)
          ? at(backward, (token + 1) * COUNT + next) +
            at(steps, tag * COUNT + next) +
            at(scores, (token + 1) * COUNT + next)
          : NEVER;
      backward[token * COUNT + tag] = logOfSum(sums);
    }
  const total = length > 0 ? logOfSum(forward.subarray((length - 1) * COUNT)) : 0;
  return { length, scores, steps, forward, backward, total };
}

/** How likely a token has this tag. 0 to 1. */
export function likelihood(
  { forward, backward, total }: Lattice,
  token: number,
  tag: number,
): number {
  return Math.exp(at(forward, token * COUNT + tag) + at(backward, token * COUNT + tag) - total);
}

/** How likely the tokens from `first` to `last` are one span that begins with this tag, no longer and no shorter. 0 to 1. */
export function spanLikelihood(of: Lattice, first: number, last: number, begin: number): number {
  const { scores, steps, forward, backward, total, length } = of;
  const goesOn = begin + 1;
  let sum = at(forward, first * COUNT + begin);
  let tag = begin;
  for (let token = first + 1; token <= last; token += 1) {
    sum += at(steps, tag * COUNT + goesOn) + at(scores, token * COUNT + goesOn);
    tag = goesOn;
  }
  if (last < length - 1) {
    const behind = new Float64Array(COUNT).fill(NEVER);
    for (let next = 0; next < COUNT; next += 1)
      if (next !== goesOn && follows(next, tag))
        behind[next] =
          at(steps, tag * COUNT + next) +
          at(scores, (last + 1) * COUNT + next) +
          at(backward, (last + 1) * COUNT + next);
    sum += logOfSum(behind);
  }
  return Math.exp(sum - total);
}

/** How likely all tokens from `first` to `last` are nothing. 0 to 1. */
export function noneLikelihood(of: Lattice, first: number, last: number): number {
  const { scores, steps, forward, backward, total } = of;
  let sum = at(forward, first * COUNT);
  for (let token = first + 1; token <= last; token += 1)
    sum += at(steps, 0) + at(scores, token * COUNT);
  return Math.exp(sum + at(backward, last * COUNT) - total);
}

/** The tags that are likeliest together, one for each token. */
export function bestTags(scores: Float64Array, steps: Float64Array): readonly number[] {
  const length = scores.length / COUNT;
  const best = new Float64Array(scores.length).fill(NEVER);
  const from = new Int8Array(scores.length);
  for (let token = 0; token < length; token += 1)
    for (let tag = 0; tag < COUNT; tag += 1) {
      const here = token * COUNT + tag;
      if (token === 0) {
        if (follows(tag, START)) best[here] = at(steps, START * COUNT + tag) + at(scores, here);
        continue;
      }
      for (let before = 0; before < COUNT; before += 1) {
        if (!follows(tag, before)) continue;
        const sum =
          at(best, (token - 1) * COUNT + before) +
          at(steps, before * COUNT + tag) +
          at(scores, here);
        if (sum > at(best, here)) {
          best[here] = sum;
          from[here] = before;
        }
      }
    }
  const tags = new Array<number>(length).fill(0);
  let tag = 0;
  for (let one = 1; one < COUNT; one += 1)
    if (at(best, (length - 1) * COUNT + one) > at(best, (length - 1) * COUNT + tag)) tag = one;
  for (let token = length - 1; token >= 0; token -= 1) {
    tags[token] = tag;
    tag = at(from, token * COUNT + tag);
  }
  return tags;
}

function at(list: Float64Array | Int8Array, index: number): number {
  return list[index] ?? NEVER;
}

function logOfSum(list: Float64Array): number {
  let most = NEVER;
  for (const one of list) if (one > most) most = one;
  if (most === NEVER) return NEVER;
  let sum = 0;
  for (const one of list) sum += Math.exp(one - most);
  return most + Math.log(sum);
}
