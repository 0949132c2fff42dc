/** Mail of contacts: taken in, claimed, committed with a turn, or moved to dead letters. */
import type { Json } from "../../base/index.ts";
import type { Begun, NewEffect } from "./effect-store.ts";
import type { ContactId, Page } from "./store-views.ts";

export interface MailStore {
  /**
   * Dedupe, mailbox and readiness in one step. Answers for each item, in order; throws STORE_UNAVAILABLE or STORE_FULL when
   * nothing is known. Mail of one contact is stored in the order of `items`, and never without the mail before it, also
   * when this throws. `take`: a contact is leased in the same step when it is not leased, need not come alone, and no other
   * contact of its partition waits. All others become ready for `claim`.
   */
  accept(items: readonly Acceptance[], take?: Take): Promise<readonly Accepted[]>;
  /**
   * Leases due contacts. A contact with `failedClaims` ≥ 2 comes alone. `hinted`: only partitions that this process was told of
   * (`onWake`) need be looked at; all are looked at once a second in any case.
   */
  claim(options: {
    owner: string;
    contacts: number;
    events: number;
    leaseMs: number;
    hinted?: boolean;
  }): Promise<readonly Claimed[]>;
  commit(commits: readonly Commit[]): Promise<readonly Committed[]>;
  /** Due timers become `tick` mail (`{kind:"tick",due}`, event `tick:<due>`); due not-before contacts become ready. Returns how many. */
  tick(options: { offsetMs: number; limit: number }): Promise<number>;
}

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
  readonly failedClaims: number;
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
  /**
   * In the `effects` of the last line an effect of this commit may be named by its id: it is kept once, and the journal
   * shows its payload in that place for as long as the line lasts.
   */
  readonly journal: readonly Json[];
  /**
   * Mail is left but waits until this time of the virtual clock (back-off after a failure). New mail of the contact ends
   * the wait.
   */
  readonly againAt?: number;
  /** The wait is not the mail's fault (an account that cannot be read, another build must do it): it is no failed try. */
  readonly blameless?: boolean;
}

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

/** Events that could not be applied, kept until an operator releases or drops them. */
export interface DeadLetterStore {
  /**
   * Moves the head event, or `letter` for it, to dead letters and puts `notice` mail in its place. When dead letters have
   * no room nothing changes.
   */
  add(input: NewDeadLetter): Promise<DeadLettered>;
  /** Oldest first; with `id` that one alone. */
  list(options: {
    account?: string;
    id?: string;
    after?: string;
    limit: number;
  }): Promise<Page<DeadLetter>>;
  /** Puts a dead letter back (new order, same event) or drops it. Either way its event is remembered like any other. */
  resolve(id: string, action: "release" | "drop"): Promise<boolean>;
}

/** Dead-letters the head of a mailbox, which cannot be applied. Fenced like a commit. */
export interface NewDeadLetter {
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
export type DeadLettered = Committed | { readonly ok: false; readonly reason: "full" };

export interface DeadLetter {
  readonly id: string;
  readonly account: string;
  readonly contact: ContactId;
  readonly event: string;
  readonly reason: string;
  readonly at: number;
  readonly mail: Json;
}
