/** Fills in the inputs that the author left out: the input of an effect or a flow comes from slots of the same name. */
import type { Ast, Block, Repair, RepairRule, SlotDef, Step } from "../ast/ast.ts";
import type { Expr } from "../ast/expression.ts";
import type { Neighbours } from "../lint/context.ts";
import { kindOf, placed } from "../machine/steps.ts";
import type { Linker } from "../steps/step-kind.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The flow with every input written out. Linking twice changes nothing. */
export function link(ast: Ast, words: Vocabulary, flows: Neighbours): Ast {
  const block = (steps: Block): Block => steps.map(step);
  const blocks = (named: { readonly [name: string]: Block }) =>
    Object.fromEntries(Object.entries(named).map(([name, steps]) => [name, block(steps)]));
  // What is asked for each item of a list is many values: none of them goes anywhere by its name.
  const items = new Set(
    placed(ast).flatMap(({ step: one, repeat }) => (repeat && "slot" in one ? [one.slot] : [])),
  );
  const added: Record<string, SlotDef> = {};
  const fill = (input: { readonly [name: string]: Expr }, names: readonly string[]) => ({
    ...Object.fromEntries(
      names
        .filter((name) => Object.hasOwn(ast.slots, name) && !items.has(name))
        .map((name) => [name, { ref: name }]),
    ),
    ...input,
  });
  const linker: Linker = {
    words,
    block,
    blocks,
    fill,
    inputOf: (flow) => Object.keys(flows.get(flow)?.input ?? {}),
    repair,
    slot: (name, def) => {
      added[name] = def;
    },
  };
  function step(one: Step): Step {
    const linked = kindOf(one).link?.(one, linker) ?? one;
    return "repair" in linked ? { ...linked, ...repair(linked) } : linked;
  }
  function repair(one: { readonly repair?: Repair }): { readonly repair?: Repair } {
    return one.repair ? { repair: rules(one.repair) } : {};
  }
  function rules(given: { readonly [event: string]: RepairRule }): Repair {
    return Object.fromEntries(
      Object.entries(given).map(([event, rule]) => [
        event,
        typeof rule === "string" ? rule : block(rule),
      ]),
    );
  }
  const steps = block(ast.steps);
  const policy = ast.policy.repair
    ? { ...ast.policy, repair: rules(ast.policy.repair) }
    : ast.policy;
  const slots = Object.keys(added).length > 0 ? { ...ast.slots, ...added } : ast.slots;
  return { ...ast, slots, policy, steps };
}
