/**
 * Pauses that the store itself knows: holds and rate limits.
 *
 * Hold mode: after a fail-over or a restored backup it is not known which calls were made, so calls that must not be made
 * twice wait for a person. A hold is a pause of a whole class in the whole store: `hold:fiscal`, `hold:costly`.
 */
import type { Pause } from "./port/port.ts";

/** Classes that leave only while the store is known to have forgotten nothing. `begin.lua` has the same two. */
export const GUARDED = ["fiscal", "costly"] as const;

export function isGuarded(effectClass: string): boolean {
  return (GUARDED as readonly string[]).includes(effectClass);
}

const PREFIX = "hold:";

/** Why the store itself holds. A person's reason is any other text. */
export type HoldReason =
  /** Another server answers than the one that was written to: its last writes may be lost. */
  | "failover"
  /** The same data, but older: a backup was restored, or the last writes were lost. */
  | "restored";

export function holdOf(effectClass: string): string {
  return PREFIX + effectClass;
}

/** The class a scope holds, or null for any other scope. */
export function heldClass(scope: string): string | null {
  return scope.startsWith(PREFIX) ? scope.slice(PREFIX.length) : null;
}

export function isHoldReason(reason: string): reason is HoldReason {
  return reason === "failover" || reason === "restored";
}

/**
 * A rate limit: a pause whose end the gateway named. It is never shortened, and it continues under a stronger reason that
 * comes and goes meanwhile. Only a person ends it early, with all reasons above it. `pause.lua` and `resume.lua` have the
 * same rules.
 */
export const RATE_LIMITED = "rate_limited";

type Standing = Omit<Pause, "since">;

/** The pause after one was asked for, as the port's `pause` says; `known` itself when it stays as it is. */
export function pausedBy(
  known: Standing | undefined,
  reason: string,
  { until, over }: { readonly until?: number; readonly over?: readonly string[] } = {},
): Standing {
  const asked = { reason, until };
  if (!known) return asked;
  const isLimit = reason === RATE_LIMITED;
  const wasLimit = known.reason === RATE_LIMITED;
  const limited = wasLimit ? known.until : known.limitedUntil;
  if (over?.includes(known.reason) === false) {
    if (!isLimit || wasLimit || until === undefined) return known;
    return { ...known, limitedUntil: Math.max(until, limited ?? until) };
  }
  if (!isLimit) return { ...asked, limitedUntil: limited };
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
