/** Types of the port about effects: how they are stored, begun and ended. */
import type { Json } from "../../base/index.ts";
import type { ContactId } from "./port-views.ts";

export interface NewEffect {
  /** `contact:rev:index`; an id that exists already is left as it is. */
  readonly id: string;
  readonly class: string;
  /** Outages pause scopes, not effects: `plan:<account>`, `credits:<account>`, `internal`. */
  readonly scope: string;
  /** Messages of one contact leave in order; other classes do not wait. */
  readonly ordered: boolean;
  /** At most ten minutes ahead, as for mail; timers are for later times. */
  readonly notBefore?: number;
  readonly payload: Json;
  /** Begun by the commit itself: only for ordered messages and reads of the committing process. */
  readonly begin?: { readonly leaseMs: number };
}

/** An effect taken for sending. `token` must come back with the outcome. */
export interface Begun {
  readonly id: string;
  readonly account: string;
  readonly contact: ContactId;
  readonly class: string;
  readonly scope: string;
  readonly ordered: boolean;
  readonly payload: Json;
  readonly token: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly createdAt: number;
}

export type SendOutcome =
  /** Finished: the effect is deleted, its `journal` line stays. */
  | { readonly kind: "done" | "failed" }
  /** Try again; the attempt counts. Its place is the later of `at` and the one it had. */
  | { readonly kind: "retry"; readonly at: number }
  /** Certainly not sent: back to pending, the attempt does not count. */
  | { readonly kind: "not_sent"; readonly at: number }
  /**
   * Held until `resolve`, while later messages of the contact go on. `inPlace`: an ordered effect keeps its place, so that
   * none of the later messages leaves before it was resent or given up.
   */
  | { readonly kind: "held"; readonly reason: string; readonly inPlace?: boolean }
  | { readonly kind: "enqueued"; readonly job: string };

export interface SendEnd {
  readonly id: string;
  readonly contact: ContactId;
  readonly account: string;
  readonly token: string;
  readonly outcome: SendOutcome;
  /** Result mail for the waiting flow (event id = `r:<effect>:<attempt>` or given), accepted in the same step. */
  readonly result?: { readonly event: string; readonly mail: Json };
  readonly journal?: Json;
  /**
   * Virtual time from which the contact's next ordered effect waits for its turn (never earlier than it did). Effects that
   * waited longer go first. For scopes with a pace.
   */
  readonly yields?: number;
  /** Also fail every later message of the same turn (`turn` in payload), held together with it. */
  readonly holdTurn?: string;
}
