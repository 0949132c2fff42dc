/** Every expression of a time of the day in a plain text, with the times it can mean, in minutes of the day. */
import { without } from "./window.ts";

/** Half of the day that words beside a time name. */
export type Part = "manha" | "tarde" | "noite" | "madrugada";

export interface FoundTime {
  readonly start: number;
  readonly end: number;
  /** Minutes of the day; those that the words do not decide between stand beside each other, the likelier first. */
  readonly minutes: readonly number[];
  /** Written in a way that says the half of the day to most people: "9h" is in the morning. */
  readonly isDigital?: true;
  /** Minutes from now on. */
  readonly ahead?: number;
  /** No such time. */
  readonly isBad?: true;
  /** The part of the day stands beside it. */
  readonly hasPart?: true;
  /** Several parts of the day are named, and none beside it. */
  readonly isUnsure?: true;
}

const DAY = 24 * 60;
const NOON = 12;

const HOURS: Readonly<Record<string, number>> = {
  ...{ uma: 1, um: 1, duas: 2, dois: 2, tres: 3, quatro: 4, cinco: 5, seis: 6, sete: 7, oito: 8 },
  ...{ nove: 9, dez: 10, onze: 11, doze: 12, treze: 13, quatorze: 14, quinze: 15, dezesseis: 16 },
  ...{ dezessete: 17, dezoito: 18, dezenove: 19, vinte: 20, "vinte e uma": 21, "vinte e um": 21 },
  ...{ "vinte e duas": 22, "vinte e dois": 22, "vinte e tres": 23 },
  ...{ one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
  ...{ eleven: 11, twelve: 12 },
};
const MINUTES: Readonly<Record<string, number>> = {
  ...{ meia: 30, "um quarto": 15, cinco: 5, dez: 10, quinze: 15, vinte: 20, "vinte e cinco": 25 },
  ...{ trinta: 30, "trinta e cinco": 35, quarenta: 40, "quarenta e cinco": 45, cinquenta: 50 },
  ...{ "cinquenta e cinco": 55, half: 30, quarter: 15, "a quarter": 15, five: 5, ten: 10 },
  ...{
    twenty: 20,
    "twenty five": 25,
    "twenty-five": 25,
    fifteen: 15,
    thirty: 30,
    forty: 40,
    fifty: 50,
  },
};
const longest = (words: object): string =>
  Object.keys(words)
    .sort((a, b) => b.length - a.length)
    .join("|");
const HOUR_WORDS = longest(HOURS);
const MINUTE_WORDS = longest(MINUTES);
const NAMED = "meio[ -]?dia|meia[ -]?noite|noon|midnight";
const H = "(?:hs|hrs?|horas?|h)";
const M = "(?: ?(?:minutos?|mins?|m)\\b)?";
const MERIDIEM = "(?: ?([ap])\\.? ?m\\b\\.?)";
const PART_WORDS =
  " ?,? ?(?:d[ae]|a|na|pela|in the|at) (?:manha|matina|tarde|noite|madrugada|morning|afternoon|evening|night)";
const PART_AFTER = `(?=${PART_WORDS})`;
const PART_BESIDE = new RegExp(`^${PART_WORDS}\\b`);

const PARTS: readonly (readonly [Part, RegExp])[] = [
  ["manha", /\b(?:manha(?:zinha)?|matina|morning)\b/],
  ["tarde", /\b(?:tarde|tardinha|afternoon)\b/],
  ["noite", /\b(?<!meia[ -]?)(?:noite|noitinha|evening|night|tonight)\b/],
  ["madrugada", /\bmadrugada\b/],
];

/** Parts of the day that a text names. */
export function partsIn(line: string): readonly Part[] {
  const words = line.replace(
    /\b(?:boa|bom) (?:tarde|noite|dia)\b|\bmeia[ -]?noite\b|\b(?:saio|sai|chego|acordo|largo|termino|mais|muito|bem|tao) tarde\b|\btarde (?:do|da|demais|pra)\b/g,
    " ",
  );
  return PARTS.flatMap(([part, pattern]) => (pattern.test(words) ? [part] : []));
}

/** The times that an hour can mean beside this part of the day. */
function timesOf(
  hour: number,
  minute: number,
  how: { part?: Part; asWritten?: boolean },
): number[] {
  const at = (h: number): number => h * 60 + minute;
  const { part, asWritten = false } = how;
  if (hour > NOON || hour === 0 || asWritten) return [at(hour % 24)];
  const [early, late] = [at(hour % NOON), at((hour % NOON) + NOON)];
  if (part === "manha" && hour < NOON) return [early];
  if (part === "tarde" && (hour === NOON || hour <= 7)) return [late];
  if (part === "noite" && hour >= 6) return [hour === NOON ? early : late];
  if (part === "madrugada" && (hour === NOON || hour <= 5)) return [early];
  return hour >= 7 && hour < NOON ? [early, late] : [late, early];
}

interface Rule {
  readonly pattern: RegExp;
  readonly read: (
    match: RegExpExecArray,
    part: Part | undefined,
  ) => Omit<FoundTime, "start" | "end"> | null;
}

function hourOf(text: string): number {
  return /^\d/.test(text) ? Number(text) : (HOURS[text] ?? 0);
}

function minuteOf(text: string | undefined): number {
  return text === undefined ? 0 : /^\d/.test(text) ? Number(text) : (MINUTES[text] ?? 0);
}

function clock(
  hourText: string,
  minuteText: string | undefined,
  how: { part?: Part; meridiem?: string; isDigital?: boolean; before?: boolean },
): Omit<FoundTime, "start" | "end"> {
  const [hour, minute] = [hourOf(hourText), minuteOf(minuteText)];
  if (hour > 24 || minute > 59 || (hour === 24 && minute > 0)) return { minutes: [], isBad: true };
  const asWritten = /^0\d/.test(hourText);
  const { meridiem } = how;
  const own =
    meridiem === undefined || hour > NOON
      ? timesOf(hour, how.before ? 0 : minute, { part: how.part, asWritten })
      : [((hour % NOON) + (meridiem === "p" ? NOON : 0)) * 60 + (how.before ? 0 : minute)];
  const minutes = how.before ? own.map((time) => (time - minute + DAY) % DAY) : own;
  // A part of the day that no such hour has decides nothing, nor does the question.
  const isStrange = how.part !== undefined && how.meridiem === undefined && minutes.length > 1;
  return {
    minutes,
    ...(how.isDigital ? { isDigital: true } : {}),
    ...(isStrange ? { isUnsure: true } : {}),
  };
}

/** Noon and midnight as hours that need no part of the day. */
function namedHour(name: string): string {
  return /^(?:meia|midnight)/.test(name) ? "00" : "12";
}

const COUNT =
  "uma?|duas|dois|tres|quatro|cinco|seis|dez|quinze|vinte|trinta|quarenta|an?|one|two|three|five|ten|fifteen|twenty|thirty|forty|fifty|\\d{1,3}";
const counted = (word: string): number =>
  /^an?$/.test(word) ? 1 : /^\d/.test(word) ? Number(word) : (HOURS[word] ?? MINUTES[word] ?? 0);

const MINUTES_BEHIND =
  "meia|quinze|um quarto|trinta|quarenta(?: e cinco)?|cinquenta|vinte|dez|[0-5]?\\d";
/** A time as it stands in "das … às …". */
export const TIME_TEXT = `(?:${NAMED}|half past (?:${HOUR_WORDS})|(?:\\d{1,2}|${HOUR_WORDS})(?::\\d{2}|h\\d{2}| ?${H}(?![a-z]))?)(?: e (?:${MINUTES_BEHIND})\\b)?(?: ?[ap]\\.?m\\b)?`;

/** In order of precedence. */
const RULES: readonly Rule[] = [
  {
    pattern: new RegExp(
      `\\b(?:daqui (?:a |h?a? ?)?|d?aki (?:a )?|dentro de |em |in |within )(?:(meia hora|half an hour)|(${COUNT}) (?:horas?|hours?|h|hrs?)\\b(?: e (meia|${COUNT})(?: min(?:utos?)?)?)?|(${COUNT}) min(?:utos?|utes?|s)?\\b)`,
      "g",
    ),
    read: ([, half, hours, more, minutes]) => {
      const rest = more === undefined ? 0 : more === "meia" ? 30 : counted(more);
      const ahead =
        half !== undefined
          ? 30
          : minutes !== undefined
            ? counted(minutes)
            : counted(hours ?? "") * 60 + rest;
      return { minutes: [], ahead };
    },
  },
  { pattern: /\b(?:agora(?: mesmo)?|(?:right )?now)\b/g, read: () => ({ minutes: [], ahead: 0 }) },
  {
    pattern: new RegExp(
      `\\b(?:faltam? )?(${MINUTE_WORDS}|\\d{1,2})(?: minutos?)? (?:pras|pra as|pro|p(?:ra|ara)(?= mei[ao])|para (?:as|o|a)|to)(?: as)? (?:(${NAMED})|(${HOUR_WORDS}|\\d{1,2})(?:${H})?)\\b`,
      "g",
    ),
    read: ([, minutes, name, hour = ""], part) =>
      name === undefined
        ? clock(hour, minutes, { part, before: true })
        : clock(namedHour(name), minutes, { part: "tarde", before: true }),
  },
  {
    pattern: new RegExp(
      `\\b(${MINUTE_WORDS}|\\d{1,2})(?: minutes)? past (?:(${NAMED})|(${HOUR_WORDS}|\\d{1,2}))\\b${MERIDIEM}?`,
      "g",
    ),
    read: ([, minutes, name, hour = "", meridiem], part) =>
      name === undefined
        ? clock(hour, minutes, { part, meridiem })
        : clock(namedHour(name), minutes, { part: "tarde" }),
  },
  {
    pattern: new RegExp(`\\b(?:${NAMED})\\b(?: e (${MINUTE_WORDS}|\\d{1,2})\\b)?`, "g"),
    read: ([whole, minutes]) => clock(namedHour(whole), minutes, { part: "tarde" }),
  },
  {
    pattern: new RegExp(
      `(?<![\\d/.,:-])(\\d{1,2})(?::(\\d{2})(?: ?${H})?|\\.(\\d{2}))?${MERIDIEM}`,
      "g",
    ),
    read: ([, hour = "", colon, dot, meridiem], part) =>
      clock(hour, colon ?? dot, { part, meridiem }),
  },
  {
    pattern: new RegExp(
      `(?<![\\d/.,:-])(\\d{1,2})(?:[:;](\\d{2})(?: ?${H}\\b)?${M}| ?${H}(?:[ :]?(?:e )?(\\d{2})(?!\\d| ?${H})${M}|\\b(?: e (${MINUTE_WORDS})\\b)?))`,
      "g",
    ),
    read: ([, hour = "", colon, minutes, words], part) =>
      clock(hour, colon ?? minutes ?? words, { part, isDigital: true }),
  },
  {
    pattern: new RegExp(
      `(?<=(?:\\b(?:as|a|das|pelas|pras|pros|(?:pra|para) as|at|umas|ate|depois das|por volta das)|@) )(?:(\\d{1,2})(?:\\.(\\d{2})|(?: e (${MINUTE_WORDS}|\\d{2})))?|(${HOUR_WORDS})(?: (?:horas?|o'?clock))?(?: e (${MINUTE_WORDS}|\\d{1,2}))?)(?![\\d/:]|[.,-]\\d| ?(?:dias?|semanas?|mes|meses|anos?|pessoas?|reais|days?|weeks?|am|pm)\\b)\\b(?: o'?clock)?`,
      "g",
    ),
    read: ([, digits, dot, minutes, words = "", more], part) =>
      clock(digits ?? words, dot ?? minutes ?? more, { part }),
  },
  {
    pattern: new RegExp(
      `(?<![\\d/.,:-])\\b(\\d{1,2}|${HOUR_WORDS})(?: horas?)?(?: e (${MINUTE_WORDS}|\\d{1,2}))?${PART_AFTER}`,
      "g",
    ),
    read: ([, hour = "", minutes], part) => clock(hour, minutes, { part }),
  },
  {
    pattern: new RegExp(
      `(?<![\\d/.,:-])\\b(\\d{1,2}|${HOUR_WORDS}) (?:horas? )?e (meia|quinze|um quarto|trinta|quarenta(?: e cinco)?|cinquenta|vinte|dez|[0-5]\\d)\\b`,
      "g",
    ),
    read: ([, hour = "", minutes], part) => clock(hour, minutes, { part }),
  },
  {
    pattern: new RegExp(
      `\\b(${HOUR_WORDS}) horas?\\b|\\b(${HOUR_WORDS}|\\d{1,2}) o'?clock\\b`,
      "g",
    ),
    read: ([, words, digits], part) =>
      clock(words ?? digits ?? "", undefined, { part, isDigital: words !== undefined }),
  },
];

/** The part of the day that stands behind a time. */
function partBeside(tail: string): Part | undefined {
  const words = PART_BESIDE.exec(tail)?.[0];
  return words === undefined ? undefined : partsIn(words)[0];
}

/** Times said in a plain text, in order of place. A single part of the day in it helps to decide. */
export function findTimes(line: string, part?: Part): readonly FoundTime[] {
  const found: FoundTime[] = [];
  const parts = partsIn(line);
  const own = part ?? (parts.length === 1 ? parts[0] : undefined);
  for (const { pattern, read } of RULES)
    for (const match of line.matchAll(pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      if (found.some((other) => start < other.end && other.start < end)) continue;
      const beside = partBeside(line.slice(end));
      const time = read(match, beside ?? own);
      const isUnsure = beside === undefined && own === undefined && parts.length > 1;
      if (time)
        found.push({
          ...{ start, end, ...time },
          ...(beside === undefined ? {} : { hasPart: true }),
          ...(isUnsure ? { isUnsure: true } : {}),
        });
    }
  return found.sort((a, b) => a.start - b.start);
}

/** Words that lead to a time, or name a part of the day. */
const TIME_LEADS =
  /\b(?:depois|antes|a partir|apos|ate) (?:d?as?|d[eo]) (?=\s{2,})|\b(?:d[ae]|a|na|pela|in the|at|essa|nessa) (?:manha|tarde|noite|madrugada|morning|afternoon|evening|night)\b/g;

/** A text about a day without the times beside it. */
export function withoutTimes(line: string): string {
  return without(line, findTimes(line)).replace(TIME_LEADS, " ");
}
