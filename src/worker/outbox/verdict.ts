/**
 * What becomes of an effect after one call: the gateway's class rules, plus what only the worker knows (attempts made, the
 * account's `onTimeout`, whether a flow waits for the answer).
 */
import type { Account } from "../../engine/index.ts";
import {
  classifyCall,
  classifyOutcome,
  type CallClass,
  type CallOutcome,
  type Decision,
  type PauseReason,
  type RouteId,
  routeOf,
} from "../../gateway/index.ts";

/** The words of a refusal. `codes`: all codes where the answer lists several, `code` first. */
export interface Refusal {
  readonly message: string;
  readonly code?: string;
  readonly codes?: readonly string[];
}

export type Verdict =
  | { readonly kind: "done" }
  /** `counts`: the call may have taken effect, so the attempt is used up. Otherwise it certainly did not leave. */
  | { readonly kind: "retry"; readonly counts: boolean }
  /** Back to the queue, no attempt used; its scope waits. */
  | { readonly kind: "pause"; readonly reason: PauseReason }
  /** Held for a person or a proof. `known`: it certainly did not take effect. */
  | {
      readonly kind: "held";
      readonly reason: string;
      readonly known: boolean;
      readonly pauseMs?: number;
    }
  /** A definite refusal by the business: the flow's branch `rejected`. */
  | ({ readonly kind: "rejected" } & Refusal)
  | { readonly kind: "failed"; readonly reason: string; readonly pauseMs?: number };

/** Pause after a 429 that names no time. */
export const RATE_PAUSE_MS = 60_000;

interface Attempt {
  readonly onTimeout: Account["onTimeout"];
  /** 1 for the first. */
  readonly attempt: number;
}

/** A call of the gateway by its route; any other by its class alone. */
type Case = Attempt &
  (
    | { readonly route: RouteId; readonly queued?: boolean }
    | { readonly route?: undefined; readonly class: CallClass }
  );

/** Judges `outcome`. For a call whose process died it is `unknown`. */
export function verdict(of: Case, outcome: CallOutcome): Verdict {
  const callClass = of.route === undefined ? of.class : routeOf(of.route).class;
  const decision =
    of.route === undefined
      ? classifyOutcome(callClass, outcome, { needsInstance: false })
      : classifyCall(of.route, outcome, { queued: of.queued === true });
  switch (decision.kind) {
    case "done":
      return { kind: "done" };
    case "failed":
      if (callClass === "message") return failedSend(outcome);
      return toFlow(outcome, callClass === "fiscal");
    case "held":
      return { kind: "held", reason: decision.reason, known: false };
    case "retry":
      return again(of, decision, outcome, callClass === "message");
    case "pause": {
      if (decision.entry === "keep") return { kind: "pause", reason: decision.reason };
      const pauseMs = decision.retryAfterMs ?? RATE_PAUSE_MS;
      // A flow may ask for a look-up again; a machine repeats nothing else after a 429.
      if (callClass === "read") return { kind: "failed", reason: decision.reason, pauseMs };
      return { kind: "held", reason: decision.reason, known: true, pauseMs };
    }
  }
}

function again(
  of: Case,
  decision: Extract<Decision, { kind: "retry" }>,
  outcome: CallOutcome,
  message: boolean,
): Verdict {
  if (!decision.attempt) return { kind: "retry", counts: false };
  const reason = reasonOf(outcome);
  if (message && of.onTimeout === "hold") return { kind: "held", reason, known: false };
  if (of.attempt <= decision.limit) return { kind: "retry", counts: true };
  return { kind: "failed", reason };
}

/** For a fiscal call a 4xx with words is the authority's refusal, like one in a 200: its reason reaches the flow. */
function toFlow(outcome: CallOutcome, fiscal: boolean): Verdict {
  const said = outcome.kind === "business_error" || (fiscal && outcome.kind === "refused");
  if (!said || outcome.message === undefined) return { kind: "failed", reason: reasonOf(outcome) };
  const { message, code, codes } = outcome;
  return { kind: "rejected", message, code, codes };
}

function failedSend(outcome: CallOutcome): Verdict {
  return { kind: "failed", reason: reasonOf(outcome) };
}

/** A short reason without the gateway's words: it goes into journals and alarms. */
function reasonOf(outcome: CallOutcome): string {
  switch (outcome.kind) {
    case "ok":
      return "ok";
    case "business_error":
      return "refused";
    case "refused":
      return `status_${outcome.status}`;
    case "not_sent":
    case "unknown":
      return outcome.reason;
  }
}

/** Full jitter between 1 s and 60 s, wider with each attempt. `chance` in [0, 1). */
export function retryDelayMs(attempt: number, chance: number): number {
  const ceiling = Math.min(60_000, 2_000 * 4 ** (attempt - 1));
  return Math.max(1_000, Math.round(ceiling * chance));
}
