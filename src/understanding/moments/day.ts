/** A day among those that a question takes, in the past or still to come → `YYYY-MM-DD` in the account's zone. */
import { addDays, weekday } from "../../brazil/index.ts";
import { dayEcho, doubts } from "../dates/date.ts";
import { MONTH_PATTERN } from "../dates/date-words.ts";
import {
  absent,
  ambiguous,
  clear,
  type Hint,
  invalid,
  MAX_ANSWER,
  type Option,
  type TextContext,
  type Understood,
  type Within,
  proposed,
} from "../understood.ts";
import { affirmed, lineOf } from "./line.ts";
import { withoutTimes } from "./clock-expressions.ts";
import { findDays, type FoundDay } from "./day-expressions.ts";
import type { DayMeaning } from "./day-meaning.ts";
import { aroundOf, isWithin, outside, without } from "./window.ts";

const VAGUE = new RegExp(
  `\\b(?:dias|semana|mes|ano|feriado|week|weekend|month|year)\\b|\\b(?:${MONTH_PATTERN})\\b|\\boutro dia\\b`,
);
/** A question that takes days further back asks for the year, too: two years. */
const YEARS_DAYS = 731;
/** What takes a day back, or has it uncertain. */
const AGAINST = /\b(?:em diante|pra frente|menos|exceto|fora|sem ser|except|unless|qualquer|any)\b/;

/** What a text says of a day: the days that the question takes, or why there is none. */
export interface SaidDay {
  readonly days: readonly string[];
  readonly bad?: Hint;
  readonly isUnsure?: boolean;
  /** The text without the expressions of days. */
  readonly rest: string;
}

/** Days said in a plain text; undefined where it says none. */
export function saidDay(
  text: string,
  context: Pick<TextContext, "now" | "zone">,
  within: Within,
): SaidDay | undefined {
  const around = aroundOf(context, within);
  const line = affirmed(text, (rest) => findDays(rest, around).length > 0);
  const found = findDays(line, around);
  if (found.length === 0) return undefined;
  const rest = without(line, found);
  if (found.some(({ isBad }) => isBad)) return { days: [], bad: "calendar", rest };
  const dates = datesOf(found, within).map((one) => sided(one, rest, within));
  const days = [...new Set(dates.flatMap((one) => daysOf(one, within)))].sort();
  // Where days of many years are taken, the last such day is hardly the one that is meant.
  const isOfYears = within.from !== undefined && within.from < addDays(around.today, -YEARS_DAYS);
  if (isOfYears && dates.some(({ past }) => past !== undefined))
    return { days: [], bad: "which-year", rest };
  if (days.length > 0) return { days, rest, isUnsure: dates.some((one) => one.isUnsure === true) };
  const all = dates.flatMap(({ exact = [] }) => exact);
  const isComing = within.from !== undefined && within.from >= around.today;
  const bad = all.length > 0 ? outside(all, within) : isComing ? "too-late" : "too-early";
  return { days, bad, rest };
}

/** A weekday beside the date it agrees with says nothing more. */
function datesOf(found: readonly FoundDay[], within: Within): readonly DayMeaning[] {
  const dates = found.filter((one) => one.weekday === undefined);
  const named = found.flatMap((one) => one.weekday ?? []);
  if (named.length === 0 || dates.length === 0) return found;
  // Of the days that a date can mean, one may be of the weekday that is named.
  const agreeing = dates.map((date) => ({
    exact: daysOf(date, within).filter((one) => named.every((name) => weekday(one) === name)),
  }));
  return agreeing.every(({ exact }) => exact.length === 1) ? agreeing : found;
}

/** "Foi dia 5", "vai ser dia 5". */
const WAS = /\b(?:foi|fui|era|fiz|comprei|paguei|recebi|aconteceu|chegou|caiu|was)\b/;
const WILL_BE =
  /\b(?:vai|vou|sera|quero|queria|gostaria|marcar?|agendar?|will|want)\b|\bproximo {2,}/;

