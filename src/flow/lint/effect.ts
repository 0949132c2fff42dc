/** `effect/`: calls exist, get their input, and are confirmed when they cost money or cannot be undone. */
import type { JsonObject } from "../../base/index.ts";
import type { EffectStep } from "../ast/ast.ts";
import { headOf, refs } from "../ast/expression.ts";
import { print } from "../ast/expression-text.ts";
import { didYouMean } from "../ast/finding.ts";
import type { EffectInfo } from "../authoring/vocabulary.ts";
import { goesOnToGrave, type LintContext, type LintRule } from "./context.ts";
import { differ, typeOf } from "./types.ts";

export const effectRules: LintRule = (context) => {
  for (const { step } of context.places) {
    if (step.t === "effect") effect(context, step);
    // A no is a no: its branch must not fall through to what was refused.
    const grave = step.t === "confirm" && step.no && goesOnToGrave(context, step, step.no);
    if (!grave) continue;
    const message = `After a no to "${step.id}", "${grave}" would still be sent: let the no branch end, or go back.`;
    context.found("effect/no-goes-on", message, step.id);
  }
};

function effect(context: LintContext, step: EffectStep): void {
  const { words, model, found } = context;
  const { id, effect: name } = step;
  const info = words.effects.get(name);
  if (!info) {
    const own = [...words.effects.values()].flatMap((one) => (one.isForPlugins ? [] : [one.name]));
    const where = "neither the runtime, a plugin of config.ts nor a file in effects/ defines it";
    return found("effect/unknown", `No effect "${name}": ${where}.${didYouMean(name, own)}`, id);
  }
  if (info.isForPlugins) {
    const message = `"${name}" files with the authority. A flow asks for it by an effect of a plugin, which keeps a record and submits once.`;
    return found("effect/fiscal-route", message, id);
  }
  const isSound = [inputNames(context, step, info), inputTypes(context, step, info)];
  if (!isSound.includes(false)) constants(context, step, info);
  for (const outcome of ["done", "rejected", "failed"])
    if (!Object.hasOwn(step.on, outcome))
      found("effect/no-failure-branch", `What happens when "${id}" ends ${outcome}?`, id);
  if (!model.isSealing(step)) return;
  if (!Object.hasOwn(step.on, "held")) {
    const message = `A ${info.class} call may end unknown: "${id}" needs a held branch.`;
    found("effect/no-held", message, id);
  }
  confirmed(context, step);
}

/** Whether the call gets all keys that it needs, and none that it does not take. */
function inputNames({ found }: LintContext, step: EffectStep, info: EffectInfo): boolean {
  const names = info.input.map(({ name }) => name);
  const given = (name: string): boolean => Object.hasOwn(step.input, name);
  let isSound = true;
  for (const { name, optional, unless } of info.input) {
    if (optional || given(name) || (unless !== undefined && given(unless))) continue;
    const message = `"${step.effect}" needs "${name}": no slot has that name and no input gives it.`;
    found("effect/input-missing", message, step.id);
    isSound = false;
  }
  for (const name of Object.keys(step.input)) {
    if (info.open || names.includes(name)) continue;
    const near = didYouMean(name, names);
    found("effect/input-unknown", `"${step.effect}" takes no "${name}".${near}`, step.id);
    isSound = false;
  }
  return isSound;
}

/** Whether there is no reference of which it is known that it never has what the call takes. */
function inputTypes(context: LintContext, step: EffectStep, info: EffectInfo): boolean {
  let isSound = true;
  for (const { name, sort } of info.input) {
    const expr = step.input[name];
    if (!expr || sort === undefined || "val" in expr) continue;
    const own = typeOf(context, expr);
    if (!differ(own, { sort })) continue;
    const message = `"${name}" of "${step.effect}" takes ${sort}; ${print(expr)} is ${own.sort}.`;
    context.found("effect/input-type", message, step.id);
    isSound = false;
  }
  return isSound;
}

/** What is written into the flow is checked now, what people answer when the call is made. */
function constants({ found }: LintContext, step: EffectStep, info: EffectInfo): void {
  const written = Object.entries(step.input).flatMap(([name, expr]) =>
    "val" in expr ? [[name, expr.val]] : [],
  );
  const given = Object.keys(step.input);
  for (const problem of info.check?.(Object.fromEntries(written) as JsonObject, given) ?? [])
    found("effect/input-wrong", `"${step.effect}" would be refused: ${problem}.`, step.id);
}

/** Each slot that a fiscal or costly call sends must stand in a confirm before it. */
function confirmed({ ast, places, found }: LintContext, step: EffectStep): void {
  const index = places.findIndex((place) => place.step === step);
  const confirms = places
    .slice(0, index)
    .flatMap((place) => (place.step.t === "confirm" ? [place.step.show] : []));
  const shown = new Set(confirms.flat());
  const sent = Object.values(step.input)
    .flatMap(refs)
    .map(headOf)
    .filter((head) => Object.hasOwn(ast.slots, head));
  const missing = [...new Set(sent)].filter((slot) => !shown.has(slot));
  if (confirms.length > 0 && missing.length === 0) return;
  const what = missing.length > 0 ? ` showing ${missing.join(", ")}` : "";
  const message = `"${step.effect}" is sent without a confirm${what} before it.`;
  found("effect/not-confirmed", message, step.id);
}
