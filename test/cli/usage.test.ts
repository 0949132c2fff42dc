import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { beforeAll, expect, test } from "vitest";
import { programFile } from "../support/prosa.ts";
import { ran } from "./in-process.ts";

let program: string;
beforeAll(async () => {
  program = await programFile();
});

function prosa(input: string, ...args: string[]): { code: number | null; said: string } {
  const run = spawnSync(process.execPath, [program, ...args], {
    input,
    encoding: "utf8",
  });
  return { code: run.status, said: run.stderr };
}

test.each([
  ["JSON on standard input that is none", "{", ["accounts", "add"], "must be JSON"],
  ["a line that is no JSON", "x\n", ["understand", "--stdin"], "must be JSON"],
  ["a line of another shape", '{"kind":1}\n', ["understand", "--stdin"], "Each line must be"],
] as const)("%s ends with exit code 2 and one sentence", (_what, input, args, sentence) => {
  const { code, said } = prosa(input, ...args);

  expect(code).toBe(2);
  expect(said).toContain(sentence);
  expect(said).not.toContain("    at ");
});

test.each([
  ["a body file that is not there", ["gateway", "call", "x", "--body", "/none"], "--body"],
  ["a decision without its reason", ["dead", "drop", "x"], "--reason"],
  [
    "a note that is decided by nobody who looked",
    ["invoices", "resolve", "x", "--decision", "not_issued", "--reason", "y"],
    "--rev N",
  ],
  ["a revision that is none", ["outbox", "retry", "x", "y", "--rev", "two"], "is no number"],
  ["a verb that only JavaScript knows", ["sessions", "constructor"], "Usage:"],
] as const)("%s is told in one sentence", async (_what, args, sentence) => {
  const { code, said } = await ran(args);

  expect(code).toBe(2);
  expect(said).toContain(sentence);
});

test("help that was asked for is data on standard output", () => {
  const run = spawnSync(process.execPath, [program, "help"], { encoding: "utf8" });

  expect(run.status).toBe(0);
  expect(run.stdout).toContain("flows list|check");
  expect(run.stderr).toBe("");
});

test("a folder of flows that is not there is told by its setting", () => {
  const env = { ...process.env, PROSA_FLOWS_DIR: "/none/flows" };
  for (const args of [["flows", "check"], ["start"]]) {
    const run = spawnSync(process.execPath, [program, ...args], { encoding: "utf8", env });
    expect(run.status).toBe(2);
    expect(run.stderr).toContain("There is no folder /none/flows");
    expect(run.stderr).toContain("PROSA_FLOWS_DIR");
    expect(run.stderr).not.toContain("    at ");
  }
  const help = spawnSync(process.execPath, [program, "help"], { encoding: "utf8", env });
  expect(help.status).toBe(0);
  expect(help.stdout).toContain("flows list|check");
  expect(help.stderr).toContain("There is no folder /none/flows");
});

test("whoever reads may stop reading, as in a pipe to head", async () => {
  const child = spawn(process.execPath, [program, "help"]);
  child.stdout.destroy();
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  expect(await once(child, "close")).toEqual([0, null]);
  expect(said).toBe("");
});

test("a flow that does not exist is no passed test", () => {
  const { code, said } = prosa("", "flows", "test", "no-such-flow");

  expect(code).toBe(1);
  expect(said).toContain("There is no flow no-such-flow");
});
