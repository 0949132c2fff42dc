/** `graph/`: every step can be reached and left. Works on the compiled states. */
import type { Block, GotoStep, Step } from "../ast/ast.ts";
import { didYouMean } from "../ast/finding.ts";
import { compile } from "../machine/compile.ts";
import { type FlowConfig, targetOf } from "../machine/config.ts";
import { kindOf } from "../machine/steps.ts";
import type { LintContext, LintRule } from "./context.ts";

export const graphRules: LintRule = (context) => {
  const { ast, places, model, found } = context;
  let isWhole = true;
  for (const { step } of places)
    if (step.t === "goto" && !model.steps.has(step.to)) {
      const near = didYouMean(step.to, model.steps.keys());
      found("graph/goto-unknown", `No step "${step.to}".${near}`, step.id);
      isWhole = false;
    }
  if (!isWhole) return;
  const config = compile(ast);
  unreachable(context, config);
  if (!loops(context, config)) jumpsBack(context, config);
  outcomes(context);
  intoBranch(context);
  deadEnds(context);
  fallsOff(context);
};

function unreachable({ places, found }: LintContext, config: FlowConfig): void {
  const edgesOf = (on: FlowConfig["on"] = {}) => Object.values(on).flat();
  const reached = new Set(["start"]);
  const goOn = (edges: ReturnType<typeof edgesOf>): void => {
    for (const edge of edges) {
      const target = targetOf(config, edge);
      if (target !== undefined) reached.add(target);
    }
  };
  goOn(edgesOf(config.on));
  for (const id of reached) {
    const { always = [], on } = config.states[id] ?? {};
    goOn([...always, ...edgesOf(on)]);
  }
  for (const { step } of places)
    if (step.t !== "form" && !reached.has(step.id))
      found("graph/unreachable", `Nothing leads to "${step.id}".`, step.id);
}

/**
 * Whether there is a cycle of states without one that waits: it would run for ever. Backward jumps go through `start` and do
 * wait.
 */
function loops({ ast, model, found }: LintContext, config: FlowConfig): boolean {
  const rests = (id: string): boolean => {
    const step = model.steps.get(id);
    return (step !== undefined && kindOf(step).rests) || id.endsWith("-held-rest");
  };
  const done = new Set<string>();
  const visit = (id: string, path: readonly string[]): string | undefined => {
    if (path.includes(id)) return id;
    if (done.has(id) || rests(id)) return undefined;
    done.add(id);
    const { always = [], on = {} } = config.states[id] ?? {};
    for (const edge of [...always, ...Object.values(on).flat()]) {
      const target = targetOf(config, edge);
      const loop = target === undefined ? undefined : visit(target, [...path, id]);
      if (loop !== undefined) return loop;
    }
    return undefined;
  };
  for (const id of Object.keys(config.states)) {
    const met = visit(id, []);
    const loop = met === "start" ? ast.steps[0]?.id : met;
    if (loop === undefined) continue;
    const message = `The steps after "${loop}" come back to it without a question.`;
    found("graph/loop-without-rest", message, loop);
    return true;
  }
  return false;
}

/**
 * Jumps back with no question in between. An answered question is not asked again unless the jump clears its answer.
 *
 * A jump is reported only when no step on any path from the start to it would wait again. Lint does not know which
 * conditions hold together, and an error keeps a flow from being loaded.
 */
function jumpsBack(context: LintContext, config: FlowConfig): void {
  const { places, model, found } = context;
  const order = orderOf(context);
  const ways = new Ways(config);
  for (const { step } of places) {
    if (step.t !== "goto" || clears(context, step)) continue;
    const [from = 0, to = 0] = [order.get(step.id), order.get(step.to)];
    if (to > from) continue;
    const between = ways.between("start", step.id);
    if (between.size === 0) continue;
    const steps = [...between].flatMap((id) => model.steps.get(id) ?? []);
    // What stands before the place jumped to is settled and stays it.
    if (steps.some((one) => (order.get(one.id) ?? Infinity) >= to && happensAnew(one))) continue;
    const message = `"${step.id}" goes back to "${step.to}", and nothing on the way is asked again.`;
    found("graph/loop-without-rest", message, step.id);
  }
}

/** Places by the id of their step; of a step that stands twice the later one. */
function orderOf({ places }: LintContext): ReadonlyMap<string, number> {
  return new Map(places.map(({ step }, index) => [step.id, index]));
}

/** Whether a jump takes any answer away, or may: which ones a result names is not known here. */
function clears({ model }: LintContext, { clear, to }: GotoStep): boolean {
  if (clear) return "ref" in clear || clear.length > 0;
  const target = model.steps.get(to);
  return target?.t === "ask" || target?.t === "choose";
}

