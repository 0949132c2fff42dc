/** Types of the port about a turn that is committed or dead-lettered. */
import type { Json } from "../../base/index.ts";
import type { Begun, NewEffect } from "./port-effects.ts";
import type { ContactId } from "./port-views.ts";

export interface Commit {
  readonly account: string;
  readonly contact: ContactId;
  readonly epoch: number;
  readonly rev: number;
  /** How many items of the claimed head are consumed (0 = only release). */
  readonly applied: number;
  /** New session (its rev is `rev + 1`), or null to leave it unchanged. Plain data; frozen from now on. */
  readonly session: Json | null;
  readonly effects: readonly NewEffect[];
  /** Next due time over all timers of the session; null clears it, `same` leaves it as it is. */
  readonly due: number | null | "same";
  readonly journal: readonly Json[];
  /**
   * Mail is left but waits until this time of the virtual clock (back-off after a failure). New mail of the contact ends
   * the wait.
   */
  readonly againAt?: number;
  /** The wait is not the mail's fault (an account that cannot be read, another build must do it): it is no failed try. */
  readonly blameless?: boolean;
}

/** Dead-letters the head of a mailbox, which cannot be applied. Fenced like a commit. */
export interface Park {
  readonly account: string;
  readonly contact: ContactId;
  readonly epoch: number;
  readonly rev: number;
  readonly reason: string;
  /** Mail that takes the place of the head. */
  readonly notice?: { readonly event: string; readonly mail: Json };
  /**
   * What goes to dead letters in place of the head, because a tick has no content of its own. When released it is mail like
   * any other.
   */
  readonly letter?: { readonly event: string; readonly mail: Json };
  /** New session (its rev is `rev + 1`), of any size; absent, the one there is stays. */
  readonly newSession?: Json;
  /** As in a commit; absent: `same`. */
  readonly due?: Commit["due"];
}

/** `full`: dead letters of this contact or partition have no room; nothing was written, the claim stands. */
export type Parked = Committed | { readonly ok: false; readonly reason: "full" };

export type Committed =
  | {
      readonly ok: true;
      readonly rev: number;
      readonly left: number;
      readonly begun: readonly Begun[];
    }
  /**
   * `too_large`: the session is over the store's limit; nothing was written, the claim stands. `unknown`: this contact's
   * partition did not answer, while others of the same call did; what was not written is claimed again.
   */
  | { readonly ok: false; readonly reason: "fenced" | "too_large" | "unknown" };
