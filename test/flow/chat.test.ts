import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { chatReport, parseChat, runChat, withFrom } from "../../src/flow/index.ts";
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
    expect(report).toMatch(/^sample\.chat:26\n {4}expected +│ got\n/);
    expect(report).toMatch(/^ {4}Confere pra mim\? +│ Confere pra mim\?$/m);
    expect(report).toMatch(/^ {2}≠ .* │ .*$/m);
    expect(report).toContain("│ Valor: R$ 150,00");
    expect(report).toContain("> 10/2026");
    expect(report).toContain("\n  at summary\n");
    expect(report).toContain("\n    value = 15000");
    // It may end in the log of another machine.
    expect(report).not.toContain("52998224725");
    expect(report).not.toContain("529.982.247");
    expect(report).toContain("*********25");
  });

  test("is told in colour only to a terminal", async () => {
    const failure = await failureOf("> oi\n< Olá\n");
    const mark = (name: string) => (text: string) => `<${name}>${text}</${name}>`;
    const paint = { bold: mark("b"), dim: mark("d"), red: mark("r"), green: mark("g") };
    expect(chatReport(failure, paint)).toMatch(/<r>≠<\/r> <g>Olá +<\/g>/);
    expect(chatReport(failure)).not.toContain("</");
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
    ["hello", 1, "a line begins with one of"],
    ["> oi\n@Wrong x", 2, '"@Wrong" is no header'],
    ["Operator> x", 1, "a line begins with one of"],
    ["operater> x", 1, 'Did you mean "operator"?'],
    ["@contact ana 5511988880002\nana> oi\nbia< …", 3, "@contact bia NUMBER"],
  ])("%j is refused with its line, and the nearest name", (text, line, why) => {
    const parsed = parseChat(text);
    expect(parsed).toMatchObject({ ok: false, line });
    expect(parsed.ok ? "" : parsed.message).toContain(why);
  });

  test.each([
    ["> [imgae f.jpg]", 'Did you mean "image"?'],
    ["> [edit 1] oi", "[edit -1] is this person's last message"],
    ["> [edit -1]", "followed by the new words"],
    ["> [button]", "[button id label] says more"],
    ["~ ten minutes", "ten minutes"],
  ])("%s is no line anybody could play", async (line, got) => {
    const failure = await failureOf(`> oi\n< …\n${line}\n`);
    expect(failure.line).toBe(3);
    expect(failure.got).toContain(got);
  });

  test("that names another file is played behind it, and a failure says which of the two", async () => {
    const files: Readonly<Record<string, string>> = {
      "begin.chat": "> oi\n< …\n= state service\n",
      "ring.chat": "@from ring.chat\n",
    };
    const read = (name: string) => {
      const text = files[name];
      return text === undefined ? null : { file: name, text };
    };
    const whole = (text: string) => {
      const parsed = parseChat(text, "own.chat");
      return parsed.ok ? withFrom(parsed.chat, read) : parsed;
    };
    const both = whole("# Goes on\n@from begin.chat\n> 1\n< …\n= state document\n");
    if (!both.ok) throw new Error(both.message);
    expect(both.chat.title).toBe("Goes on");
    expect(await runChat(both.chat, new InProcess())).toMatchObject({ ok: true, turns: 2 });
    const wrong = whole("@from begin.chat\n> 1\n< …\n= state nowhere\n");
    const inner = { ...files, "begin.chat": "> oi\n< Olá\n" };
    const parsed = parseChat("@from begin.chat\n> 1\n", "own.chat");
    if (!wrong.ok || !parsed.ok) throw new Error("not read");
    expect(await runChat(wrong.chat, new InProcess())).toMatchObject({
      failure: { file: "own.chat", line: 4 },
    });
    const broken = withFrom(parsed.chat, (name) => ({ file: name, text: inner["begin.chat"] }));
    if (!broken.ok) throw new Error(broken.message);
    expect(await runChat(broken.chat, new InProcess())).toMatchObject({
      failure: { file: "begin.chat", line: 2 },
    });
    expect(whole("@from begin.chat\nbia> 1\n")).toMatchObject({ file: "own.chat", line: 2 });
    expect(whole("@from none.chat\n")).toMatchObject({ ok: false, line: 1 });
    expect(whole("@from ring.chat\n")).toMatchObject({ ok: false });
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
