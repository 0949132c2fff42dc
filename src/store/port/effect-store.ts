/** Effects: begun, ended, decided. */
import type { Json } from "../../base/index.ts";
import type { ContactId } from "./store-views.ts";

export interface EffectStore {
  /**
   * Begins due effects: pending, past their not-before time, first in the contact's order, scope not in `paused`. Of each
   * class and scope the oldest first; no scope waits for the end of another's backlog. `hinted` as in `claim`.
   */
  begin(options: {
    limit: number;
    leaseMs: number;
    paused: readonly string[];
    classes?: readonly string[];
    offsetMs: number;
    hinted?: boolean;
    /** The name of the caller: hints that one caller used up are still there for others. */
    asker?: string;
    /** Only these scopes, and at most this many effects of each, so that no backlog uses up another's share. */
    shares?: ReadonlyMap<string, number>;
  }): Promise<readonly Begun[]>;
  /** Replaces the payload of a begun effect (frozen request bytes) before it leaves. False when the token is stale. */
  amend(input: {
    id: string;
    account: string;
    contact: ContactId;
    token: string;
    payload: Json;
  }): Promise<boolean>;
  /**
   * Renews leases of effects whose calls still run: at least `leaseMs` from now on. Answers for each item, in order: false
   * when the token is stale, undefined where the partition did not answer. Throws when none did.
   */
  renew(
    items: readonly Pick<Begun, "id" | "account" | "contact" | "token">[],
    leaseMs: number,
  ): Promise<readonly (boolean | undefined)[]>;
  /**
   * Whether all that this process did with effects, keys and documents is as durable as the profile promises (D2: the
   * required replicas have it). Asked right before a call that must not be made twice, because a fail-over may forget what
   * was not confirmed. For a guarded class (`pauses.ts`) it is also false while that class is held, or while any part of the
   * store is away or on another server than was known.
   */
  confirm(effectClass?: string): Promise<boolean>;
  /**
   * `stale`: the token does not match; another worker has the effect, or it is settled. `unknown`: its partition did not
   * answer. Throws when none did.
   */
  end(ends: readonly SendEnd[]): Promise<readonly ("ok" | "stale" | "unknown")[]>;
  /** Effects in flight past their lease, re-leased to the caller with a new token; the caller ends them by class. */
  reap(options: { limit: number; leaseMs: number }): Promise<readonly Begun[]>;
  /**
   * A decision about a held or enqueued effect. `finish` removes it. `resend` makes it pending with its attempts counted
   * anew, at the place where it was asked for among the contact's effects. `hold`, with a `reason`, turns an enqueued one
   * into a held one, or makes one that is held in its place give that place up, so that later messages go on. Result mail and
   * journal line are written in the same step (not with `resend`). False when it is neither held nor enqueued (`hold`: neither
   * enqueued nor held in its place), or not as it was looked at (`rev`).
   */
  resolve(input: {
    id: string;
    account: string;
    contact: ContactId;
    action: "finish" | "resend" | "hold";
    /** The effect's `rev` that was looked at; with another one the answer is false and nothing changes. */
    rev?: number;
    reason?: string;
    /** With `resend`: held messages of the contact that are resent with it, in the same step; others are left alone. */
    behind?: readonly string[];
    result?: { event: string; mail: Json };
    journal?: Json;
  }): Promise<boolean>;
}

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
  /** The line holds nothing of a person: it is stored as it is. */
  readonly isPlain?: boolean;
  /**
   * Virtual time from which the contact's next ordered effect waits for its turn (never earlier than it did). Effects that
   * waited longer go first. For scopes with a pace.
   */
  readonly yields?: number;
  /** Also fail every later message of the same turn (`turn` in payload), held together with it. */
  readonly holdTurn?: string;
}
