/** What lint says of texts that a short message cannot carry whole, measured by the channel's own rules. */
import { expect, test } from "vitest";
import { libraryOf } from "../../src/app/loading/library.ts";
import { flow, slot, z } from "../../src/index.ts";

const ast = flow(
  "long",
  { version: 1, audience: "anyone", slots: z.object({ words: slot.text({ max: 1_000 }) }) },
  (f) => [f.ask("words", { ask: "?" }), f.say("said"), f.end()],
);

function findings(said: string): string[] {
  const texts = { "pt-BR": { locale: "pt-BR", say: { said } } } as const;
  return libraryOf([{ ast, texts }])
    .findings.filter(({ rule }) => rule === "text/too-long")
    .map(({ severity, message }) => `${severity}: ${message}`);
}

test("a text is warned of where its longest rendering takes more than ten segments, to the letter", () => {
  expect(findings(`${"ã".repeat(530)}{{words}}`)).toEqual([]);
  expect(findings(`${"ã".repeat(531)}{{words}}`)).toEqual([
    "warning: Text say.said (pt-BR): with the longest answers it is cut as a short message: it has 11 segments, 10 are sent.",
  ]);
  // A sign outside the alphabet more than halves the room; signs of two septets count twice; stars are not sent.
  expect(findings(`✅ {{words}}`)).toEqual([expect.stringContaining("(“✅” makes each hold 67")]);
  expect(findings(`${"€".repeat(265)}{{words}}`)).toEqual([]);
  expect(findings(`${"€".repeat(266)}{{words}}`)).toHaveLength(1);
  expect(findings(`*${"a".repeat(400)}* ${"a".repeat(129)}{{words}}`)).toEqual([]);
});

test("a pipe that shortens makes room", () => {
  expect(findings(`${"a".repeat(1_200)}{{words | short 330}}`)).toEqual([]);
});
