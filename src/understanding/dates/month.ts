/** A month that is not in the future → `YYYY-MM`; a day stands for its month. */
import { addDays, addMonths, localDay, weekday } from "../../brazil/index.ts";
import { type Business, orOneOf, perBusiness } from "../business.ts";
import { doubts } from "./date.ts";
import { scanDays, withoutDays } from "./date-scan.ts";
import { MONTH_LABELS, MONTH_PATTERN, monthOf, yearOf } from "./date-words.ts";
import { plainOf } from "../plain.ts";
import {
  absent,
  ambiguous,
  clear,
  type TextContext,
  invalid,
  MAX_ANSWER,
  type Option,
  type Understood,
} from "../understood.ts";

/** "maio amarelo eventos": the month begins a name. */
const TITLE =
  /^(?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro) (?!(?:de|do|da|d?este|d?esse|passado|mesmo|agora|por|20\d\d|\d\d|a|ate|e|ou|ou algo)\b)[a-z]{4,}/;
const OLDEST = "2000-01";
const MONTH_NUMBERS = "um,dois,tres,quatro,cinco,seis,sete,oito,nove,dez,onze,doze".split(",");
/** "mês 7", "do mês dez", "mês 09 de 2026". */
const numberedOf = perBusiness(
  (_, business) =>
    new RegExp(
      `^(?:(?:e|eh|foi|d[oe]|no|o|em|ref\\.?|referente(?: ao?)?|pro|da|a)[ :]+)*(?:mes${orOneOf(business.months)})[ :]+(?:de )?(0?[1-9]|1[0-2]|${MONTH_NUMBERS.join("|")})(?:(?: de |/)(20\\d\\d))?[.!]*$`,
    ),
);

interface FoundMonth {
  readonly months: readonly string[];
  readonly rest: string;
}

export function month(text: string, context: TextContext): Understood<"month"> {
  if (text.length > MAX_ANSWER) return absent("month", "too-long");
  const line = plainOf(text);
  const today = localDay(context.now, context.zone);
  const current = today.slice(0, 7);
  const option = (value: string): Option => ({ value, echo: monthEcho(value, context) });
  const alone = /^\d{1,2}$/.test(line) ? Number(line) : 0;
  if (alone >= 1 && alone <= 12)
    return ambiguous("month", "confirm", [option(latest(alone, current))]);
  const numbered = numberedOf(context.business).exec(line);
  if (numbered) {
    const number = /^\d/.test(numbered[1] ?? "")
      ? Number(numbered[1])
      : MONTH_NUMBERS.indexOf(numbered[1] ?? "") + 1;
    const value =
      numbered[2] === undefined
        ? latest(number, current)
        : `${yearOf(numbered[2])}-${String(number).padStart(2, "0")}`;
    if (value > current) return invalid("month", "future");
    if (value >= OLDEST) return clear("month", value, monthEcho(value, context));
  }
  if (/\bmes que vem\b|\bproximo mes\b|\bnext month\b/.test(line))
    return invalid("month", "future");
  const found =
    relative(line, today) ?? written(line, current, context.business) ?? days(line, today);
  if (typeof found === "string") return invalid("month", found);
  if (!found) {
    if (/\b(?:ano|semestre|trimestre)\b/.test(line)) return ambiguous("month", "which");
    return /\d/.test(line) ? invalid("month", "format") : absent("month");
  }
  const [first = "", second] = found.months;
  if (TITLE.test(line)) return ambiguous("month", "which", [option(first)]);
  if (second !== undefined || doubts(found.rest) || /\d/.test(found.rest))
    return ambiguous(
      "month",
      "which",
      found.months.filter((value) => value <= current).map(option),
    );
  if (first > current) return invalid("month", "future");
  const other = context.locale === "en" ? monthFirst(line) : undefined;
  if (other !== undefined && other !== first && other <= current && other >= OLDEST)
    return ambiguous("month", "which", [option(first), option(other)]);
  if (first < OLDEST) return invalid("month", "too-old");
  return clear("month", first, monthEcho(first, context));
}

const DAY_AND_MONTH = /^\D*(0?[1-9]|1[0-2])\s?[/-]\s?(?:0?[1-9]|1[0-2])\s?[/-]\s?(20\d\d|\d\d)\D*$/;

/** "11/05/2026" as many who write English mean it: November 5th. Undefined where it can be read one way only. */
function monthFirst(line: string): string | undefined {
  const [, number, year] = DAY_AND_MONTH.exec(line) ?? [];
  if (number === undefined || year === undefined) return undefined;
  return `${yearOf(year)}-${number.padStart(2, "0")}`;
}

