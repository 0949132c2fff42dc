/** What the operator API says, as far as the console reads it, and what follows from it. Pure. */
import type { Choice } from "../../../engine/session/effect.ts";
import type { JournalRecord } from "../../../engine/session/journal.ts";
import type { CallRow, Decided, EffectDecision, HeldEffect } from "../../panels.ts";

export type { Choice, JournalRecord };

export interface Meta {
  readonly name: string;
  readonly version: string;
  readonly startedAt: number | string;
  readonly store: {
    readonly kind: string;
    readonly durability?: string;
    readonly sentence?: string;
  };
  readonly sandbox: { readonly url: string } | null;
  readonly gateway?: { readonly url: string };
  readonly accounts: readonly { readonly id: string; readonly name: string }[];
  readonly locale?: string;
  readonly clock: { readonly now: number; readonly offsetMs: number };
}

export interface LiveFrame {
  readonly id: string;
  readonly flow: string;
  readonly title: string;
  readonly step?: string;
  readonly hash?: string;
  readonly summary: readonly {
    readonly slot: string;
    readonly label: string;
    readonly echo: string;
  }[];
  readonly timers: readonly { readonly name: string; readonly due: number }[];
}

export interface SessionLive {
  readonly contact: string;
  readonly account: string;
  readonly name?: string;
  readonly address?: string;
  readonly role: "customer" | "operator";
  readonly handoff?: { readonly since?: number; readonly reason?: string };
  readonly frames: readonly LiveFrame[];
  readonly requests: readonly {
    readonly id: string;
    readonly flow: string;
    readonly code?: string;
    readonly from?: string;
  }[];
  readonly queued?: number;
}

export interface CallEvent {
  readonly seq: number;
  readonly at: number;
  readonly type: "call";
  readonly contact?: string;
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly status?: number;
  readonly outcome: string;
  readonly ms: number;
  readonly attempt?: number;
}

export interface TurnEvent {
  readonly seq: number;
  readonly at: number;
  readonly type: "turn";
  readonly account: string;
  readonly contact: string;
  readonly name?: string;
  readonly address?: string;
  readonly record: JournalRecord;
  readonly view: SessionLive;
}

export type LiveEvent =
  | CallEvent
  | TurnEvent
  | { readonly seq: number; readonly type: "clock"; readonly now: number }
  | {
      readonly seq: number;
      readonly type: "pause";
      readonly scope: string;
      readonly reason: string;
    }
  | { readonly seq: number; readonly type: "resume"; readonly scope: string }
  | {
      readonly seq: number;
      readonly type: "flow";
      readonly flow: string;
      readonly ok: boolean;
      readonly message?: string;
    }
  | {
      readonly seq: number;
      readonly type: "alarm";
      readonly code: string;
      readonly message: string;
    }
  | { readonly seq: number; readonly at?: number; readonly type: "inbound" };

export const timeOf = (at: string | number): number =>
  typeof at === "number" ? at : new Date(at).getTime();

/** Rows of the sandbox's lists. */
export interface SandboxMessage {
  readonly id: string;
  readonly at: string | number;
  readonly route: string;
  readonly text: string;
  readonly body: unknown;
}

export interface SandboxRequest {
  readonly at: string | number;
  readonly method: string;
  readonly path: string;
  readonly route: string | null;
  readonly status: number | null;
  readonly body: unknown;
}

export interface FaultRow {
  readonly id?: number;
  readonly route?: string;
  readonly tipo?: string;
  readonly effect: { readonly kind: string; readonly status?: number; readonly ms?: number };
  readonly times?: number;
  readonly hits?: number;
}

export interface FlowRow {
  readonly flow: string;
  readonly title: string;
  readonly hash?: string;
}

export interface Refusal {
  readonly code?: string;
  /** English, as the server says it. */
  readonly message?: string;
  /** Exactly this refusal, where a code has several. */
  readonly why?: string;
}

/** By its reason, else by its code, else as the server says it. `told`: the text of a key, or the fallback. */
export function sentenceOf(
  told: (key: string, fallback: string) => string,
  status: number,
  { code = "", why = "", message = `HTTP ${status}` }: Refusal = {},
): string {
  return told(`problem.${why}`, told(`problem.${code}`, message));
}

/**
 * Newest first. The n-th last call of a route is the n-th last request of that route: both sides keep order, and either
 * may have forgotten older ones.
 */
export function callRows(
  calls: readonly CallEvent[],
  requests: readonly SandboxRequest[],
): CallRow[] {
  const open = new Map<string, SandboxRequest[]>();
  for (const request of requests) {
    const route = request.route ?? request.path;
    open.set(route, [...(open.get(route) ?? []), request]);
  }
  const rows = [...calls].reverse().map((call): CallRow => {
    const request = open.get(call.route)?.pop();
    return {
      key: `call-${call.seq}`,
      at: call.at,
      route: call.route,
      method: call.method,
      path: call.path,
      outcome: call.outcome,
      ms: call.ms,
      ...(call.status === undefined ? {} : { status: call.status }),
      ...(call.attempt === undefined ? {} : { attempt: call.attempt }),
      ...(call.contact === undefined ? {} : { contact: call.contact }),
      ...(request === undefined ? {} : { body: request.body }),
    };
  });
  const others = [...open.values()].flat().map((request, at): CallRow => ({
    key: `request-${timeOf(request.at)}-${at}`,
    at: timeOf(request.at),
    route: request.route ?? request.path,
    method: request.method,
    path: request.path,
    ...(request.status === null ? {} : { status: request.status }),
    body: request.body,
  }));
  return [...rows, ...others].sort((a, b) => b.at - a.at);
}

/** Whether a row is worth a warning colour and word. */
export function wentWell(row: CallRow): boolean {
  if (row.status !== undefined && row.status >= 400) return false;
  return row.outcome === undefined ? row.status !== undefined : /^(ok|done|sent)/.test(row.outcome);
}

/** All that may be said of an effect. */
export const DECISIONS: ReadonlySet<EffectDecision> = new Set([
  "retry",
  "done",
  "failed",
  "discard",
]);

/** What the API takes of this effect. What files taxes is not sent again, a message has nobody to be told that it failed. */
export function decisionsOf({ class: callClass, payload }: HeldEffect): readonly EffectDecision[] {
  if (callClass === "message") return ["retry", "done", "discard"];
  if (callClass !== "fiscal") return ["retry", "done", "failed", "discard"];
  return payload.name === undefined ? ["discard"] : ["done", "failed", "discard"];
}

const part = encodeURIComponent;

/** `reason` is kept in the audit; of a sending again it may be empty. */
export function effectCall(effect: HeldEffect, decision: EffectDecision, reason: string): Decided {
  const { account, contact, id, rev } = effect;
  const verb = decision === "done" || decision === "failed" ? "resolve" : decision;
  return {
    path: `/outbox/${part(account)}/${part(contact)}/${part(id)}/${verb}`,
    body: { ...(verb === "resolve" ? { decision } : {}), reason, rev },
  };
}
