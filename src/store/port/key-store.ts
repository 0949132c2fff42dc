/** Business keys: what may be done once only, until it is freed. */

export interface KeyStore {
  /**
   * Exclusive claim on a business key. With `ttlMs` (real time) it ends by itself, settled or not; without, it stands until
   * `free` or `settle`. A repeated claim by its owner succeeds; what is not settled then stands at least that long
   * from now on.
   */
  claim(account: string, key: string, owner: string, ttlMs?: number): Promise<KeyClaim>;
  /** The owner's claim stands until `free` or `settle`. A settled key, or another owner's, does not change. */
  hold(account: string, key: string, owner: string): Promise<KeyHold>;
  /**
   * Settled: what the key was claimed for was done. With `ttlMs` (real time, from the first settling) it ends by itself
   * then.
   */
  settle(account: string, key: string, owner: string, ttlMs?: number): Promise<boolean>;
  /**
   * Frees a claimed key. A settled key cannot be freed. With `afterMs` (real time) it stands for that long still, never
   * longer than it would have.
   */
  free(account: string, key: string, owner: string, afterMs?: number): Promise<boolean>;
  /**
   * What was done is undone: the key is free at once, also when it was settled. False, without a change, when it is not the
   * owner's (any more), so a late or repeated call frees no other owner's key.
   */
  release(account: string, key: string, owner: string): Promise<boolean>;
}

export type KeyClaim =
  | { readonly ok: true }
  | { readonly ok: false; readonly owner: string; readonly state: "claimed" | "settled" };

/** What a key is to a caller who would hold it. `gone`: it is not theirs, or no longer. */
export type KeyHold = "held" | "settled" | "gone";
