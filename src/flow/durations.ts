/** Durations of flows: `90s`, `15m`, `2h`, `3d`, and `2bh`, which counts only the time in which the business is open. */
import { durationMs, type Json, type JsonObject } from "../base/index.ts";
import { addDays, instantOf, localDay, weekday } from "../brazil/index.ts";

/** The business's hours as flows see them (`account.hours`). */
interface Hours {
  readonly days: readonly number[];
  readonly from: string;
  readonly to: string;
}

const BUSINESS = /^(\d{1,4}(?:\.\d{1,2})?)bh$/;
/** Business hours that are looked ahead, days. A shop that never opens must not keep anybody waiting for ever. */
const AHEAD_DAYS = 30;
const HOUR_MS = 3_600_000;

/** Whether a text is a duration at all. */
export function isDuration(text: string): boolean {
  return durationMs(text) !== null || BUSINESS.test(text);
}

/** Longest time that a duration can mean, ms; null when it is none. */
export function longestMs(text: string): number | null {
  return BUSINESS.test(text) ? AHEAD_DAYS * 24 * HOUR_MS : durationMs(text);
}

/** How long it is from `now` on, ms; null when the text is no duration. Without known hours the business is always open. */
export function spanMs(
  text: string,
  hours: Json | undefined,
  { now, zone }: { readonly now: number; readonly zone: string },
): number | null {
  const business = BUSINESS.exec(text);
  if (!business) return durationMs(text);
  let left = Number(business[1]) * HOUR_MS;
  const open = hoursOf(hours);
  if (!open) return left;
  const today = localDay(now, zone);
  for (let ahead = 0; ahead <= AHEAD_DAYS; ahead++) {
    const day = addDays(today, ahead);
    if (!open.days.includes(weekday(day))) continue;
    const from = Math.max(now, instantOf(day, `${open.from}:00`, zone));
    const there = instantOf(day, `${open.to}:00`, zone) - from;
    if (there <= 0) continue;
    if (there >= left) return from + left - now;
    left -= there;
  }
  return AHEAD_DAYS * 24 * HOUR_MS;
}

function hoursOf(value: Json | undefined): Hours | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { days, from, to } = value as JsonObject;
  return Array.isArray(days) && typeof from === "string" && typeof to === "string"
    ? { days: days.map(Number), from, to }
    : undefined;
}
