/** Types of the port about business keys and data keys. */

export type KeyClaim =
  | { readonly ok: true }
  | { readonly ok: false; readonly owner: string; readonly state: "claimed" | "settled" };

/** What a key is to a caller who would hold it. `gone`: it is not theirs, or no longer. */
export type KeyHold = "held" | "settled" | "gone";

/** Data keys (one per contact and per collection, and the index key) by the entry of `PROSA_KEYS` that wraps them. */
export interface KeyCensus {
  /** The entry that wraps now: the first of `PROSA_KEYS`, once every running process has it as its first. */
  readonly active: string;
  readonly entries: readonly {
    readonly entry: string;
    /** Data keys it wraps. */
    readonly keys: number;
    /** Whether `PROSA_KEYS` of this process has it. */
    readonly given: boolean;
    /** Whether a running process may still wrap with it. */
    readonly inUse: boolean;
  }[];
  /**
   * Data keys whose wrapping was changed and opens under none of the given entries. What they sealed is lost, unless
   * another process has an entry of that name with other bytes. They are in none of the numbers above.
   */
  readonly damaged: number;
  /** Data keys that were wrapped anew by this count. */
  readonly rewrapped: number;
}
