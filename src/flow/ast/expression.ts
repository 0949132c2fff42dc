/**
 * Conditions and values of flows as data. They are told apart by their key and have no arithmetic. No value is coerced: an
 * order comparison between different types, or with a missing value, is false. Money literals are integer cents.
 */
import type { Json } from "../../base/index.ts";

export const COMPARISONS = ["==", "!=", "<=", ">=", "<", ">", "in"] as const;
export type Comparison = (typeof COMPARISONS)[number];

export type Expr =
  | { readonly ref: string }
  | { readonly val: Json }
  | { readonly cmp: Comparison; readonly l: Expr; readonly r: Expr }
  | { readonly and: readonly Expr[] }
  | { readonly or: readonly Expr[] }
  | { readonly not: Expr }
  /** Whether the reference has a value; the only way to ask for absence. */
  | { readonly has: string }
  /** The first of these that has a value; absent when none has. */
  | { readonly first: readonly Expr[] }
  | { readonly rule: string; readonly of: readonly Expr[] }
  /** A list or an object with references inside, for what calls take; absent parts are left out. */
  | { readonly list: readonly Expr[] }
  | { readonly object: { readonly [name: string]: Expr } };

type Getter = (path: string) => Json | undefined;
/** A registered pure function, by name. */
export type Rule = (...of: readonly (Json | undefined)[]) => Json;

/** Value of an expression; `undefined` for an absent reference. An unknown rule is a TypeError (lint finds it earlier). */
export function evaluate(
  expr: Expr,
  get: Getter,
  rules: ReadonlyMap<string, Rule> = new Map(),
): Json | undefined {
  if ("ref" in expr) return get(expr.ref);
  if ("val" in expr) return expr.val;
  if ("has" in expr) return isPresent(get(expr.has));
  if ("not" in expr) return !holds(expr.not, get, rules);
  if ("and" in expr) return expr.and.every((part) => holds(part, get, rules));
  if ("or" in expr) return expr.or.some((part) => holds(part, get, rules));
  if ("first" in expr) {
    for (const part of expr.first) {
      const value = evaluate(part, get, rules);
      if (isPresent(value)) return value;
    }
    return undefined;
  }
  if ("rule" in expr) {
    const rule = rules.get(expr.rule);
    if (!rule) throw new TypeError(`no rule "${expr.rule}"`);
    return rule(...expr.of.map((part) => evaluate(part, get, rules)));
  }
  if ("list" in expr)
    return expr.list
      .map((part) => evaluate(part, get, rules))
      .filter((value): value is Json => value !== undefined && value !== null);
  if ("object" in expr) {
    const parts: Record<string, Json> = {};
    for (const [name, part] of Object.entries(expr.object)) {
      const value = evaluate(part, get, rules);
      if (value !== undefined && (value !== null || "val" in part)) parts[name] = value;
    }
    return parts;
  }
  return compare(expr.cmp, evaluate(expr.l, get, rules), evaluate(expr.r, get, rules));
}

/** Whether a condition holds: its value is exactly `true`. */
export function holds(expr: Expr, get: Getter, rules?: ReadonlyMap<string, Rule>): boolean {
  return evaluate(expr, get, rules) === true;
}

/** Paths an expression reads, each once, in order. */
export function refs(expr: Expr): string[] {
  const found = new Set<string>();
  walk(expr, (part) => {
    if ("ref" in part) found.add(part.ref);
    else if ("has" in part) found.add(part.has);
  });
  return [...found];
}

/** The first name of a path: a slot, a step, or `account`. */
export function headOf(path: string): string {
  return path.split(".", 1)[0] ?? "";
}

/** Names of the rules an expression uses. */
export function rulesIn(expr: Expr): string[] {
  const found = new Set<string>();
  walk(expr, (part) => {
    if ("rule" in part) found.add(part.rule);
  });
  return [...found];
}

function walk(expr: Expr, visit: (part: Expr) => void): void {
  visit(expr);
  for (const part of partsOf(expr)) walk(part, visit);
}

/** Expressions directly inside one. */
export function partsOf(expr: Expr): readonly Expr[] {
  if ("cmp" in expr) return [expr.l, expr.r];
  if ("and" in expr) return expr.and;
  if ("or" in expr) return expr.or;
  if ("not" in expr) return [expr.not];
  if ("first" in expr) return expr.first;
  if ("rule" in expr) return expr.of;
  if ("list" in expr) return expr.list;
  return "object" in expr ? Object.values(expr.object) : [];
}

function isPresent(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== "";
}

function compare(cmp: Comparison, left: Json | undefined, right: Json | undefined): boolean {
  switch (cmp) {
    case "==":
      return equal(left, right);
    case "!=":
      return !equal(left, right);
    case "in":
      return Array.isArray(right) && right.some((item: Json) => equal(left, item));
    case "<":
    case "<=":
    case ">":
    case ">=":
      return inOrder(cmp, left, right);
  }
}

/** Same scalar; skipped (null) and absent are one thing. Objects and lists are never equal: compare their fields. */
function equal(left: Json | undefined, right: Json | undefined): boolean {
  return (left ?? null) === (right ?? null);
}

function inOrder(
  cmp: "<" | "<=" | ">" | ">=",
  left: Json | undefined,
  right: Json | undefined,
): boolean {
  const comparable =
    (typeof left === "number" && typeof right === "number") ||
    (typeof left === "string" && typeof right === "string");
  if (!comparable) return false;
  if (cmp === "<") return left < right;
  if (cmp === "<=") return left <= right;
  if (cmp === ">") return left > right;
  return left >= right;
}
