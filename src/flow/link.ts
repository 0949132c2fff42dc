/**
 * Takes what is not written from what is known: an effect's or a flow's input comes from slots of the same name.
 */
import type { Ast, Block, RepairRule, Step } from "./ast.ts";
import type { Expr } from "./expression.ts";
import type { Neighbours } from "./lint/context.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The flow with every input written out. Linking twice changes nothing. */
export function link(ast: Ast, words: Vocabulary, flows: Neighbours): Ast {
  const block = (steps: Block): Block => steps.map(step);
  const blocks = (named: { readonly [name: string]: Block }) =>
    Object.fromEntries(Object.entries(named).map(([name, steps]) => [name, block(steps)]));
  const fill = (input: { readonly [name: string]: Expr }, names: readonly string[]) => ({
    ...Object.fromEntries(
      names.filter((name) => Object.hasOwn(ast.slots, name)).map((name) => [name, { ref: name }]),
    ),
    ...input,
  });
  const inputOf = (flow: string) => Object.keys(flows.get(flow)?.input ?? {});
  function step(one: Step): Step {
    switch (one.t) {
      case "effect": {
        const input = words.effects.get(one.effect)?.input ?? [];
        const names = input.filter(({ explicit }) => !explicit).map(({ name }) => name);
        return { ...one, input: fill(one.input, names), on: blocks(one.on) };
      }
      case "subflow":
      case "notify":
        return { ...one, input: fill(one.input, inputOf(one.flow)), on: blocks(one.on) };
      case "wait":
        return { ...one, on: blocks(one.on) };
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
      case "say":
      case "goto":
      case "handoff":
      case "end":
        return one;
    }
  }
  function repair(one: { readonly repair?: { readonly [event: string]: RepairRule } }) {
    if (!one.repair) return {};
    return {
      repair: Object.fromEntries(
        Object.entries(one.repair).map(([event, rule]) => [
          event,
          typeof rule === "string" ? rule : block(rule),
        ]),
      ),
    };
  }
  return { ...ast, policy: { ...ast.policy, ...repair(ast.policy) }, steps: block(ast.steps) };
}
