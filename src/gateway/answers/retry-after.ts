/** `Retry-After` (RFC 9110 §10.2.3): seconds, or an HTTP date. */

/** A longer wait than this is a mistake of the other side: 24 h. */
export const RETRY_AFTER_LIMIT_MS = 24 * 60 * 60 * 1_000;

/** Milliseconds from `now` on, at least 0; undefined for an absent or unreadable value. */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  const ms = /^\d{1,9}(?:\.\d{1,3})?$/.test(text) ? Number(text) * 1_000 : dateMs(text) - now;
  if (!Number.isFinite(ms)) return undefined;
  return Math.min(Math.max(Math.round(ms), 0), RETRY_AFTER_LIMIT_MS);
}

/** Only texts with letters: a date parser would also take `-5` for a year. */
function dateMs(text: string): number {
  return /[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN;
}
