/**
 * The store: one port, two adapters (Redis, embedded SQLite), one contract-test suite over both.
 *
 * Promise: every method that changes something is one atomic step, validates before it writes, and is safe to send
 * again. Payloads are plain JSON here; adapters seal them (AES-256-GCM under a per-contact data key) and never put a
 * phone number, a document or a token into a key name. Times are ms. `now` of timers is the store's clock plus `offsetMs`.
 */
import type { Json, JsonObject } from "../base/index.ts";
import type {
  Backlog,
  ContactId,
  Dead,
  EffectState,
  EffectView,
  Page,
  SessionView,
  StoreInfo,
} from "./port-views.ts";

export type { Backlog, ContactId, Dead, EffectState, EffectView, Page, SessionView, StoreInfo };

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
  /** Contact this one was merged into: mail must be forwarded there. */
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
   * `contact` came from `identify` and may be out of date: when it was erased or merged since, nothing is stored and the
   * answer is `moved`. Absent: mail of a contact that was merged is taken, and forwarded by whoever claims it.
   */
  readonly found?: boolean;
}

/** `moved`: only for what was `found`; ask `identify` again. */
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
  /** The wait is not the mail's fault (an account that cannot be read, a build that must do it): no failed try. */
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
   * `too_large`: the session is over the store's limit; nothing was written, the claim stands. `unknown`: the part of the
   * store that has this contact did not answer, others of the same call did; what was not written is claimed again.
   */
  | { readonly ok: false; readonly reason: "fenced" | "too_large" | "unknown" };

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
  /** Unknown: rests until `resolve`. */
  | { readonly kind: "held"; readonly reason: string }
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

export type KeyClaim =
  | { readonly ok: true }
  | { readonly ok: false; readonly owner: string; readonly state: "claimed" | "settled" };

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
  /** Data keys that were wrapped anew by this count. */
  readonly rewrapped: number;
}

export interface Store {
  info(): Promise<StoreInfo>;
  /** Ms of the store's own clock. */
  now(): Promise<number>;
  close(): Promise<void>;

  /**
   * Contact of a set of aliases (`phone:…`, `lid:…`, any `x:…`), made when none is known. Aliases that lead to two
   * contacts merge them: the older wins, the younger becomes a forwarder. Safe in both orders and concurrently. `recent`:
   * what this process was told of the same aliases a while ago will do, for an `accept` of what was `found`.
   */
  identify(account: string, aliases: readonly string[], recent?: boolean): Promise<ContactId>;
  /**
   * The same for something that was done at `at` (ms of the store's clock): null when one of the names was erased after it.
   * Then nothing may be stored, and nobody is made. The second of an erasure counts as after it: events tell whole seconds.
   */
  identify(
    account: string,
    aliases: readonly string[],
    recent: boolean,
    at: number,
  ): Promise<ContactId | null>;
  /** Known contact of one alias, without making one. */
  lookup(account: string, alias: string): Promise<ContactId | null>;

  /**
   * Dedupe + mailbox + ready. Answers per item, in order; throws STORE_UNAVAILABLE / STORE_FULL when nothing is known.
   * `take`: a contact is leased in the same step when nobody holds it, it need not come alone, and no other contact of its
   * partition waits: it would be the next to be claimed. All others are ready for `claim`, as without `take`.
   */
  accept(items: readonly Acceptance[], take?: Take): Promise<readonly Accepted[]>;
  /**
   * Leases due contacts. A contact with `barren` ≥ 2 comes alone (batch of one). `hinted`: only what this process was told
   * of (`onWake`) need be looked at; everything is all the same at least once a second.
   */
  claim(options: {
    owner: string;
    contacts: number;
    events: number;
    leaseMs: number;
    hinted?: boolean;
  }): Promise<readonly Claimed[]>;
  commit(commits: readonly Commit[]): Promise<readonly Committed[]>;
  /** Moves the head event to dead letters, puts `notice` mail in its place, keeps the old session. Fenced like commit. */
  park(input: {
    account: string;
    contact: ContactId;
    epoch: number;
    rev: number;
    reason: string;
    notice?: { event: string; mail: Json };
  }): Promise<Committed>;
  /** Due timers become `tick` mail (`{kind:"tick",due}`, event `tick:<due>`); due not-before contacts become ready. Returns how many. */
  tick(options: { offsetMs: number; limit: number }): Promise<number>;

