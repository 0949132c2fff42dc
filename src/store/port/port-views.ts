/** What people and checks see of the store: its state in plain shapes. Part of the port (`port.ts`). */
import type { Json } from "../../base/index.ts";

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
   * Decisions so far (`resolve`): who decides names the one that was looked at, so that an answer that was lost again is not
   * judged by what somebody saw before.
   */
  readonly rev: number;
  readonly notBefore: number;
  readonly createdAt: number;
  readonly reason?: string;
  /** Held, and nothing of its contact that stands behind it leaves before that is over. */
  readonly inPlace?: true;
  /** The gateway's job of an enqueued effect. */
  readonly job?: string;
  readonly payload: Json;
}

export interface Dead {
  readonly id: string;
  readonly account: string;
  readonly contact: ContactId;
  readonly event: string;
  readonly reason: string;
  readonly at: number;
  readonly mail: Json;
}

export interface StoreInfo {
  readonly kind: "redis" | "embedded";
  readonly version: string;
  /** D0 no fsync, D1 fsync before the answer, D2 also a replica's answer. */
  readonly durability: "D0" | "D1" | "D2";
  readonly sentence: string;
  /** What would make it as durable as it can be, or would tell whether it is. */
  readonly fix?: string;
  /** The `maxmemory-policy` of a Redis that throws keys away when it is full: what was accepted is not safe in it. */
  readonly evicts?: string;
  /** Keys it threw away since it started. */
  readonly evicted?: number;
  /** Too few of the required replicas confirmed what was written last; what may not be done twice waits meanwhile. */
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
  /** Conservation: accepted = applied + dead + queued. `dead` counts all that died and was not released, dropped ones too. */
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
