/** Limits of a flow as they are written, or as the account says them: tries, items, and times of silence. */
import type { Json } from "../../base/index.ts";
import type { Amount, AskingStep, Ast, Step } from "../ast/ast.ts";
import { isDuration } from "../ast/durations.ts";
import type { Facts } from "../moves/facts.ts";
import { isPath } from "./steps.ts";

/** Quiet times where neither step nor flow says otherwise. */
export const QUIET = { nudge: "15m", expire: "24h" } as const;
/** Misunderstood answers in a row before a person is called. */
const MAX_TRIES = 3;

/** What reads the account. */
interface Paths {
  get(facts: Facts, path: string): Json | undefined;
}
interface Flow extends Paths {
  readonly ast: Ast;
}

/** A number as written, or as the account says it; undefined where it says none. */
export function amountOf(
  flow: Paths,
  facts: Facts,
  amount: Amount | undefined,
): number | undefined {
  const value = isPath(amount) ? flow.get(facts, amount) : amount;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** A duration as written, or as the account says it; undefined where it says none. */
export function durationOf(
  flow: Paths,
  facts: Facts,
  text: string | undefined,
): string | undefined {
  const value = isPath(text) ? flow.get(facts, text) : text;
  return typeof value === "string" && (value === "off" || isDuration(value)) ? value : undefined;
}

export function maxTries(flow: Flow, facts: Facts, step: Step): number {
  const own = "max" in step && step.t !== "repeat" ? step.max : undefined;
  const max = amountOf(flow, facts, own) ?? amountOf(flow, facts, flow.ast.policy.max) ?? MAX_TRIES;
  return Math.max(1, max);
}

/** When a question at rest is repeated and when it is given up, as texts; `off` for never. */
export function quietOf(
  flow: Flow,
  facts: Facts,
  step: AskingStep,
): { readonly nudge: string; readonly expire: string } {
  const { quiet } = flow.ast.policy;
  const time = (text: string | undefined): string | undefined => durationOf(flow, facts, text);
  return {
    nudge: time(step.quiet?.nudge) ?? time(quiet?.nudge) ?? QUIET.nudge,
    expire: time(step.quiet?.expire) ?? time(quiet?.expire) ?? QUIET.expire,
  };
}