/** Whether a step rests again once the jump has forgotten how it ended. Answers are not forgotten. */
function happensAnew(step: Step): boolean {
  // An answer that depends on others is checked against them again.
  if (step.t === "ask") return step.from !== undefined;
  return step.t === "repeat" || (kindOf(step).rests && step.t !== "choose");
}

/** The compiled states by their eventless edges; a jump back ends a way. */
class Ways {
  readonly #next = new Map<string, string[]>();
  readonly #before = new Map<string, string[]>();

  constructor(config: FlowConfig) {
    for (const [id, { always = [] }] of Object.entries(config.states))
      for (const edge of always) {
        const to = targetOf(config, edge);
        if (to === undefined || to === "start") continue;
        this.#next.set(id, [...(this.#next.get(id) ?? []), to]);
        this.#before.set(to, [...(this.#before.get(to) ?? []), id]);
      }
  }

  /** States on any way from one to another; none where there is no way. */
  between(from: string, to: string): Set<string> {
    const after = reached(this.#next, from);
    const before = reached(this.#before, to);
    return new Set(after.has(to) ? [...after].filter((id) => before.has(id)) : []);
  }
}

function reached(edges: ReadonlyMap<string, readonly string[]>, from: string): Set<string> {
  const all = new Set([from]);
  for (const id of all) for (const next of edges.get(id) ?? []) all.add(next);
  return all;
}

function outcomes({ ast, places, found }: LintContext): void {
  const named = new Set([...ast.outcomes, "done", "cancelled", "expired"]);
  for (const { step } of places)
    if (step.t === "end" && !named.has(step.outcome)) {
      const message = `"${step.outcome}" is no outcome of this flow.${didYouMean(step.outcome, named)}`;
      found("graph/unknown-outcome", message, step.id);
    }
}

/** A jump forward into a conditional block would skip its condition. */
function intoBranch(context: LintContext): void {
  const { places, found } = context;
  const order = orderOf(context);
  for (const { step, under } of places) {
    if (step.t !== "goto") continue;
    const target = places.find((place) => place.step.id === step.to);
    const forward = (order.get(step.to) ?? 0) > (order.get(step.id) ?? 0);
    const outside = target?.under.some((condition) => !under.includes(condition)) ?? false;
    if (!forward || !outside) continue;
    const message = `"${step.to}" stands under a condition; jump to a step outside it.`;
    found("graph/goto-into-branch", message, step.id);
  }
}

/** An option without a branch, or a wait without one of its ends: whoever gets there stays. */
function deadEnds({ ast, places, found }: LintContext): void {
  for (const { step } of places) {
    const dead = (message: string): void => found("graph/dead-end", message, step.id);
    const { outcomes: ends } = kindOf(step);
    if (ends && "on" in step) {
      for (const outcome of ends)
        if (!Object.hasOwn(step.on, outcome))
          dead(`What happens when "${step.id}" ends ${outcome}?`);
      for (const outcome of Object.keys(step.on))
        if (!ends.includes(outcome))
          dead(`A ${step.t} has no "${outcome}".${didYouMean(outcome, ends)}`);
    }
    if (step.t !== "choose") continue;
    const given = ast.slots[step.slot]?.params?.["options"];
    const options = Array.isArray(given) ? given.map(String) : [];
    const branches = Object.keys(step.branches);
    if (branches.length === 0) dead(`"${step.id}" has no branch at all.`);
    else
      for (const option of options)
        if (!branches.includes(option)) dead(`Option "${option}" of "${step.slot}" leads nowhere.`);
    if (options.length > 0)
      for (const branch of branches)
        if (!options.includes(branch))
          dead(`"${step.slot}" has no option "${branch}".${didYouMean(branch, options)}`);
  }
}

/** In a flow with outcomes of its own, coming to the end of the list is most often forgotten, unless a person took over. */
function fallsOff({ ast, found }: LintContext): void {
  // A machine made by hand ends by its own final states.
  if (ast.outcomes.length === 0 || ast.machine || closes(ast.steps)) return;
  const last = ast.steps.at(-1)?.id;
  const message = `After "${last ?? ""}" it ends as done, which is none of ${ast.outcomes.join(", ")}.`;
  found("graph/falls-off-end", message, last);
}

/** Whether every way through a block ends, goes elsewhere, or is handed to a person. */
function closes(block: Block): boolean {
  const last = block.at(-1);
  if (!last) return false;
  return kindOf(last).closes?.(last, closes) ?? false;
}
