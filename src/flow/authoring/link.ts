/** Fills in the inputs that the author left out: the input of an effect or a flow comes from slots of the same name. */
import type { Ast, Block, Repair, RepairRule, SlotDef, Step } from "../ast/ast.ts";
import type { Expr } from "../ast/expression.ts";
import type { Neighbours } from "../lint/context.ts";
import { placed } from "../machine/steps.ts";
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
  const mores: Record<string, SlotDef> = {};
  const fill = (input: { readonly [name: string]: Expr }, names: readonly string[]) => ({
    ...Object.fromEntries(
      names
        .filter((name) => Object.hasOwn(ast.slots, name) && !items.has(name))
        .map((name) => [name, { ref: name }]),
    ),
    ...input,
  });
  const inputOf = (flow: string) => Object.keys(flows.get(flow)?.input ?? {});
  function step(one: Step): Step {
    switch (one.t) {
      case "effect": {
        const input = words.effects.get(one.effect)?.input ?? [];
        const isGiven = (name: string): boolean =>
          Object.hasOwn(one.input, name) || Object.hasOwn(fill({}, [name]), name);
        const names = input
          .filter(({ explicit, unless }) => !explicit && !(unless !== undefined && isGiven(unless)))
          .map(({ name }) => name);
        return { ...one, input: fill(one.input, names), on: blocks(one.on), ...repair(one) };
      }
      case "subflow":
      case "notify":
        return {
          ...one,
          input: fill(one.input, inputOf(one.flow)),
          on: blocks(one.on),
          ...repair(one),
        };
      case "wait":
        return { ...one, on: blocks(one.on), ...repair(one) };
      case "repeat": {
        const slot = `${one.slot}_more`;
        mores[slot] = { kind: "choice", params: { more: one.slot } };
        const more = one.more ?? { t: "ask", id: `${one.id}-more`, slot };
        return { ...one, of: block(one.of), more: { ...more, ...repair(more) } };
      }
      case "when":
        return { ...one, then: block(one.then), ...(one.else ? { else: block(one.else) } : {}) };
      case "choose":
        return { ...one, branches: blocks(one.branches), ...repair(one) };
      case "confirm":
        return { ...one, ...(one.no ? { no: block(one.no) } : {}), ...repair(one) };
      case "form":
        return { ...one, asks: one.asks.map((ask) => ({ ...ask, ...repair(ask) })) };
      case "ask":
        return { ...one, ...repair(one) };
      case "handoff":
        return { ...one, ...repair(one) };
      case "say":
      case "goto":
      case "end":
        return one;
    }
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
  const slots = Object.keys(mores).length > 0 ? { ...ast.slots, ...mores } : ast.slots;
  return { ...ast, slots, policy, steps };
}
