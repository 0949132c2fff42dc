/** A day of the past (or today) as people say it → `YYYY-MM-DD` in the account's zone. */
import { addDays, localDay, weekday } from "../../brazil/index.ts";
import {
  HEDGE,
  absent,
  ambiguous,
  clear,
  invalid,
  MAX_ANSWER,
  type Option,
  type TextContext,
  type Understood,
} from "../understood.ts";
import { plainOf } from "../plain.ts";
import { type FoundDay, scanDays, withoutDays } from "./date-scan.ts";
import { MONTH_LABELS, MONTH_PATTERN, weekdayOf } from "./date-words.ts";

/** Nothing that is talked of now happened earlier; a typed year below is a slip. */
const OLDEST = "2000-01-01";

/** Words that make an otherwise clear day uncertain. */
const DOUBT =
  /\b(?:uns|umas|nao|nem|ou|ate|entre|talvez|acho|quase|antes|depois|desde|a partir|or|not)\b|\?/;

export function doubts(line: string): boolean {
  return DOUBT.test(line) || HEDGE.test(line);
}
/** A time beside a day: "às 14h", "14:30". */
const TIME = /\b(?:as |at )?\d{1,2}(?:h(?:\d{2})?|:\d{2}h?| horas)\b/g;
const VAGUE = new RegExp(
  `\\b(?:semana|mes|ano)\\b|\\b(?:${MONTH_PATTERN})\\b|\\bfim de semana\\b|\\boutro dia\\b`,
);

/** "hoje mesmo, 21", "sexta 20": the day of the month after a day, said twice for certainty. */
const DAY_AFTER =
  /^((?:(?:foi|na|no) )*(?:hoje|hj|ontem|anteontem|(?:segunda|terca|quarta|quinta|sexta|sabado|domingo)(?:[ -]feira)?)(?: mesmo)?),? (\d{1,2})[.!]*$/;

export function date(text: string, context: TextContext): Understood<"date"> {
  if (text.length > MAX_ANSWER) return absent("date", "too-long");
  const line = plainOf(text)
    .replace(/(?<=\d) ?([/.-]) ?(?=\d)/g, "$1")
    .replace(DAY_AFTER, "$1, dia $2");
  const today = localDay(context.now, context.zone);
  const found = scanDays(line, today, context.business ? { business: context.business } : {});
  const option = (day: string): Option => ({ value: day, echo: dayEcho(day, context) });
  const days = [...new Set(found.flatMap((one) => one.days))].filter((day) => day >= OLDEST);
  const [only] = found;
  if (!only) return bare(line, today, option);
  // "terça-feira, dia 17" says one day twice; "terça, dia 10" says two.
  const once = days.length === 1 && found.every((one) => one.days.length === 1);
  if (found.length > 1 && !once) return ambiguous("date", "which", days.map(option));
  const rest = withoutDays(line, found).replace(TIME, " ");
  if (only.bad) return invalid("date", only.bad);
  if (days.length === 0) return invalid("date", "too-old");
  if (days.length > 1 || doubts(rest) || /\d/.test(rest) || otherWeekday(rest, days[0] ?? ""))
    return ambiguous("date", "which", days.map(option));
  const [day = ""] = days;
  return clear("date", day, dayEcho(day, context));
}

/** A weekday beside the date that is not the date's own. */
function otherWeekday(rest: string, day: string): boolean {
  const name = /\b(domingo|segunda|terca|quarta|quinta|sexta|sabado)\b/.exec(rest)?.[1];
  return name !== undefined && weekdayOf(name) !== weekday(day);
}

