/** A day and a time of it → `YYYY-MM-DDTHH:MM` by the clock of the account's zone. */
import { instantOf, localTime } from "../../brazil/index.ts";
import { dayEcho } from "../dates/date.ts";
import {
  absent,
  ambiguous,
  clear,
  invalid,
  MAX_ANSWER,
  type Option,
  type TextContext,
  type Understood,
  type Within,
  proposed,
} from "../understood.ts";
import { partsIn } from "./clock-expressions.ts";
import { isDoubtful, saidDay, withoutBeside } from "./day.ts";
import { lineOf } from "./line.ts";
import { saidTime, timeText } from "./time.ts";
import { isWithin, outside } from "./window.ts";

const MINUTE_MS = 60_000;

export function datetime(text: string, context: TextContext): Understood<"datetime"> {
  if (text.length > MAX_ANSWER) return absent("datetime", "too-long");
  const { within = {} } = context;
  const line = lineOf(text);
  const [from] = within.from?.split("T") ?? [];
  const days = saidDay(line, context, { ...within, from });
  const hours = hoursOf(within);
  const parts = partsIn(line);
  const part = parts.length === 1 ? parts[0] : undefined;
  const times = saidTime(days?.rest ?? line, hours, part);
  const option = (value: string): Option => ({ value, echo: momentText(value, context) });
  if (times?.ahead !== undefined) return soon(times.ahead, days?.rest ?? line, context, option);
  const bad = days?.bad ?? times?.bad;
  if (bad === "which-year") return ambiguous("datetime", bad);
  if (bad) return invalid("datetime", bad);
  const [day, anotherDay] = days?.days ?? [];
  const [minutes, otherMinutes] = times?.minutes ?? [];
  const isSure = !isDoubtful(times?.rest ?? days?.rest ?? "");
  if (!days) {
    const piece = minutes !== undefined && otherMinutes === undefined && isSure;
    return times
      ? { ...ambiguous("datetime", "which-day"), ...(piece ? { piece: timeText(minutes) } : {}) }
      : absent("datetime");
  }
  if (!times) {
    const piece = anotherDay === undefined && isSure ? day : undefined;
    return { ...ambiguous("datetime", "which-time"), ...(piece ? { piece } : {}) };
  }
  const every = days.days.flatMap((one) => times.minutes.map((at) => `${one}T${timeText(at)}`));
  // A question that takes moments from now on, and not whole days.
  const all = every.filter((one) => within.from === undefined || one >= within.from);
  const [only] = all;
  if (only === undefined) return invalid("datetime", "too-early");
  const isUnsure = days.isUnsure === true || times.isUnsure === true;
  if (all.length > 1 || isUnsure || isDoubtful(times.rest) || /\d/.test(withoutBeside(times.rest)))
    return proposed("datetime", all.map(option));
  return isOnClock(only, context.zone)
    ? clear("datetime", only, momentText(only, context))
    : invalid("datetime", "clock");
}

/** A moment so many minutes from now. */
function soon(
  ahead: number,
  rest: string,
  context: TextContext,
  option: (value: string) => Option,
): Understood<"datetime"> {
  const { within = {}, now, zone } = context;
  const { day, time } = localTime(now + ahead * MINUTE_MS, zone);
  const value = `${day}T${time.slice(0, 5)}`;
  if (!isWithin(day, within)) return invalid("datetime", outside([day], within));
  const hours = hoursOf(within);
  if (!isWithin(time.slice(0, 5), hours))
    return invalid("datetime", outside([time.slice(0, 5)], hours));
  return isDoubtful(rest)
    ? ambiguous("datetime", "confirm", [option(value)])
    : clear("datetime", value, momentText(value, context));
}

function hoursOf({ hours = "" }: Within): Within {
  const [from, to] = hours.split("-");
  return to === undefined ? {} : { from, to };
}

/** Whether the clock of the zone shows this moment: when it is put forward it leaves some out. */
function isOnClock(value: string, zone: string): boolean {
  const [day = "", time = ""] = value.split("T");
  const shown = localTime(instantOf(day, `${time}:00`, zone), zone);
  return shown.day === day && shown.time.startsWith(time);
}

const WORDS = { "pt-BR": ["", "às "], en: ["on ", "at "] } as const;

/** "segunda-feira, 30/11/2026, às 15:30". */
export function momentText(
  value: string,
  { locale = "pt-BR" }: Pick<TextContext, "locale">,
): string {
  const [day = "", time = ""] = value.split("T");
  const name = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" }).format(
    Date.parse(`${day}T12:00:00Z`),
  );
  const [on, at] = WORDS[locale];
  return `${on}${name}, ${dayEcho(day, { locale })}, ${at}${time}`;
}
