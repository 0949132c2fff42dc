/**
 * Every expression of a day in a plain text, of the past or still to come. An expression without a year, month or week can
 * mean days on both sides of today: which side is asked for decides the reader of the answer (`day.ts`).
 */
import { addDays, addMonths, weekday } from "../../brazil/index.ts";
import { COUNT_PATTERN, DAY_PATTERN, dayOf, MONTH_PATTERN } from "../dates/date-words.ts";
import {
  type Around,
  aWeekday,
  count,
  dated,
  type DayMeaning,
  later,
  monthFigure,
  monthNumber,
  ofEachMonth,
  ofEachYear,
  ofMonth,
  ofWeek,
  weekdayNumber,
  yearsOf,
} from "./day-meaning.ts";

export interface FoundDay extends DayMeaning {
  readonly start: number;
  readonly end: number;
}

interface Rule {
  readonly pattern: RegExp;
  readonly read: (match: RegExpExecArray, around: Around) => DayMeaning | null;
}

const MONTH_NAMES = `${MONTH_PATTERN}|feb|apr|may|aug|sept?|oct|dec`;
const WEEKDAY =
  "domingo|segunda|terca|quarta|quinta|sexta|sabado|(?:(?<=^|\\b(?:na|no|pra|pro|de|d[ao]|ness[ae]|ess[ae]|proxim[ao]|prox\\.?|dia) |, ?)(?:dom|seg|ter|qua|qui|sex|sab)(?=$|[ ,.!)]))|(?:seg|ter|qua|qui|sex|sab|dom)(?= ?(?:-? ?feira|que vem|q vem|agora|\\d{1,2}/))|(?:seg|qua|qui|sex|sab|dom)(?=[.! ]*$)|[2-6][aª](?= ?-? ?feira)";
const FAIR = "(?: ?-? ?feira)?";
const ENGLISH_DAYS = ["sun", "mon", "tues", "wednes", "thurs", "fri", "satur"];
const ENGLISH_WEEKDAY = "(sun|mon|tues|wednes|thurs|fri|satur)day";
const NEXT_WEEK = "semana (?:que|q) vem|proxima semana|prox\\.? semana";
const BEFORE = "(?<![\\d.,/:-])";
const AFTER = "(?![\\d/:]|[.,-]\\d| ?(?:h|hs|hrs?|horas?|min|reais|pessoas?)\\b)";
const COUNT = `${COUNT_PATTERN}|onze|doze|quinze|vinte|trinta|quarenta|an?`;
/** Words of a year from 1900 to 2099. */
const YEAR_WORDS =
  "(?:mil (?:e )?novecentos|dois mil)(?: e (?:dez|onze|doze|treze|quatorze|quinze|dezesseis|dezessete|dezoito|dezenove|(?:vinte|trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa)(?: e (?:um|dois|tres|quatro|cinco|seis|sete|oito|nove))?|um|dois|tres|quatro|cinco|seis|sete|oito|nove))?|(?:vinte|trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa)(?: e (?:um|dois|tres|quatro|cinco|seis|sete|oito|nove))?";
const YEAR = `(\\d{4}|\\d{2}|${YEAR_WORDS})`;

