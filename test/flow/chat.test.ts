import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { chatReport, parseChat, runChat } from "../../src/flow/index.ts";
import { patternOf } from "../../src/flow/chat/pattern.ts";
import { InProcess } from "./fixtures/in-process.ts";

const SAMPLE = readFileSync(new URL("./fixtures/request-invoice.chat", import.meta.url), "utf8");

async function play(text: string) {
  const parsed = parseChat(text, "sample.chat");
  if (!parsed.ok) throw new Error(`${parsed.line}: ${parsed.message}`);
  return runChat(parsed.chat, new InProcess());
}
async function failureOf(text: string) {
  const result = await play(text);
  if (result.ok) throw new Error("it passed");
  return result.failure;
}

describe("a chat file", () => {
  test("plays the sample conversation from the first word to the issued note", async () => {
    expect(await play(SAMPLE)).toEqual({
      ok: true,
      title: "One wrong CPF, a correction from the summary, approved, issued",
      turns: 15,
    });
  });

  test("fails where a text differs, with both texts, the lines before and the state", async () => {
    const failure = await failureOf(SAMPLE.replace("R$ 150,00 …", "R$ 151,00 …"));
    expect(failure.line).toBe(26);
    const report = chatReport(failure);
    expect(report).toContain("sample.chat:26\n  expected\n    Confere pra mim?");
    expect(report).toContain("Valor: R$ 150,00");
    expect(report).toContain("> 10/2026");
    expect(report).toContain("at summary {");
  });

  test("fails at the next thing that happens when the bot said more than was written", async () => {
    const failure = await failureOf(SAMPLE.replace("< {ask.value}\n=", "="));
    expect(failure).toMatchObject({ line: 17, got: "Qual o valor?" });
  });

  test("fails at the end when something was left unsaid or unwritten", async () => {
    expect(await failureOf("> oi\n")).toMatchObject({ line: 1 });
    expect(await failureOf("> oi\n< …\n> 1\n< …\n< more\n")).toMatchObject({ line: 4 });
  });

  test.each([
    ["= slots value=1", "slot value: expected 1, got nothing"],
    ["= state summary", "state: expected summary, got service"],
    ["= effects sample.issue*1", "effects: expected sample.issue*1, got none"],
    ["= effect sample.issue value=1", "effect sample.issue: it was never asked for"],
    ["= outcome issued", "outcome: expected issued, got none"],
    ["= timers quiet.nudge@1h", "timer quiet.nudge: expected in 1h, due in 900s"],
    ["= nonsense", '"= nonsense" is no expectation'],
  ])("%s that does not hold fails with what is so", async (line, got) => {
    expect(await failureOf(`> oi\n< …\n${line}\n`)).toMatchObject({ line: 3, got });
  });

  test("an unknown text key is told by name", async () => {
    expect(await failureOf("> oi\n< {say.helo}\n")).toMatchObject({
      expected: "a text say.helo in the catalogue",
    });
  });

  test.each([
    ["hello", 1],
    ["> oi\n@wrong x", 2],
    ["Operator> x", 1],
  ])("%j is refused with its line", (text, line) => {
    expect(parseChat(text)).toMatchObject({ ok: false, line });
  });
});

describe("patterns", () => {
  const fits = (lines: string[], got: string) => {
    const pattern = patternOf(lines, () => []);
    return pattern instanceof RegExp && pattern.test(got);
  };
  test("take signs of regular expressions as letters", () => {
    expect(fits(["R$ 1.000 (ok)?"], "R$ 1.000 (ok)?")).toBe(true);
    expect(fits(["R$ 1.000"], "R$ 1x000")).toBe(false);
  });
  test("let … stand for any run, and nothing else be left out", () => {
    expect(fits(["Nota … emitida"], "Nota 12\nfoi emitida")).toBe(true);
    expect(fits(["Nota"], "Nota 12")).toBe(false);
  });
});
