/** What a call gives is known before it is made: an expression that reads it otherwise is told, with the name that is near. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { loadFlows } from "../../src/app/loading/flow-files.ts";
import { type Expr, createLibrary, slot } from "../../src/flow/index.ts";
import { smallFlow } from "./fixtures/small.ts";
import { COMMON } from "./fixtures/world.ts";

const CHECK = {
  ...{ name: "stock.check", version: 1, class: "read" as const, input: [{ name: "item" }] },
  result: ["left", "state", "sizes"],
  results: {
    left: { sort: "number" as const },
    state: { sort: "text" as const, of: ["there", "ordered"] },
    sizes: { sort: "list" as const },
  },
};

/** What is said of a condition on the call's result. */
function told(condition: Expr): string[] {
  const ast = smallFlow("stock", { version: 1, slots: z.object({ item: slot.text() }) }, (f) => [
    f.ask("item", { ask: "O quê?" }),
    f.call("stock.check", { id: "look", done: () => [], rejected: () => [], failed: () => [] }),
    { t: "when", id: "if-there", if: condition, then: [f.handoff("there")] } as never,
    f.end(),
  ]);
  const library = createLibrary({
    flows: [{ ast: ast, texts: { "pt-BR": { locale: "pt-BR" } } }],
    ...{ common: COMMON, effects: [CHECK] },
  });
  return library.findings.map(({ rule, message }) => `${rule}: ${message}`);
}

const compare = (path: string, cmp: "==" | "<", val: string | number): Expr => ({
  cmp,
  l: { ref: `look.${path}` },
  r: { val },
});

describe("a result of a call in an expression", () => {
  test("is compared with what it can be", () => {
    expect(told(compare("left", "<", 3))).toEqual([]);
    expect(told(compare("state", "==", "there"))).toEqual([]);
  });

  test("of another type, of another value or of no such name is told, with the nearest", () => {
    expect(told(compare("left", "==", "few")).join()).toMatch(
      /expr\/wrong-type: look\.left == 'few': a number and a text are never equal/,
    );
    expect(told(compare("state", "==", "ordred")).join()).toMatch(
      /expr\/wrong-type: .*never "ordred"\. Did you mean "ordered"\?/,
    );
    expect(told(compare("lefd", "<", 3)).join()).toMatch(
      /expr\/unknown-name: .*no result "lefd"\. Did you mean "left"\?/,
    );
    expect(told(compare("sizes", "==", "M")).join()).toMatch(
      /expr\/wrong-type: .*a list is never equal/,
    );
    expect(told({ ref: "look.left" }).join()).toMatch(/look\.left is a number and no condition/);
  });

  test("of issuing a note is typed by the effect itself", async () => {
    const { library } = await loadFlows();
    const effect = library.get("request-invoice")?.model.words.effects.get("invoice.issue");
    expect(effect?.results).toMatchObject({
      ...{ number: { sort: "text" }, code: { sort: "text" }, slots: { sort: "list" } },
      fixable: { sort: "text", of: ["customer", "issuer", "nobody"] },
    });
  });
});
