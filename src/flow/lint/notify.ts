/**
 * `notify/`: the flows that are named exist, get their input, and every answer of theirs is handled; what is waited for is
 * declared, and ends in time.
 */
import type { Block, NotifyStep, SubflowStep, WaitStep } from "../ast/ast.ts";
import { longestMs } from "../ast/durations.ts";
import { didYouMean, nearest } from "../ast/finding.ts";
import { blocksOf, isPath } from "../machine/steps.ts";
import { goesOnToGrave, type LintContext, type LintRule } from "./context.ts";

/** Nobody waits longer for a yes. */
const WITHIN_MAX_MS = 30 * 86_400_000;

export const notifyRules: LintRule = (context) => {
  for (const { step } of context.places) {
    if (step.t === "notify" || step.t === "subflow") callee(context, step);
    if (step.t === "notify" || step.t === "wait") waiting(context, step);
    if (step.t === "wait") declared(context, step);
  }
  circles(context);
};

function callee(context: LintContext, step: NotifyStep | SubflowStep): void {
  const { flows, ast, found } = context;
  const { id, flow } = step;
  const other = flows.get(flow);
  if (!other)
    return found("notify/unknown-flow", `No flow "${flow}".${didYouMean(flow, flows.keys())}`, id);
  const { input = {}, outcomes } = other;
  for (const [name, { optional }] of Object.entries(input))
    if (!optional && !Object.hasOwn(step.input, name))
      found("notify/flow-needs-input", `Flow "${flow}" needs "${name}".`, id);
  for (const name of Object.keys(step.input))
    if (!Object.hasOwn(input, name)) {
      const near = didYouMean(name, Object.keys(input));
      found("notify/input-unknown", `Flow "${flow}" takes no "${name}".${near}`, id);
    }
  for (const outcome of outcomes)
    if (!Object.hasOwn(step.on, outcome))
      found("notify/outcome-unhandled", `What happens when "${flow}" ends ${outcome}?`, id);
  if (step.t === "subflow" && flow === ast.flow)
    found("notify/loop", `"${flow}" would begin inside itself, again and again.`, id);
  if (step.t === "notify" && notifies(context, flow, ast.flow))
    found("notify/loop", `"${flow}" notifies "${ast.flow}" in turn.`, id);
}

/** Whether a flow, or one that it notifies, is or notifies the other. */
function notifies({ flows }: LintContext, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const id of seen) {
    const text = JSON.stringify(flows.get(id)?.steps ?? []);
    for (const [, flow = ""] of text.matchAll(/"t":"notify","id":"[^"]*","flow":"([^"]*)"/g))
      seen.add(flow);
  }
  return seen.has(to);
}

function waiting(context: LintContext, step: NotifyStep | WaitStep): void {
  const { found } = context;
  const { id, within, on } = step;
  // What the account says is checked when it is read.
  const longest = isPath(within) ? 0 : longestMs(within);
  if (longest === null)
    found("notify/bad-duration", `"${within}" is no duration: 90s, 15m, 2h, 3d, 2bh, 1bd.`, id);
  else if (longest > WITHIN_MAX_MS)
    found("notify/within-too-long", `Nobody waits ${within} for an answer.`, id);
  if (!Object.hasOwn(on, "late"))
    found("notify/no-late", `What happens when nobody answers within ${within}?`, id);
  // Silence is no yes: after `late`, nothing grave may follow unless it is asked for again.
  const grave = on.late && goesOnToGrave(context, step, on.late);
  if (!grave) return;
  const message = `When nobody answers "${id}", "${grave}" would still be sent: let the late branch end, or go back.`;
  found("notify/late-goes-on", message, id);
}

/**
 * An event that a step waits for is declared, where the declared events are known. Nearly the name of one is a slip; one that
 * nobody declared may be meant, and is never checked by anything else.
 */
function declared({ words: { events }, found }: LintContext, { id, event }: WaitStep): void {
  if (!events || events.has(event)) return;
  const near = nearest(event, events.keys());
  if (near !== undefined)
    return found("notify/unknown-event", `No event "${event}". Did you mean "${near}"?`, id);
  const line = `add "${event}: [what, it, brings]" to events.yaml in the folder of flows`;
  const message = `No event "${event}" is declared; if it is posted, ${line}.`;
  found("notify/unknown-event", message, id, "warning");
}

/** Flows that begin one another without a question in between. Such a circle would run until it is cut off. */
function circles(context: LintContext): void {
  const { flow } = context.ast;
  for (const { id, flow: first } of openings(context.ast.steps)) {
    // A flow inside itself is reported whether it waits or not.
    const way = first === flow ? undefined : wayBack(context, first, flow);
    if (!way) continue;
    const names = [first, ...way].map((name) => `"${name}"`).join(" begins ");
    const message = `"${flow}" begins ${names} again, and nobody is asked anything on the way.`;
    context.found("notify/circle", message, id);
  }
}

/** The flows that lead from one to another, the shortest way, each begun before anything rests. */
function wayBack({ flows }: LintContext, from: string, to: string): string[] | undefined {
  const ways = new Map<string, string[]>([[from, []]]);
  for (const [one, way] of ways)
    for (const { flow } of openings(flows.get(one)?.steps ?? [])) {
      if (flow === to) return [...way, to];
      if (!ways.has(flow)) ways.set(flow, [...way, flow]);
    }
  return undefined;
}

/** Subflows that may begin before the flow rests anywhere, whatever its conditions say. */
function openings(steps: Block): SubflowStep[] {
  const found = new Set<SubflowStep>();
  const seen = new Set<string>();
  /** Whether a block can be gone through to its end without a rest. */
  const passes = (block: Block): boolean => {
    for (const step of block) {
      switch (step.t) {
        case "say":
          continue;
        case "when":
          if ([step.then, step.else ?? []].map(passes).includes(true)) continue;
          return false;
        case "subflow":
          found.add(step);
          return false;
        case "goto": {
          const rest = seen.has(step.to) ? undefined : tailOf(steps, step.to);
          seen.add(step.to);
          if (rest) passes(rest);
          return false;
        }
        default:
          return false;
      }
    }
    return true;
  };
  passes(steps);
  return [...found];
}

/** A block from the step of this id on, wherever it stands. */
function tailOf(block: Block, id: string): Block | undefined {
  for (const [index, step] of block.entries()) {
    if (step.id === id) return block.slice(index);
    for (const inner of blocksOf(step)) {
      const tail = tailOf(inner.block, id);
      if (tail) return tail;
    }
  }
  return undefined;
}