/** In order of precedence; a stretch of text that one rule has taken is closed to the rest. */
const RULES: readonly Rule[] = [
  {
    pattern: new RegExp(`${BEFORE}(\\d{4})-(\\d{1,2})-(\\d{1,2})${AFTER}`, "g"),
    read: ([, year = "", month = "", date = ""]) => dated([+year], +month, +date),
  },
  {
    pattern: new RegExp(
      `(?:\\bdia )?${BEFORE}(\\d{1,2})([/.-])(\\d{1,2})\\2(\\d{4}|\\d{2})${AFTER}`,
      "g",
    ),
    read: ([, date = "", , month = "", year = ""], around) =>
      dated(yearsOf(year, around.today), +month, +date),
  },
  {
    pattern: new RegExp(`(?:\\bdia )?${BEFORE}(\\d{1,2})[/-](\\d{1,2})${AFTER}`, "g"),
    read: ([, date = "", month = ""], around) => ofEachYear(+month, +date, around),
  },
  {
    pattern: /\b(?:dia|em|no) (\d{1,2})[.-](0[1-9]|1[0-2])(?!\d|[.,/]\d)/g,
    read: ([, date = "", month = ""], around) => ofEachYear(+month, +date, around),
  },
  {
    pattern: new RegExp(
      `${BEFORE}\\b(?:dia )?(${DAY_PATTERN})(?:[oº°]|st|nd|rd|th)?(?: dias)?(?: de | d | of |/| |-)(${MONTH_NAMES})\\b\\.?(?:(?: de | do ano de |/| |, |-)${YEAR}\\b(?![.,/:]\\d| ?h))?`,
      "g",
    ),
    read: ([, date = "", month = "", year], around) =>
      year === undefined
        ? ofEachYear(monthNumber(month), dayOf(date), around)
        : dated(yearsOf(year, around.today), monthNumber(month), dayOf(date)),
  },
  {
    pattern: new RegExp(
      `\\b(${MONTH_NAMES})\\.? (?:the )?(\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? (\\d{4}))?(?![/:]| ?h| de )`,
      "g",
    ),
    read: ([, month = "", date = "", year], around) =>
      year === undefined
        ? ofEachYear(monthNumber(month), +date, around)
        : dated([+year], monthNumber(month), +date),
  },
  {
    pattern: new RegExp(
      `\\b(?:(mes (?:que|q) vem|proximo mes)|mes (passado|retrasado)|(?:nesse|neste|esse|este) mes),? (?:no |n?o |em )?dia (${DAY_PATTERN})[oº°]?\\b(?!\\s?/|[.,:-]\\d)`,
      "g",
    ),
    read: ([, coming, past, date = ""], { today }) =>
      ofMonth(addMonths(today.slice(0, 7), monthsAway(coming, past)), dayOf(date)),
  },
  {
    pattern: new RegExp(
      `(?:\\bdia )?${BEFORE}\\b(${DAY_PATTERN})[oº°]? d[oe] (?:(mes (?:que|q) vem|proximo mes)|mes (passado|retrasado))\\b`,
      "g",
    ),
    read: ([, date = "", coming, past], { today }) =>
      ofMonth(addMonths(today.slice(0, 7), monthsAway(coming, past)), dayOf(date)),
  },
  {
    pattern: new RegExp(
      `\\bdia (${DAY_PATTERN})[oº°]? (?:d?est?e mes|d?esse mes|do mes (?:atual|corrente)|agora d?est?e mes)\\b`,
      "g",
    ),
    read: ([, date = ""], { today }) => ofMonth(today.slice(0, 7), dayOf(date)),
  },
  {
    // "dia 17 do 11", "17 do 10 de 1985".
    pattern: new RegExp(
      `(?:\\bdia )?${BEFORE}\\b(${DAY_PATTERN}) do (0?[1-9]|1[0-2]|um|dois|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze)\\b(?:(?: d[eo] |/)${YEAR}\\b)?${AFTER}`,
      "g",
    ),
    read: ([, date = "", month = "", year], around) =>
      year === undefined
        ? ofEachYear(monthFigure(month), dayOf(date), around)
        : dated(yearsOf(year, around.today), monthFigure(month), dayOf(date)),
  },
  {
    pattern: new RegExp(
      `\\b(?:dia|the) (${DAY_PATTERN})(?:[oº°]|st|nd|rd|th)?\\b(?!\\s?[/:]|[.,-]\\d|\\s?h\\b)`,
      "g",
    ),
    read: ([, date = ""], around) => ofEachMonth(dayOf(date), around),
  },
  {
    // "De hoje a oito" is a week for some and eight days for others.
    pattern: /\b(?:de )?hoje a (?:oito|8)(?: dias)?\b/g,
    read: (_match, { today }) => ({ exact: [addDays(today, 7), addDays(today, 8)] }),
  },
  {
    pattern: new RegExp(
      `\\b(?:daqui (?:a |h?a? ?)?|d?aki (?:a )?|dentro de |em |within |in )(uns |umas )?(${COUNT}) (dias?|semanas?|mes(?:es)?|anos?|days?|weeks?|months?|years?)\\b|\\b(${COUNT}) (dias?|semanas?|days?|weeks?|months?) (?:from (?:now|today)|a partir de hoje)\\b`,
      "g",
    ),
    read: ([, about, many, unit, more, other], { today }) => ({
      exact: [later(count(many ?? more ?? ""), unit ?? other ?? "", today)],
      isUnsure: about !== undefined,
    }),
  },
  {
    pattern: new RegExp(
      `\\b(?:ha|faz|tem) (${COUNT}) (dias?|semanas?|mes(?:es)?|anos?)(?: atras)?\\b|\\b(${COUNT}) (dias?|semanas?|mes(?:es)?|anos?|days?|weeks?|months?|years?) (?:atras|ago)\\b`,
      "g",
    ),
    read: ([, many, unit, more, other], { today }) => ({
      exact: [later(-count(many ?? more ?? ""), unit ?? other ?? "", today)],
    }),
  },
  {
    pattern: new RegExp(
      `\\b(?:${NEXT_WEEK}),? (?:na |no |a |o )?(${WEEKDAY})${FAIR}|\\b(${WEEKDAY})${FAIR},? (?:da |na )?(?:${NEXT_WEEK})\\b`,
      "g",
    ),
    read: ([, first, second], { today }) => ofWeek(weekdayNumber(first ?? second ?? ""), 1, today),
  },
  {
    pattern: new RegExp(
      `\\bsemana passada,? (?:na |no )?(${WEEKDAY})${FAIR}|\\b(${WEEKDAY})${FAIR} da semana passada\\b`,
      "g",
    ),
    read: ([, first, second], { today }) => ofWeek(weekdayNumber(first ?? second ?? ""), -1, today),
  },
  {
    // "Segunda, 29": the day of the month beside the weekday that it agrees with.
    pattern: new RegExp(
      `\\b(${WEEKDAY})${FAIR},? \\(?(\\d{1,2})\\)?(?! ?(?:h|:)|,? (?:e|d[ae]) )${AFTER}`,
      "g",
    ),
    read: ([, name = "", date = ""], around) => {
      const { past = [], coming = [], isBad } = ofEachMonth(+date, around);
      const days = [...past, ...coming].filter((day) => weekday(day) === weekdayNumber(name));
      return isBad === true || days.length === 0 ? null : { exact: days };
    },
  },
  {
    pattern: new RegExp(`\\b(${WEEKDAY})${FAIR} (?:d?ess[ae]|d?est[ae]) semana\\b`, "g"),
    read: ([, name = ""], { today }) => ofWeek(weekdayNumber(name), 0, today),
  },
  {
    pattern: new RegExp(
      `\\b(?:(next|last|this) )?(?:week on )?${ENGLISH_WEEKDAY}\\b(?:,? (next week|last week))?`,
      "g",
    ),
    read: ([, which = "", name = "", week], around) => {
      const wanted = ENGLISH_DAYS.indexOf(name);
      if (week !== undefined) return ofWeek(wanted, week === "next week" ? 1 : -1, around.today);
      return aWeekday(wanted, which, around);
    },
  },
  {
    // "Na outra quarta": the coming one for some, a week later for others.
    pattern: new RegExp(
      `\\boutr[ao] (${WEEKDAY})${FAIR}|\\b(${WEEKDAY})${FAIR} (?:da |na )?outra(?: semana)?|\\boutra semana,? (?:na |no )?(${WEEKDAY})${FAIR}`,
      "g",
    ),
    read: ([, one, other, third], around) => {
      const { coming = [] } = aWeekday(weekdayNumber(one ?? other ?? third ?? ""), "", around);
      return { exact: coming.flatMap((day) => [day, addDays(day, 7)]) };
    },
  },
  {
    pattern: new RegExp(
      `(?<!\\bhoje a )(?:\\b(ultim[ao]|passad[ao]|proxim[ao]|prox\\.?) )?(?:(?<=\\b(?:na|no|pra|a|o) )|\\b|(?<=^|[ ,]))(${WEEKDAY})${FAIR}(?: (passad[ao]|retrasad[ao]|(?:que|q) vem|agora|proxim[ao]))?(?! ?(?:via|opcao|alternativa|parcela|vez|linha|mao)\\b)(?![a-z])`,
      "g",
    ),
    read: ([, before = "", name = "", after = ""], around) =>
      aWeekday(weekdayNumber(name), `${before} ${after}`, around),
  },
  {
    pattern: /\bdepois de depois de amanha\b/g,
    read: (_match, { today }) => ({ exact: [addDays(today, 3)], isUnsure: true }),
  },
  {
    pattern:
      /\b(?:depois d?e? ?amanh?a+|dps d?e? ?(?:amanh?a+|amnh)|(?:the )?day after tomorrow)(?![a-z])/g,
    read: (_match, { today }) => ({ exact: [addDays(today, 2)] }),
  },
  {
    pattern: /\b(?:ant[ei] ?ontem|antes de ontem|(?:the )?day before yesterday)\b/g,
    read: (_match, { today }) => ({ exact: [addDays(today, -2)] }),
  },
  {
    pattern: /\b(?:amanh?a+n?|amnha?|amn|tomorrow|tmrw|tomorow)(?![a-z])/g,
    read: (_match, { today }) => ({ exact: [addDays(today, 1)] }),
  },
  {
    pattern: /\b(?:ontem|yesterday)\b/g,
    read: (_match, { today }) => ({ exact: [addDays(today, -1)] }),
  },
  {
    pattern: /\b(?:hoje|hj|today|tonight)(?: mesmo| ainda)?\b/g,
    read: (_match, { today }) => ({ exact: [today] }),
  },
];

function monthsAway(coming: string | undefined, past: string | undefined): number {
  if (coming !== undefined) return 1;
  return past === undefined ? 0 : past === "passado" ? -1 : -2;
}

/** Days said in a plain text, in order of place. */
export function findDays(text: string, around: Around): readonly FoundDay[] {
  const found: FoundDay[] = [];
  for (const { pattern, read } of RULES)
    for (const match of text.matchAll(pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      if (found.some((other) => start < other.end && other.start < end)) continue;
      const meaning = read(match, around);
      if (meaning) found.push({ start, end, ...meaning });
    }
  return found.sort((a, b) => a.start - b.start);
}
