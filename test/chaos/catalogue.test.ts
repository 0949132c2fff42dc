/**
 * The catalogue in the README: whole, and every test it names is there under that title. No profile without a table, no step of the
 * store without a word on who dies at it.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { STEPS } from "../support/faulty-store.ts";
import { POINTS } from "./deaths.ts";

const TESTS = path.resolve(import.meta.dirname, "..");
/** What the project owes: that many rows met. */
const LEAST = 60;
const ROWS = 93;

const text = readFileSync(path.join(import.meta.dirname, "README.md"), "utf8");
const rows = [...text.matchAll(/^\| (\d+) +\| ([^|]+) +\| ([^|]+) +\|$/gm)].map((row) => ({
  number: Number(row[1]),
  by: (row[3] ?? "").trim(),
}));
const unmet = [...text.matchAll(/^- (\d+): /gm)].map((row) => Number(row[1]));

test("every fault has a row with a test or a place on the list of what is not met", () => {
  const numbers = [...rows.map(({ number }) => number), ...unmet].sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: ROWS }, (_, at) => at + 1));
  const met = /^(\d+) of 93 are met, (\d+) in part/m.exec(text);
  expect(Number(met?.[1]) + Number(met?.[2])).toBe(rows.length);
  expect(Number(met?.[1])).toBeGreaterThanOrEqual(LEAST);
});

test("every test that a row names is there", () => {
  const lost: string[] = [];
  for (const { number, by } of rows)
    for (const [, name = "", titles = ""] of by.matchAll(/`([\w/.-]+\.ts)`(?:: ([^`]*))?/g)) {
      const file = [path.join(TESTS, name), path.join(TESTS, "chaos", name)].find(existsSync);
      if (!file) {
        lost.push(`${number}: ${name}`);
        continue;
      }
      const source = readFileSync(file, "utf8");
      for (const title of titles.split(/[;…]|\(.*?\)/)) {
        const words = title.trim().replace(/,$/, "");
        if (words !== "" && !source.includes(words)) lost.push(`${number}: ${name}: ${words}`);
      }
    }
  expect(lost).toEqual([]);
});

test("every profile has a place in which its run writes what it saw", () => {
  const main = readFileSync(path.join(import.meta.dirname, "main.ts"), "utf8");
  const profiles = [...main.matchAll(/--profile (\w+) /g)].map(([, name = ""]) => name);
  expect(profiles.length).toBeGreaterThan(6);
  const without = profiles.filter(
    (name) => !text.includes(`<!-- ${name}: npm run chaos -- --profile ${name}`),
  );
  expect(without).toEqual([]);
});

test("every step that writes is listed, and it is said who dies at it or that nobody does by name", () => {
  const points = /^## Named points$(.*?)^## /ms.exec(text)?.[1] ?? "";
  const [, list = "", , takers = ""] = points.split("\n\n").slice(1);
  const named = (part: string): readonly string[] =>
    [...part.matchAll(/`([\w.]+)`/g)].map(([, name = ""]) => name);
  expect(named(list)).toEqual(STEPS);
  const killed = Object.values(POINTS).flatMap((of) => of.map((point) => point.split(":")[0]));
  expect(STEPS.filter((step) => !named(takers).includes(step) && !killed.includes(step))).toEqual(
    [],
  );
});
