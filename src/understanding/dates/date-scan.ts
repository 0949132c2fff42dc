/**
 * Every expression of a day in a folded text, with its place. Day comes before month, always. Without a year it is the
 * most recent day that is not in the future; a day of the month alone is the nearest past one.
 */
import { addDays, addMonths, daysInMonth, isDay, weekday } from "../../brazil/index.ts";
import type { Business } from "../business.ts";
import {
  COUNT_PATTERN,
  countOf,
  DAY_PATTERN,
  dayOf,
  type DayRead,
  lastBefore,
  MONTH_PATTERN,
  monthOf,
  ofLastWeek,
  readWeekday,
  weekdayOf,
  yearOf,
} from "./date-words.ts";

/** A day and its place. */
export interface FoundDay extends DayRead {
  readonly start: number;
  readonly end: number;
}

/** `eager`: also weekdays of which no word tells that they are none of several in a row ("quarta parcela"). */
export interface Scan {
  readonly eager?: boolean;
  /** Words of the business: "segunda pizza" is no Monday. */
  readonly business?: Business;
}

type Reader = (match: RegExpExecArray, today: string, text: string, how: Scan) => DayRead | null;

interface Rule {
  readonly pattern: RegExp;
  readonly read: Reader;
}

/** Times of the day, which change no day. */
const HOURS = "(?:tarde|manha|noite|madrugada)\\b";
const WEEKDAY_NAMES = "(?:domingo|segunda|terca|quarta|quinta|sexta|sabado|feira)";
const ENGLISH_DAYS = ["sun", "mon", "tues", "wednes", "thurs", "fri", "satur"];
const BEFORE = "(?<![\\d.,/-])";
const AFTER = "(?![\\d/]|[.,-]\\d)";
/** An amount with its mark. */
const MARKED = /r\$ ?\d|\d,\d\d(?!\d)|\d ?(?:reais|contos?|pilas?)\b/;
const WORD_DAYS: Readonly<Record<string, number>> = {
  hoje: 0,
  hj: 0,
  agora: 0,
  today: 0,
  now: 0,
  ontem: -1,
  yesterday: -1,
  anteontem: -2,
  antiontem: -2,
  "ante ontem": -2,
  "anti ontem": -2,
  amanha: 1,
  tomorrow: 1,
};

