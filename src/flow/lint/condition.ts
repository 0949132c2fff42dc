/**
 * `expr/` beyond names: conditions compare comparable types, can be both true and false, and do not depend on themselves.
 */
import type { Json } from "../../base/index.ts";
import type { Step } from "../ast/ast.ts";
import { evaluate, refs, type Expr } from "../ast/expression.ts";
import { print } from "../ast/expression-text.ts";
import { didYouMean, type Finding } from "../ast/finding.ts";
import { expressionsOf } from "../machine/steps.ts";
import { plainText } from "../texts/template.ts";
import { found, type LintContext, type LintRule } from "./context.ts";
import { differ, typeOf, type Type } from "./types.ts";

export const conditionRules: LintRule = (context) => [
  ...context.places.flatMap(({ step, under }) => {
    const own = expressionsOf(step).flatMap((expr) => wrong(context, step, expr));
    if (step.t !== "when" || own.length > 0) return own;
    return [...truth(context, step, step.if), ...constant(context, step, step.if, under)];
  }),
  ...circles(context),
];

/** Comparisons and joints inside an expression that can never mean anything. */
function wrong(context: LintContext, step: Step, expr: Expr): Finding[] {
  if ("and" in expr || "or" in expr) {
    const parts = "and" in expr ? expr.and : expr.or;
    return parts.flatMap((part) => [...wrong(context, step, part), ...truth(context, step, part)]);
  }
  if ("not" in expr) return [...wrong(context, step, expr.not), ...truth(context, step, expr.not)];
  if ("first" in expr) return expr.first.flatMap((part) => wrong(context, step, part));
  if ("rule" in expr) return expr.of.flatMap((part) => wrong(context, step, part));
  if ("list" in expr) return expr.list.flatMap((part) => wrong(context, step, part));
  if ("object" in expr)
    return Object.values(expr.object).flatMap((part) => wrong(context, step, part));
  if (!("cmp" in expr)) return [];
  const message = mismatch(expr, typeOf(context, expr.l), typeOf(context, expr.r));
  return message === null
    ? []
    : [found(context, "expr/wrong-type", `${print(expr)}: ${message}`, step.id)];
}

const NAMED: Record<Type["sort"], string> = {
  text: "a text",
  number: "a number",
  yesno: "true or false",
  list: "a list",
  object: "several fields",
  nothing: "nothing",
  any: "anything",
};

function mismatch(expr: Extract<Expr, { cmp: string }>, l: Type, r: Type): string | null {
  const sides = `${NAMED[l.sort]} and ${NAMED[r.sort]}`;
  switch (expr.cmp) {
    case "in":
      if (r.sort !== "list" && r.sort !== "any") return `"in" wants a list, not ${NAMED[r.sort]}.`;
      return "val" in expr.r && Array.isArray(expr.r.val) ? strangers(l, expr.r.val) : null;
    case "==":
    case "!=":
      if (l.sort === "object" || l.sort === "list")
        return `${NAMED[l.sort]} is never equal to anything: compare its fields.`;
      if (differ(l, r)) return `${sides} are never equal.`;
      return "val" in expr.r && r.of ? strangers(l, r.of) : null;
    default: {
      const inOrder = (type: Type): boolean => ["text", "number", "any"].includes(type.sort);
      return !inOrder(l) || !inOrder(r) || differ(l, r) ? `${sides} are in no order.` : null;
    }
  }
}

/** Values the left side can never have. */
function strangers({ sort, of }: Type, values: readonly Json[]): string | null {
  for (const value of values) {
    const own = typeof value === "string" ? "text" : typeof value === "number" ? "number" : "any";
    if (own !== "any" && sort !== "any" && own !== sort)
      return `it is ${NAMED[sort]}, never ${JSON.stringify(value)}.`;
    if (of && value !== null && !of.includes(value)) {
      const names = of.filter((one): one is string => typeof one === "string");
      return `it is never ${JSON.stringify(value)}.${didYouMean(plainText(value), names)}`;
    }
  }
  return null;
}

/** Only `true` holds: a text or a number is no condition. */
function truth(context: LintContext, step: Step, expr: Expr): Finding[] {
  const { sort } = typeOf(context, expr);
  if (sort === "yesno" || sort === "any") return [];
  return [
    found(
      context,
      "expr/wrong-type",
      `${print(expr)} is ${NAMED[sort]} and no condition: compare it, or write has(…).`,
      step.id,
    ),
  ];
}

function constant(context: LintContext, step: Step, expr: Expr, under: readonly Expr[]): Finding[] {
  const always = (which: string, why: string): Finding[] => [
    found(context, "expr/always", `${print(expr)} is always ${which}: ${why}.`, step.id),
  ];
  if (refs(expr).length === 0 && !hasRule(expr))
    return always(evaluate(expr, () => undefined) === true ? "true" : "false", "it reads nothing");
  const own = print(expr);
  const above = under.map((condition) => print(condition));
  if (above.includes(own)) return always("true", "the steps around it ask the same");
  if (above.includes(print({ not: expr })))
    return always("false", "the steps around it ask the opposite");
  const both = "and" in expr ? contradiction(expr.and) : null;
  if (both) return always("false", `${both} cannot have two values`);
  return [];
}

function hasRule(expr: Expr): boolean {
  return JSON.stringify(expr).includes('"rule":');
}

/** A reference that an `and` wants equal to two different values. */
function contradiction(parts: readonly Expr[]): string | null {
  const wanted = new Map<string, Json>();
  for (const part of parts) {
    if (!("cmp" in part) || part.cmp !== "==" || !("ref" in part.l) || !("val" in part.r)) continue;
    const before = wanted.get(part.l.ref);
    if (before !== undefined && before !== part.r.val) return part.l.ref;
    wanted.set(part.l.ref, part.r.val);
  }
  return null;
}

/** A slot that is there only if an answer is, which is there only if the slot is. */
function circles(context: LintContext): Finding[] {
  const { ast, model } = context;
  const needs = new Map<string, Set<string>>();
  for (const [slot, asks] of model.asks)
    needs.set(
      slot,
      new Set(
        asks
          .flatMap(({ under }) => under.flatMap(refs))
          .map((path) => path.split(".")[0] ?? "")
          .filter((head) => Object.hasOwn(ast.slots, head)),
      ),
    );
  for (const slot of needs.keys()) {
    const seen = new Set<string>();
    const queue = [...(needs.get(slot) ?? [])];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (next === slot)
        return [
          found(
            context,
            "expr/circular",
            `Whether "${slot}" is asked depends on "${slot}" itself.`,
            model.asks.get(slot)?.[0]?.step.id,
          ),
        ];
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(...(needs.get(next) ?? []));
    }
  }
  return [];
}
