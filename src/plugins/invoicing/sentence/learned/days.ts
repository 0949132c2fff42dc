/**
 * Days that are spoken of in a sentence about a note, and what is known of each: one may be the day of the work, others when it
 * was paid, when the note is wanted, or somebody's birthday. What each trait is worth is learnt.
 */
import { NOTE_NOUNS } from "../../talk/nouns.ts";
import { addDays, type FoundDay, plain, scanDays } from "../../../../plugin.ts";
import { isFarAway, isOtherDay } from "../../talk/other-day.ts";
import { CUT, type Sentence } from "../sentence.ts";
import { kindsOfWord } from "./lexicons.ts";
import type { Tagged } from "./tagger.ts";
import type { Token } from "./tokens.ts";

export interface Day {
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly traits: readonly string[];
  /** The logarithm of how much likelier it is that of the work than not, by the net. */
  readonly byNet: number;
}

/** Where a day stands in the line: from `start` up to `end`. */
interface DayPlace {
  readonly day: string;
  readonly start: number;
  readonly end: number;
}

type Line = Pick<Sentence, "line" | "draft" | "today">;

/** More days than this are no sentence about one note. */
const MOST = 8;
/** Days back beyond which nobody asks for a note: a birthday, a contract's date. */
const OLDEST = 400;
/** Words on either side that may tell what the day is of. */
const AROUND = 3;
/** Words of its clause that are looked at, on either side. */
const CLAUSE = 8;
const STEM = 5;
const SHORT = 3;
const WORDS = /[a-z$]+|\d[\d.,]*|\u0001+|[,;.:!?()/=-]/g;
const BREAK = /^[,;.:!?()]$/;

/** Each day that may be that of the work, with what is known of it; `ruled`: the one that rules took. */
export function daysOf(
  of: Line,
  { tokens, by, ruled }: { tokens: readonly Token[]; by: Tagged; ruled: string | undefined },
): readonly Day[] {
  const { today } = of;
  const { folded, all, places } = scanned(of);
  return places.flatMap((place) => {
    const { day, start, end } = place;
    if (isOtherDay(folded, start, end) || isFarAway(folded, place, today)) return [];
    if (day < addDays(today, -OLDEST)) return [];
    const traits = traitsOf(place, all, { folded, ruled, day });
    return [{ day, traits, byNet: by.dayOdds(tokenAt(tokens, place)) }];
  });
}

/** Each day that is one day, and where it stands: whatever rules make of it. */
export function dayPlaces(of: Line): readonly DayPlace[] {
  return scanned(of).places;
}

/** Which token a day begins in; -1: in none. */
export function tokenAt(tokens: readonly Token[], { start }: DayPlace): number {
  return tokens.findIndex(({ end }) => end > start);
}

function scanned({ line, draft, today }: Line) {
  const folded = masked(plain(line), draft.parts);
  const all = scanDays(folded, today, { eager: true, business: NOTE_NOUNS });
  const places = (all.length > MOST ? [] : all).flatMap((one) => {
    const [day, second] = one.days;
    return day === undefined || second !== undefined || one.bad ? [] : [{ ...one, day }];
  });
  return { folded, all, places };
}

/** Whether a day that is still to come is spoken of: then it may be wanted only then, or paid. */
export function isAhead({ line, draft, today }: Line): boolean {
  return scanDays(masked(plain(line), draft.parts), today, { business: NOTE_NOUNS }).some(
    ({ bad }) => bad === "future",
  );
}

/** The digits of documents, papers and phones are no days. */
function masked(folded: string, parts: Sentence["draft"]["parts"]): string {
  let text = folded;
  for (const { kind, start, end } of parts)
    if (kind !== "date") text = text.slice(0, start) + CUT.repeat(end - start) + text.slice(end);
  return text;
}

interface Around {
  readonly folded: string;
  readonly ruled: string | undefined;
  readonly day: string;
}

function traitsOf(
  { start, end }: DayPlace,
  all: readonly FoundDay[],
  { folded, ruled, day }: Around,
): string[] {
  const said = formOf(folded.slice(start, end));
  const before = wordsOf(folded.slice(0, start)).reverse();
  const after = wordsOf(folded.slice(end));
  const [b1 = "^", b2 = "^", b3 = "^"] = before;
  const [a1 = "$", a2 = "$", a3 = "$"] = after;
  const rule = ruled === undefined ? "none" : ruled === day ? "same" : "other";
  const clause = (words: readonly string[]): readonly string[] => {
    const until = words.findIndex((word) => BREAK.test(word));
    return words.slice(0, Math.min(CLAUSE, until < 0 ? words.length : until));
  };
  const stems = (words: readonly string[]) => words.map((word) => word.slice(0, STEM));
  const kinds = (words: readonly string[]) => words.map(kindOf);
  const [k1 = "^", k2 = "^"] = kinds(before);
  const [l1 = "$", l2 = "$"] = kinds(after);
  const [left, right] = [clause(before), clause(after)];
  const form = ["hoje", "weekday", "past", "number", "month", "other"].includes(said) ? said : "";
  return [
    "any=",
    `form=${form}`,
    `rule=${rule}`,
    `formRule=${form}${rule}`,
    `many=${Math.min(all.length, 4)}${rule}`,
    `first=${all[0]?.start === start}${rule}`,
    `b1=${b1}`,
    `b2=${b2}|${b1}`,
    `b3=${b3}|${b2}|${b1}`,
    `formB1=${form}|${b1}`,
    `a1=${a1}`,
    `a2=${a1}|${a2}`,
    `a3=${a1}|${a2}|${a3}`,
    `formA1=${form}|${a1}`,
    `edges=${edge(b1)}${edge(a1)}${form}`,
    `edgesRule=${edge(b1)}${edge(a1)}${rule}`,
    `k1=${k1}`,
    `k2=${k2}|${k1}`,
    `l1=${l1}`,
    `l2=${l1}|${l2}`,
    `kinds=${k1}|${l1}${form}`,
    ...new Set(kinds(left).map((kind) => `leftKind=${kind}`)),
    ...new Set(kinds(right).map((kind) => `rightKind=${kind}`)),
    ...new Set(stems(left).map((stem) => `left=${stem}`)),
    ...new Set(stems(right).map((stem) => `right=${stem}`)),
    ...new Set(stems(left).map((stem) => `leftForm=${form}|${stem}`)),
    ...stems(before.slice(0, 2 * AROUND)).map((stem, at) => `near=${at < AROUND}${stem}`),
  ];
}

/** A short word or a mark as it is, another by what it may be (`lexicons.ts`): "instalado", "atendeu". */
function kindOf(word: string): string {
  return word.length <= SHORT ? word : kindsOfWord(word) || "x";
}

function edge(word: string): string {
  if (word === "^" || word === "$") return word;
  if (word === "<cut>") return "c";
  return BREAK.test(word) ? "," : "w";
}

function wordsOf(text: string): string[] {
  return [...text.matchAll(WORDS)].map(([word]) =>
    word.startsWith(CUT) ? "<cut>" : /^\d/.test(word) ? "<N>" : word,
  );
}

/** How the day was said. */
function formOf(said: string): string {
  if (/^(?:hoje|hj|agora|today|now)$/.test(said)) return "hoje";
  if (/^(?:ontem|yesterday|ante|anti|antes)/.test(said)) return "past";
  if (/(?:domingo|segunda|terca|quarta|quinta|sexta|sabado|day)/.test(said)) return "weekday";
  if (/\d/.test(said) && /[/.-]/.test(said)) return "number";
  return /\d/.test(said) ? "month" : "other";
}
