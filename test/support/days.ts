/** Moments by the wall clock of São Paulo (UTC-3 all year), for tests that must not hang on the hour they run at. */

const WEST_MS = 3 * 3_600_000;

/** Noon of the next day, ms: every hour of that morning is over, and an hour later it is still that day. */
export function tomorrowNoon(now: number): number {
  const local = new Date(now - WEST_MS);
  return (
    Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + 1, 12) + WEST_MS
  );
}