/** In order of precedence; a stretch of text that one rule has taken is closed to the rest. */
const RULES: readonly Rule[] = [
  {
    pattern: new RegExp(`${BEFORE}(\\d{4})-(\\d{1,2})-(\\d{1,2})${AFTER}`, "g"),
    read: ([, year = "", month = "", day = ""], today) => exact(+year, +month, +day, today),
  },
  {
    pattern: new RegExp(
      `(?:\\bdia )?${BEFORE}(\\d{1,2})([/.-])(\\d{1,2})\\2(\\d{4}|\\d{2})${AFTER}`,
      "g",
    ),
    read: ([, day = "", , month = "", year = ""], today) =>
      exact(yearOf(year), +month, +day, today),
  },
  {
    // "sábado 14", "sexta-feira, dia 13/11": the same day told twice, and it must agree.
    pattern: new RegExp(
      `\\b(domingo|segunda|terca|quarta|quinta|sexta|sabado)(?:[ -]feira)?,? (?:dia |\\()?(\\d{1,2})(?:/(\\d{1,2}))?\\)?${AFTER}(?! ?(?:reais|real|contos?|pilas?|mil|h|horas|de [a-z])\\b)`,
      "g",
    ),
    read: ([, name = "", day = "", month], today) => {
      const found = month === undefined ? nearestPast(+day, today) : latest(+month, +day, today);
      const [only] = found.days;
      return only !== undefined && weekday(only) === weekdayOf(name) ? found : null;
    },
  },
  {
    // "em 12.08", "dia 6.11": thousands have three figures behind the dot.
    pattern: /\b(?:dia|em|data:?) (\d{1,2})\.(0[1-9]|1[0-2])(?!\d|[.,/]\d| ?(?:reais|mil|k)\b)/g,
    read: ([, day = "", month = ""], today) => latest(+month, +day, today),
  },
  {
    // "/ 08.06": a part by itself, where the amount is told with its mark.
    pattern: /(?<=[;,] ?)(\d{1,2})\.(0[1-9]|1[0-2])(?= ?(?:$|[;,]))/g,
    read: ([, day = "", month = ""], today, text) =>
      MARKED.test(text) ? latest(+month, +day, today) : null,
  },
  {
    pattern: /\b(seg|ter|qua|qui|sex|sab|dom) passad[oa]\b/g,
    read: ([, name = ""], today) => ({ days: [lastBefore(today, weekdayOf(name))] }),
  },
  {
    pattern: new RegExp(`(?:\\bdia )?${BEFORE}(\\d{1,2})(?:/(\\d{1,2})|-(\\d{2}))${AFTER}`, "g"),
    read: ([, day = "", slashed, dashed], today) => latest(+(slashed ?? dashed ?? ""), +day, today),
  },
  {
    pattern: new RegExp(
      `(?<![\\d.,/-])\\b(?:dia )?(${DAY_PATTERN})[oº°]?(?: de | |/)(${MONTH_PATTERN})\\b(?:(?: de |/| |, )(\\d{4}|\\d{2})\\b(?![.,/]\\d))?`,
      "g",
    ),
    read: ([, day = "", month = "", year], today) => {
      const date = dayOf(day);
      return year === undefined
        ? latest(monthOf(month), date, today)
        : exact(yearOf(year), monthOf(month), date, today);
    },
  },
  {
    // "mês que vem, dia 3", "mês passado no dia 9": the month or the week stands in front.
    pattern: new RegExp(
      `\\b(?:((?:semana|mes) que vem|proxim[ao] (?:semana|mes))|mes (passado|retrasado)),? (?:no |n?o |em )?dia (${DAY_PATTERN})[oº°]?\\b(?!\\s?/|[.,-]\\d)`,
      "g",
    ),
    read: ([, coming, past, day = ""], today) =>
      coming === undefined
        ? ofMonth(addMonths(today.slice(0, 7), past === "passado" ? -1 : -2), dayOf(day), today)
        : { days: [], bad: "future" },
  },
  {
    pattern: new RegExp(
      `\\bdia (${DAY_PATTERN})[oº°]?\\b(?!\\s?(?:/|de\\s(?!${HOURS})[a-z]|do (?:0?[1-9]|1[0-2])(?!\\d)))(?: d[oe] mes (passado|retrasado)| d[eo]ss?[et]e? mes| d[eo] (?:mes que vem|proximo mes))?`,
      "g",
    ),
    read: ([whole, day = "", past], today) => {
      const date = dayOf(day);
      if (/que vem|proximo/.test(whole)) return { days: [], bad: "future" };
      if (past)
        return ofMonth(addMonths(today.slice(0, 7), past === "passado" ? -1 : -2), date, today);
      if (/ mes$/.test(whole)) return ofMonth(today.slice(0, 7), date, today);
      return nearestPast(date, today);
    },
  },
  {
    // "17 do 11", "dia 17 do 10", "17 do mês passado".
    pattern: new RegExp(
      `(?:\\bdia )?${BEFORE}(\\d{1,2}) do (?:(0?[1-9]|1[0-2])(?![\\d,]|\\.\\d| \\d| reais)|mes (passado|retrasado)\\b)`,
      "g",
    ),
    read: ([, day = "", month, past], today) =>
      month === undefined
        ? ofMonth(addMonths(today.slice(0, 7), past === "passado" ? -1 : -2), +day, today)
        : latest(+month, +day, today),
  },
  {
    pattern: new RegExp(
      `\\b(?:ha|faz|tem) (?:uns )?(${COUNT_PATTERN}) dias?\\b|\\b(${COUNT_PATTERN}) dias? atras\\b`,
      "g",
    ),
    read: ([, since, ago], today) => ({ days: [addDays(today, -countOf(since ?? ago ?? ""))] }),
  },
  {
    pattern: new RegExp(
      `\\b(?:ha|faz|tem) (${COUNT_PATTERN}) semanas?\\b|\\b(${COUNT_PATTERN}) (?:semanas? atras|weeks? ago)\\b`,
      "g",
    ),
    read: ([, since, ago], today) => ({
      days: [addDays(today, -7 * countOf(since ?? ago ?? ""))],
    }),
  },
  {
    pattern: new RegExp(`\\b(${COUNT_PATTERN}) days? ago\\b`, "g"),
    read: ([, ago = ""], today) => ({ days: [addDays(today, -countOf(ago))] }),
  },
  {
    pattern: /\bsemana passada,? (?:na |no )?(domingo|segunda|terca|quarta|quinta|sexta|sabado)\b/g,
    read: ([, name = ""], today) => ofLastWeek(name, today),
  },
  {
    pattern: /\b(last|next) (sun|mon|tues|wednes|thurs|fri|satur)day\b/g,
    read: ([, which, name = ""], today) =>
      which === "next"
        ? { days: [], bad: "future" }
        : { days: [lastBefore(today, ENGLISH_DAYS.indexOf(name))] },
  },
  {
    // "on Monday", "done Friday afternoon"; "every Friday", "by Friday" and "Black Friday" are no day that was.
    pattern:
      /(?<!\b(?:every|each|by|until|till|before|for|black) )\b(sun|mon|tues|wednes|thurs|fri|satur)day\b/g,
    read: ([, name = ""], today) => {
      const last = lastBefore(today, ENGLISH_DAYS.indexOf(name));
      return { days: weekday(today) === weekday(last) ? [today, last] : [last] };
    },
  },
  {
    pattern: /\b(?:depois de amanha|antes de ontem|(?:the )?day before yesterday)\b/g,
    read: ([whole], today) =>
      /^antes|yesterday$/.test(whole)
        ? { days: [addDays(today, -2)] }
        : { days: [], bad: "future" },
  },
  {
    pattern: new RegExp(
      `\\b(?<!${WEEKDAY_NAMES} )(${[...Object.keys(WORD_DAYS)].sort((a, b) => b.length - a.length).join("|")})\\b`,
      "g",
    ),
    read: ([word = ""], today) => {
      const shift = WORD_DAYS[word] ?? 0;
      return shift > 0 ? { days: [], bad: "future" } : { days: [addDays(today, shift)] };
    },
  },
  {
    pattern:
      /\b(?:(ultim[ao]|passad[ao]|proxim[ao]) )?(domingo|segunda|terca|quarta|quinta|sexta|sabado)([ -]feira)?(?: (passad[ao]|retrasad[ao]|que vem|da semana passada|agora que passou|agora|que passou))?\b/g,
    read: readWeekday,
  },
];

