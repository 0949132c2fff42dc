/**
 * Every script of `package.json` runs. What takes minutes runs in its smallest size: it loads all of its code, reads its arguments
 * and answers. A new script fails here until it says how it is tried.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { removeFolder } from "./remove-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const { scripts } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const TIMEOUT_MS = 120_000;

interface Smoke {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** How it may end: well, unless it refuses what it is given here, or its figures may be above their bar. */
  readonly codes?: readonly number[];
  /** What it says, on either stream. */
  readonly says: RegExp;
}

/** A start of the product takes too long here: those that measure one load all of their code and refuse to do nothing. */
const REFUSED = { codes: [1], says: /: at least 1/ } as const;

/** Scripts that run here. */
const SMOKE: Readonly<Record<string, Smoke>> = {
  // What it would write, and of which files.
  prepack: { args: ["--showConfig"], says: /"emitDeclarationOnly": true/ },
  bench: { args: ["--smoke", "--only", "nobody"], says: /\|/ },
  "bench:client": {
    codes: [0, 1],
    env: { BENCH_ROUNDS: "1", BENCH_CALLS: "5" },
    says: /1 pairs of rounds/,
  },
  "bench:sandbox": { env: { BENCH_ROUNDS: "1", BENCH_ROUND_MS: "20" }, says: /1 rounds of 20 ms/ },
  "bench:answer": { args: ["--rounds", "1", "--asks", "5"], says: /^\| 5 \|/m },
  "bench:turn": { args: ["--rounds", "1", "--people", "1", "--only", "12"], says: /^\| send \|/m },
  "bench:reload": { args: ["--rounds", "0"], ...REFUSED },
  "bench:start": { args: ["--rounds", "0"], ...REFUSED },
  "bench:contacts": { args: ["--contacts", "0"], ...REFUSED },
  chaos: {
    args: ["--profile", "nothing"],
    codes: [1],
    says: /no profile nothing: /,
  },
  "test:contract": { codes: [2], says: /Usage: / },
};

/** Scripts that `npm test` runs in other ways, each with the file that does. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  prosa: "test/cli/usage.test.ts",
  "docs:gateway": "test/docs/gateway-readme.test.ts",
  "fuzz:dados": "test/flows/dados.test.ts",
  start: "test/e2e/conversation.test.ts",
  pretest: "test/support/prepare.ts",
  test: "test/support/all.ts",
  check: "test/support/all.ts",
  types: "test/support/check.ts",
  lint: "test/support/check.ts",
  format: "test/support/check.ts",
};

const OWN = ["postpack", "format:write"];

async function run(name: string, { args = [], env = {} }: Partial<Smoke> = {}) {
  const child = spawn("npm", ["run", "-s", name, "--", ...args], {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, said: `${out}\n${err}` };
}

test("each script is tried", () => {
  const tried = [...Object.keys(SMOKE), ...Object.keys(ELSEWHERE), ...OWN];
  expect(tried.sort()).toEqual(Object.keys(scripts).sort());
  for (const file of Object.values(ELSEWHERE)) expect(existsSync(path.join(ROOT, file))).toBe(true);
});

test("the check runs what is not tried here", () => {
  const words = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
  expect(words("test/support/all.ts")).toContain(scripts["check"]?.split(" ").at(-1));
  for (const name of ["types", "lint", "format"])
    expect(words("test/support/check.ts")).toContain(`script("${name}")`);
});

test("what is formatted is what is checked for its format", () => {
  const [checked, written] = [scripts["format"], scripts["format:write"]];
  expect(checked?.replace(/ --check\b| --cache.*\S(?= \.$)/g, "")).toBe(
    written?.replace(" --write", ""),
  );
});

test("what a package was made of is removed", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "prosa-postpack-"));
  mkdirSync(path.join(folder, "dist/src"), { recursive: true });
  const child = spawn(scripts["postpack"] ?? "", { cwd: folder, shell: true, stdio: "ignore" });
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(0);
  expect(existsSync(path.join(folder, "dist"))).toBe(false);
  await removeFolder(folder);
});

describe.concurrent("runs in its smallest size", () => {
  test.each(Object.entries(SMOKE))(
    "npm run %s",
    { timeout: TIMEOUT_MS },
    async (name, { codes = [0], says, ...smoke }) => {
      const ran = await run(name, smoke);
      expect(ran.said).toMatch(says);
      expect(codes).toContain(ran.code);
    },
  );
});
