/** Names of months, weekdays and small numbers as they stand in dates; folded Portuguese, and English where it is plain. */

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
