/** Names of months, weekdays and small numbers as they stand in dates, and days of the week in the midst of a text. */
import { addDays, weekday } from "../../brazil/index.ts";
import { type Business, perBusiness } from "../business.ts";

export const MONTHS = [
  "janeiro",
  "fevereiro",
  "marco",
  "abril",
  "maio",
  "junho",
  "julho",
  "agosto",
  "setembro",
  "outubro",
  "novembro",
  "dezembro",
] as const;

export const MONTH_LABELS = {
  "pt-BR": [
    "janeiro",
    "fevereiro",
    "março",
    "abril",
    "maio",
    "junho",
    "julho",
    "agosto",
    "setembro",
    "outubro",
    "novembro",
    "dezembro",
  ],
  en: [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
  ],
} as const;

/** Whole names first, so that the alternation takes the longest. */
const ENGLISH_MONTHS = MONTH_LABELS.en.map((month) => month.toLowerCase());
export const MONTH_PATTERN = `${[...MONTHS, ...ENGLISH_MONTHS].join("|")}|jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez`;

/** 1–12 of a name or a three-letter short form, else 0. */
export function monthOf(name: string): number {
  if (name.length < 3) return 0;
  const own = MONTHS.findIndex((month) => month.startsWith(name)) + 1;
  return own > 0 ? own : ENGLISH_MONTHS.indexOf(name) + 1;
}

/** Sunday is 0, as in {@link Date}. */
export const WEEKDAYS = [
  "domingo",
  "segunda",
  "terca",
  "quarta",
  "quinta",
  "sexta",
  "sabado",
] as const;

export function weekdayOf(name: string): number {
  return WEEKDAYS.findIndex((day) => day.startsWith(name));
}

