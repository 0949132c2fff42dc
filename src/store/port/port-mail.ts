/** The port's words for mail: what is accepted, what a claim hands out. Types only. */
import type { Json } from "../../base/index.ts";
import type { ContactId } from "./port-views.ts";

export interface Claimed {
  readonly account: string;
  readonly contact: ContactId;
  /** Fencing: a commit must bring back this epoch and `rev`. */
  readonly epoch: number;
  readonly rev: number;
  /** Null for a contact without a session. May come from the adapter's cache: frozen, and shared with later claims. */
  readonly session: Json | null;
  /** Head of the mailbox, in acceptance order. */
  readonly mail: readonly MailItem[];
  /**
   * How many claims in a row brought nothing forward: no commit (worker deaths), or one with `againAt` and nothing
   * applied (throws). A plain release does not count.
   */
  readonly barren: number;
  /** Contact this one was merged into: mail that came later must be forwarded there (`handover`). */
  readonly forward?: ContactId;
  /** What is stored cannot be opened (bytes changed, key gone): the session, which is null then, or mail, which ends before it. */
  readonly broken?: "session" | "mail";
}

export interface MailItem {
  readonly seq: number;
  readonly event: string;
  readonly mail: Json;
  readonly acceptedAt: number;
}

export interface Acceptance {
  readonly account: string;
  readonly contact: ContactId;
  /** Dedupe id, remembered 8 days. */
  readonly event: string;
  readonly mail: Json;
  /**
   * Not before this time of the virtual clock (burst waits, retries): the mail is stored, readiness waits for `tick`.
   * Other mail of the contact makes all of it ready, in acceptance order. At most ten minutes ahead: more is a clock that
   * jumped, and is due.
   */
  readonly notBefore?: number;
  /**
   * `contact` came from `identify` and may be out of date: when it was merged since, too, nothing is stored and the
   * answer is `moved`. Absent: mail of a contact that was merged is taken, and forwarded by whoever claims it.
   */
  readonly found?: boolean;
  /**
   * It was taken in before, by a contact that proved to be this one (`handover`): never refused for want of room. That stays
   * bounded, since the other's mailbox and its memory of events were.
   */
  readonly handed?: boolean;
}

/**
 * `moved`: nothing was stored. The contact was erased a while ago, and is nobody any more; or it was merged, only for what was
 * `found`. Ask `identify` again.
 */
export type Accepted = "new" | "duplicate" | "dead" | "moved";

/** The fused form of `accept` and `claim`: contacts whose turn it is anyway are leased in the same step. */
export interface Take {
  /** At most so many events of each contact. */
  readonly events: number;
  readonly leaseMs: number;
  /**
   * Called once for each contact leased, before `accept` answers, and also when it fails for others of the call. A crash
   * before it is a lease that runs out. Must not throw.
   */
  readonly claimed: (claimed: Claimed) => void;
}
