/**
 * A rate limit is the pause that its own time ends, and no other machine: the gateway said how long. So it is never made
 * shorter, and lasts beneath a stronger reason that comes and goes meanwhile. A person ends it with all that stands over it.
 * `pause.lua` and `resume.lua` have the same rules.
 */
export const RATE_LIMITED = "rate_limited";

export interface Standing {
  readonly reason: string;
  /** Real ms; without it the pause does not end by itself. */
  readonly until?: number;
  /** Until when a rate limit beneath it lasts, real ms. */
  readonly limitedUntil?: number;
}

/** What stands after a pause was asked for, as the port's `pause` has it; `known` itself when that leaves it alone. */
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
  // One without an end was a person's.
  if (wasLimit && known.until === undefined) return known;
  return { reason, until: Math.max(until, limited ?? until) };
}

/** What stands once this pause is over by a machine: the limit beneath it, while that lasts. `now`: real ms. */
export function leftBy({ limitedUntil }: Standing, now: number): Standing | undefined {
  if (limitedUntil === undefined || limitedUntil <= now) return undefined;
  return { reason: RATE_LIMITED, until: limitedUntil };
}
