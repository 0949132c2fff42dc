/** The business's clock: when it is open, and what day and time it is there. */
import type { JsonObject } from "../../base/index.ts";
import { addDays, instantOf, localDay, localTime, weekday } from "../../brazil/index.ts";
import type { Account } from "./account.ts";

/** Most days ahead that are searched for the next opening time. */
const AHEAD_DAYS = 14;

/** When it opens next, ms; undefined while it is open, or where the account names no hours. */
export function opensAt({ hours, zone }: Account, now: number): number | undefined {
  if (!hours) return undefined;
  const today = localDay(now, zone);
  for (let ahead = 0; ahead <= AHEAD_DAYS; ahead++) {
    const day = addDays(today, ahead);
    if (!hours.days.includes(weekday(day))) continue;
    const from = instantOf(day, `${hours.from}:00`, zone);
    if (now < from) return from;
    if (now < instantOf(day, `${hours.to}:00`, zone)) return undefined;
  }
  return undefined;
}

/** `account.open`, `account.today`, `account.time` and `account.weekday` (Sunday is 0) as flows read them. */
export function clockView(account: Account, now: number): JsonObject {
  const { day, time } = localTime(now, account.zone);
  const open = opensAt(account, now) === undefined && isEverOpen(account);
  return { open, today: day, time: time.slice(0, 5), weekday: weekday(day) };
}

function isEverOpen({ hours }: Account): boolean {
  return hours === undefined || hours.days.length > 0;
}
