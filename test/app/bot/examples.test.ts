/** The bots that `prosa init` copies: whole, without findings, and with conversations that go as written. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { checkFlows, testFlows } from "../../../src/app/index.ts";
import { findingLine } from "../../../src/flow/index.ts";

const EXAMPLES = path.resolve(import.meta.dirname, "../../examples");

describe.each(["plain", "pizzeria", "clinic"])("the bot %s", (name) => {
  const folder = path.join(EXAMPLES, name);

  test("has no finding", async () => {
    expect((await checkFlows(folder)).findings.map(findingLine)).toEqual([]);
  });

  test("keeps to its chat files", async () => {
    const { results } = await testFlows(undefined, { folder });
    expect(results.length).toBeGreaterThan(0);
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
  });
});

test("the pizzeria's bot says nothing of notes, whatever people ask", () => {
  const chat = readFileSync(path.join(EXAMPLES, "pizzeria/menu/chats/any-question.chat"), "utf8");
  const lines = chat.split("\n");
  expect(lines.filter((line) => /^(ana)?> /.test(line)).length).toBeGreaterThanOrEqual(11);
  const said = lines.filter((line) => line.includes("<")).join("\n");
  expect(said).not.toMatch(/\bnotas?\b|invoice|prefeitura|emit|emiss/i);
});
