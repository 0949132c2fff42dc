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
   * Contact of a set of aliases (`phone:…`, `lid:…`, any `x:…`), made when none is known. Aliases that lead to two
   * contacts merge them: the older wins, the younger becomes a forwarder. Safe in both orders and concurrently. Before
   * anybody is answered, the younger's session and mail stand in the older's mailbox, as mail `{kind: "joined", from,
   * session}` and under the events they had, marked `via`, however full that is; a turn of the younger that is under way is
   * fenced. Its effects stay its own. `recent`: what this process was told of the same aliases a while ago will do, for an
   * `accept` of what was `found`.
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
  /**
   * A name by which somebody is found without being one of theirs: the id of a message that left for them. For `limits.leadMs`
   * it leads to whoever the first known alias of `to` leads to by then; of one person the last `limits.leads` do. Erased with
   * them. False, and nothing is kept, when nobody is known by these. Safe to be asked again.
   */
  lead(account: string, name: string, to: readonly string[]): Promise<boolean>;
  /** Known contact of one alias, or of one to which this name leads (`lead`), without making one. */
  lookup(account: string, alias: string): Promise<ContactId | null>;
  /** Whether this very contact was given an event within the time that events are remembered, also when it was merged since. */
  knew(account: string, contact: ContactId, event: string): Promise<boolean>;

  /**
   * Dedupe + mailbox + ready. Answers per item, in order; throws STORE_UNAVAILABLE / STORE_FULL when nothing is known. Mail of
   * one contact is stored in the order of `items`, and none of it without what stands before it, also when this throws.
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
  /**
   * Moves the head event, or `letter` for it, to dead letters and puts `notice` mail in its place. Refused where dead letters
   * have no room: the head stays, and so does everything else.
   */
  park(input: Park): Promise<Parked>;
  /** Due timers become `tick` mail (`{kind:"tick",due}`, event `tick:<due>`); due not-before contacts become ready. Returns how many. */
  tick(options: { offsetMs: number; limit: number }): Promise<number>;

  /**
   * Takes due effects: pending, past not-before, head of the contact's order, scope not in `paused`; of each class and scope the
   * oldest, by not-before or since when it could leave, and none of them waits for another's end. `hinted` as in `claim`.
   */
  beginSend(options: {
    limit: number;
    leaseMs: number;
    paused: readonly string[];
    classes?: readonly string[];
    offsetMs: number;
    hinted?: boolean;
    /** Who asks: what one asker was told of and looked at is still there for the others. */
    asker?: string;
    /** Of these scopes alone, and of each no more than this, so that no backlog uses up what another's may send. */
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
   * Effects in flight whose calls still run: `leaseMs` from now on, never less than they had. Answers per item, in order;
   * false when the token is stale, undefined where its partition did not answer. Throws when none did.
   */
  renew(
    items: readonly Pick<Begun, "id" | "account" | "contact" | "token">[],
    leaseMs: number,
  ): Promise<readonly (boolean | undefined)[]>;
  /**
   * Whether all that this process did with effects, keys and documents is as durable as the profile promises (D2: the required
   * replicas have it). Asked right before a call that must not be made twice: what was not confirmed may be forgotten by a
   * fail-over. With a guarded class (`hold.ts`) it is false, too, while that class is held, or where any part of the store is
   * away or with another server than was known.
   */
  confirm(effectClass?: string): Promise<boolean>;
  /**
   * `stale` when the token does not match: somebody else owns the effect or it is settled. `unknown` where its partition did
   * not answer; throws when none did.
   */
  endSend(ends: readonly SendEnd[]): Promise<readonly ("ok" | "stale" | "unknown")[]>;
  /** Effects in flight past their lease, re-leased to the caller with a new token; the caller ends them by class. */
  reap(options: { limit: number; leaseMs: number }): Promise<readonly Begun[]>;
  /**
   * A decision about a held or enqueued effect: removes it, makes it pending again with its attempts counted anew, or, with
   * `hold` and a `reason`, lets an enqueued one rest as held and takes its place from one that is held in it: what stands
   * behind that goes on. Resent, one stands among what is to leave for the same contact where it was asked for, whatever
   * became of the others meanwhile: ahead of what was asked for since, behind what was asked for before. Result mail and
   * journal line are written in the same step (not with `resend`). False when it is neither held nor enqueued (`hold`: neither
   * enqueued nor held in its place),
   * or not as it was looked at (`rev`).
   */
  resolve(input: {
    id: string;
    account: string;
    contact: ContactId;
    action: "finish" | "resend" | "hold";
    /** The effect's `rev` that was looked at: with another one this answers false and changes nothing. */
    rev?: number;
    reason?: string;
    /** With `resend`: held messages of the contact that are resent with it, in the same step; others are left alone. */
    behind?: readonly string[];
    result?: { event: string; mail: Json };
    journal?: Json;
  }): Promise<boolean>;

  /**
   * Exclusive claim on a business key. With `ttlMs` (real time) it frees itself, settled or not; without, it stands until
   * `freeKey` or `settleKey`. Asked for again by its owner it is theirs still, and what is not settled stands for so long from
   * then on, never shorter than it would have.
   */
  claimKey(account: string, key: string, owner: string, ttlMs?: number): Promise<KeyClaim>;
  /** What its owner claimed stands until `freeKey` or `settleKey`. What is settled, or another's, is as it was. */
  holdKey(account: string, key: string, owner: string): Promise<KeyHold>;
  /** Decided: what it was claimed for was done. With `ttlMs` (real time, from the first settling) it frees itself then. */
  settleKey(account: string, key: string, owner: string, ttlMs?: number): Promise<boolean>;
  /**
   * Only while it is claimed: what was settled is no longer anybody's to free. With `afterMs` (real time) it stands for that
   * long still, never longer than it would have.
   */
  freeKey(account: string, key: string, owner: string, afterMs?: number): Promise<boolean>;
  /**
   * What was done is undone: the key is free at once, also where it was settled. False, and nothing changes, when it is not the
   * owner's (any more): so done again, or late, it frees nobody else's.
   */
  releaseKey(account: string, key: string, owner: string): Promise<boolean>;

  /** Paused scopes with their reasons. `limitedUntil`: a rate limit lasts beneath that reason until then. */
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
   * True when the scope was not paused before: the one moment to raise an alarm. Else only reason and `until` change; with
   * `over` only where the reason in force is one of these, decided in the same step, and a rate limit only to a later end. A
   * rate limit lasts beneath a reason that takes its place, or stands when it comes.
   */
  pause(
    scope: string,
    reason: string,
    how?: { readonly until?: number; readonly over?: readonly string[] },
  ): Promise<boolean>;
  /**
   * True when this ended a pause, and all that lasts beneath it; with `only` it ends no other one than this, decided in the same
   * step, and a rate limit that lasts beneath stands in its place (false). `until` is the caller's business: the store ends no
   * pause by itself.
   */
  resume(
    scope: string,
    only?: { readonly reason: string; readonly until?: number },
  ): Promise<boolean>;

  /**
   * Small sealed documents: accounts, users, flow ASTs, records of plugins, audit. Each collection has a data key of its own
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
  /** As `list`, ids alone: of documents that do not open, too. */
  ids(collection: string, options?: { after?: string; limit?: number }): Promise<Page<string>>;

  /** Of a contact that was merged: the session of the one that won, under its name. */
  session(account: string, contact: ContactId): Promise<SessionView | null>;
  /** Latest changed first. */
  sessions(options: {
    account?: string;
    after?: string;
    limit: number;
  }): Promise<Page<SessionView>>;
  /** Newest first. */
  journal(account: string, contact: ContactId, limit: number): Promise<readonly Json[]>;
  /** Drops the oldest of the `seen` lines of a journal but the newest `keep` of them; what came since stays. */
  forgetLines(account: string, contact: ContactId, seen: number, keep: number): Promise<void>;
  /** The oldest so many, for people to look at: what is meant may stand behind them. */
  effects(options: {
    account?: string;
    state?: EffectState;
    contact?: ContactId;
    limit: number;
  }): Promise<readonly EffectView[]>;
  /** That one alone, however much its contact has beside; null when it is over, or not this contact's. */
  effect(of: {
    readonly account: string;
    readonly contact: ContactId;
    readonly id: string;
  }): Promise<EffectView | null>;
  /**
   * Effects of one contact, the latest asked for first, a page at a time: a commit takes in as many as its turn asks for, so
   * nothing bounds how many there are. What is there from the first page to the last is in one of them, and may be in two. A page
   * may be empty though another follows. `tried`: only those whose sending was begun since they last were let go.
   */
  effectsOf(options: {
    readonly account: string;
    readonly contact: ContactId;
    readonly states?: readonly EffectState[];
    readonly tried?: true;
    readonly after?: string;
    readonly limit: number;
  }): Promise<Page<EffectView>>;
  /** Everything that is held, or enqueued, in a stable order: for whoever must see all of it, however much rests. */
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

  /**
   * Called each time something could not be opened because the entry of `PROSA_KEYS` that wrapped its key was not given to
   * this process, with that entry's name. What it is about is refused, or waits; nothing of it is lost.
   */
  onKeyMissing(listener: (entry: string) => void): () => void;
  /**
   * Called each time a list leaves a document out whose bytes were changed, with its collection and id: nobody's data. By its own
   * name it is refused.
   */
  onDamaged(listener: (collection: string, id: string) => void): () => void;
  /** Called when the required replicas did not confirm in time. A hint, for an alarm. */
  onUnconfirmed(listener: () => void): () => void;
  /** Called when work became ready in this store, also from other processes. A hint, never the only way. */
  onWake(listener: (what: "turns" | "outbox") => void): () => void;
}
