/**
 * A second opinion on a sentence about a note. The rules say what they read; the chain, which learnt from labelled texts, says
 * what else may be read and how likely; judges, which learnt from what rules made of texts that they had never seen, say which
 * of them is right, and whether a note is asked for at all. What is not likely enough is left to be asked. Documents, days and
 * amounts that the rules read are theirs alone.
 */
import { money } from "../money.ts";
import { plain } from "../plain.ts";
import {
  countsThings,
  isPartOfName,
  LONGEST_BEFORE,
  PIECEWORK,
  UNIT_NOUNS,
} from "../sentence-numbers.ts";
import type { InvoiceSentence } from "../understood.ts";
import { likelihoodBy } from "./judge.ts";
import type { Day } from "./days.ts";
import { type Learnt, learnt } from "./learnt.ts";
import type { SpanKind, Tagged } from "./tagger.ts";
import type { Token } from "./tokens.ts";
import { type Sentence, type Weighed, weighed } from "./weighed.ts";

/**
 * So likely a note is asked for that one is read: where the rules hold the sentence for talk, and where they do not. There the
 * words alone may speak for it as well (`words`), unless all else is against it (`least`).
 */
const NOTE = { refused: 0.8, read: 0.8, words: 0.8, least: 0.2 } as const;
/** "nota de 90 pra Bia": of a short sentence hardly more is known than its words, and so likely they ask for a note; less sure words need the rest. */
const SHORT = { tokens: 6, sure: 0.3, words: 0.15, likely: 0.45 } as const;
/** So likely a number is the amount though no rule says so, and every other one is not. */
const AMOUNT = { sure: 0.65, other: 0.4 } as const;
/** So likely a day is that of the work. */
const DAY = 0.7;
/** Less likely than this nothing is taken, however much it is missed. */
const LEAST = 0.5;
/** So likely by both what the rules read is taken, though it may be left out. */
const AGREED = 0.8;
/** How much worse it is to take something wrong than to ask for what was said. */
const WORSE = 1.2;

export type { Sentence } from "./weighed.ts";

/** What may be taken of a sentence; null when it asks for no note. */
export function secondOpinion(
  found: InvoiceSentence,
  sentence: Sentence,
  by: Learnt = learnt(),
): InvoiceSentence | null {
  const one = weighed(found, sentence, by);
  if (!isAsked(one, sentence.refused, by)) return null;
  const { value, name: _name, description: _description, date: _date, ...rest } = found;
  const { tokens, by: tags } = one.read;
  const amount =
    value ?? (sentence.doubtful ? undefined : amountOf(sentence.draft.line, tokens, tags));
  const who = spanOf("name", one, by);
  const what = spanOf("description", one, by);
  const day = dayOf(one.days, by);
  const mixed = who !== undefined && what !== undefined && plain(what).includes(plain(who));
  return {
    ...(amount === undefined ? {} : { value: amount }),
    ...(who === undefined ? {} : { name: who }),
    ...(what === undefined || mixed ? {} : { description: what }),
    ...rest,
    ...(day === undefined ? {} : { date: day }),
  };
}

function isAsked({ read, note, asked }: Weighed, refused: boolean, by: Learnt): boolean {
  const likely = likelihoodBy(by.note, note);
  if (refused) return likely >= NOTE.refused;
  if (read.tokens.length <= SHORT.tokens)
    return asked >= SHORT.sure || (asked >= SHORT.words && likely >= SHORT.likely);
  return likely >= NOTE.read || (likely >= NOTE.least && asked >= NOTE.words);
}

/** The likeliest to be right, when leaving it out is so much less likely to be, or rules and chain agree on it. */
function spanOf(kind: SpanKind, { candidates, traits }: Weighed, by: Learnt): string | undefined {
  const right = traits[kind].map((each) => likelihoodBy(by[kind].right, each));
  const most = Math.max(...right);
  const at = right.indexOf(most);
  const best = candidates[kind][at];
  if (best === undefined || most < LEAST) return undefined;
  if (best.ruled && best.likelihood > AGREED && most > AGREED) return best.text;
  const wanted = likelihoodBy(by[kind].wanted, traits[kind][at] ?? []);
  return most * (1 + WORSE) > 1 - wanted + WORSE ? best.text : undefined;
}

/** The likeliest day of the work, when it is likely. */
function dayOf(days: readonly Day[], by: Learnt): string | undefined {
  const right = days.map(({ traits }) => likelihoodBy(by.day, traits));
  const most = Math.max(0, ...right);
  return most >= DAY ? days[right.indexOf(most)]?.day : undefined;
}

/** Cents of the one number that is the amount; the same one twice is one. */
function amountOf(line: string, tokens: readonly Token[], { amounts }: Tagged): number | undefined {
  const folded = plain(line);
  const perhaps = amounts.filter(({ likelihood }) => likelihood > AMOUNT.other);
  const read = perhaps.map(({ token, likelihood }) => {
    const number = tokens[token];
    if (!number || likelihood < AMOUNT.sure || isOther(folded, number)) return null;
    const cents = money(number.text);
    return cents.ok ? cents.value : null;
  });
  const [only = null] = read;
  return only !== null && read.every((cents) => cents === only) ? only : undefined;
}

/** "nota 150", "aula 12": as well the number of one. */
const NUMBERED = /\b(?:notas?|nf|nfs-?e|obra|aula|sessao|projeto|pedido|placa|chave|vaga|ref) $/;

/** "130 por sessão": what one of several costs. */
const OF_ONE = new RegExp(`^(?: reais)? ?(?:por|cada|pel[ao]|/|[ao]) ?(?:${UNIT_NOUNS})\\b`);

/** Counts, names or prices something else by what stands beside it, whatever the tagger says; or is asked about. */
function isOther(folded: string, { start, end, text }: Token): boolean {
  const before = folded.slice(Math.max(0, start - LONGEST_BEFORE), start);
  const hit = { text, start, end };
  return (
    NUMBERED.test(before) ||
    OF_ONE.test(folded.slice(end)) ||
    PIECEWORK.test(before) ||
    isPartOfName(folded, hit) ||
    countsThings(folded, hit) ||
    folded.charAt(end) === "?"
  );
}
