/** Typed references: what `$` gives in a flow. A reference builds an expression and holds no value. */
import type { Json } from "../../base/index.ts";
import type { Expr } from "../ast/expression.ts";

type Scalar = string | number | boolean | null;

/** A condition under construction. */
export class Cond {
  readonly expr: Expr;
  constructor(expr: Expr) {
    this.expr = expr;
  }
  and(...others: readonly Cond[]): Cond {
    return new Cond({ and: [this.expr, ...others.map((other) => other.expr)] });
  }
  or(...others: readonly Cond[]): Cond {
    return new Cond({ or: [this.expr, ...others.map((other) => other.expr)] });
  }
  not(): Cond {
    return new Cond({ not: this.expr });
  }
}

/** The first of two that has a value. Stands where any value is wanted: what it holds is judged by the linter, not by its type. */
export class Either {
  readonly expr: Expr;
  constructor(parts: readonly Expr[]) {
    this.expr = { first: parts };
  }
}

/** A reference to a value of type V. */
export interface Ref<out V> {
  readonly "~path": string;
  readonly "~value"?: V;
  is(value: (V extends Scalar ? V : never) | Ref<unknown>): Cond;
  isNot(value: (V extends Scalar ? V : never) | Ref<unknown>): Cond;
  in(values: readonly (V extends Scalar ? V : never)[] | Ref<readonly V[]>): Cond;
  /** Whether there is a value at all. */
  known(): Cond;
  /** This value, and where there is none the other. */
  else(other: Ref<unknown> | AnyRef | Scalar): Either;
}
interface NumberRef extends Ref<number> {
  atLeast(value: number | Ref<number>): Cond;
  below(value: number | Ref<number>): Cond;
}
/** Texts are in the order of their letters: days, times and moments come after each other. */
interface TextOrder {
  atLeast(value: string | Ref<string>): Cond;
  below(value: string | Ref<string>): Cond;
}
/** A reference with the references of its fields. */
export type RefOf<V> = [V] extends [number]
  ? NumberRef
  : [V] extends [string]
    ? Ref<V> & TextOrder
    : [V] extends [Scalar | readonly unknown[]]
      ? Ref<V>
      : [V] extends [object]
        ? Ref<V> & { readonly [K in keyof V & string]-?: RefOf<NonNullable<V[K]>> }
        : AnyRef;

/** A reference of which nothing is known. */
export interface AnyRef {
  readonly "~path": string;
  is(value: Scalar | Ref<unknown>): Cond;
  isNot(value: Scalar | Ref<unknown>): Cond;
  in(values: readonly Scalar[] | Ref<readonly unknown[]>): Cond;
  known(): Cond;
  else(other: Ref<unknown> | AnyRef | Scalar): Either;
  atLeast(value: number): Cond;
  below(value: number): Cond;
}
export type AnyRefs = { readonly [field: string]: AnyRef & AnyRefs };

/** What may stand where a value is wanted: a reference, a literal, or a list or an object of these. */
export type Arg<V> = Ref<V> | AnyRef | Either | Literal<V>;
type Literal<V> = unknown extends V
  ? Loose
  : V extends Scalar
    ? V
    : V extends readonly (infer E)[]
      ? readonly Arg<E>[]
      : V extends object
        ? {
            readonly [K in keyof V]: undefined extends V[K]
              ? Arg<NonNullable<V[K]>> | undefined
              : Arg<V[K]>;
          }
        : never;
/** The same where nothing is known of the value. */
export type Loose =
  | Scalar
  | Ref<unknown>
  | AnyRef
  | Either
  | readonly Loose[]
  | { readonly [name: string]: Loose | undefined };

const METHODS: Record<string, (path: string) => (value: unknown) => Cond | Either> = {
  is: (path) => (value) => new Cond({ cmp: "==", l: { ref: path }, r: exprOf(value) }),
  isNot: (path) => (value) => new Cond({ cmp: "!=", l: { ref: path }, r: exprOf(value) }),
  in: (path) => (value) => new Cond({ cmp: "in", l: { ref: path }, r: exprOf(value) }),
  known: (path) => () => new Cond({ has: path }),
  else: (path) => (value) => new Either([{ ref: path }, exprOf(value)]),
  atLeast: (path) => (value) => new Cond({ cmp: ">=", l: { ref: path }, r: exprOf(value) }),
  below: (path) => (value) => new Cond({ cmp: "<", l: { ref: path }, r: exprOf(value) }),
};

/** The reference of a path; every other property is the reference of a field. */
export function refTo(path: string): AnyRef & AnyRefs {
  return new Proxy({} as AnyRef & AnyRefs, {
    get(_target, key) {
      if (typeof key === "symbol") {
        if (key === Symbol.toPrimitive)
          throw new TypeError(
            `"${path}" is a reference, not a value: put it into a text as {{${path}}}`,
          );
        return undefined;
      }
      if (key === "~path") return path;
      return METHODS[key]?.(path) ?? refTo(path === "" ? key : `${path}.${key}`);
    },
  });
}

export function pathOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const path: unknown = (value as { "~path"?: unknown })["~path"];
  return typeof path === "string" ? path : undefined;
}

/** Lists and objects are looked through for references this deep; no request body is half as deep. */
const MAX_DEPTH = 12;

/** A literal, a reference, a condition, or a list or an object of these, as an expression. */
export function exprOf(value: unknown, depth = 0): Expr {
  if (value instanceof Cond || value instanceof Either) return value.expr;
  const path = pathOf(value);
  if (path !== undefined) return { ref: path };
  if (depth === MAX_DEPTH || !isPlain(value)) return { val: value as Json };
  if (Array.isArray(value)) {
    const list = value.map((part: unknown) => exprOf(part, depth + 1));
    return list.some((part) => !("val" in part)) ? { list } : { val: value as Json };
  }
  const parts = Object.entries(value).map(([name, part]): [string, Expr] => [
    name,
    exprOf(part, depth + 1),
  ]);
  return parts.some(([, part]) => !("val" in part))
    ? { object: Object.fromEntries(parts) }
    : { val: value as Json };
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

/** A registered rule in a condition: `f.when(rule("isHoliday", $.date), …)`. */
export function rule(name: string, ...of: readonly unknown[]): Cond {
  return new Cond({ rule: name, of: of.map((part) => exprOf(part)) });
}

/** A field of the result of a step passed before, where no branch of it is at hand: `result("issue", "number")`. */
export function result(step: string, field: string): AnyRef {
  return refTo(`${step}.${field}`);
}
