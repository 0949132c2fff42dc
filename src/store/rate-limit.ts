/**
 * Rules of a rate limit: a pause whose end the gateway named. It is never shortened, and it continues under a stronger
 * reason that comes and goes meanwhile. Only a person ends it early, with all reasons above it. `pause.lua` and
 * `resume.lua` have the same rules.
 */
export const RATE_LIMITED = "rate_limited";

export interface Standing {
  readonly reason: string;
  /** Real ms; without it the pause does not end by itself. */
  readonly until?: number;
  /** Until when a rate limit under this pause lasts, real ms. */
  readonly limitedUntil?: number;
}

/** The pause after one was asked for, as the port's `pause` says; `known` itself when it stays as it is. */
export function pausedBy(
  known: Standing | undefined,
  reason: string,
  { until, over }: { readonly until?: number; readonly over?: readonly string[] } = {},
): Standing {
  const asked = { reason, ...(until === undefined ? {} : { until }) };
  if (!known) return asked;
  const isLimit = reason === RATE_LIMITED;
  const wasLimit = known.reason === RATE_LIMITED;
  const limited = wasLimit ? known.until : known.limitedUntil;
  if (over?.includes(known.reason) === false) {
    if (!isLimit || wasLimit || until === undefined) return known;
    return { ...known, limitedUntil: Math.max(until, limited ?? until) };
  }
  if (!isLimit) return { ...asked, ...(limited === undefined ? {} : { limitedUntil: limited }) };
  if (!over || until === undefined) return asked;
  // A rate limit without an end was set by a person.
  if (wasLimit && known.until === undefined) return known;
  return { reason, until: Math.max(until, limited ?? until) };
}

/** What is left when a machine ends this pause: the rate limit under it, while that lasts. `now`: real ms. */
export function leftBy({ limitedUntil }: Standing, now: number): Standing | undefined {
  if (limitedUntil === undefined || limitedUntil <= now) return undefined;
  return { reason: RATE_LIMITED, until: limitedUntil };
}
