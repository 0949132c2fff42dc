/**
 * The store: one port, two adapters (Redis, embedded SQLite), one contract-test suite over both.
 *
 * Promise: every method that changes something is one atomic step, validates before it writes, and is safe to send
 * again. Payloads are plain JSON here; adapters seal them (AES-256-GCM under a per-contact data key) and never put a
 * phone number, a document or a token into a key name. Times are ms. `now` of timers is the store's clock plus `offsetMs`.
 */
import type { ContactStore } from "./contact-store.ts";
import type { DeadLetterStore } from "./dead-letter-store.ts";
import type { DocumentStore } from "./document-store.ts";
import type { EffectStore } from "./effect-store.ts";
import type { KeyStore } from "./key-store.ts";
import type { MailStore } from "./mail-store.ts";
import type { ScopeStore } from "./scope-store.ts";
import type { StoreInfo, StoreViews } from "./store-views.ts";

export type {
  ContactStore,
  DeadLetterStore,
  DocumentStore,
  EffectStore,
  KeyStore,
  MailStore,
  ScopeStore,
  StoreViews,
};
export type {
  Acceptance,
  Accepted,
  Claimed,
  Commit,
  Committed,
  MailItem,
  Take,
} from "./mail-store.ts";
export type { DeadLetter, DeadLettered, NewDeadLetter } from "./dead-letter-store.ts";
export type { Begun, NewEffect, SendEnd, SendOutcome } from "./effect-store.ts";
export type { KeyClaim, KeyHold } from "./key-store.ts";
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
