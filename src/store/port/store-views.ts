/** What people and checks see of the store, in plain shapes. */
import type { Json } from "../../base/index.ts";

export interface StoreViews {
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
  backlog(): Promise<Backlog>;
}

export type EffectState = "pending" | "inflight" | "held" | "enqueued";

/** 32 hex characters: keyed hash, says nothing about the person. */
export type ContactId = string;

export interface EffectView {
  readonly id: string;
  readonly account: string;
  readonly contact: ContactId;
  readonly class: string;
  readonly scope: string;
  readonly state: EffectState;
  readonly attempt: number;
  /**
   * Decisions so far (`resolve`). A decision names the `rev` that its person saw, so that it is not applied to a later
   * state.
   */
  readonly rev: number;
  readonly notBefore: number;
  readonly createdAt: number;
  readonly reason?: string;
  /** Held in its place: no later message of its contact leaves before it is resent or given up. */
  readonly inPlace?: true;
  /** The gateway's job of an enqueued effect. */
  readonly job?: string;
  readonly payload: Json;
}

export interface StoreInfo {
  readonly kind: "redis" | "embedded";
  readonly version: string;
  /** D0 no fsync, D1 fsync before the answer, D2 also a replica's answer. */
  readonly durability: "D0" | "D1" | "D2";
  readonly sentence: string;
  /** What would make it as durable as possible, or would show how durable it is. */
  readonly fix?: string;
  /** The `maxmemory-policy` of a Redis that evicts keys when it is full: accepted events are not safe in it. */
  readonly evicts?: string;
  /** Keys it evicted since it started. */
  readonly evicted?: number;
  /** Too few of the required replicas confirmed the last writes; calls that must not be made twice wait. */
  readonly unconfirmed?: true;
}

export interface Backlog {
  readonly ready: number;
  /** Contacts leased to a worker. */
  readonly claimed: number;
  /** Age in ms of the oldest due contact; 0 when none waits. */
  readonly oldestMs: number;
  readonly pendingEffects: number;
  readonly heldEffects: number;
  readonly dead: number;
  /**
   * Conservation: accepted = applied + dead + queued. `dead` counts all dead letters that were not released, dropped ones
   * too.
   */
  readonly counters: {
    readonly accepted: number;
    readonly duplicate: number;
    readonly applied: number;
    readonly dead: number;
    readonly queued: number;
  };
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly next?: string;
}

export interface SessionView {
  readonly account: string;
  readonly contact: ContactId;
  readonly rev: number;
  readonly session: Json;
  readonly queued: number;
  readonly updatedAt: number;
}
