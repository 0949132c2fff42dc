/**
 * Jumps back with no question in between. An answered question is not asked again unless the jump clears its answer.
 *
 * A jump is reported only when no step on any path from the start to it would wait again. Lint does not know which
 * conditions hold together, and an error keeps a flow from being loaded.
 */
import type { FlowConfig } from "../../machine/config.ts";
import type { Finding } from "../../ast/finding.ts";
import type { Step } from "../../ast/ast.ts";
import { eachStep } from "../../machine/steps.ts";
import { found, type LintContext } from "../context.ts";

type Jump = Extract<Step, { t: "goto" }>;

export function jumpsBack(context: LintContext, config: FlowConfig): Finding[] {
  const order = new Map(eachStep(context.ast).map(({ id }, index) => [id, index]));
  const ways = new Ways(config);
  return context.places.flatMap(({ step }) => {
    if (step.t !== "goto" || clears(context, step)) return [];
    const [from = 0, to = 0] = [order.get(step.id), order.get(step.to)];
    if (to > from) return [];
    const between = ways.between("start", step.id);
    if (between.size === 0) return [];
    const steps = [...between].flatMap((id) => context.model.steps.get(id) ?? []);
    // What stands before the place jumped to is settled and stays it.
    if (steps.some((one) => (order.get(one.id) ?? Infinity) >= to && happensAnew(one))) return [];
    const message = `"${step.id}" goes back to "${step.to}", and nothing on the way is asked again.`;
    return [found(context, "graph/loop-without-rest", message, step.id)];
  });
}

/** Whether a jump takes any answer away, or may: which ones a result names is not known here. */
function clears({ model }: LintContext, { clear, to }: Jump): boolean {
  if (clear) return "ref" in clear || clear.length > 0;
  const target = model.steps.get(to);
  return target?.t === "ask" || target?.t === "choose";
}

/** Whether a step rests again once the jump has forgotten how it ended. Answers are not forgotten. */
function happensAnew(step: Step): boolean {
  switch (step.t) {
    case "say":
    case "when":
    case "goto":
    case "form":
    case "choose":
    case "end":
      return false;
    case "ask":
      // An answer that depends on others is checked against them again.
      return step.from !== undefined;
    default:
      return true;
  }
}

/** The compiled states by their eventless edges; a jump back ends a way. */
class Ways {
  readonly #next = new Map<string, string[]>();
  readonly #before = new Map<string, string[]>();

  constructor(config: FlowConfig) {
    const prefix = `#${config.id}.`.length;
    for (const [id, state] of Object.entries(config.states))
      for (const { target } of state.always ?? [])
        if (target !== undefined && target.slice(prefix) !== "start") {
          const to = target.slice(prefix);
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
