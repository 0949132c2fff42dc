/**
 * `prosa init`: a bot in an empty folder that tests at once. Its packages are this repository's, linked: an
 * installation of the packed file would want the registry.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";

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

    test("refuses a folder that has something in it, and writes nothing", async () => {
      const before = readdirSync(folder);
      const { code, out } = await run(home, BIN, "init", folder);
      expect({ code, out }).toEqual({
        code: 2,
        out: `${folder} is not empty: name a new folder, or an empty one.\n`,
      });
      expect(readdirSync(folder)).toEqual(before);
    });
  },
);

test("prosa init refuses an example that is none", async () => {
  const folder = path.join(home, "bakery");
  expect(await run(home, BIN, "init", folder, "--example", "bakery")).toEqual({
    code: 2,
    out: "There is no example bakery. There are: clinic, pizzeria.\n",
  });
  expect(readdirSync(home)).not.toContain("bakery");
});

test.each([
  ["My Shop!", "my-shop"],
  ["São João", "sao-joao"],
  ["_pão.", "pao"],
  ["!!!", "bot"],
  ["prosa", "bot"],
])("prosa init names the package of %j so that npm takes it", async (folder, name) => {
  const made = await run(home, BIN, "init", folder);
  expect(made.code).toBe(0);
  expect(made.out).toContain(/^\w+$/.test(folder) ? `cd ${folder} ` : `cd '${folder}' `);
  const manifest = readFileSync(path.join(home, folder, "package.json"), "utf8");
  expect(JSON.parse(manifest)).toMatchObject({ name });
});
