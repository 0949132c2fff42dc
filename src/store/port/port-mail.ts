/** Types of the port about mail: what is accepted, what a claim hands out. */
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
   * Claims in a row without progress: without a commit (the worker died), or with `againAt` and nothing applied (the turn
   * threw). A plain release does not count.
   */
  readonly barren: number;
  /** Contact this one was merged into: mail that came later must be forwarded there (`handover`). */
  readonly forward?: ContactId;
  /** What cannot be opened (bytes changed, key gone): the session, which is null then, or mail, which ends before it. */
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
   * Not before this time of the virtual clock (bursts, retries): the mail is stored and becomes ready by `tick`. Other mail
   * of the contact makes all of it ready, in acceptance order. At most ten minutes ahead; more means that a clock jumped,
   * and is due.
   */
  readonly notBefore?: number;
  /**
   * `contact` came from `identify` and may be out of date: if it was merged since, nothing is stored and the answer is
   * `moved`. Absent: mail of a merged contact is taken, and forwarded by whoever claims it.
   */
  readonly found?: boolean;
  /**
   * It was accepted before, by a contact that was merged into this one (`handover`), so it is never refused for want of
   * room. Its number is bounded by the other contact's mailbox.
   */
  readonly handed?: boolean;
}

/**
 * `moved`: nothing was stored. The contact was erased lately, or (only for one that was `found`) merged. Ask `identify`
 * again.
 */
export type Accepted = "new" | "duplicate" | "dead" | "moved";

/** `accept` and `claim` in one step: contacts that would be claimed next are leased with their mail. */
export interface Take {
  /** At most so many events of each contact. */
  readonly events: number;
  readonly leaseMs: number;
  /**
   * Called once for each contact leased, before `accept` answers, also when it fails for others of the call. After a crash
   * before it the lease runs out. Must not throw.
   */
  readonly claimed: (claimed: Claimed) => void;
}
