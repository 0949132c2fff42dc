/**
 * The step at which a conversation must wait, by the author's own list of steps: the first one that the facts do not pass.
 * The compiled machine is not used, so that the two can be compared.
 */
import type { JsonObject } from "../../base/index.ts";
import type { Block } from "../ast/ast.ts";
import type { Expr } from "../ast/expression.ts";
import type { FlowIndex } from "../machine/flow-index.ts";
import { edgesOf, namedOf, stateOf, statesOf } from "../machine/raw.ts";
import { blocksOf, isAsk, kindOf } from "../machine/steps.ts";
import type { Reading } from "../steps/step-kind.ts";
import type { Facts } from "../moves/facts.ts";

/** Steps read at most; a list that goes round without resting is lint's to find. */
const READ_MAX = 5_000;

export interface Landing {
  /** Step at rest, or `ended-<outcome>`. */
  readonly at: string;
  /** Everything said on the way there. */
  readonly said: readonly string[];
  /** Whether a jump was met: what is known of the steps behind its target is then forgotten. */
  readonly jumped: boolean;
}

/** Undefined where the steps go round without resting. */
export function landing(model: FlowIndex, facts: Facts): Landing | undefined {
  if (model.ast.machine) {
    const at = rawLanding(model, facts);
    return at === undefined ? undefined : { at, said: [], jumped: false };
  }
  const said: string[] = [];
  let left = READ_MAX;
  const reading: Reading = {
    model,
    facts,
    block(block) {
      for (const step of block) {
        if (--left < 0) throw new Jump(undefined);
        const at = kindOf(step).place(step, reading);
        if (at !== null) return at;
      }
      return null;
    },
    say: (id) => void said.push(id),
    jump(to) {
      throw new Jump(to);
    },
    settled(step, branch) {
      const is = model.settled(facts, step);
      if (is === undefined) return step.id;
      const next = branch(is);
      return typeof next === "string" ? next : reading.block(next);
    },
  };

  /** What follows a step, out through all the blocks it stands in. */
  function after(id: string): Block {
    const found = follow(model.ast.steps, id, []);
    return found ?? [];
  }

  let jumped = false;
  let block: Block = model.ast.steps;
  while (left > 0) {
    try {
      return { at: reading.block(block) ?? "ended-done", said, jumped };
    } catch (jump) {
      if (!(jump instanceof Jump)) throw jump;
      if (jump.to === undefined) return undefined;
      left -= 1;
      jumped = true;
      block = after(jump.to);
    }
  }
  return undefined;
}

class Jump extends Error {
  readonly to: string | undefined;
  constructor(to: string | undefined) {
    super("jump");
    this.to = to;
  }
}

/** The step `id` and all that follows it; undefined when it is not in this block. */
function follow(block: Block, id: string, rest: Block): Block | undefined {
  for (const [index, step] of block.entries()) {
    if (step.id === id) return [...block.slice(index), ...rest];
    const later = [...block.slice(index + 1), ...rest];
    for (const inner of blocksOf(step)) {
      const found = follow(inner.block, id, later);
      if (found) return found;
    }
  }
  return undefined;
}

/** States read at most; a chart that goes round is lint's to find. */
const STATES_MAX = 1_000;

/**
 * The state of rest of a hand-written machine, reached from `from` (by default where the chart begins) by the facts alone:
 * its eventless edges are tried as the author wrote them. Undefined where it goes round.
 */
export function rawLanding(model: FlowIndex, facts: Facts, from?: string): string | undefined {
  const { machine = {} } = model.ast;
  const states = statesOf(machine);
  const initial = machine["initial"];
  let at = from ?? (typeof initial === "string" ? initial : "");
  for (let left = STATES_MAX; left > 0; left--) {
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
