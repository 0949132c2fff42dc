/**
 * A second opinion on a sentence about a note. The rules say what they read; the chain, which learnt from labelled texts, says
 * what else may be read and how likely; judges, which learnt from what rules made of texts that they had never seen, say how far
 * each of them is right, and trees, which ask about all of that at once, have the last word: what is right, and whether a note is
 * asked for at all. What is not likely enough is left to be asked. Documents and amounts that the rules read are theirs alone.
 */
import { plain } from "../../../../plugin.ts";
import { hasWish, isPlainRequest } from "../../talk/request.ts";
import type { InvoiceSentence, Sentence } from "../sentence.ts";
import { likelihoodByForest } from "./model/forest.ts";
import { type Forests, type Learnt, learnt } from "./learnt.ts";
import { type Measured, measured } from "./measures.ts";
import type { SpanKind } from "./model/chain.ts";
import { LABELLED } from "./model/traits.ts";
import { type Weighed, weighed } from "./weighed.ts";

/**
 * So likely a note is asked for that one is read: where the rules hold the sentence for talk, where they do not, where it is worded
 * as a wish, and where they read how much and for what.
 */
const NOTE = { refused: 0.9, read: 0.9, wish: 0.85, whole: 0.7 } as const;
/** So likely a number is the amount though no rule says so, and every other one is not. */
const AMOUNT = { sure: 0.9, other: 0.4 } as const;
/** So likely a day is that of the work, and every other one is not. */
const DAY = { sure: 0.8, other: 0.5 } as const;
/** Less likely than this nothing is taken, however much it is missed. */
const LEAST = 0.5;
/** How much worse it is to take something wrong than to ask for what was said. */
const WORSE = { name: 3, description: 2 } as const;

export type { Sentence } from "../sentence.ts";

/** What may be taken of a sentence; null when it asks for no note. */
export function secondOpinion(
  found: InvoiceSentence,
  sentence: Sentence,
  by: Learnt = learnt(),
): InvoiceSentence | null {
  const { refused, doubtful, text } = sentence;
  const one = weighed(found, sentence, by);
  const of = measured(found, sentence, one, by);
  return decided(found, one, { refused, doubtful, text, of, forests: by.forests });
}

interface Known {
  /** The rules hold it for talk. */
  readonly refused: boolean;
  /** Words that make the amount doubtful stand in it: it is the rules' alone. */
  readonly doubtful: boolean;
  /** As it came. */
  readonly text: string;
  /** What is known of each thing that was weighed. */
  readonly of: Measured;
  readonly forests: Forests;
}

export function decided(
  found: InvoiceSentence,
  one: Weighed,
  known: Known,
): InvoiceSentence | null {
  if (!isAsked(found, one, known)) return null;
  const { doubtful, of, forests } = known;
  const { value, name: _name, description: _description, date: _date, ...rest } = found;
  const amount = value ?? (doubtful ? undefined : amountOf(one, of, forests));
  const who = spanOf("name", one, known);
  const what = spanOf("description", one, known);
  const day = dayOf(one, of, forests);
  const mixed = who !== undefined && what !== undefined && plain(what).includes(plain(who));
  return {
    ...(amount === undefined ? {} : { value: amount }),
    ...(who === undefined ? {} : { name: who }),
    ...(what === undefined || mixed ? {} : { description: what }),
    ...rest,
    ...(day === undefined ? {} : { date: day }),
  };
}

/**
 * What the rules hold for talk and is told with a day still to come is wanted only then, if at all. Where nothing but a document
 * or a number is said, no word tells talk from a wish: the rules know what that is, and no text taught it.
 */
function isAsked(
  found: InvoiceSentence,
  { ahead, read }: Weighed,
  { refused, text, of, forests }: Known,
): boolean {
  if (isPlainRequest(found, { text, refused }) && !(refused && ahead)) return true;
  if (!refused && read.tokens.every(({ kind }) => kind !== "word")) return true;
  const likely = likelihoodByForest(forests.note, of.note);
  if (refused) return likely >= NOTE.refused && !ahead;
  const isWhole = found.value !== undefined && found.description !== undefined;
  if (isWhole) return likely >= NOTE.whole;
  return likely >= (hasWish(found, text) ? NOTE.wish : NOTE.read);
}

/** The likeliest to be right, when leaving it out is so much less likely to be, or the rules read it behind its label. */
function spanOf(kind: SpanKind, one: Weighed, { of, forests }: Known): string | undefined {
  const right = of[kind].map((each, at) =>
    isUnit(one, kind, at) ? 0 : likelihoodByForest(forests[`${kind}Right`], each),
  );
  const most = Math.max(...right);
  const at = right.indexOf(most);
  const best = one.candidates[kind][at];
  if (best === undefined || most < LEAST) return undefined;
  if (one.traits[kind][at]?.includes(LABELLED)) return best.text;
  const wanted = likelihoodByForest(forests[`${kind}Wanted`], of[kind][of.best[kind]] ?? []);
  return most * (1 + WORSE[kind]) > 1 - wanted + WORSE[kind] ? best.text : undefined;
}

/** "50 por aula": what one of several costs tells no work. */
function isUnit({ candidates, read: { tokens } }: Weighed, kind: SpanKind, at: number): boolean {
  const { first = 0, last = 0 } = candidates[kind][at] ?? {};
  return (
    kind === "description" &&
    first === last &&
    /^(?:por|cada)$/.test(tokens[first - 1]?.text ?? "") &&
    tokens[first - 2]?.kind === "number"
  );
}

/** The likeliest day of the work, when it is likely and no other one is. */
function dayOf({ days }: Weighed, of: Measured, { day }: Forests): string | undefined {
  const right = of.days.map((each) => likelihoodByForest(day, each));
  const most = Math.max(0, ...right);
  const best = days[right.indexOf(most)]?.day;
  const isOnly = days.every(({ day: other }, at) => other === best || (right[at] ?? 0) < DAY.other);
  return most >= DAY.sure && isOnly ? best : undefined;
}

/** Cents of the one number that is the amount; the same one twice is one. */
function amountOf({ amounts }: Weighed, of: Measured, { amount }: Forests): number | undefined {
  const right = of.amounts.map((each) => likelihoodByForest(amount, each));
  const best = amounts[right.indexOf(Math.max(...right))];
  if (best === undefined || Math.max(...right) < AMOUNT.sure) return undefined;
  const isOnly = amounts.every(
    ({ cents }, at) => cents === best.cents || (right[at] ?? 0) <= AMOUNT.other,
  );
  return isOnly ? best.cents : undefined;
}
