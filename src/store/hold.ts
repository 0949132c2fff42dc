/**
 * Hold mode: after a fail-over or a restored backup it is not known which calls were made, so calls that must not be made
 * twice wait for a person. A hold is a pause of a whole class in the whole store: `hold:fiscal`, `hold:costly`.
 */

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