/** Numbers alone ("5", "05112026") are only proposals; a month or a week is no day. */
function bare(line: string, today: string, option: (day: string) => Option): Understood<"date"> {
  const digits = /^(\d{2})(\d{2})(\d{4}|\d{2})$/.exec(line);
  const spelt = digits
    ? `${digits[1]}/${digits[2]}/${digits[3]}`
    : /^\d{1,2}[ .]\d{1,2}$/.test(line)
      ? line.replace(/[ .]/, "/")
      : /^\d{1,2}$/.test(line)
        ? `dia ${line}`
        : "";
  const [read]: readonly FoundDay[] = spelt === "" ? [] : scanDays(spelt, today);
  if (read && read.days.length > 0) return ambiguous("date", "confirm", read.days.map(option));
  if (read?.bad) return invalid("date", read.bad);
  if (
    /\b(?:semana|mes|ano) que vem\b|\b(?:next|proxim[oa]) (?:week|month|year|semana|mes|ano)\b/.test(
      line,
    )
  )
    return invalid("date", "future");
  if (VAGUE.test(line)) return ambiguous("date", "which-day");
  return /\d/.test(line) ? invalid("date", "format") : absent("date");
}

/** `05/11/2026`, in English `5 November 2026`. */
export function dayEcho(day: string, context: Pick<TextContext, "locale">): string {
  const [year = "", month = "", date = ""] = day.split("-");
  return context.locale === "en"
    ? `${Number(date)} ${MONTH_LABELS.en[Number(month) - 1] ?? ""} ${year}`
    : `${date}/${month}/${year}`;
}

/** 2026-11-22 is a Sunday: names of days come from the language. */
const SUNDAY = Date.UTC(2026, 10, 22, 12);
const DAY_MS = 86_400_000;
const WEEK = 7;
const JOINED = { "pt-BR": ["de ", " a ", " e "], en: ["", " to ", " and "] } as const;
const EVERY = { "pt-BR": "todos os dias", en: "every day" } as const;

/** "de segunda a sexta", "segunda, quarta e sábado"; the week begins on Monday. */
export function weekdays(days: readonly number[], locale: "pt-BR" | "en"): string {
  const open = [...new Set(days)].sort((a, b) => ((a + 6) % WEEK) - ((b + 6) % WEEK));
  if (open.length >= WEEK) return EVERY[locale];
  const names = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" });
  const name = (day: number) => names.format(SUNDAY + day * DAY_MS).replace(/-feira$/, "");
  const [from, to, and] = JOINED[locale];
  const [first, last] = [open[0], open.at(-1)];
  if (first === undefined || last === undefined) return "";
  const inRow = open.every((day, at) => at === 0 || day === ((open[at - 1] ?? 0) + 1) % WEEK);
  if (inRow && open.length > 2) return `${from}${name(first)}${to}${name(last)}`;
  const rows = open.map(name);
  return rows.length < 2 ? rows.join("") : `${rows.slice(0, -1).join(", ")}${and}${rows.at(-1)}`;
}

const WHEN = {
  "pt-BR": {
    today: (time: string) => `hoje às ${time}`,
    tomorrow: (time: string) => `amanhã às ${time}`,
    on: (name: string, date: string, time: string) =>
      `${name.replace(/-feira$/, "")}, ${date}, às ${time}`,
    date: { day: "2-digit", month: "2-digit" },
  },
  en: {
    today: (time: string) => `today at ${time}`,
    tomorrow: (time: string) => `tomorrow at ${time}`,
    on: (name: string, date: string, time: string) => `on ${name}, ${date}, at ${time}`,
    date: { day: "numeric", month: "long" },
  },
} as const;

/** "hoje às 09:00", "segunda, 23/11, às 09:00". `at`, `now`: ms; `time`: that moment's, as it is told. */
export function momentEcho(
  { at, time, now, zone }: { at: number; time: string; now: number; zone: string },
  locale: keyof typeof WHEN,
): string {
  const words = WHEN[locale];
  const [today, day] = [localDay(now, zone), localDay(at, zone)];
  if (day === today) return words.today(time);
  if (day === addDays(today, 1)) return words.tomorrow(time);
  const tag = locale === "en" ? "en-GB" : locale;
  const told = (format: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(tag, { ...format, timeZone: zone }).format(at);
  return words.on(told({ weekday: "long" }), told(words.date), time);
}
