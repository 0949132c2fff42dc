/** `notify/`: the flows that are named exist, get their input, and every answer of theirs is handled. */
import type { NotifyStep, SubflowStep, WaitStep } from "../../ast/ast.ts";
import { longestMs } from "../../ast/durations.ts";
import { isPath } from "../../machine/steps.ts";
import { didYouMean, type Finding } from "../../ast/finding.ts";
import { found, goesOnToGrave, type LintContext, type LintRule } from "../context.ts";

/** Nobody waits longer for a yes. */
const WITHIN_MAX_MS = 30 * 86_400_000;

export const notifyRules: LintRule = (context) =>
  context.places.flatMap(({ step }) => {
    if (step.t === "notify")
      return [...callee(context, step), ...waiting(context, step), ...lateGoesOn(context, step)];
    if (step.t === "wait") return [...waiting(context, step), ...lateGoesOn(context, step)];
    return step.t === "subflow" ? callee(context, step) : [];
  });

function callee(context: LintContext, step: NotifyStep | SubflowStep): Finding[] {
  const other = context.flows.get(step.flow);
  if (!other)
    return [
      found(
        context,
        "notify/unknown-flow",
        `No flow "${step.flow}".${didYouMean(step.flow, context.flows.keys())}`,
        step.id,
      ),
    ];
  const findings: Finding[] = [];
  for (const [name, { optional }] of Object.entries(other.input ?? {}))
    if (!optional && !Object.hasOwn(step.input, name))
      findings.push(
        found(context, "notify/flow-needs-input", `Flow "${step.flow}" needs "${name}".`, step.id),
      );
  for (const name of Object.keys(step.input))
    if (!Object.hasOwn(other.input ?? {}, name))
      findings.push(
        found(
          context,
          "notify/input-unknown",
          `Flow "${step.flow}" takes no "${name}".${didYouMean(name, Object.keys(other.input ?? {}))}`,
          step.id,
        ),
      );
  for (const outcome of other.outcomes)
    if (!Object.hasOwn(step.on, outcome))
      findings.push(
        found(
          context,
          "notify/outcome-unhandled",
          `What happens when "${step.flow}" ends ${outcome}?`,
          step.id,
        ),
      );
  if (step.t === "subflow" && step.flow === context.ast.flow)
    findings.push(
      found(
        context,
        "notify/loop",
        `"${step.flow}" would begin inside itself, again and again.`,
        step.id,
      ),
    );
  if (step.t === "notify" && calls(context, step.flow, context.ast.flow))
    findings.push(
      found(
        context,
        "notify/loop",
        `"${step.flow}" notifies "${context.ast.flow}" in turn.`,
        step.id,
      ),
    );
  return findings;
}

function calls(context: LintContext, from: string, to: string): boolean {
  const seen = new Set<string>();
  const queue = [from];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    if (id === to) return true;
    const text = JSON.stringify(context.flows.get(id)?.steps ?? []);
    for (const match of text.matchAll(/"t":"notify","id":"[^"]*","flow":"([^"]*)"/g))
      queue.push(match[1] ?? "");
  }
  return false;
}

/** Silence is no yes: after `late`, nothing grave may follow unless it is asked for again. */
function lateGoesOn(context: LintContext, step: NotifyStep | WaitStep): Finding[] {
  const grave = step.on.late && goesOnToGrave(context, step, step.on.late);
  return grave === undefined
    ? []
    : [
        found(
          context,
          "notify/late-goes-on",
          `When nobody answers "${step.id}", "${grave}" would still be sent: let the late branch end, or go back.`,
          step.id,
        ),
      ];
}

function waiting(context: LintContext, step: NotifyStep | WaitStep): Finding[] {
  const findings: Finding[] = [];
  // What the account says is checked when it is read.
  const within = isPath(step.within) ? 0 : longestMs(step.within);
  if (within === null)
    findings.push(
      found(
        context,
        "notify/bad-duration",
        `"${step.within}" is no duration: 90s, 15m, 2h, 3d, 2bh, 1bd.`,
        step.id,
      ),
    );
  else if (within > WITHIN_MAX_MS)
    findings.push(
      found(
        context,
        "notify/within-too-long",
        `Nobody waits ${step.within} for an answer.`,
        step.id,
      ),
    );
  if (!Object.hasOwn(step.on, "late"))
    findings.push(
      found(
        context,
        "notify/no-late",
        `What happens when nobody answers within ${step.within}?`,
        step.id,
      ),
    );
  return findings;
}
