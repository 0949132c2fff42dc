/** A figure of a benchmark is of one build and one day: a table that names neither cannot be held against the code. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { origin } from "../bench/origin.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const readme = readFileSync(path.join(ROOT, "test/bench/README.md"), "utf8");

test("a run tells its day, and its commit where the copy has a history", () => {
  const commit = existsSync(path.join(ROOT, ".git")) ? "commit [0-9a-f]{7,}( with changes)?, " : "";
  expect(origin(new Date("2026-11-23T12:00:00Z"))).toMatch(new RegExp(`^${commit}2026-11-23$`));
});

test("the main table names them", () => {
  const table = readme.slice(readme.indexOf("<!-- message: begin -->"));
  const [, head = ""] = table.split("\n\n");
  expect(head).toMatch(/ By `npm run bench[^`]*`, commit [0-9a-f]{7,}[^,]*, \d{4}-\d\d-\d\d\.$/);
});
