/**
 * What is known of a sentence and of each thing that may be read in it, in whole numbers: how likely the chain and the judges
 * hold it beside everything else that may be read, where it stands, and what else there is. Trees ask about them (`forest.ts`);
 * only their order says which is which.
 */
import { plain } from "../../../../plugin.ts";
import type { InvoiceSentence, Sentence } from "../sentence.ts";
import type { Amount } from "./amounts.ts";
import type { Candidate } from "./candidates.ts";
import { BEGINS, type SpanKind } from "./model/chain.ts";
import { isBreak, MARKED } from "./model/features.ts";
import { oddsBy, oddsByEach } from "./judge.ts";
import type { Judged } from "./learnt.ts";
import type { Tagged } from "./tagger.ts";
import type { Token } from "./tokens.ts";
import type { Weighed } from "./weighed.ts";

type Numbers = readonly number[];

export interface Measured {
  readonly note: Numbers;
  /** Of each candidate, in their order. */
  readonly name: readonly Numbers[];
  readonly description: readonly Numbers[];
  readonly days: readonly Numbers[];
  readonly amounts: readonly Numbers[];
  /** Which candidate its judge holds for likeliest to be right; -1: there is none. */
  readonly best: Readonly<Record<SpanKind, number>>;
}

/** So that nothing is quite impossible. */
const LITTLE = 1e-5;
/** Steps in one. */
const PER_ONE = 4;
/** No logarithm is farther from nothing; what is not there is as far. */
const FARTHEST = 48;
/** Tokens on either side. */
const FAR = 30;
const MANY = 9;
const LONGEST = 20;
/** The tag of what is nothing; so likely that a word is. */
const NONE = 0;
const UNUSED = 0.5;

function inQuarters(log: number): number {
  return Math.max(-FARTHEST, Math.min(FARTHEST, Math.round(log * PER_ONE)));
}

/** A likelihood by its logarithm, in quarters. */
function quarters(likelihood: number): number {
  const sure = Math.min(1, likelihood);
  return inQuarters(Math.log((sure + LITTLE) / (1 - sure + LITTLE)));
}

const flag = (is: boolean): number => (is ? 1 : 0);

function most(list: Numbers): number {
  return list.length === 0 ? -FARTHEST : Math.max(...list);
}

/** Of all but one. */
function others(list: Numbers, at: number): Numbers {
  return list.filter((_, index) => index !== at);
}

/** How a text stands to another: none, different, part of it, more of it, the same. */
function beside(text: string, other: string | undefined): number {
  if (other === undefined) return 0;
  if (text === other) return 4;
  const [one, two] = [plain(text), plain(other)];
  if (one.includes(two)) return 3;
  return two.includes(one) ? 2 : 1;
}

export function measured(
  found: InvoiceSentence,
  sentence: Sentence,
  one: Weighed,
  by: Judged,
): Measured {
  const judge = (kind: SpanKind) => {
    const odds = one.traits[kind].map((traits) =>
      oddsByEach([by[kind].right, by[kind].wanted], traits).map(inQuarters),
    );
    const of = (judge: number): Numbers => odds.map((each) => each[judge] ?? -FARTHEST);
    return { right: of(0), wanted: of(1) };
  };
  const judged = { name: judge("name"), description: judge("description") };
  const whole = wholeOf(found, sentence, one, inQuarters(oddsBy(by.note, one.note)));
  const of = (kind: SpanKind): readonly Numbers[] =>
    one.candidates[kind].map((_, at) => [
      ...candidateOf(kind, at, { found, one, judged }),
      ...whole,
    ]);
  const spans = (["name", "description"] as const).flatMap((kind) => [
    most(judged[kind].right),
    quarters(one.candidates[kind][0]?.likelihood ?? 0),
  ]);
  return {
    note: [...whole, ...spans],
    name: of("name"),
    description: of("description"),
    days: daysOf(found, one, by).map((numbers) => [...numbers, ...whole]),
    amounts: numbersOf(one, by).map((numbers) => [...numbers, ...whole]),
    best: {
      name: judged.name.right.indexOf(most(judged.name.right)),
      description: judged.description.right.indexOf(most(judged.description.right)),
    },
  };
}

/** `note`: how likely one is asked for, by its judge, in quarters. */
function wholeOf(
  found: InvoiceSentence,
  { refused, doubtful, text }: Sentence,
  { read: { tokens, by }, days, ahead, asked }: Weighed,
  note: number,
): Numbers {
  const amounts = by.amounts.map(({ likelihood }) => quarters(likelihood)).sort((a, b) => b - a);
  const words = tokens.filter(({ kind }) => kind === "word").map(({ original }) => original);
  const capital = words.slice(1).some((word) => /^\p{Lu}\p{Ll}/u.test(word));
  return [
    quarters(asked),
    inQuarters(by.asked),
    note,
    flag(refused),
    flag(doubtful),
    flag(ahead),
    flag(found.value !== undefined),
    flag(found.document !== undefined),
    flag(found.date !== undefined),
    flag(found.name !== undefined),
    flag(found.description !== undefined),
    Math.min(tokens.length, 2 * FAR),
    amounts[0] ?? -FARTHEST,
    amounts[1] ?? -FARTHEST,
    Math.min(amounts.length, MANY),
    days.length,
    /\?\s*$/.test(text) ? 2 : flag(text.includes("?")),
    Math.min(tokens.filter(isBreak).length, LONGEST),
    capital ? 2 : flag(words.every((word) => /^[^\p{Ll}]+$/u.test(word))),
    ...unusedOf(tokens, by),
  ];
}

