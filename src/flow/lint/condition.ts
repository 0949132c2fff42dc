/**
 * `expr/` of types: conditions compare comparable types, can be both true and false, and do not depend on themselves. A
 * message carries a file as a file and a place with valid coordinates.
 */
import { isJsonObject, type Json } from "../../base/index.ts";
import { evaluate, type Expr, headOf, partsOf, refs, rulesIn } from "../ast/expression.ts";
import { print } from "../ast/expression-text.ts";
import { didYouMean } from "../ast/finding.ts";
import { expressionsOf } from "../machine/steps.ts";
import { plainText } from "../texts/template.ts";
import type { LintContext, LintRule } from "./context.ts";
import { differ, typeOf, type Type } from "./types.ts";

export const conditionRules: LintRule = (context) => {
  for (const { step, under } of context.places) {
    const wrong = expressionsOf(step).flatMap((expr) => wrongTypes(context, expr));
    const isSound = step.t === "when" && wrong.length === 0;
    if (isSound) wrong.push(...noCondition(context, step.if));
    for (const message of wrong) context.found("expr/wrong-type", message, step.id);
    if (isSound) constant(context, step.id, step.if, under);
    if (step.t !== "say") continue;
    if (step.media) carried(context, step.id, "media", step.media);
    if (step.location) carried(context, step.id, "location", step.location);
  }
  circles(context);
};

/** Comparisons and joints inside an expression that can never mean anything. */
function wrongTypes(context: LintContext, expr: Expr): string[] {
  if ("cmp" in expr) {
    const problem = mismatch(expr, typeOf(context, expr.l), typeOf(context, expr.r));
    return problem === null ? [] : [`${print(expr)}: ${problem}`];
  }
  const isJoint = "and" in expr || "or" in expr || "not" in expr;
  return partsOf(expr).flatMap((part) => [
    ...wrongTypes(context, part),
    ...(isJoint ? noCondition(context, part) : []),
  ]);
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
function noCondition(context: LintContext, expr: Expr): string[] {
  const { sort } = typeOf(context, expr);
  if (sort === "yesno" || sort === "any") return [];
  return [`${print(expr)} is ${NAMED[sort]} and no condition: compare it, or write has(…).`];
}

function constant({ found }: LintContext, id: string, expr: Expr, under: readonly Expr[]): void {
  const own = print(expr);
  const always = (which: boolean, why: string): void =>
    found("expr/always", `${own} is always ${which}: ${why}.`, id);
  const above = under.map((condition) => print(condition));
  const both = "and" in expr ? contradiction(expr.and) : null;
  if (refs(expr).length === 0 && rulesIn(expr).length === 0)
    always(evaluate(expr, () => undefined) === true, "it reads nothing");
  else if (above.includes(own)) always(true, "the steps around it ask the same");
  else if (above.includes(print({ not: expr })))
    always(false, "the steps around it ask the opposite");
  else if (both) always(false, `${both} cannot have two values`);
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
function circles({ ast, model, found }: LintContext): void {
  const needs = new Map(
    [...model.asks].map(([slot, asks]) => [
      slot,
      asks
        .flatMap(({ under }) => under.flatMap(refs))
        .map(headOf)
        .filter((head) => Object.hasOwn(ast.slots, head)),
    ]),
  );
  for (const [slot, first] of needs) {
    const seen = new Set(first);
    for (const next of seen) for (const more of needs.get(next) ?? []) seen.add(more);
    if (!seen.has(slot)) continue;
    const message = `Whether "${slot}" is asked depends on "${slot}" itself.`;
    return found("expr/circular", message, model.asks.get(slot)?.[0]?.step.id);
  }
}

/** Degrees north or south, and east or west, at most (WGS 84). */
const DEGREES = { latitude: 90, longitude: 180 } as const;

/** What a message carries beside its words. */
function carried(
  { ast: { slots }, words, found }: LintContext,
  id: string,
  what: "media" | "location",
  expr: Expr,
): void {
  const wrong = (problem: string): void => found("expr/wrong-type", `${what}: ${problem}`, id);
  if ("ref" in expr) {
    const kind = Object.hasOwn(slots, expr.ref) ? slots[expr.ref]?.kind : undefined;
    // Kinds of an installation's own may be made of anything.
    if (kind === undefined || kind === what || !words.kinds.has(kind)) return;
    const fits = Object.keys(slots).filter((slot) => slots[slot]?.kind === what);
    const near = didYouMean(expr.ref, fits);
    const which = near === "" && fits.length > 0 ? ` Of that kind: ${fits.join(", ")}.` : near;
    return wrong(`has no use for "${expr.ref}", which is a ${kind}.${which}`);
  }
  if (what === "media" || !("val" in expr) || !isJsonObject(expr.val)) return;
  for (const [name, most] of Object.entries(DEGREES)) {
    const value = expr.val[name];
    if (typeof value === "number" && Math.abs(value) <= most) continue;
    const got = JSON.stringify(value) ?? "missing";
    wrong(`its "${name}" is ${got}; it is a number from -${most} to ${most}.`);
  }
}
