/**
 * The store: one port, two adapters (Redis, embedded SQLite), one contract-test suite over both.
 *
 * Promise: every method that changes something is one atomic step, validates before it writes, and is safe to send
 * again. Payloads are plain JSON here; adapters seal them (AES-256-GCM under a per-contact data key) and never put a
 * phone number, a document or a token into a key name. Times are ms. `now` of timers is the store's clock plus `offsetMs`.
 */
import type { DeadLetterStore, MailStore } from "./mail-store.ts";
import type { EffectStore } from "./effect-store.ts";
import type { StoreInfo, StoreViews, Page, ContactId } from "./store-views.ts";
import type { JsonObject } from "../../base/index.ts";

export type { DeadLetterStore, EffectStore, MailStore, StoreViews };
export type {
  Acceptance,
  Accepted,
  Claimed,
  Commit,
  Committed,
  DeadLetter,
  DeadLettered,
  MailItem,
  NewDeadLetter,
  Take,
} from "./mail-store.ts";
export type { Begun, NewEffect, SendEnd, SendOutcome } from "./effect-store.ts";
export type {
  Backlog,
  ContactId,
  EffectState,
  EffectView,
  Page,
  SessionView,
  StoreInfo,
} from "./store-views.ts";

export interface Store {
  readonly mail: MailStore;
  readonly contacts: ContactStore;
  readonly deadLetters: DeadLetterStore;
  readonly effects: EffectStore;
  readonly keys: KeyStore;
  readonly scopes: ScopeStore;
  readonly documents: DocumentStore;
  readonly views: StoreViews;
  info(): Promise<StoreInfo>;
  /** Ms of the store's own clock. */
  now(): Promise<number>;
  close(): Promise<void>;
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
  /**
   * Data keys whose wrapping was changed and opens under none of the given entries. What they sealed is lost, unless
   * another process has an entry of that name with other bytes. They are in none of the numbers above.
   */
  readonly damaged: number;
  /** Data keys that were wrapped anew by this count. */
  readonly rewrapped: number;
}

/**
 * Small sealed documents: accounts, users, flow ASTs, records of plugins, audit. Each collection has a data key of its
 * own (`name:account` keeps accounts apart). Collections and ids are stored as they are, so hash what names a person.
 * Revisions start at 1 and never repeat for an id; `expect` is the revision for compare-and-set, 0 for "must not exist".
 */
export interface DocumentStore {
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
}

/** Business keys: what may be done once only, until it is freed. */
export interface KeyStore {
  /**
   * Exclusive claim on a business key. With `ttlMs` (real time) it ends by itself, settled or not; without, it stands until
   * `free` or `settle`. A repeated claim by its owner succeeds; what is not settled then stands at least that long
   * from now on.
   */
  claim(account: string, key: string, owner: string, ttlMs?: number): Promise<KeyClaim>;
  /** The owner's claim stands until `free` or `settle`. A settled key, or another owner's, does not change. */
  hold(account: string, key: string, owner: string): Promise<KeyHold>;
  /**
   * Settled: what the key was claimed for was done. With `ttlMs` (real time, from the first settling) it ends by itself
   * then.
   */
  settle(account: string, key: string, owner: string, ttlMs?: number): Promise<boolean>;
  /**
   * Frees a claimed key. A settled key cannot be freed. With `afterMs` (real time) it stands for that long still, never
   * longer than it would have.
   */
  free(account: string, key: string, owner: string, afterMs?: number): Promise<boolean>;
  /**
   * What was done is undone: the key is free at once, also when it was settled. False, without a change, when it is not the
   * owner's (any more), so a late or repeated call frees no other owner's key.
   */
  release(account: string, key: string, owner: string): Promise<boolean>;
}

export type KeyClaim =
  | { readonly ok: true }
  | { readonly ok: false; readonly owner: string; readonly state: "claimed" | "settled" };

/** What a key is to a caller who would hold it. `gone`: it is not theirs, or no longer. */
export type KeyHold = "held" | "settled" | "gone";

/** Times are real ms. */
export interface Pause {
  readonly reason: string;
  readonly since: number;
  /** Without it the pause does not end by itself. */
  readonly until?: number;
  /** Until when a rate limit under that reason lasts. */
  readonly limitedUntil?: number;
}

/** Scopes that are paused: what one outage or one rate limit holds back. */
export interface ScopeStore {
  /** Paused scopes by name. */
  pauses(): Promise<ReadonlyMap<string, Pause>>;
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
}

/** Who is who: people by their names, what is erased of them. */
export interface ContactStore {
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
   * the contact to which the first known alias of `to` leads at the time of the look-up. A person has at most `limits.leads`
   * such names; they are erased with the person. False, and nothing is stored, when no alias is known. Safe to repeat.
   */
  lead(account: string, name: string, to: readonly string[]): Promise<boolean>;
  /** The contact of an alias, or of a name that leads to one (`lead`). Makes none. */
  lookup(account: string, alias: string): Promise<ContactId | null>;
  /** Whether this contact was given an event within the time that events are remembered, also when it was merged since. */
  knew(account: string, contact: ContactId, event: string): Promise<boolean>;
  /**
   * Erases everything of a contact and of those merged into it: the aliases first, then the data key. Later events begin
   * afresh. Mail that waited counts as dead. Each alias leaves its keyed hash and the time of the erasure for 8 days
   * (`identify`); a caller that found the contact before is told `moved`. Where replicas are required they have it, too,
   * else `STORE_UNAVAILABLE`. Safe to repeat when no answer came.
   */
  erase(account: string, contact: ContactId): Promise<boolean>;
  /** Drops the oldest of the `seen` lines of a journal, except the newest `keep` of them; later lines stay. */
  forgetLines(account: string, contact: ContactId, seen: number, keep: number): Promise<void>;
}
