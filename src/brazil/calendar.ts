/**
 * Instants and local days. An instant is epoch ms; a day is `YYYY-MM-DD` in a zone. Offsets come from the runtime's zone
 * table by `Intl`, never from a fixed −03:00: Acre is −05, Amazonas −04, Noronha −02.
 */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(zone: string): Intl.DateTimeFormat {
  let found = formatters.get(zone);
  if (!found) {
    found = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formatters.set(zone, found);
  }
  return found;
}

/** Whether the runtime knows the IANA zone. */
export function isZone(zone: string): boolean {
  try {
    formatter(zone);
    return true;
  } catch {
    return false;
  }
}

export interface LocalTime {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** `HH:mm:ss`. */
  readonly time: string;
  /** Minutes east of UTC: −180 for `-03:00`. */
  readonly offsetMinutes: number;
}

/** From 1973 on, all zones are whole minutes from UTC, and change at a full minute. */
const REGULAR_SINCE = Date.UTC(1973, 0, 1);
const MINUTE_MS = 60_000;
/** Most zones of one process: accounts have few. */
const ZONES_KEPT = 200;
/** Offset of each zone in the minute it was last asked for: asking the zone table takes longer than reading an answer. */
const offsets = new Map<string, { readonly minute: number; readonly offsetMinutes: number }>();

/** The wall clock of a zone at an instant (ms). Throws a RangeError on an unknown zone or an impossible instant. */
export function localTime(now: number, zone: string): LocalTime {
  const minute = Math.floor(now / MINUTE_MS);
  const known = offsets.get(zone);
  if (known?.minute === minute) return atOffset(now, known.offsetMinutes);
  const found = tabledTime(now, zone);
  if (now >= REGULAR_SINCE) {
    if (offsets.size >= ZONES_KEPT) offsets.clear();
    offsets.set(zone, { minute, offsetMinutes: found.offsetMinutes });
  }
  return found;
}

function atOffset(now: number, offsetMinutes: number): LocalTime {
  const wall = new Date(now + offsetMinutes * MINUTE_MS).toISOString();
  const at = wall.indexOf("T");
  return { day: wall.slice(0, at), time: wall.slice(at + 1, at + 9), offsetMinutes };
}

function tabledTime(now: number, zone: string): LocalTime {
  const part: Record<string, string> = {};
  for (const { type, value } of formatter(zone).formatToParts(now)) part[type] = value;
  const { year = "", month = "", day = "", hour = "", minute = "", second = "" } = part;
  const wall = Date.UTC(+year, +month - 1, +day, +hour, +minute, +second);
  return {
    day: `${year.padStart(4, "0")}-${month}-${day}`,
    time: `${hour}:${minute}:${second}`,
    offsetMinutes: Math.round((wall - Math.floor(now / 1000) * 1000) / 60_000),
  };
}

/** Today in the zone, `YYYY-MM-DD`. */
export function localDay(now: number, zone: string): string {
  return localTime(now, zone).day;
}

/** `2026-11-21T10:30:00-03:00`: ISO 8601 with offset and without milliseconds, as Brazilian public services demand. */
export function isoWithOffset(now: number, zone: string): string {
  const local = localTime(now, zone);
  return `${local.day}T${local.time}${offsetText(local.offsetMinutes)}`;
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** Longer than any zone is from UTC, shorter than zones wait between two changes. */
const BESIDE_MS = 86_400_000;

/**
 * The instant (ms) of a wall clock in a zone. In a repeated hour the earlier one; in an hour that is left out as long after
 * the change as it would have been, so that a day whose midnight is left out begins with its first moment.
 */
export function instantOf(day: string, time: string, zone: string): number {
  const wall = Date.parse(`${day}T${time}Z`);
  const offset = (at: number): number => tabledTime(at, zone).offsetMinutes * MINUTE_MS;
  const [before, after] = [wall - offset(wall - BESIDE_MS), wall - offset(wall + BESIDE_MS)];
  if (before === after) return before;
  const isIt = (at: number): boolean => at + offset(at) === wall;
  return [before, after].sort((a, b) => a - b).find(isIt) ?? before;
}

/** Whether `YYYY-MM-DD` is a day of the calendar. */
export function isDay(day: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!match) return false;
  const [year, month, date] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return month >= 1 && month <= 12 && date >= 1 && date <= daysInMonth(year, month);
}

/** `month` counts from 1. */
export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** The day `count` days later (earlier when negative). */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10);
}

/** Day of the week, 0 = Sunday. */
export function weekday(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/** `YYYY-MM` moved by whole months. */
export function addMonths(month: string, count: number): string {
  const at = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + count;
  return `${String(Math.floor(at / 12)).padStart(4, "0")}-${String((at % 12) + 1).padStart(2, "0")}`;
}

/** Last day of a `YYYY-MM`, as `YYYY-MM-DD`. */
export function lastDayOf(month: string): string {
  const days = daysInMonth(Number(month.slice(0, 4)), Number(month.slice(5, 7)));
  return `${month}-${String(days).padStart(2, "0")}`;
}

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
