/**
 * What follows from how a call ended: the one place that decides whether a call may be sent again.
 *
 * It is stricter than the interface's advice (retry on time-out and 5xx), on purpose: a note issued twice is a tax problem,
 * an issuer registered twice costs 19 BRL.
 */
import { routeOf, type RouteId } from "../contract/table.ts";
import type { Billing, CallClass } from "../contract/route.ts";
import { saysDuplicate } from "./error-words.ts";
import type { CallOutcome } from "./outcome.ts";

export type PauseReason =
  | "unreachable"
  | "no_device_token"
  | "unauthorized"
  | "no_balance"
  | "forbidden"
  | "rate_limited"
  | "instance_not_open";

export type Decision =
  | { readonly kind: "done" }
  /** Definite: the flow is told; nothing is sent again. */
  | { readonly kind: "failed" }
  /**
   * Send again, with back-off, while fewer than `limit` retries were made. `attempt` false: nothing left this process,
   * the try does not count. `duplicate`: the earlier one may have taken effect.
   */
  | {
      readonly kind: "retry";
      readonly limit: number;
      readonly attempt: boolean;
      readonly duplicate: boolean;
    }
  /** The end is not known, and a machine must not find out by trying. */
  | { readonly kind: "held"; readonly reason: string }
  /**
   * The whole scope waits, no attempt consumed. `entry` `keep`: this one goes again when the scope resumes; `held`: only
   * when a person says so.
   */
  | {
      readonly kind: "pause";
      readonly scope: "plan" | "credits";
      readonly reason: PauseReason;
      readonly entry: "keep" | "held";
      readonly retryAfterMs?: number;
    };

/** Retries after an unclear end, on top of the first try. */
const RETRY_LIMITS = { read: 3, message: 3, replace: 2, destructive: 2 } as const;

/** What the class alone does not say. */
interface CallFacts {
  /** Which scope pauses. Default: `credits` for fiscal calls, else `plan`. */
  readonly billing?: Billing;
  /** A repeat has the same effect as one call. Only asked for destructive calls; default no. */
  readonly repeatHarmless?: boolean;
  /** An enqueue call: charged when it was taken in, so one without an answer is never made again. */
  readonly queued?: boolean;
  /** Default yes. No for routes that manage the instance itself: there a closed instance is an answer, not an outage. */
  readonly needsInstance?: boolean;
}

/** The decision for a route of the contract. */
export function classifyCall(
  id: RouteId,
  outcome: CallOutcome,
  options: { queued?: boolean } = {},
): Decision {
  const route = routeOf(id);
  return classifyOutcome(route.class, outcome, {
    billing: route.billing,
    repeatHarmless: route.repeat === "harmless",
    queued: options.queued === true || route.queue === "only",
    needsInstance: needsInstance(id),
  });
}

/** Invoicing, jobs and SMS have no instance; the routes of `/instance` manage it. */
function needsInstance(id: RouteId): boolean {
  const { area } = routeOf(id);
  return (area === "messaging" && !id.startsWith("instance.")) || id.startsWith("engine");
}

/** The decision for a class of calls. */
export function classifyOutcome(
  callClass: CallClass,
  outcome: CallOutcome,
  facts: CallFacts = {},
): Decision {
  const scope =
    (facts.billing ?? (callClass === "fiscal" ? "credits" : "plan")) === "credits"
      ? "credits"
      : "plan";
  switch (outcome.kind) {
    case "ok":
      return { kind: "done" };
    case "not_sent":
      return notSent(outcome.reason, scope);
    case "unknown":
      return unclear(callClass, outcome.reason, facts);
    case "business_error":
      if (callClass === "fiscal" && isHint(outcome)) return held("duplicate_hint");
      if (scope === "plan" && facts.needsInstance !== false && hintsClosed(outcome))
        return pause("plan", "instance_not_open");
      return { kind: "failed" };
    case "refused":
      return refused(callClass, outcome, scope, facts);
  }
}

function notSent(reason: string, scope: "plan" | "credits"): Decision {
  if (reason === "no_device_token") return pause(scope, "no_device_token");
  if (reason === "unsendable") return pause(scope, "unauthorized");
  if (["aborted", "timeout", "closed", "too_late"].includes(reason))
    return { kind: "retry", limit: Number.POSITIVE_INFINITY, attempt: false, duplicate: false };
  return pause(scope, "unreachable");
}

function unclear(callClass: CallClass, reason: string, facts: CallFacts): Decision {
  if (facts.queued === true) return held(reason);
  switch (callClass) {
    case "fiscal":
    case "costly":
      return held(reason);
    case "destructive":
      return facts.repeatHarmless === true ? again("destructive") : held(reason);
    default:
      return again(callClass);
  }
}

function refused(
  callClass: CallClass,
  outcome: Extract<CallOutcome, { kind: "refused" }>,
  scope: "plan" | "credits",
  facts: CallFacts,
): Decision {
  switch (outcome.status) {
    case 401:
      return pause(scope, "unauthorized");
    case 402:
      return pause(scope, "no_balance");
    case 403:
      return facts.needsInstance === false && NAME_TAKEN.test(outcome.message ?? "")
        ? { kind: "failed" }
        : pause(scope, "forbidden");
    case 429: {
      const wait = outcome.retryAfterMs;
      return {
        ...pause(scope, "rate_limited", "held"),
        ...(wait === undefined ? {} : { retryAfterMs: wait }),
      };
    }
    // 408, 409, 425: the request may be at work, or have been done before. Only a fiscal call is then left to a person.
    case 408:
    case 409:
    case 425:
      if (callClass === "fiscal") return held(`status_${outcome.status}`);
      break;
    default:
  }
  if (callClass === "fiscal" && isHint(outcome)) return held("duplicate_hint");
  // A refusal whose words were lost on the way may have held such a hint.
  if (callClass === "fiscal" && outcome.garbled) return held("unreadable");
  if (scope === "plan" && facts.needsInstance !== false && hintsClosed(outcome))
    return pause("plan", "instance_not_open");
  return { kind: "failed" };
}

function again(callClass: keyof typeof RETRY_LIMITS): Decision {
  return {
    kind: "retry",
    limit: RETRY_LIMITS[callClass],
    attempt: true,
    duplicate: callClass === "message",
  };
}

function held(reason: string): Decision {
  return { kind: "held", reason };
}

function pause(
  scope: "plan" | "credits",
  reason: PauseReason,
  entry: "keep" | "held" = "keep",
): Extract<Decision, { kind: "pause" }> {
  return { kind: "pause", scope, reason, entry };
}

/** Texts by which engines say that the phone is not connected, or that they do not know the instance. */
const CLOSED =
  /not connected|n[aã]o (?:est[aá] )?conectad|desconectad|disconnected|connection closed|not open|inst[aâ]nci?[ea]?\b.{0,80}(?:not exist|n[aã]o existe|not found|n[aã]o encontrad)/i;

const NAME_TAKEN = /already in use|j[aá] est[aá] em uso|em uso/i;

type Texts = { readonly message?: string; readonly code?: string; readonly duplicate?: true };

function isHint({ duplicate, code = "", message = "" }: Texts): boolean {
  return duplicate === true || saysDuplicate(`${code} ${message}`);
}

function hintsClosed(outcome: Texts): boolean {
  return CLOSED.test(outcome.message ?? "");
}
