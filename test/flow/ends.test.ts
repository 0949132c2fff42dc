/** A result is read where the call that gives it ended so: elsewhere a text would have a hole. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { loadFlows } from "../../src/app/loading/flow-files.ts";
import { effectInfos } from "../../src/app/authoring/effect-infos.ts";
import { createLibrary, findingLine, slot } from "../../src/flow/index.ts";
import { smallFlow } from "./fixtures/small.ts";
import { COMMON } from "./fixtures/world.ts";
import { effects as shippedEffects } from "../support/plugins.ts";

/** What lint says of a text and a condition in one branch of a call that the house makes itself. */
function told(
  branch: "done" | "rejected" | "failed",
  field: string,
  by: "text" | "when",
): string[] {
  const steps = (f: { say(key: string): unknown }, r: Record<string, { known(): unknown }>) =>
    by === "text"
      ? [f.say("told")]
      : [
          {
            t: "when",
            id: "if-told",
            if: (r[field]?.known() as { expr: object }).expr,
            then: [f.say("told")],
          },
        ];
  const ast = smallFlow("sheet", { version: 1, slots: z.object({ month: slot.month() }) }, (f) => [
    f.ask("month", { ask: "De que mês?" }),
    f.call("notes.sheet", {
      ...{ id: "sheet", rejected: () => [], failed: () => [] },
      [branch]: (r: never) => steps(f as never, r) as never,
    } as never),
    f.end(),
  ]);
  const hello = by === "text" ? `Aqui: {{sheet.${field}}}` : "Aqui.";
  const texts = { "pt-BR": { locale: "pt-BR" as const, say: { told: hello } } };
  const source = { flows: [{ ast, texts }], common: COMMON, effects: effectInfos(shippedEffects) };
  return createLibrary(source).findings.map(({ rule, message }) => `${rule}: ${message}`);
}

describe("a result of a call", () => {
  test.each(["text", "when"] as const)("is read in the branch that has it (%s)", (by) => {
    expect(told("done", "count", by)).toEqual([]);
    expect(told("rejected", "code", by)).toEqual([]);
    expect(told("failed", "reason", by)).toEqual([]);
  });

  test.each(["text", "when"] as const)("is told in one that never has it (%s)", (by) => {
    expect(told("rejected", "count", by).join()).toMatch(
      /^expr\/not-there: .*"sheet\.count" is there when "sheet" ends done, never when it ends rejected, as here\./,
    );
    expect(told("failed", "count", by).join()).toMatch(/ends done, never when it ends failed/);
  });

  test("that no end has is told as unknown, with the nearest, and only so", () => {
    expect(told("done", "cuont", "when")).toEqual([
      expect.stringMatching(/^expr\/unknown-name: .*no result "cuont"\. Did you mean "count"\?/),
    ]);
  });

  test("of issuing a note hangs on how that ended, and the shipped flows read none that is not there", async () => {
    const issue = effectInfos(shippedEffects).find(({ name }) => name === "invoice.issue");
    expect(issue?.ends?.done).toContain("key");
    expect(issue?.ends?.rejected).not.toContain("key");
    const { library } = await loadFlows();
    expect(library.findings.map(findingLine)).toEqual([]);
  });
});
