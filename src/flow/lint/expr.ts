/**
 * `expr/` of names: every name in an expression refers to something, and a result is read only after the outcome of the call
 * that gives it. A refusal, for example, gives no number.
 */
import { type Expr, refs, rulesIn } from "../ast/expression.ts";
import { didYouMean } from "../ast/finding.ts";
import { expressionsOf } from "../machine/steps.ts";
import { placeholders } from "../texts/template.ts";
import { textsOf } from "../texts/catalogue.ts";
import type { LintContext, LintRule } from "./context.ts";
import { surroundingPaths } from "./types.ts";

/** Fields of kinds whose values are objects; the others have facets only. */
const FIELDS: { readonly [kind: string]: readonly string[] } = {
  address: ["logradouro", "numero", "complemento", "bairro", "codigo_municipio", "uf", "cep"],
  city: ["code", "name", "uf"],
  media: ["media", "mimetype", "fileName", "bytes", "seconds", "key", "caption"],
  location: ["latitude", "longitude", "name", "address"],
};

export const exprRules: LintRule = (context) => {
  const { places, words, found } = context;
  for (const { step } of places)
    for (const expr of expressionsOf(step)) {
      for (const path of refs(expr)) {
        const problem = nameProblem(context, path);
        if (problem !== null) found("expr/unknown-name", problem, step.id);
      }
      for (const rule of rulesIn(expr))
        if (!words.rules.has(rule)) {
          const near = didYouMean(rule, words.rules.keys());
          found("expr/unknown-rule", `No rule "${rule}".${near}`, step.id);
        }
    }
  notThere(context);
};

/** Why a path means nothing in this flow; null when it does. */
export function nameProblem(context: LintContext, path: string): string | null {
  const { ast, model } = context;
  const [head = "", field] = path.split(".");
  if (path === "now") return null;
  if (head === "account" || head === "contact") {
    const all = surroundingPaths(context);
    // What stands inside a row of a list is its own.
    return all.some((known) => path === known || path.startsWith(`${known}.`))
      ? null
      : `There is no "${path}".${didYouMean(path, all)}`;
  }
  if (head === "input") {
    const names = Object.keys(ast.input ?? {});
    return field !== undefined && names.includes(field)
      ? null
      : `"${path}" is no input of this flow.${didYouMean(field ?? "", names)}`;
  }
  if (Object.hasOwn(ast.slots, head)) {
    const kind = ast.slots[head]?.kind ?? "";
    const fields = [...Object.keys(model.kind(head)?.facets ?? {}), ...(FIELDS[kind] ?? [])];
    return field === undefined || fields.includes(field)
      ? null
      : `"${head}" has no "${field}".${didYouMean(field, fields)}`;
  }
  const step = model.steps.get(head);
  if (!step)
    return `"${head}" is no slot or earlier step.${didYouMean(head, [...Object.keys(ast.slots), ...model.steps.keys()])}`;
  const results = resultFields(context, head);
  return !results || field === undefined || field === "outcome" || results.includes(field)
    ? null
    : `Step "${head}" has no result "${field}".${didYouMean(field, results)}`;
}

/** Fields of a step's results; undefined when they are not known. */
function resultFields({ model, words }: LintContext, id: string): readonly string[] | undefined {
  const step = model.steps.get(id);
  if (step?.t === "wait") return words.events?.get(step.event)?.data;
  if (step?.t !== "effect") return undefined;
  const info = words.effects.get(step.effect);
  if (!info || info.anyResult) return undefined;
  return [...new Set([...info.result, ...Object.values(info.ends ?? {}).flat()])];
}

/** Results that are read, by a step or by what it says, in the branch of an end that never brings them. */
function notThere(context: LintContext): void {
  const { places, found, foundText } = context;
  const texts = Object.values(context.texts).flatMap((own) =>
    textsOf(own).map(({ key, text }) => ({ text, at: { key, locale: own.locale } })),
  );
  for (const { step, under } of places) {
    // The outcomes of the calls around the step, by the branches it stands in.
    const ended = new Map(under.flatMap(ending));
    if (ended.size === 0) continue;
    for (const path of expressionsOf(step).flatMap(refs)) {
      const problem = missing(context, ended, path);
      if (problem !== undefined) found("expr/not-there", problem, step.id);
    }
    if (step.t !== "say") continue;
    const key = `say.${step.text ?? step.id}`;
    for (const { text, at } of texts.filter((one) => one.at.key === key))
      for (const { ref } of placeholders(text)) {
        const problem = missing(context, ended, ref);
        if (problem !== undefined) foundText("expr/not-there", at, problem);
      }
  }
}

function ending(condition: Expr): [string, string][] {
  if (!("cmp" in condition) || condition.cmp !== "==") return [];
  const { l, r } = condition;
  if (!("ref" in l) || !("val" in r) || typeof r.val !== "string") return [];
  const [step = "", field, ...more] = l.ref.split(".");
  return field === "outcome" && more.length === 0 ? [[step, r.val]] : [];
}

/** Why a path never exists after these outcomes; undefined when it may exist, or is reported as unknown. */
function missing(
  { model, words }: LintContext,
  ended: ReadonlyMap<string, string>,
  path: string,
): string | undefined {
  const [id = "", field] = path.split(".");
  const outcome = ended.get(id);
  const step = model.steps.get(id);
  if (outcome === undefined || field === undefined || step?.t !== "effect") return undefined;
  const { ends } = words.effects.get(step.effect) ?? {};
  const here = ends?.[outcome as keyof typeof ends];
  if (!here || here.includes(field) || field === "outcome") return undefined;
  const where = Object.entries(ends).flatMap(([end, fields]) =>
    fields.includes(field) ? [end] : [],
  );
  // A name that no outcome has is reported as unknown.
  if (where.length === 0) return undefined;
  return `"${path}" is there when "${id}" ends ${where.join(" or ")}, never when it ends ${outcome}, as here.${didYouMean(field, here)}`;
}
