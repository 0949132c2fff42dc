/** What is remembered beside the store of calls that were begun, however often and with whatever luck a process starts. */
import { mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GuardMarks } from "../../src/store/guard-marks.ts";
import { removeFolder } from "../support/remove-folder.ts";
import { sleep } from "./contract.ts";

const LONG_MS = 2 * 3_600_000;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "prosa-marks-"));
});
afterEach(() => removeFolder(folder));

const of = (origin: string) => ({ folder, install: "one", origin });
/** A file that a process left long ago. */
function left(origin: string): string {
  const name = `marks.one.${origin}.json`;
  writeFileSync(path.join(folder, name), JSON.stringify({ 0: 3 }));
  const long = new Date(Date.now() - LONG_MS);
  utimesSync(path.join(folder, name), long, long);
  return name;
}

test("one process' own file of long ago is kept", async () => {
  const name = left("embedded");
  expect(new GuardMarks(of("embedded")).of(0)).toBe(3);
  await sleep(100);
  expect(readdirSync(folder)).toEqual([name]);
  expect(new GuardMarks(of("embedded")).of(0)).toBe(3);
});

test("what another one left long ago goes once it is written anew", async () => {
  left("gone");
  expect(new GuardMarks(of("now")).of(0)).toBe(3);
  await sleep(100);
  expect(readdirSync(folder)).toEqual(["marks.one.now.json"]);
  expect(new GuardMarks(of("later")).of(0)).toBe(3);
});

test("what another one left long ago stays while it cannot be written anew", async () => {
  const name = left("gone");
  // Nothing can be written there.
  mkdirSync(path.join(folder, "marks.one.now.json.new"));
  expect(new GuardMarks(of("now")).of(0)).toBe(3);
  await sleep(100);
  expect(readdirSync(folder)).toContain(name);
  expect(new GuardMarks(of("later")).of(0)).toBe(3);
});
