/** Which flows lint looks at again when one is saved: those whose verdict may have changed, and no other. */
import { expect, test } from "vitest";
import { Verdicts } from "../../../src/app/loading/library.ts";
import type { Ast, Catalogues, FlowSource } from "../../../src/flow/index.ts";

/** A flow that names others, as a subflow or a notice does. */
function source(flow: string, names: readonly string[] = [], texts: Catalogues = {}): FlowSource {
  const steps = names.map((name) => ({ t: "subflow", id: name, flow: name }));
  return { ast: { flow, steps } as unknown as Ast, texts };
}

const COMMON: Catalogues = {};

function looks(verdicts: Verdicts, flows: readonly FlowSource[], common = COMMON): string[] {
  const verdict = verdicts.of(flows, common);
  const looked: string[] = [];
  for (const { ast } of flows) {
    const message = `${ast.flow} of ${ast.steps.length}`;
    const said = [{ rule: "id/bad-name", severity: "warning", message }] as const;
    const told = verdict(ast, () => {
      looked.push(ast.flow);
      return said;
    });
    expect(told).toEqual(said);
  }
  return looked;
}

test("one that was saved, its own words, and whoever names it, however far around", () => {
  const verdicts = new Verdicts();
  const [asks, answers, far, alone] = [
    source("asks", ["answers"]),
    source("answers"),
    source("far", ["asks"]),
    source("alone"),
  ];
  expect(looks(verdicts, [asks, answers, far, alone])).toHaveLength(4);
  expect(looks(verdicts, [asks, answers, far, alone])).toEqual([]);

  const saved = source("answers");
  expect(looks(verdicts, [asks, saved, far, alone])).toEqual(["asks", "answers", "far"]);
  const worded = { ...alone, texts: { en: { locale: "en" } } as unknown as Catalogues };
  expect(looks(verdicts, [asks, saved, far, worded])).toEqual(["alone"]);
  // Words everybody shares, and a name that is new or gone, are everybody's: the nearest name may be another.
  const common = { en: { say: { x: "y" } } } as unknown as Catalogues;
  expect(looks(verdicts, [asks, saved, far, worded], common)).toHaveLength(4);
  expect(looks(verdicts, [asks, saved, far], common)).toEqual(["asks", "answers", "far"]);
});

test("a save that did not hold up leaves what was known before it", () => {
  const verdicts = new Verdicts();
  const [asks, answers] = [source("asks", ["answers"]), source("answers")];
  expect(looks(verdicts, [asks, answers])).toHaveLength(2);
  expect(looks(verdicts, [asks, source("answers", ["asks"])])).toHaveLength(2);
  expect(looks(verdicts, [asks, answers])).toEqual([]);
});

test("two folders with a flow of one name are not taken for each other", () => {
  const verdicts = new Verdicts();
  const [one, other] = [source("same"), source("same", ["same"])];
  expect(looks(verdicts, [one, other])).toEqual(["same", "same"]);
  // Each is told its own, in whichever order, and when the words of either change.
  expect(looks(verdicts, [one, other])).toEqual([]);
  expect(looks(verdicts, [other, one])).toEqual(["same", "same"]);
  const worded = { ...one, texts: { en: { locale: "en" } } as unknown as Catalogues };
  expect(looks(verdicts, [other, worded])).toEqual(["same"]);
  expect(looks(verdicts, [worded, other])).toContain("same");
});
