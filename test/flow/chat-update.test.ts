import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { junit, parseChat, runChat, tap, updateChat } from "../../src/flow/index.ts";
import { walkResults } from "../../src/app/index.ts";
import { InProcess } from "./fixtures/in-process.ts";

const SAMPLE = readFileSync(new URL("./fixtures/request-invoice.chat", import.meta.url), "utf8");

async function updated(text: string): Promise<string | undefined> {
  const parsed = parseChat(text, "sample.chat");
  if (!parsed.ok) throw new Error(parsed.message);
  return updateChat(parsed.chat, text, new InProcess());
}

describe("--update", () => {
  test("leaves a file alone that goes as written", async () => {
    expect(await updated(SAMPLE)).toBeUndefined();
  });

  test("rewrites what the bot says and keeps what people say, so that the file passes", async () => {
    const wrong = SAMPLE.replace("R$ 150,00 …", "R$ 151,00 …").replace("= slots", "= slots name=X");
    const now = await updated(wrong);
    expect(now).toContain("R$ 150,00");
    expect(now).toContain('name="Maria Souza"');
    const parsed = parseChat(now ?? "", "sample.chat");
    if (!parsed.ok) throw new Error(parsed.message);
    expect((await runChat(parsed.chat, new InProcess())).ok).toBe(true);
    const said = (text: string) => text.split("\n").filter((row) => /^[a-z]*>/.test(row));
    expect(said(now ?? "")).toEqual(said(SAMPLE));
  });

  test("writes what was not written at all, also at the end", async () => {
    const now = await updated("> oi\n> 1\n= state nowhere");
    expect(now).toMatch(/^> oi\n> 1\n= state \w+\n< /);
  });

  test("keeps a … that still stands for something", async () => {
    const now = await updated("> oi\n< …\n< Something else\n");
    expect(now).toBe("> oi\n< …\n");
  });
});

describe("results for other programs", () => {
  const results = [
    { ok: true, file: "a.chat", title: "Fine # 1" },
    { ok: false, file: "b.chat", title: 'Not <fine> & "so"', failure: "b.chat:3\n  expected" },
  ];

  test("are TAP with the failure under its line", () => {
    expect(tap(results).split("\n")).toEqual([
      "TAP version 14",
      "1..2",
      "ok 1 - a.chat: Fine \\# 1",
      'not ok 2 - b.chat: Not <fine> & "so"',
      "  ---",
      "  message: |",
      "    b.chat:3",
      "      expected",
      "  ...",
      "",
    ]);
  });

  test("list what walks found: each broken property and each step nobody comes to is a failure", () => {
    const one = { places: 3, whole: true, broken: [], unreached: [] };
    const why = { property: "help keeps the place", at: "name", path: ["BACK"], why: "it led on" };
    const walks = walkResults([
      { ...one, flow: "fine" },
      { ...one, flow: "wrong", broken: [why], unreached: ["photo"] },
    ]);
    expect(walks.map(({ ok }) => ok)).toEqual([true, false, false]);
    const rows = tap(walks);
    expect(rows).toContain("not ok 2 - wrong: name: help keeps the place\n");
    expect(rows).toContain("    it led on\n    after BACK\n");
    expect(rows).toContain("not ok 3 - wrong: photo: can be rested at\n");
    expect(junit(walks)).toContain('tests="3" failures="2"');
  });

  test("are JUnit XML that nothing in a title breaks", () => {
    const xml = junit(results);
    expect(xml).toContain('<testsuite name="flows" tests="2" failures="1">');
    expect(xml).toContain('name="Not &lt;fine&gt; &amp; &quot;so&quot;"');
    expect(xml).toContain('<failure message="b.chat:3">b.chat:3\n  expected</failure>');
  });
});
