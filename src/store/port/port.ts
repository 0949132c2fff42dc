/**
 * The store: one port, two adapters (Redis, embedded SQLite), one contract-test suite over both.
 *
 * Promise: every method that changes something is one atomic step, validates before it writes, and is safe to send
 * again. Payloads are plain JSON here; adapters seal them (AES-256-GCM under a per-contact data key) and never put a
 * phone number, a document or a token into a key name. Times are ms. `now` of timers is the store's clock plus `offsetMs`.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import type { Commit, Committed, Park, Parked } from "./port-commit.ts";
import type { Begun, NewEffect, SendEnd, SendOutcome } from "./port-effects.ts";
import type { KeyCensus, KeyClaim, KeyHold } from "./port-keys.ts";
import type { Acceptance, Accepted, Claimed, MailItem, Take } from "./port-mail.ts";
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
export type { Acceptance, Accepted, Claimed, Commit, Committed, MailItem, Park, Parked, Take };
export type { Begun, KeyCensus, KeyClaim, KeyHold, NewEffect, SendEnd, SendOutcome };

export interface Store {
  info(): Promise<StoreInfo>;
  /** Ms of the store's own clock. */
  now(): Promise<number>;
  close(): Promise<void>;

  /**
   * The contact of a set of aliases (`phone:…`, `lid:…`, any `x:…`), made when none is known. If the aliases lead to two
   * contacts, these are merged: the older wins, the younger forwards its mail. Safe in both orders and concurrently. Before
   * any caller gets an answer, the younger's session and mail are in the older's mailbox, however full it is: as mail
   * `{kind: "joined", from, session}` and under the events they had, marked `via`. A running turn of the younger is fenced.
   * Its effects stay its own. `recent`: an answer that this process had a while ago for the same aliases will do, for an
   * `accept` of what was `found`.
   */
  identify(account: string, aliases: readonly string[], recent?: boolean): Promise<ContactId>;
  /**
   * The same for something done at `at` (ms of the store's clock): null when one of the names was erased after it. Then
   * nothing may be stored and no contact is made. The second of an erasure counts as after it, because events tell whole
   * seconds.
   */
  identify(
    account: string,
    aliases: readonly string[],
    recent: boolean,
    at: number,
  ): Promise<ContactId | null>;
  /**
   * Makes a name lead to a person for `limits.leadMs` without being an alias: the id of a message sent to them. It leads to
   * the contact of the first known alias of `to`. A person has at most `limits.leads` such names; they are erased with the
   * person. False, and nothing is stored, when no alias is known. Safe to repeat.
   */
  lead(account: string, name: string, to: readonly string[]): Promise<boolean>;
  /** The contact of an alias, or of a name that leads to one (`lead`). Makes none. */
  lookup(account: string, alias: string): Promise<ContactId | null>;
  /** Whether this contact was given an event within the time that events are remembered, also when it was merged since. */
  knew(account: string, contact: ContactId, event: string): Promise<boolean>;

  /**
   * Dedupe, mailbox and readiness in one step. Answers for each item, in order; throws STORE_UNAVAILABLE or STORE_FULL when
   * nothing is known. Mail of one contact is stored in the order of `items`, and never without the mail before it, also
   * when this throws. `take`: a contact is leased in the same step when it is not leased, need not come alone, and no other
   * contact of its partition waits. All others become ready for `claim`.
   */
  accept(items: readonly Acceptance[], take?: Take): Promise<readonly Accepted[]>;
  /**
   * Leases due contacts. A contact with `barren` ≥ 2 comes alone. `hinted`: only partitions that this process was told of
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
  /**
   * Moves the head event, or `letter` for it, to dead letters and puts `notice` mail in its place. When dead letters have
   * no room nothing changes.
   */
  park(input: Park): Promise<Parked>;
  /** Due timers become `tick` mail (`{kind:"tick",due}`, event `tick:<due>`); due not-before contacts become ready. Returns how many. */
  tick(options: { offsetMs: number; limit: number }): Promise<number>;

  /**
   * Begins due effects: pending, past their not-before time, first in the contact's order, scope not in `paused`. Of each
   * class and scope the oldest first; no scope waits for the end of another's backlog. `hinted` as in `claim`.
   */
  beginSend(options: {
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
   * was not confirmed. For a guarded class (`hold.ts`) it is also false while that class is held, or while any part of the
   * store is away or on another server than was known.
   */
  confirm(effectClass?: string): Promise<boolean>;
  /**
   * `stale`: the token does not match; another worker has the effect, or it is settled. `unknown`: its partition did not
   * answer. Throws when none did.
   */
  endSend(ends: readonly SendEnd[]): Promise<readonly ("ok" | "stale" | "unknown")[]>;
  /** Effects in flight past their lease, re-leased to the caller with a new token; the caller ends them by class. */
  reap(options: { limit: number; leaseMs: number }): Promise<readonly Begun[]>;
  /**
   * A decision about a held or enqueued effect. `finish` removes it. `resend` makes it pending with its attempts counted
   * anew, at the place where it was asked for among the contact's effects. `hold`, with a `reason`, turns an enqueued one
   * into a held one, and takes its place from one that is held in it, so that later messages go on. Result mail and journal
   * line are written in the same step (not with `resend`). False when it is not in such a state, or not as it was looked at
   * (`rev`).
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

  /**
   * Exclusive claim on a business key. With `ttlMs` (real time) it ends by itself, settled or not; without, it stands until
   * `freeKey` or `settleKey`. A repeated claim by its owner succeeds; what is not settled then stands at least that long
   * from now on.
   */
  claimKey(account: string, key: string, owner: string, ttlMs?: number): Promise<KeyClaim>;
  /** The owner's claim stands until `freeKey` or `settleKey`. A settled key, or another owner's, does not change. */
  holdKey(account: string, key: string, owner: string): Promise<KeyHold>;
  /**
   * Settled: what the key was claimed for was done. With `ttlMs` (real time, from the first settling) it ends by itself
   * then.
   */
  settleKey(account: string, key: string, owner: string, ttlMs?: number): Promise<boolean>;
  /**
   * Frees a claimed key. A settled key cannot be freed. With `afterMs` (real time) it stands for that long still, never
   * longer than it would have.
   */
  freeKey(account: string, key: string, owner: string, afterMs?: number): Promise<boolean>;
  /**
   * What was done is undone: the key is free at once, also when it was settled. False, without a change, when it is not the
   * owner's (any more), so a late or repeated call frees no other owner's key.
   */
  releaseKey(account: string, key: string, owner: string): Promise<boolean>;

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

  /**
   * Small sealed documents: accounts, users, flow ASTs, records of plugins, audit. Each collection has a data key of its
   * own (`name:account` keeps accounts apart). Collections and ids are stored as they are, so hash what names a person.
   * Revisions start at 1 and never repeat for an id; `expect` is the revision for compare-and-set, 0 for "must not exist".
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
  /** As `list`, ids alone, also of documents that cannot be opened. */
  ids(collection: string, options?: { after?: string; limit?: number }): Promise<Page<string>>;

  /** For a merged contact: the session of the winner, under its name. */
  session(account: string, contact: ContactId): Promise<SessionView | null>;
  /** Latest changed first. */
  sessions(options: {
    account?: string;
    after?: string;
    limit: number;
  }): Promise<Page<SessionView>>;
  /** Newest first. */
  journal(account: string, contact: ContactId, limit: number): Promise<readonly Json[]>;
  /** Drops the oldest of the `seen` lines of a journal, except the newest `keep` of them; later lines stay. */
  forgetLines(account: string, contact: ContactId, seen: number, keep: number): Promise<void>;
  /** The oldest effects up to `limit`, for people to look at. The one that is meant may come after them. */
  effects(options: {
    account?: string;
    state?: EffectState;
    contact?: ContactId;
    limit: number;
  }): Promise<readonly EffectView[]>;
  /** One effect by its id; null when it is over, or not this contact's. */
  effect(of: {
    readonly account: string;
    readonly contact: ContactId;
    readonly id: string;
  }): Promise<EffectView | null>;
  /**
   * Effects of one contact, the latest first, page by page; their number is not bounded. An effect that exists from the
   * first page to the last is in one of them, and may be in two. A page may be empty though another follows. `tried`: only
   * those that were begun since they last became pending.
   */
  effectsOf(options: {
    readonly account: string;
    readonly contact: ContactId;
    readonly states?: readonly EffectState[];
    readonly tried?: true;
    readonly after?: string;
    readonly limit: number;
  }): Promise<Page<EffectView>>;
  /** All held, or all enqueued, effects in a stable order. */
  held(options: {
    state?: "held" | "enqueued";
    after?: string;
    limit: number;
  }): Promise<Page<EffectView>>;
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
   * Erases everything of a contact and of those merged into it: the aliases first, then the data key. Later events begin
   * afresh. Mail that waited counts as dead. Each alias leaves its keyed hash and the time of the erasure for 8 days
   * (`identify`); a caller that found the contact before is told `moved`. Where replicas are required they have it, too,
   * else `STORE_UNAVAILABLE`. Safe to repeat when no answer came.
   */
  erase(account: string, contact: ContactId): Promise<boolean>;

  /**
   * Counts all data keys by the entry that wraps them; with `rewrap` those under another than the active entry are wrapped
   * anew first. Goes over the whole store in small steps: seconds for a million contacts. An entry that wraps nothing and
   * is not in use may be taken out of `PROSA_KEYS`; once it is destroyed, no older copy of the store can be read with it.
   */
  census(options?: { readonly rewrap?: boolean }): Promise<KeyCensus>;

  /**
   * Called when something could not be opened because the entry of `PROSA_KEYS` that wrapped its key was not given to this
   * process; with that entry's name. What it concerns is refused, or waits; nothing is lost.
   */
  onKeyMissing(listener: (entry: string) => void): () => void;
  /** Called when a list leaves out a document whose bytes were changed; with its collection and id. By its id it is refused. */
  onDamaged(listener: (collection: string, id: string) => void): () => void;
  /** Called when the required replicas did not confirm in time. A hint, for an alarm. */
  onUnconfirmed(listener: () => void): () => void;
  /** Called when work became ready in this store, also from other processes. A hint, never the only way. */
  onWake(listener: (what: "turns" | "outbox") => void): () => void;
}
