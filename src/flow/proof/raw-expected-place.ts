/**
 * The state to which a hand-written machine goes from a given state, by the facts alone: its eventless edges are tried as
 * the author wrote them. Counterpart of {@link landing}; the compiled machine is not used.
 */
import type { JsonObject } from "../../base/index.ts";
import type { Expr } from "../ast/expression.ts";
import type { Facts } from "../moves/facts.ts";
import type { FlowIndex } from "../machine/flow-index.ts";
import { edgesOf, namedOf, stateOf, statesOf } from "../machine/raw-shape.ts";
import { isAsk } from "../machine/steps.ts";

/** States read at most; a chart that goes round is lint's to find. */
const READ_MAX = 1_000;

/** The state of rest, reached from `from` (by default where the chart begins); undefined where it goes round. */
export function rawLanding(model: FlowIndex, facts: Facts, from?: string): string | undefined {
  const { machine = {} } = model.ast;
  const states = statesOf(machine);
  const initial = machine["initial"];
  let at = from ?? (typeof initial === "string" ? initial : "");
  for (let left = READ_MAX; left > 0; left--) {
    const open = edgesOf(states[at]?.["always"]).find((edge) => holds(model, facts, at, edge));
    const target = open?.["target"];
    if (typeof target !== "string") return at;
    at = stateOf(model.ast, target);
  }
  return undefined;
}

function holds(model: FlowIndex, facts: Facts, state: string, edge: JsonObject): boolean {
  const [guard] = namedOf(edge["guard"]);
  if (!guard) return true;
  const { type, params } = guard;
  const named = params["step"];
  const step = model.steps.get(typeof named === "string" ? named : state);
  const filled = step && isAsk(step) ? model.isFilled(facts, step) : undefined;
  switch (type) {
    case "filled":
      return filled === true;
    case "picked":
      return filled === true && step?.t === "choose" && facts.slots[step.slot] === params["option"];
    case "settled":
      return step !== undefined && model.settled(facts, step) === params["is"];
    case "is":
      return filled !== false && model.holds(facts, params["if"] as unknown as Expr);
    case "open":
      return facts.sealed === null;
    default:
      return false;
  }
}
