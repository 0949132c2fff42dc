/**
 * `prosa init`: a bot in an empty folder that tests at once. Its packages are this repository's, linked: an
 * installation of the packed file would want the registry.
 */
import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { initBot } from "../../src/app/index.ts";

// Each command is a process that reads all its sources.
vi.setConfig({ testTimeout: 120_000 });

const ROOT = path.resolve(import.meta.dirname, "../..");
const home = mkdtempSync(path.join(tmpdir(), "prosa-init-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

function run(cwd: string, file: string, ...args: string[]): Promise<{ code: number; out: string }> {
  const { PROSA_FLOWS_DIR: _folder, ...env } = process.env;
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [file, ...args], { cwd, env }, (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, out: out + err }),
    );
  });
}

const BIN = path.join(ROOT, "src/cli/bin.js");

describe.each([[], ["--example", "pizzeria"], ["--example", "clinic"]])(
  "prosa init %s %s",
  (...example) => {
    const folder = path.join(home, example[1] ?? "plain");

    test("writes a bot that plays its chats", async () => {
      expect((await run(home, BIN, "init", folder, ...example)).code).toBe(0);
      const packages = path.join(folder, "node_modules");
      mkdirSync(packages);
      for (const name of readdirSync(path.join(ROOT, "node_modules")))
        symlinkSync(path.join(ROOT, "node_modules", name), path.join(packages, name));
      symlinkSync(ROOT, path.join(packages, "prosa"));

      const played = await run(
        folder,
        path.join(packages, "prosa/src/cli/bin.js"),
        "flows",
        "test",
      );
      expect(played.out).toMatch(/[1-9]\d* passed, 0 failed/);
      expect(played.code).toBe(0);
    });
  },
);

test("prosa init refuses a folder that has something in it, and writes nothing", async () => {
  const folder = path.join(home, "taken");
  mkdirSync(folder);
  writeFileSync(path.join(folder, "own.txt"), "mine");
  expect(await run(home, BIN, "init", folder)).toEqual({
    code: 2,
    out: `${folder} is not empty: name a new folder, or an empty one.\n`,
  });
  expect(readdirSync(folder)).toEqual(["own.txt"]);
});

test("an example that is none is refused", async () => {
  const folder = path.join(home, "bakery");
  expect(initBot(folder, "bakery")).toBe(
    "There is no example bakery. There are: clinic, pizzeria.",
  );
  expect(readdirSync(home)).not.toContain("bakery");
});

test("prosa init quotes a folder whose name a shell would read", async () => {
  const made = await run(home, BIN, "init", "My Shop!");
  expect(made.code).toBe(0);
  expect(made.out).toContain("cd 'My Shop!' ");
});

test.each([
  ["São João", "sao-joao"],
  ["_pão.", "pao"],
  ["!!!", "bot"],
  ["prosa", "bot"],
  ["Shop", "shop"],
])("the package of a bot in %j has a name that npm takes", async (folder, name) => {
  expect(initBot(path.join(home, "named", folder))).toBeUndefined();
  const manifest = readFileSync(path.join(home, "named", folder, "package.json"), "utf8");
  expect(JSON.parse(manifest)).toMatchObject({ name });
});