const COUNTS = ["um", "dois", "tres", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez"];
const OTHER_COUNTS: Readonly<Record<string, number>> = {
  uma: 1,
  duas: 2,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
};
export const COUNT_PATTERN = `\\d{1,3}|${[...Object.keys(OTHER_COUNTS), ...COUNTS].join("|")}`;

export function countOf(word: string): number {
  return /^\d/.test(word) ? Number(word) : (OTHER_COUNTS[word] ?? COUNTS.indexOf(word) + 1);
}

const TEENS =
  "onze,doze,treze,quatorze,quinze,dezesseis,dezessete,dezoito,dezenove,vinte,vinte e um,vinte e dois,vinte e tres,vinte e quatro,vinte e cinco,vinte e seis,vinte e sete,vinte e oito,vinte e nove,trinta,trinta e um".split(
    ",",
  );
const DAY_WORDS: readonly string[] = ["primeiro", ...COUNTS.slice(1), ...TEENS];
/** A day of the month in words or digits; the longest words first. */
export const DAY_PATTERN = `\\d{1,2}|${[...DAY_WORDS].sort((a, b) => b.length - a.length).join("|")}`;

/** 1–31 of "vinte e cinco" or "25"; "catorze" has no entry of its own. */
export function dayOf(word: string): number {
  return /^\d/.test(word) ? Number(word) : DAY_WORDS.indexOf(word) + 1;
}

/** Two digits of a year are of this century: no conversation is about another. */
export function yearOf(text: string): number {
  return text.length === 2 ? 2000 + Number(text) : Number(text);
}

/** Days that an expression can mean (one when clear), or why it means none. */
export interface DayRead {
  readonly days: readonly string[];
  readonly bad?: "calendar" | "future";
}

const TIME_AFTER = /^ (?:a|de|pela|na|no) (?:tarde|manha|noite|madrugada)\b/;
/** What goes on after a day, never after an ordinal: "na sexta quero uma". */
const GOES_ON =
  /^ (?:quero|queria|preciso|faz|faca|manda|emite|emita|pode|pra|para|pro|no|na|com|cpf|cnpj|valor)\b/;

/** "segunda via", "quarta parcela": what is counted. */
const ordersOf = perBusiness(
  (thing) =>
    new RegExp(`^ (?:via|mao|parcela|etapa|fase|parte|vez|aula|sessao|turma|feira|${thing})\\b`),
);
const DID = /^ (?:eu |a gente )?[a-z]{3,}(?:ei|amos|emos)\b/;
const WORKED = /\b[a-z]{3,}(?:ei|i|amos|emos)\b[a-z ']{0,40} $/;

/** "segunda" is also an ordinal ("segunda via", "quarta parcela"), so a bare one needs a sign that it is a day. */
export function readWeekday(
  match: RegExpExecArray,
  today: string,
  text: string,
  { eager = false, business }: { readonly eager?: boolean; readonly business?: Business } = {},
): DayRead | null {
  const [whole, before = "", name = "", fair, after = ""] = match;
  const lead = text.slice(0, match.index);
  const tail = text.slice(match.index + whole.length);
  const isCounted = ordersOf(business).test(tail);
  const weekend = name === "domingo" || name === "sabado";
  const alone =
    lead.trim() === "" &&
    /^[\s.,!]*$|^,? (?:a|de|pela|na) (?:tarde|manha|noite)[\s.!]*$/.test(tail);
  // "…, segunda": a part of a sentence by itself.
  const apart = /[,;]\s*$/.test(lead) && /^\s*(?:$|[,;.!\u0001])/.test(tail);
  const led =
    /\b(?:na|no|n?est[ae]|n?ess[ae]|desde|foi)\s?$/.test(lead) &&
    (!/^ [a-z]/.test(tail) || TIME_AFTER.test(tail) || GOES_ON.test(tail));
  // "drenagem de quinta": at the end of what is said; "de segunda mão" is no day.
  const of =
    (/\b(?:de|feit[oa]|realizad[oa]|executad[oa]|prestad[oa]) $/.test(lead) ||
      (name === "terca" &&
        /(?<!\btodas?| as|cada|uma) $/.test(lead) &&
        /[a-z\u0001] $/.test(lead))) &&
    /^\s*(?:$|[,;.!\u0001])/.test(tail);
  // "toquei sexta no casamento", "terça troquei a torneira", "do banho de quinta 70 reais": "segunda" and "quarta" are ordinals too.
  const told =
    !isCounted &&
    !/\b(?:tod[ao]s?(?: as?| os)?|cada|toda|as|na|a|d[ao]|uma|para|pra|ate) $/.test(lead) &&
    ((DID.test(tail) && /(?:^|[,;.!\u0001] ?)$/.test(lead)) ||
      (WORKED.test(lead) && /^ (?:n[ao]|deu|foi|cobrei|ficou)\b/.test(tail)) ||
      (/\bde $/.test(lead) && /^(?: (?:r\$ ?)?\d|\?|:| k{2,})/.test(tail)));
  const perhaps = eager && !isCounted;
  if (!(weekend || fair || before || after || alone || apart || led || of || told || perhaps))
    return null;
  if (/^proxim/.test(before) || after === "que vem") return { days: [], bad: "future" };
  const back = (weekday(today) - weekdayOf(name) + 7) % 7;
  if (after === "da semana passada") return ofLastWeek(name, today);
  const last = lastBefore(today, weekdayOf(name));
  if (/^retrasad/.test(after)) return { days: [addDays(last, -7)] };
  if (back === 0 && before === "" && (after === "" || after === "agora"))
    return { days: [today, last] };
  return { days: [last] };
}

/** Weeks begin on Sunday for some and on Monday for others: a Sunday can be either. */
export function ofLastWeek(name: string, today: string): DayRead {
  const monday = addDays(today, -((weekday(today) + 6) % 7) - 7);
  const day = addDays(monday, (weekdayOf(name) + 6) % 7);
  return { days: name === "domingo" ? [day, addDays(day, -7)] : [day] };
}

/** The last such weekday (Sunday is 0) that is not today. */
export function lastBefore(today: string, wanted: number): string {
  const back = (weekday(today) - wanted + 7) % 7;
  return addDays(today, -(back === 0 ? 7 : back));
}