function exact(year: number, month: number, date: number, today: string): DayRead {
  const day = `${String(year).padStart(4, "0")}-${two(month)}-${two(date)}`;
  if (!isDay(day)) return { days: [], bad: "calendar" };
  return day > today ? { days: [], bad: "future" } : { days: [day] };
}

function latest(month: number, date: number, today: string): DayRead {
  // Eight years back reaches a 29 February from anywhere.
  for (let year = Number(today.slice(0, 4)), left = 9; left > 0; year -= 1, left -= 1) {
    const day = `${year}-${two(month)}-${two(date)}`;
    if (isDay(day) && day <= today) return { days: [day] };
  }
  return { days: [], bad: "calendar" };
}

function ofMonth(month: string, date: number, today: string): DayRead {
  return exact(Number(month.slice(0, 4)), Number(month.slice(5)), date, today);
}

function nearestPast(date: number, today: string): DayRead {
  if (date < 1 || date > 31) return { days: [], bad: "calendar" };
  for (let month = today.slice(0, 7), left = 4; left > 0; month = addMonths(month, -1), left -= 1) {
    const day = `${month}-${two(date)}`;
    if (date <= daysInMonth(Number(month.slice(0, 4)), Number(month.slice(5))) && day <= today)
      return { days: [day] };
  }
  return { days: [], bad: "calendar" };
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

/** Days said in a folded text, in order of place. `today` is `YYYY-MM-DD`. */
export function scanDays(text: string, today: string, how: Scan = {}): readonly FoundDay[] {
  const found: FoundDay[] = [];
  for (const { pattern, read } of RULES)
    for (const match of text.matchAll(pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      if (found.some((other) => start < other.end && other.start < end)) continue;
      const day = read(match, today, text, how);
      if (day) found.push({ start, end, ...day });
    }
  // "no dia 17 agora": the one that is near.
  const sure = found.filter(({ start, end }) => text.slice(start, end) !== "agora");
  return (sure.length > 0 ? sure : found).sort((a, b) => a.start - b.start);
}

/** The text with every found day taken out. */
export function withoutDays(text: string, found: readonly FoundDay[]): string {
  let rest = "";
  let at = 0;
  for (const { start, end } of found) {
    rest += `${text.slice(at, start)} `;
    at = end;
  }
  return rest + text.slice(at);
}