/** Words that are likely neither name nor work nor amount: a story has many of them in a row. */
function unusedOf(tokens: readonly Token[], by: Tagged): Numbers {
  let [all, inRow, longest] = [0, 0, 0];
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== "word") continue;
    const isUnused = by.likelihoodOfTag(at, NONE) > UNUSED;
    inRow = isUnused ? inRow + 1 : 0;
    longest = Math.max(longest, inRow);
    if (isUnused) all += 1;
  }
  return [Math.min(all, FAR), Math.min(longest, LONGEST)];
}

interface Around {
  readonly found: InvoiceSentence;
  readonly one: Weighed;
  readonly judged: Readonly<
    Record<SpanKind, { readonly right: Numbers; readonly wanted: Numbers }>
  >;
}

function candidateOf(kind: SpanKind, at: number, { found, one, judged }: Around): Numbers {
  const { tokens, by } = one.read;
  const all = one.candidates[kind];
  const candidate = all[at];
  if (candidate === undefined) return [];
  const { text, first, last, likelihood, ruled } = candidate;
  const { right, wanted } = judged[kind];
  const own = right[at] ?? -FARTHEST;
  const rivals = all.filter((_, index) => index !== at);
  const rivalRight = most(others(right, at));
  const ruledAt = all.findIndex((each) => each.ruled);
  const sumOf = (is: (each: Candidate) => boolean): number =>
    quarters(all.reduce((sum, each) => sum + (is(each) ? each.likelihood : 0), 0));
  return [
    quarters(likelihood),
    own,
    wanted[at] ?? -FARTHEST,
    most(rivals.map((each) => quarters(each.likelihood))),
    rivalRight,
    own - rivalRight,
    at,
    all.length,
    beside(text, found[kind]),
    beside(text, rivals[0]?.text),
    flag(ruled),
    first < 0 ? -FARTHEST : quarters(by.likelihoodOfTag(first, BEGINS[kind])),
    first < 0 ? FARTHEST : quarters(by.likelihoodOfNone(first, last)),
    sumOf((each) => each.first === first),
    sumOf((each) => each.last === last),
    sumOf((each) => each.first <= last && each.last >= first),
    sumOf(() => true),
    Math.min(text.split(" ").length, LONGEST),
    flag(isBreak(tokens[first - 1])),
    flag(isBreak(tokens[last + 1])),
    Math.min(first, FAR),
    Math.min(tokens.length - 1 - last, FAR),
    flag(/\d/.test(text)),
    flag(/^\p{Lu}/u.test(tokens[first]?.original ?? "")),
    quarters(all[ruledAt]?.likelihood ?? 0),
    right[ruledAt] ?? -FARTHEST,
    first < 0 ? -FARTHEST : quarters(by.likelihoodByNet(kind, first, last)),
    ...othersOf(kind, candidate, { found, one, judged }),
  ];
}

/** Of the candidates of the other kind: a name is none of what was done. */
function othersOf(kind: SpanKind, { first, last }: Candidate, { one, judged }: Around): Numbers {
  const other = kind === "name" ? "description" : "name";
  const all = one.candidates[other];
  const { right } = judged[other];
  const overlaps = (each: Candidate): boolean => each.first <= last && each.last >= first;
  const best = all[right.indexOf(most(right))];
  return [
    most(all.filter(overlaps).map((each) => quarters(each.likelihood))),
    most(all.map((each) => quarters(each.likelihood))),
    most(right.filter((_, index) => all.slice(index, index + 1).some(overlaps))),
    most(right),
    best === undefined ? 0 : distance(best, first, last),
  ];
}

/** Tokens from one to the other, less than none when the best stands behind; far when they overlap. */
function distance(best: Candidate, first: number, last: number): number {
  if (best.last < first) return Math.min(FAR, first - best.last);
  return best.first > last ? -Math.min(FAR, best.first - last) : -FARTHEST;
}

function daysOf(found: InvoiceSentence, { days }: Weighed, by: Judged): readonly Numbers[] {
  const right = days.map(({ traits }) => inQuarters(oddsBy(by.day, traits)));
  const byNet = days.map((one) => inQuarters(one.byNet));
  return days.map(({ day }, at) => [
    right[at] ?? -FARTHEST,
    most(others(right, at)),
    byNet[at] ?? -FARTHEST,
    most(others(byNet, at)),
    found.date === undefined ? 0 : day === found.date ? 2 : 1,
    at,
    days.length,
    flag(days.some((other, index) => index !== at && other.day === day)),
  ]);
}

function numbersOf({ amounts, read: { tokens } }: Weighed, by: Judged): readonly Numbers[] {
  const right = amounts.map(({ traits }) => inQuarters(oddsBy(by.amount, traits)));
  const likely = amounts.map(({ likelihood }) => quarters(likelihood));
  const isMarked = ({ at }: Amount): boolean => MARKED.test(tokens[at]?.text ?? "");
  return amounts.map((amount, at) => [
    likely[at] ?? -FARTHEST,
    right[at] ?? -FARTHEST,
    most(others(likely, at)),
    most(others(right, at)),
    flag(isMarked(amount)),
    amounts.filter(isMarked).length,
    amounts.length,
    flag(amounts.some((other) => other !== amount && other.cents === amount.cents)),
    amounts.filter(({ cents }) => cents > amount.cents).length,
    Math.min(amount.at, FAR),
    Math.min(tokens.length - 1 - amount.at, FAR),
    flag(isBreak(tokens[amount.at - 1])),
    flag(isBreak(tokens[amount.at + 1])),
  ]);
}
