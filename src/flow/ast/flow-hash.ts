/** The content hash of a flow. */
import { digest } from "../../base/index.ts";
import type { Vocabulary } from "../authoring/vocabulary.ts";
import { eachStep, expressionsOf } from "../machine/steps.ts";
import type { Ast } from "./ast.ts";
import { rulesIn } from "./expression.ts";

/**
 * Content hash of a flow. It decides whether a conversation in progress is still in the same version.
 *
 * Texts, title, audience, role, `restarts`, `version` and migrations are left out, so editing words moves no conversation.
 * Versions of the kinds, effects and rules that the flow uses are included, because their code is not part of the flow.
 */
export function flowHash(ast: Ast, words: Vocabulary): string {
  const kinds: Record<string, number> = {};
  for (const slot of Object.values(ast.slots))
    kinds[slot.kind] = words.kinds.get(slot.kind)?.version ?? 0;
  const effects: Record<string, number> = {};
  const rules: Record<string, number> = {};
  // People answer by the number of a row: another order is another question. Maps have none in a digest.
  const order: Record<string, readonly string[]> = {};
  for (const step of eachStep(ast)) {
    if (step.t === "choose") order[step.id] = Object.keys(step.branches);
    if (step.t === "effect") effects[step.effect] = words.effects.get(step.effect)?.version ?? 0;
    for (const expr of expressionsOf(step))
      for (const rule of rulesIn(expr)) rules[rule] = words.rules.get(rule)?.version ?? 0;
  }
  const { flow, slots, input, outcomes, policy, steps, machine } = ast;
  const raw = machine ? { machine } : {};
  const shown = Object.keys(order).length > 0 ? { order } : {};
  return digest({
    flow,
    slots,
    input,
    outcomes,
    policy,
    steps,
    ...raw,
    kinds,
    effects,
    rules,
    ...shown,
  });
}
