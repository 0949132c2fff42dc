/** Flows that begin each other: told where nobody is asked on the way, left alone where somebody is. */
import { describe, expect, test } from "vitest";
import type { Block } from "../../src/flow/ast/ast.ts";
import { type Ast, createLibrary } from "../../src/flow/index.ts";
import { COMMON } from "./fixtures/world.ts";

const begins = (flow: string) =>
  ({ t: "subflow", id: `to-${flow}`, flow, input: {}, on: {} }) as const;
const ASK = { t: "handoff", id: "ask", reason: "asked" } as const;
const never = { cmp: "==", l: { ref: "contact.role" }, r: { val: "operator" } } as const;

function told(...flows: readonly (readonly [string, ...Block])[]): string[] {
  const asts = flows.map(([flow, ...steps]): Ast => ({
    ...{ flow, version: 1, title: flow, audience: "nobody", slots: {}, outcomes: [], policy: {} },
    steps,
  }));
  const sources = asts.map((ast) => ({ ast, texts: {} }));
  const { findings } = createLibrary({ flows: sources, common: COMMON, effects: [] });
  return findings.flatMap(({ rule, flow, step, message }) =>
    rule === "notify/circle" ? [`${flow} ${step}: ${message}`] : [],
  );
}

describe("flows that begin each other", () => {
  test("without anybody being asked are a circle, told at each of them by its whole way", () => {
    const found = told(["aa", begins("bb")], ["bb", begins("cc")], ["cc", begins("aa")]);
    expect(found).toEqual([
      'aa to-bb: "aa" begins "bb" begins "cc" begins "aa" again, and nobody is asked anything on the way.',
      'bb to-cc: "bb" begins "cc" begins "aa" begins "bb" again, and nobody is asked anything on the way.',
      'cc to-aa: "cc" begins "aa" begins "bb" begins "cc" again, and nobody is asked anything on the way.',
    ]);
  });

  test("under a condition, or behind a jump, are one, too", () => {
    const maybe = { t: "when", id: "if-it", if: never, then: [begins("aa")] } as const;
    const jump = { t: "goto", id: "to-maybe", to: "if-it" } as const;
    expect(told(["aa", begins("bb")], ["bb", maybe, ASK])).toHaveLength(2);
    expect(told(["aa", begins("bb")], ["bb", jump, ASK, maybe])).toHaveLength(2);
  });

  test("are none where one of them rests first, ends, or goes on after its subflow", () => {
    expect(told(["aa", begins("bb")], ["bb", ASK, begins("cc")], ["cc", begins("aa")])).toEqual([]);
    const end = { t: "end", id: "end", outcome: "done" } as const;
    expect(told(["aa", begins("bb")], ["bb", end])).toEqual([]);
    expect(told(["aa", begins("bb")], ["bb", begins("cc"), begins("aa")], ["cc", ASK])).toEqual([]);
  });
});
