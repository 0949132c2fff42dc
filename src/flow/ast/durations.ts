/**
 * Durations in flows: `90s`, `15m`, `2h`, `3d`. `2bh` counts only opening hours. `1bd` counts opening days: it ends at the
 * same time of the next one.
 */
import { durationMs, type Json, type JsonObject } from "../../base/index.ts";
import { addDays, instantOf, localDay, weekday } from "../../brazil/index.ts";

/** The business's hours as flows see them (`account.hours`). */
interface Hours {
  readonly days: readonly number[];
  readonly from: string;
  readonly to: string;
}

const BUSINESS = /^(\d{1,4}(?:\.\d{1,2})?)b([hd])$/;
/** Business time that is looked ahead, days. A shop that never opens must not keep anybody waiting for ever. */
const AHEAD_DAYS = 30;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LONGEST_MS = AHEAD_DAYS * DAY_MS;

/** Whether a text is a duration at all. */
export function isDuration(text: string): boolean {
  return durationMs(text) !== null || BUSINESS.test(text);
}

/** Longest time that a duration can mean, ms; null for other text. */
export function longestMs(text: string): number | null {
  return BUSINESS.test(text) ? LONGEST_MS : durationMs(text);
}

/** How long it is from `now` on, ms; null when the text is no duration. Without known hours the business is always open. */
export function spanMs(
  text: string,
  hours: Json | undefined,
  { now, zone }: { readonly now: number; readonly zone: string },
): number | null {
  const business = BUSINESS.exec(text);
  if (!business) return durationMs(text);
  const open = hoursOf(hours);
  if (business[2] === "d") return daysMs(Number(business[1]) * DAY_MS, open, { now, zone });
  let left = Number(business[1]) * HOUR_MS;
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
  return LONGEST_MS;
}

/** From when it is open, over days on which it is not; an end out of hours waits until somebody is there. */
function daysMs(
  span: number,
  open: Hours | undefined,
  { now, zone }: { readonly now: number; readonly zone: string },
): number {
  if (!open) return span;
  const begin = openFrom(open, now, zone);
  let end = begin + span;
  let day = localDay(begin, zone);
  while (day < localDay(end, zone) && end - now < LONGEST_MS) {
    day = addDays(day, 1);
    if (!open.days.includes(weekday(day))) end += DAY_MS;
  }
  return Math.min(openFrom(open, end, zone) - now, LONGEST_MS);
}

/** The first moment from then on at which it is open; of one that never opens, a moment too far ahead. */
function openFrom(open: Hours, at: number, zone: string): number {
  const today = localDay(at, zone);
  for (let ahead = 0; ahead <= AHEAD_DAYS; ahead++) {
    const day = addDays(today, ahead);
    if (!open.days.includes(weekday(day))) continue;
    const from = Math.max(at, instantOf(day, `${open.from}:00`, zone));
    if (from < instantOf(day, `${open.to}:00`, zone)) return from;
  }
  return at + LONGEST_MS;
}

function hoursOf(value: Json | undefined): Hours | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { days, from, to } = value as JsonObject;
  return Array.isArray(days) && typeof from === "string" && typeof to === "string"
    ? { days: days.map(Number), from, to }
    : undefined;
}
