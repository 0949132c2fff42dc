/**
 * The content of a step and of a whole flow. A step counts as passed only for the content it was passed with, so a changed
 * answer undoes exactly the steps that depend on it. */
import { digest, type Json, type JsonObject } from "../../base/index.ts";
import type { Vocabulary } from "../authoring/vocabulary.ts";
import { eachStep, expressionsOf, isAsk, type Placed } from "../machine/steps.ts";
import type { Facts } from "../moves/facts.ts";
import type { Ast, Step, SubflowStep } from "./ast.ts";
import { type Expr, rulesIn } from "./expression.ts";

/** What a step reads of its flow. */
interface Reads {
  readonly places: readonly Placed[];
  isPart(slot: string): boolean;
  resolve(facts: Facts, input: { readonly [name: string]: Expr }): JsonObject;
  shown(facts: Facts, show: readonly string[]): JsonObject;
  value(facts: Facts, expr: Expr): Json | undefined;
}

export function contentOf(model: Reads, facts: Facts, step: Step): JsonObject {
  switch (step.t) {
    case "say":
      return model.resolve(facts, step.vars ?? {});
    case "confirm":
      return model.shown(facts, step.show);
    case "effect":
      return { effect: step.effect, input: model.resolve(facts, step.input) };
    case "subflow":
      return { flow: step.flow, input: model.resolve(facts, notFilled(step)) };
    case "notify":
      return {
        flow: step.flow,
        to: model.value(facts, step.to) ?? null,
        input: model.resolve(facts, step.input),
        // Whatever was answered before counts too: a yes is a yes to this state of things and no other.
        answers: model.shown(facts, askedBefore(model, step.id)),
      };
    case "wait":
      return { event: step.event };
    case "ask":
      return model.resolve(
        facts,
        Object.fromEntries((step.from ?? []).map((path) => [path, { ref: path }])),
      );
    case "form":
    case "choose":
    case "repeat":
    case "when":
    case "goto":
    case "handoff":
    case "end":
      return {};
  }
}

/** What it may fill is handed over as it was said by then; its own answer, or a later one, does not begin it again. */
function notFilled({ input, fills = [] }: SubflowStep): SubflowStep["input"] {
  const isOwn = (expr: Expr): boolean => "ref" in expr && fills.includes(expr.ref);
  return Object.fromEntries(Object.entries(input).filter(([, expr]) => !isOwn(expr)));
}

/** Slots first asked before a step, in order. */
function askedBefore(model: Reads, id: string): string[] {
  const index = model.places.findIndex((place) => place.step.id === id);
  const earlier = model.places
    .slice(0, index)
    .flatMap(({ step }) => (isAsk(step) || step.t === "repeat" ? [step.slot] : []))
    .filter((slot) => !model.isPart(slot));
  return [...new Set(earlier)];
}

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
