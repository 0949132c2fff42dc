/** `expr/`: every name in an expression refers to something. */
import { refs, rulesIn } from "../ast/expression.ts";
import { didYouMean, type Finding } from "../ast/finding.ts";
import { expressionsOf } from "../machine/steps.ts";
import { surroundingPaths } from "./types.ts";
import { found, type LintContext, type LintRule } from "./context.ts";

/** Fields of kinds whose values are objects; the others have facets only. */
const FIELDS: { readonly [kind: string]: readonly string[] } = {
  address: ["logradouro", "numero", "complemento", "bairro", "codigo_municipio", "uf", "cep"],
  city: ["code", "name", "uf"],
  media: ["media", "mimetype", "fileName", "bytes", "seconds", "key", "caption"],
  location: ["latitude", "longitude", "name", "address"],
};

export const exprRules: LintRule = (context) =>
  context.places.flatMap(({ step }) =>
    expressionsOf(step).flatMap((expr) => [
      ...refs(expr).flatMap((path) => unknownName(context, path, step.id)),
      ...rulesIn(expr).flatMap((rule) =>
        context.words.rules.has(rule)
          ? []
          : [
              found(
                context,
                "expr/unknown-rule",
                `No rule "${rule}".${didYouMean(rule, context.words.rules.keys())}`,
                step.id,
              ),
            ],
      ),
    ]),
  );

/** Why a path means nothing in this flow; empty when it does. */
export function unknownName(context: LintContext, path: string, step: string): Finding[] {
  const message = nameProblem(context, path);
  return message === null ? [] : [found(context, "expr/unknown-name", message, step)];
}

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
  return results === null || field === undefined || field === "outcome" || results.includes(field)
    ? null
    : `Step "${head}" has no result "${field}".${didYouMean(field, results)}`;
}

/** Fields of a step's results; null when they are not known. */
function resultFields(context: LintContext, id: string): string[] | null {
  const step = context.model.steps.get(id);
  if (step?.t === "wait") {
    const brought = context.words.events?.get(step.event)?.data;
    return brought ? [...brought] : null;
  }
  if (step?.t !== "effect") return null;
  const info = context.words.effects.get(step.effect);
  if (!info || info.anyResult) return null;
  return [...new Set([...info.result, ...Object.values(info.ends ?? {}).flat()])];
}
