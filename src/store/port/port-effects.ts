/** The port's words for effects: how they are born, taken, and how they end. Types only. */
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
  /** At most ten minutes ahead, as of mail; for what comes later there are timers. */
  readonly notBefore?: number;
  readonly payload: Json;
  /** Born in flight (fused commit + beginSend): only for ordered messages and reads of the committing process. */
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
  /** Finished: the effect is deleted; the `journal` line given with it stays. */
  | { readonly kind: "done" | "failed" }
  /** Try again; the attempt counts. The place is the later of `at` and the one it had. */
  | { readonly kind: "retry"; readonly at: number }
  /** Provably not sent: back to pending, the attempt does not count. */
  | { readonly kind: "not_sent"; readonly at: number }
  /**
   * Rests until `resolve`, and the contact's later messages go on without it. `inPlace`: an ordered effect keeps its place
   * among them, so none of them leaves before it was resent or given up.
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
   * Virtual time at which the contact's next ordered effect takes its place anew (never an earlier one than it has): who
   * waits since before goes first. For scopes that leave at a pace.
   */
  readonly yields?: number;
  /** Also fail every later message of the same turn (`turn` in payload), held together with it. */
  readonly holdTurn?: string;
}