  /** Takes due effects: pending, past not-before, head of the contact's order, scope not in `paused`. `hinted` as in `claim`. */
  beginSend(options: {
    limit: number;
    leaseMs: number;
    paused: readonly string[];
    classes?: readonly string[];
    offsetMs: number;
    hinted?: boolean;
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
   * Effects in flight whose calls still run: `leaseMs` from now on, never less than they had. Answers per item, in order;
   * false when the token is stale.
   */
  renew(
    items: readonly Pick<Begun, "id" | "account" | "contact" | "token">[],
    leaseMs: number,
  ): Promise<readonly boolean[]>;
  /**
   * Whether all that this process did with effects, keys and documents is as durable as the profile promises (D2: the required replicas have it). Asked right
   * before a call that must not be made twice: what was not confirmed may be forgotten by a fail-over.
   */
  confirm(): Promise<boolean>;
  /** `stale` when the token does not match: somebody else owns the effect or it is settled. */
  endSend(ends: readonly SendEnd[]): Promise<readonly ("ok" | "stale")[]>;
  /** Effects in flight past their lease, re-leased to the caller with a new token; the caller ends them by class. */
  reap(options: { limit: number; leaseMs: number }): Promise<readonly Begun[]>;
  /**
   * A decision about a held or enqueued effect: removes it, makes it pending again with its attempts counted anew, ahead
   * of what waits for the same contact, or lets an enqueued one rest as held, with `reason`. Result mail and journal line
   * are written in the same step (not with `resend`). False when it is neither held nor enqueued (`hold`: not enqueued).
   */
  resolve(input: {
    id: string;
    account: string;
    contact: ContactId;
    action: "finish" | "resend" | "hold";
    reason?: string;
    /** With `resend`: held messages of the contact that go after it, in this order, in the same step; others are left alone. */
    behind?: readonly string[];
    result?: { event: string; mail: Json };
    journal?: Json;
  }): Promise<boolean>;

  /**
   * Exclusive claim on a business key; idempotent for the same owner. With `ttlMs` (real time, from the first claim) it
   * frees itself, settled or not; without, it stands until `freeKey`.
   */
  claimKey(account: string, key: string, owner: string, ttlMs?: number): Promise<KeyClaim>;
  settleKey(account: string, key: string, owner: string): Promise<boolean>;
  freeKey(account: string, key: string, owner: string): Promise<boolean>;

  /** Paused scopes with their reasons. */
  pauses(): Promise<
    ReadonlyMap<
      string,
      { readonly reason: string; readonly since: number; readonly until?: number }
    >
  >;
  /**
   * True when the scope was not paused before: the one moment to raise an alarm. Else only reason and `until` change; with
   * `over` only where the reason in force is one of these, decided in the same step.
   */
  pause(
    scope: string,
    reason: string,
    how?: { readonly until?: number; readonly over?: readonly string[] },
  ): Promise<boolean>;
  /** True when the scope was paused. `until` is the caller's business: the store ends no pause by itself. */
  resume(scope: string): Promise<boolean>;

  /**
   * Small sealed documents: accounts, users, flow ASTs, invoices, audit. Each collection has a data key of its own
   * (`name:account` keeps accounts apart). Collections and ids stand in the store as they are: hash what names a person.
   * Revisions start at 1 and never repeat for an id; `expect` = revision for compare-and-set, 0 for "must not be there".
   */
  get(
    collection: string,
    id: string,
  ): Promise<{ readonly value: JsonObject; readonly rev: number } | null>;
  put(
    collection: string,
    id: string,
    value: JsonObject,
    expect?: number,
  ): Promise<number | "conflict">;
  remove(collection: string, id: string): Promise<boolean>;
  list(
    collection: string,
    options?: { after?: string; limit?: number },
  ): Promise<Page<{ readonly id: string; readonly value: JsonObject; readonly rev: number }>>;

  session(account: string, contact: ContactId): Promise<SessionView | null>;
  /** Latest changed first. */
  sessions(options: {
    account?: string;
    after?: string;
    limit: number;
  }): Promise<Page<SessionView>>;
  /** Newest first. */
  journal(account: string, contact: ContactId, limit: number): Promise<readonly Json[]>;
  effects(options: {
    account?: string;
    state?: EffectState;
    contact?: ContactId;
    limit: number;
  }): Promise<readonly EffectView[]>;
  /** Everything that is held, in a stable order: for whoever must see all of it, however much rests. */
  held(options: { after?: string; limit: number }): Promise<Page<EffectView>>;
  /** Oldest first; with `id` that one alone. */
  dead(options: {
    account?: string;
    id?: string;
    after?: string;
    limit: number;
  }): Promise<Page<Dead>>;
  /** Puts a dead letter back (new order, same event) or drops it. Either way its event is remembered like any other. */
  bury(id: string, action: "release" | "drop"): Promise<boolean>;
  backlog(): Promise<Backlog>;
  /**
   * Drops everything of a contact and of those merged into it, the aliases first, then the data key; events that come later
   * start afresh. Mail that waited counts as dead. Each alias leaves its keyed hash and the time of the erasure for 8 days
   * (`identify`); whoever found the contact before is told `moved`. Where replicas are required they have it, too, else
   * `STORE_UNAVAILABLE`. Safe to ask again when no answer came.
   */
  erase(account: string, contact: ContactId): Promise<boolean>;

  /**
   * Counts all data keys by the entry that wraps them; with `rewrap` those under another than the active entry are wrapped
   * anew first. Passes over the whole store in small steps: seconds per million contacts. An entry that wraps nothing and
   * is not in use may be taken out of `PROSA_KEYS`; once it is destroyed, no older copy of the store can be read with it.
   */
  census(options?: { readonly rewrap?: boolean }): Promise<KeyCensus>;

  /** Called when the required replicas did not confirm in time. A hint, for an alarm. */
  onUnconfirmed(listener: () => void): () => void;
  /** Called when work became ready in this store, also from other processes. A hint, never the only way. */
  onWake(listener: (what: "turns" | "outbox") => void): () => void;
}
