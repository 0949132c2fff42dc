/** `effect/`: calls exist, get their input, and are confirmed when they cost money or cannot be undone. */
import type { JsonObject } from "../../../base/index.ts";
import type { ConfirmStep, EffectStep, Step } from "../../ast/ast.ts";
import { refs } from "../../ast/expression.ts";
import { print } from "../../ast/expression-text.ts";
import { didYouMean, type Finding } from "../../ast/finding.ts";
import { type EffectInfo, isGrave } from "../../authoring/vocabulary.ts";
import { differ, typeOf } from "../types.ts";
import { found, goesOnToGrave, type LintContext, type LintRule } from "../context.ts";

export const effectRules: LintRule = (context) =>
  context.places.flatMap(({ step }) => {
    if (step.t === "effect") return effect(context, step);
    return step.t === "confirm" ? noGoesOn(context, step) : [];
  });

/** A no is a no: its branch must not fall through to what was refused. */
function noGoesOn(context: LintContext, step: ConfirmStep): Finding[] {
  const grave = step.no && goesOnToGrave(context, step, step.no);
  return grave === undefined
    ? []
    : [
        found(
          context,
          "effect/no-goes-on",
          `After a no to "${step.id}", "${grave}" would still be sent: let the no branch end, or go back.`,
          step.id,
        ),
      ];
}

function effect(context: LintContext, step: EffectStep): Finding[] {
  const { effects } = context.words;
  const info = effects.get(step.effect);
  const own = [...effects.values()].flatMap((one) => (one.isForPlugins ? [] : [one.name]));
  if (!info)
    return [
      found(
        context,
        "effect/unknown",
        `No effect "${step.effect}": neither the runtime, a plugin of config.ts nor a file in effects/ defines it.${didYouMean(step.effect, own)}`,
        step.id,
      ),
    ];
  if (info.isForPlugins)
    return [
      found(
        context,
        "effect/fiscal-route",
        `"${step.effect}" files with the authority. A flow asks for it by an effect of a plugin, which keeps a record and submits once.`,
        step.id,
      ),
    ];
  const findings: Finding[] = [];
  const names = info.input.map(({ name }) => name);
  const isNeeded = ({ optional, unless }: (typeof info.input)[number]): boolean =>
    !optional && !(unless !== undefined && Object.hasOwn(step.input, unless));
  for (const { name } of info.input.filter(isNeeded)) {
    if (!Object.hasOwn(step.input, name))
      findings.push(
        found(
          context,
          "effect/input-missing",
          `"${step.effect}" needs "${name}": no slot has that name and no input gives it.`,
          step.id,
        ),
      );
  }
  for (const name of Object.keys(step.input))
    if (!info.open && !names.includes(name))
      findings.push(
        found(
          context,
          "effect/input-unknown",
          `"${step.effect}" takes no "${name}".${didYouMean(name, names)}`,
          step.id,
        ),
      );
  findings.push(...wrongTypes(context, step, info));
  if (findings.length === 0) findings.push(...misfits(context, step, info));
  for (const outcome of ["done", "rejected", "failed"])
    if (!Object.hasOwn(step.on, outcome))
      findings.push(
        found(
          context,
          "effect/no-failure-branch",
          `What happens when "${step.id}" ends ${outcome}?`,
          step.id,
        ),
      );
  if (isGrave(info.class)) {
    if (!Object.hasOwn(step.on, "held"))
      findings.push(
        found(
          context,
          "effect/no-held",
          `A ${info.class} call may end unknown: "${step.id}" needs a held branch.`,
          step.id,
        ),
      );
    findings.push(...unconfirmed(context, step));
  }
  return findings;
}

/** References of which it is known that they never have what the call takes. */
function wrongTypes(context: LintContext, step: EffectStep, info: EffectInfo): Finding[] {
  return info.input.flatMap(({ name, sort }) => {
    const expr = step.input[name];
    if (!expr || sort === undefined || "val" in expr) return [];
    const own = typeOf(context, expr);
    return differ(own, { sort })
      ? [
          found(
            context,
            "effect/input-type",
            `"${name}" of "${step.effect}" takes ${sort}; ${print(expr)} is ${own.sort}.`,
            step.id,
          ),
        ]
      : [];
  });
}

/** What is written into the flow is checked now, what people answer when the call is made. */
function misfits(context: LintContext, step: EffectStep, info: EffectInfo): Finding[] {
  const constants = Object.fromEntries(
    Object.entries(step.input).flatMap(([name, expr]) => ("val" in expr ? [[name, expr.val]] : [])),
  ) as JsonObject;
  const problems = info.check?.(constants, Object.keys(step.input)) ?? [];
  return problems.map((problem) =>
    found(context, "effect/input-wrong", `"${step.effect}" would be refused: ${problem}.`, step.id),
  );
}

/** Each slot that a fiscal or costly call sends must stand in a confirm before it. */
function unconfirmed(context: LintContext, step: EffectStep): Finding[] {
  const before = context.places.slice(
    0,
    context.places.findIndex((place) => place.step === step),
  );
  const shown = new Set(before.flatMap((place) => shownBy(place.step)));
  const sent = Object.values(step.input)
    .flatMap(refs)
    .map((path) => path.split(".")[0] ?? "")
    .filter((head) => Object.hasOwn(context.ast.slots, head));
  const missing = [...new Set(sent)].filter((slot) => !shown.has(slot));
  const confirms = before.some((place) => place.step.t === "confirm");
  if (confirms && missing.length === 0) return [];
  const what = missing.length > 0 ? ` showing ${missing.join(", ")}` : "";
  return [
    found(
      context,
      "effect/not-confirmed",
      `"${step.effect}" is sent without a confirm${what} before it.`,
      step.id,
    ),
  ];
}

function shownBy(step: Step): readonly string[] {
  return step.t === "confirm" ? step.show : [];
}
