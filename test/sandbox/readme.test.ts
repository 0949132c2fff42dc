import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { formatBrl } from "../../src/brazil/index.ts";
import { MAGIC_AMOUNTS } from "../../src/sandbox/index.ts";

const FILE = path.resolve(import.meta.dirname, "../../src/sandbox/behaviour.md");

/** The table as it must stand between its two marks. */
function table(): readonly string[] {
  const rows = [...MAGIC_AMOUNTS].map(([cents, outcome]) => {
    const amount = formatBrl(cents).replace("R$", "").trim();
    if (outcome.kind === "late") return `| ${amount} | | issued ${outcome.ms / 1_000} s later |`;
    const what = outcome.kind === "final" ? "issued; its cancellation is refused: " : "";
    return `| ${amount} | ${outcome.code} | ${what}${outcome.message} |`;
  });
  return ["| amount | code | what happens |", "| --- | --- | --- |", ...rows];
}

test("the page lists every magic amount with its code and text", () => {
  const text = readFileSync(FILE, "utf8");
  const between = text.split(/<!-- \/?magic amounts -->/)[1] ?? "";
  const cells = (line: string) => line.split("|").map((cell) => cell.trim().replace(/^-+$/, "-"));
  const lines = between.trim().split("\n");
  expect(lines.map(cells)).toEqual(table().map(cells));
});
