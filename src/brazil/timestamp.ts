/** Timestamps of ISO 8601 with an offset: any written form in, one form out. */
import { isDay } from "./calendar.ts";

const FORM = new RegExp(
  [
    String.raw`^(?<year>\d{4})(?<dash>-?)`,
    String.raw`(?:(?<month>\d{2})\k<dash>(?<date>\d{2})|(?<ordinal>\d{3})|W(?<week>\d{2})\k<dash>(?<weekday>[1-7]))`,
    String.raw`T(?<hour>\d{2})(?:(?<colon>:?)(?<minute>[0-5]\d)(?:\k<colon>(?<second>[0-5]\d|60))?)?`,
    String.raw`(?:[.,](?<fraction>\d{1,9}))?`,
    String.raw`(?:Z|(?<sign>[+\-\u2212])(?<ahead>[01]\d|2[0-3])(?::?(?<minutes>[0-5]\d))?)$`,
  ].join(""),
  "i",
);
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

type Parts = Readonly<Record<string, string | undefined>>;

/** `2026-11-21T09:00:00-03:00`, its own offset kept and a fraction cut; null for what is no such timestamp. */
export function timestampOf(text: string): string | null {
  const parts: Parts | undefined = FORM.exec(text)?.groups;
  const day = parts && dayOf(parts);
  const time = parts && timeOf(parts);
  if (day == null || time == null) return null;
  const { sign = "+", ahead = "00", minutes = "00" } = parts ?? {};
  const wall = new Date(day + time).toISOString().slice(0, 19);
  return `${wall}${sign === "+" ? "+" : "-"}${ahead}:${minutes}`;
}

/** First moment of the day, as if its clock were UTC. */
function dayOf({ year = "", month, date, ordinal, week, weekday }: Parts): number | null {
  const first = Date.parse(`${year}-01-01T00:00:00Z`);
  if (month !== undefined) {
    const day = `${year}-${month}-${date ?? ""}`;
    return isDay(day) ? Date.parse(`${day}T00:00:00Z`) : null;
  }
  if (ordinal !== undefined) {
    const day = first + (Number(ordinal) - 1) * DAY_MS;
    return yearOf(day) === year ? day : null;
  }
  // The first week of a year holds the fourth of January, and a week belongs to the year of its Thursday.
  const fourth = first + 3 * DAY_MS;
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS;
  const start = monday + (Number(week) - 1) * 7 * DAY_MS;
  return yearOf(start + 3 * DAY_MS) === year ? start + (Number(weekday) - 1) * DAY_MS : null;
}

function yearOf(at: number): string {
  return new Date(at).toISOString().slice(0, 4);
}

/** Milliseconds of the day; a fraction is one of the last part given, and 24:00 ends the day. */
function timeOf({ hour = "", minute, second, fraction }: Parts): number | null {
  const unit = minute === undefined ? HOUR_MS : second === undefined ? MINUTE_MS : 1_000;
  const whole =
    Number(hour) * HOUR_MS + Number(minute ?? 0) * MINUTE_MS + Number(second ?? 0) * 1_000;
  const time = whole + Math.floor(Number(`0.${fraction ?? 0}`) * unit);
  return Number(hour) > 23 && time !== DAY_MS ? null : time;
}
