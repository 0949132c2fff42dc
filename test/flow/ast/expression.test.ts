import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluate, refs, type Expr } from "../../../src/flow/ast/expression.ts";
import { exprOf, refTo } from "../../../src/flow/authoring/reference.ts";
import { parse, print } from "../../../src/flow/ast/expression-text.ts";

const parsed = (text: string): Expr => {
  const result = parse(text);
  if (!result.ok) throw new Error(result.message);
  return result.expr;
};
const value = (text: string, data: Record<string, unknown> = {}) =>
  evaluate(parsed(text), (path) => data[path] as never);

const exprs: fc.Arbitrary<Expr> = fc.letrec<{ expr: Expr }>((tie) => ({
  expr: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom({ ref: "document.type" }, { ref: "value" }, { has: "account.name" }),
    fc.oneof(fc.boolean(), fc.integer(), fc.string()).map((val) => ({ val })),
    fc.record({
      cmp: fc.constantFrom("==", "!=", "<", "<=", ">", ">=", "in"),
      l: tie("expr"),
      r: tie("expr"),
    }) as fc.Arbitrary<Expr>,
    fc.array(tie("expr"), { minLength: 2, maxLength: 3 }).map((and) => ({ and })),
    fc.array(tie("expr"), { minLength: 2, maxLength: 3 }).map((or) => ({ or })),
    fc.array(tie("expr"), { minLength: 2, maxLength: 3 }).map((first) => ({ first })),
    tie("expr").map((not) => ({ not })),
    fc.array(tie("expr"), { maxLength: 2 }).map((of) => ({ rule: "isHoliday", of })),
  ),
})).expr;

describe("conditions as text", () => {
  test("print and parse are stable for any expression", () => {
    fc.assert(
      fc.property(exprs, (expr) => {
        const text = print(expr);
        expect(print(parsed(text))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test("print then parse gives the same value as the expression itself", () => {
    const data: Record<string, unknown> = {
      "document.type": "cnpj",
      value: 5,
      "account.name": "x",
    };
    const get = (path: string) => data[path] as never;
    const rules = new Map([["isHoliday", () => true]]);
    fc.assert(
      fc.property(exprs, (expr) => {
        expect(evaluate(parsed(print(expr)), get, rules)).toEqual(evaluate(expr, get, rules));
      }),
      { numRuns: 300 },
    );
  });

  test("and binds tighter than or, and not tighter than both", () => {
    expect(parsed("a == 1 or b == 2 and not c")).toEqual({
      or: [
        { cmp: "==", l: { ref: "a" }, r: { val: 1 } },
        { and: [{ cmp: "==", l: { ref: "b" }, r: { val: 2 } }, { not: { ref: "c" } }] },
      ],
    });
  });

  test("else binds less than or, and takes the first that has a value", () => {
    expect(parsed("a else b or c")).toEqual({
      first: [{ ref: "a" }, { or: [{ ref: "b" }, { ref: "c" }] }],
    });
    expect(value("said else known else 100", { said: 0, known: 5 })).toBe(0);
    expect(value("said else known else 100", { said: "", known: 5 })).toBe(5);
    expect(value("said else known else 100", { said: null })).toBe(100);
    expect(value("said else known")).toBeUndefined();
    expect(value("(said else 100) == 100")).toBe(true);
    expect(exprOf({ value: refTo("said").else(refTo("known")) })).toEqual({
      object: { value: { first: [{ ref: "said" }, { ref: "known" }] } },
    });
    expect(refs(parsed("said else known.value"))).toEqual(["said", "known.value"]);
  });

  test.each([
    ["issue.fixable = 'customer'", 15, 'unexpected "="; did you mean =='],
    ["a ==", 5, "ends too early"],
    ["has('x')", 1, "has() takes one reference"],
    ["[a]", 2, "a list holds literals only"],
    ["(a", 3, 'expected ")"'],
    [`${"(".repeat(50)}a`, 32, "nested too deeply"],
  ])("%s is refused at column %i", (text, at, message) => {
    expect(parse(text)).toEqual({ ok: false, at, message });
  });
});

describe("what conditions say", () => {
  test("order comparisons of different types or of nothing are false, never coerced", () => {
    expect(value("v < 10", { v: "5" })).toBe(false);
    expect(value("v < 10")).toBe(false);
    expect(value("v >= 5", { v: 5 })).toBe(true);
  });

  test.each([
    ["numbers", [9, 10, 11]],
    ["texts, as months and dates are", ["2026-09", "2026-10", "2026-11"]],
  ])(
    "%s of one type have an order, and no number is its own neighbour",
    (_type, [low, mid, high]) => {
      const signs = ["<", "<=", ">", ">="].map((sign) =>
        [low, mid, high].map((v) => value(`v ${sign} w`, { v, w: mid })),
      );
      expect(signs).toEqual([
        [true, false, false],
        [true, true, false],
        [false, false, true],
        [false, true, true],
      ]);
    },
  );

  test("what has no order is never before or after anything, not even itself", () => {
    for (const v of [true, null, ["a"], { a: 1 }])
      for (const sign of ["<", "<=", ">", ">="])
        expect(value(`v ${sign} v`, { v }), sign).toBe(false);
  });

  test("absent and skipped are the same nothing; only has() asks for it", () => {
    expect(value("a == b")).toBe(true);
    expect(value("a == b", { a: null })).toBe(true);
    expect(value("has(a)", { a: null })).toBe(false);
    expect(value("not has(a)", {})).toBe(true);
  });

  test("in takes lists only", () => {
    expect(value("a in ['x', 'y']", { a: "y" })).toBe(true);
    expect(value("a in b", { a: "y", b: "yy" })).toBe(false);
  });

  test("references are found wherever they stand, each once", () => {
    expect(refs(parsed("a.b == 1 and (has(c) or not rule1(a.b, d))"))).toEqual(["a.b", "c", "d"]);
  });
});

describe("lists and objects with references inside", () => {
  const get = (path: string) => ({ phone: "5511987650001", none: null })[path] as never;

  test("take the place of their references, and leave out what is absent", () => {
    const made = exprOf({
      numbers: [refTo("phone"), refTo("nobody"), "5511900000001"],
      key: { id: refTo("phone"), remote: refTo("none"), logo: null, fromMe: false },
    });
    expect(evaluate(made, get)).toEqual({
      numbers: ["5511987650001", "5511900000001"],
      key: { id: "5511987650001", logo: null, fromMe: false },
    });
    expect(refs(made).sort()).toEqual(["nobody", "none", "phone"]);
  });

  test("stay plain values where nothing in them is a reference", () => {
    const plain = { a: [1, { b: null }], c: "d" };
    expect(exprOf(plain)).toEqual({ val: plain });
    expect(evaluate(exprOf([["a"], []]), get)).toEqual([["a"], []]);
  });
});
