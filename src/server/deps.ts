/** What the HTTP side needs of other modules, given by the composition root. */
import type { FastifyInstance } from "fastify";
import type { Json, JsonObject, Log } from "../base/index.ts";
import type { Session } from "../engine/index.ts";
import type { Chart } from "../flow/chart/chart-model.ts";
import type { AccountRepository } from "../store/accounts.ts";
import type { Store } from "../store/port/port.ts";
import type { EventHub } from "./events.ts";
import type { Files } from "./files.ts";
import type { ServerMetrics } from "./metrics.ts";
import type { SessionLive } from "./session-live.ts";
import type { Ingest } from "./webhooks/ingest.ts";
import type { Refusals } from "./webhooks/refusals.ts";

export interface ServerDeps {
  readonly store: Store;
  readonly accounts: AccountRepository;
  /** A session as a person watches it: where its flows are and what they hold. */
  readonly live: (
    session: Session,
    about: { readonly zone: string; readonly now: number; readonly queued: number },
  ) => SessionLive;
  readonly ingest: Ingest;
  /** Files by their address, for channels that carry none. */
  readonly files: Files;
  readonly hub: EventHub;
  /** Ms of the virtual clock, and how far it is from the real one. */
  readonly clock: { now(): number; offsetMs(): number };
  /** A new id: correlation, event ids of operators' mail, audit rows. */
  readonly newId: () => string;
  /** A new path token (`newToken` of the store). */
  readonly newToken: () => string;
  readonly actions: Actions;
  readonly metrics: ServerMetrics;
  readonly log: Log;
  readonly version: string;
  readonly startedAt: number;
  readonly roles: readonly string[];
  /** Where channels reach us, without a slash at the end. */
  readonly publicUrl: string;
  readonly gatewayUrl: string;
  /** Origin of a sandbox gateway, or null against a real one. */
  readonly sandboxUrl: string | null;
  /** Absent = the operator API is open, on loopback only. */
  readonly adminToken?: string;
  readonly isStopping?: () => boolean;
  /** Called for each webhook that is answered 503. */
  readonly refusals?: Pick<Refusals, "add">;
  readonly limits?: {
    readonly gate?: { readonly bodies: number; readonly bytes: number };
    readonly eventLoopDelayMs?: number;
    /** A whole request, its head, and connections at once. */
    readonly requestMs?: number;
    readonly headMs?: number;
    readonly connections?: number;
  };
}

/** Adds files or pages of other modules to a listener (console, one-time pages). */
export type Extension = (app: FastifyInstance) => void | Promise<void>;

/**
 * Every answer of an action is a value. `absent`: there is no such thing; `refused`: not in this state; `stale`: it changed since
 * the operator saw it; `unseen`: the decision must say what was seen. The last three come with a sentence for the operator.
 */
export type Done =
  | { readonly ok: true; readonly detail?: JsonObject }
  | { readonly ok: false; readonly reason: "absent" }
  | {
      readonly ok: false;
      readonly reason: "refused" | "stale" | "unseen";
      readonly message: string;
      /** A code for exactly this message, where consoles have their own words for it. */
      readonly why?: string;
    };

export interface EffectRef {
  readonly account: string;
  readonly contact: string;
  readonly id: string;
}

/** What operators can do that is more than a store call: it needs workers, flows or clocks. */
export interface Actions {
  /**
   * Erases a person as the chat does it, with what is kept beside the conversation. Refused while a fiscal call is on its
   * way.
   */
  forget(account: string, contact: string): Promise<Done>;
  /** What plugins keep of a person, by the names that they give it. */
  documentsOf(account: string, contact: string): Promise<JsonObject>;
  /**
   * A person's decision about an effect that waits: sent again, known to be done or failed, or given up. `rev`: the
   * effect's own, as the person saw it; required for calls that cost money or file taxes.
   */
  decideEffect(
    ref: EffectRef,
    decision: "retry" | "done" | "failed" | "discard",
    by: { readonly actor: string; readonly reason: string; readonly rev?: number },
  ): Promise<Done>;
  /** The account's calls of this month: plan, credits, balance, what was charged. Money is BRL. */
  usage(account: string): Promise<JsonObject>;
  /** Alarms an account's people are told of, by code: how many, since when, when told. */
  alarms(account: string): Promise<JsonObject>;
  /** Classes of effects held back after a fail-over or a restored backup, with their reasons. */
  holds(): Promise<readonly JsonObject[]>;
  releaseHold(effectClass: string): Promise<boolean>;
  /** Ends a scope's pause. Effects that it turned away (429) are back in their place before any may leave. */
  resumeScope(scope: string): Promise<boolean>;
  /** `{flow, title, version, hash, steps, lint, audience}` of each loaded flow. */
  flows(): Promise<readonly JsonObject[]>;
  /** Versions of flows that conversations are in, with how many are at each step; nothing about a person. */
  occupied(): Promise<readonly JsonObject[]>;
  chart(flow: string): Promise<Chart | null>;
  /** The chart with places, as the console draws it. */
  layout(flow: string): Promise<Json>;
  /**
   * Moves the virtual clock (sandbox target only); resolves when due timers have drained. An earlier time changes nothing
   * unless the clock was set `back`.
   */
  setClock(now: number, back: boolean): Promise<number>;
  /** Resolves when no mail, timer or effect is due. */
  drain(): Promise<void>;
}

export const ABSENT: Done = { ok: false, reason: "absent" };
/** `why`: the code by which a console says it in its own language. */
export const declined = (message: string, why?: string): Done => ({
  ok: false,
  reason: "refused",
  message,
  why,
});
export const stale = (now: string, rev: number): Done => ({
  ok: false,
  reason: "stale",
  message: `It changed since you looked, so nothing was done. ${now} rev ${rev} now: look at it again, then decide.`,
});