/** Of a day on both sides of today, the side that the verb tells. */
function sided(meaning: DayMeaning, rest: string, within: Within): DayMeaning {
  const { exact, past = [], coming = [] } = meaning;
  const isOpen = [past, coming].every((days) => days.some((one) => isWithin(one, within)));
  if (exact || !isOpen) return meaning;
  if (WAS.test(rest)) return { ...meaning, coming: [] };
  return WILL_BE.test(rest) ? { ...meaning, past: [] } : meaning;
}

function daysOf({ exact, past = [], coming = [] }: DayMeaning, within: Within): readonly string[] {
  return (exact ?? [...past, ...coming]).filter((day) => isWithin(day, within));
}

/** What a day comes before or after, and for how many people it is: it changes no day. */
const BESIDE =
  /\b(?:depois|antes) (?:d[aeo]s? (?:meu |minha )?(?:almoco|janta|jantar|cafe|missa|culto|aula|escola|trabalho|trampo|servico|expediente|churrasco|reuniao|academia|faculdade)\b|(?:que|q|de) [a-z])|\bmesa (?:pra|para) (?:\d{1,2}|[a-z]+)\b|\b(?:somos|pra|para|em) (?:\d{1,2} pessoas?|\d{1,2}$)/g;

/** The rest of a text without such words. */
export function withoutBeside(rest: string): string {
  return rest.replace(BESIDE, " ");
}

/** Whether what stands beside an answer makes it uncertain. */
export function isDoubtful(rest: string): boolean {
  const words = withoutBeside(rest);
  return doubts(words) || AGAINST.test(words);
}

export function day(text: string, context: TextContext, within: Within): Understood<"date"> {
  if (text.length > MAX_ANSWER) return absent("date", "too-long");
  const line = lineOf(text);
  const option = (value: string): Option => ({ value, echo: dayEcho(value, context) });
  const said = saidDay(line, context, within);
  if (!said) return nothing(line, context, within, option);
  if (said.bad === "which-year") {
    const piece = /\b\d{1,2}\/\d{1,2}\b/.exec(line)?.[0];
    return {
      ...ambiguous("date", said.bad),
      ...(piece === undefined ? {} : { piece: `${piece}/` }),
    };
  }
  if (said.bad) return invalid("date", said.bad);
  const [only = ""] = said.days;
  const rest = withoutBeside(withoutTimes(said.rest));
  if (said.days.length > 1 || said.isUnsure === true || isDoubtful(rest) || /\d/.test(rest))
    return proposed("date", said.days.map(option));
  return clear("date", only, dayEcho(only, context));
}

/** Numbers alone are only proposals; a month or a week is no day. */
function nothing(
  line: string,
  context: TextContext,
  within: Within,
  option: (day: string) => Option,
): Understood<"date"> {
  const bare = line.replace(/[.!?]+$/, "");
  const digits = /^(\d{2})(\d{2})(\d{4}|\d{2})$/.exec(bare);
  const spelt = digits
    ? `${digits[1]}/${digits[2]}/${digits[3]}`
    : /^\d{1,2}[ .]\d{1,2}(?:[ .]\d{2,4})?$/.test(bare)
      ? bare.replace(/[ .]/g, "/")
      : /^\d{1,2}$/.test(bare)
        ? `dia ${bare}`
        : "";
  const read = spelt === "" ? undefined : saidDay(spelt, context, within);
  if (read?.bad) return invalid("date", read.bad);
  const [only = ""] = read?.days ?? [];
  // With all of the year it is a day, whatever stands between the figures.
  if (read?.days.length === 1 && /\d{4}$/.test(spelt))
    return clear("date", only, dayEcho(only, context));
  if (read) return ambiguous("date", "confirm", read.days.map(option));
  if (VAGUE.test(line)) return ambiguous("date", "which-day");
  return /\d/.test(withoutTimes(line)) ? invalid("date", "format") : absent("date");
}