function latest(number: number, month: string): string {
  const same = `${month.slice(0, 4)}-${String(number).padStart(2, "0")}`;
  return same <= month ? same : addMonths(same, -12);
}

const RELATIVE: readonly (readonly [RegExp, number])[] = [
  [/\bmes (?:passado|anterior|(?:que|q) passou)\b|\bultimo mes\b|\blast month\b/, -1],
  [/\bmes retrasado\b/, -2],
  [
    /\b(?:[nd]?es[st]e|o) mes\b(?! (?:passado|retrasado|anterior|que|q)\b)|\bmes (?:atual|corrente)\b|\bthis month\b/,
    0,
  ],
];

function relative(line: string, today: string): FoundMonth | null {
  // "dia 5 do mês passado" is a day and read as one.
  if (/\bdia \d/.test(line)) return null;
  const month = today.slice(0, 7);
  const hits = RELATIVE.filter(([pattern]) => pattern.test(line));
  if (hits.length > 0) {
    const rest = hits.reduce((text, [pattern]) => text.replace(pattern, " "), line);
    return { months: hits.map(([, shift]) => addMonths(month, shift)), rest };
  }
  if (!/\bsemana passada\b/.test(line) || scanDays(line, today).length > 0) return null;
  const monday = addDays(today, -((weekday(today) + 6) % 7) - 7);
  // A week over the turn of a month is two months, however it is counted.
  const ends = [monday, addDays(monday, -1), addDays(monday, 6)].map((day) => day.slice(0, 7));
  return { months: [...new Set(ends)], rest: line.replace(/\bsemana passada\b/, " ") };
}

/** 10/2026, 10/26, 2026-10, "outubro", "out/26", "outubro de 2026". */
const WRITTEN = new RegExp(
  [
    `(?<![\\d/.-])(0?[1-9]|1[0-2])\\s?[/-]\\s?(20\\d{2}|1[3-9]|[2-9]\\d)(?![\\d/]|[-.,]\\d)`,
    `(?<![\\d/.-])(20\\d{2})[-/](0?[1-9]|1[0-2])(?![\\d/-])`,
    `\\b(?<!\\d (?:de )?)(?<!\\d[/])(${MONTH_PATTERN})\\b(?:\\s?(?:de|/|-|,)?\\s?(20\\d{2}|\\d{2}|do ano passado)\\b(?![/.,]\\d))?`,
  ].join("|"),
  "g",
);

function written(
  line: string,
  month: string,
  business: Business | undefined,
): FoundMonth | "future" | null {
  const months: string[] = [];
  let future = false;
  const rest = line.replace(WRITTEN, (whole, ...groups: (string | undefined)[]) => {
    const [number, numberYear, isoYear, isoMonth, name, nameYear] = groups;
    // Short forms are words too ("set", "dez"): they need a year, or to stand alone or after "ref".
    if (
      name !== undefined &&
      name.length === 3 &&
      nameYear === undefined &&
      !shortAloneOf(business).test(line)
    )
      return whole;
    const index = number ?? isoMonth ?? String(monthOf(name ?? ""));
    const year = numberYear ?? isoYear ?? nameYear;
    const value =
      year === undefined
        ? latest(Number(index), month)
        : `${/^\d/.test(year) ? yearOf(year) : Number(month.slice(0, 4)) - 1}-${index.padStart(2, "0")}`;
    if (value > month) future = true;
    if (!months.includes(value)) months.push(value);
    return " ";
  });
  if (months.length === 0) return null;
  return months.length === 1 && future ? "future" : { months, rest };
}

const shortAloneOf = perBusiness(
  (_, business) =>
    new RegExp(
      `^(?:(?:ref\\.?|referente a|mes de|de|em${orOneOf(business.months)}):?)?\\s?[a-z]{3}\\.?$`,
    ),
);

function days(line: string, today: string): FoundMonth | "future" | "calendar" | null {
  const found = scanDays(line, today);
  if (found.length === 0) return null;
  const bad = found.find((one) => one.bad)?.bad;
  if (bad) return bad;
  const months = [...new Set(found.flatMap((one) => one.days).map((day) => day.slice(0, 7)))];
  return { months, rest: withoutDays(line, found) };
}

/** `outubro/2026`, in English `October 2026`. */
export function monthEcho(month: string, context: Pick<TextContext, "locale">): string {
  const [year = "", number = ""] = month.split("-");
  const label = MONTH_LABELS[context.locale ?? "pt-BR"][Number(number) - 1] ?? "";
  return context.locale === "en" ? `${label} ${year}` : `${label}/${year}`;
}
