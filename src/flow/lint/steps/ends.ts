/**
 * `expr/not-there`: a result is read only after the outcome of the call that gives it. A refusal, for example, gives no
 * number.
 */
import { refs } from "../../ast/expression.ts";
import type { Expr } from "../../ast/expression.ts";
import { didYouMean, type Finding } from "../../ast/finding.ts";
import { expressionsOf, type Placed } from "../../machine/steps.ts";
import { placeholders } from "../../texts/template.ts";
import { textsOf } from "../../texts/text-refs.ts";
import { found, foundText, type LintContext, type LintRule } from "../context.ts";

export const endRules: LintRule = (context) => {
  const texts = Object.values(context.texts).flatMap((own) =>
    textsOf(own).map(({ key, text }) => ({ key, text, locale: own.locale })),
  );
  return context.places.flatMap((place): Finding[] => {
    const ended = endings(place);
    if (ended.size === 0) return [];
    const { step } = place;
    const own = expressionsOf(step)
      .flatMap(refs)
      .flatMap((path) => problem(context, ended, path))
      .map((message) => found(context, "expr/not-there", message, step.id));
    const key = step.t === "say" ? `say.${step.text ?? step.id}` : undefined;
    const said = texts
      .filter((text) => text.key === key)
      .flatMap(({ text, locale }) =>
        placeholders(text)
          .flatMap(({ ref }) => problem(context, ended, ref))
          .map((message) => foundText(context, "expr/not-there", key ?? "", locale, message)),
      );
    return [...own, ...said];
  });
};

/** The outcomes of the calls around a step, by the branches it stands in. */
function endings({ under }: Placed): ReadonlyMap<string, string> {
  return new Map(under.flatMap(ending));
}

function ending(condition: Expr): [string, string][] {
  if (!("cmp" in condition) || condition.cmp !== "==") return [];
  const { l, r } = condition;
  if (!("ref" in l) || !("val" in r) || typeof r.val !== "string") return [];
  const [step = "", field, ...more] = l.ref.split(".");
  return field === "outcome" && more.length === 0 ? [[step, r.val]] : [];
}

/** Why a path never exists after these outcomes; empty when it may exist, or is reported as unknown. */
function problem(context: LintContext, ended: ReadonlyMap<string, string>, path: string): string[] {
  const [id = "", field] = path.split(".");
  const outcome = ended.get(id);
  const step = context.model.steps.get(id);
  if (outcome === undefined || field === undefined || step?.t !== "effect") return [];
  const info = context.words.effects.get(step.effect);
  const here = info?.ends?.[outcome as keyof NonNullable<typeof info.ends>];
  if (!info?.ends || !here || here.includes(field) || field === "outcome") return [];
  const where = Object.entries(info.ends).flatMap(([end, fields]) =>
    fields.includes(field) ? [end] : [],
  );
  // A name that no outcome has is reported as unknown.
  if (where.length === 0) return [];
  return [
    `"${path}" is there when "${id}" ends ${where.join(" or ")}, never when it ends ${outcome}, as here.${didYouMean(field, here)}`,
  ];
}
