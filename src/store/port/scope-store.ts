/** Scopes that are paused: what one outage or one rate limit holds back. */

export interface ScopeStore {
  /** Paused scopes with their reasons. `limitedUntil`: a rate limit under that reason lasts until then. */
  pauses(): Promise<
    ReadonlyMap<
      string,
      {
        readonly reason: string;
        readonly since: number;
        readonly until?: number;
        readonly limitedUntil?: number;
      }
    >
  >;
  /**
   * True when the scope was not paused before: the moment to raise an alarm. Otherwise reason and `until` change; with
   * `over` only when the reason in force is one of these, decided in the same step, and a rate limit only to a later end. A
   * rate limit continues under a reason that replaces it, or that is there when it comes.
   */
  pause(
    scope: string,
    reason: string,
    how?: { readonly until?: number; readonly over?: readonly string[] },
  ): Promise<boolean>;
  /**
   * True when this ended a pause, and all under it. With `only` it ends no other pause than this, decided in the same step;
   * a rate limit under it then takes its place (false). The store ends no pause by itself: `until` is for the caller.
   */
  resume(
    scope: string,
    only?: { readonly reason: string; readonly until?: number },
  ): Promise<boolean>;
}
