/** A day of the past (or today) as people say it → `YYYY-MM-DD` in the account's zone. */
import { localDay, weekday } from "../../brazil/index.ts";
import { type FoundDay, scanDays, withoutDays } from "./date-scan.ts";
import { MONTH_LABELS, MONTH_PATTERN, weekdayOf } from "./date-words.ts";
import { HEDGE } from "../choices/doubt.ts";
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
