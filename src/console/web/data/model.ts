/** What the operator API says, as far as the console reads it. */
import type { Choice } from "../../../engine/session/outbound.ts";
import type { JournalRecord } from "../../../engine/session/journal.ts";

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
