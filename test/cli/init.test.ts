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
import { afterAll, expect, test, vi } from "vitest";
import { initBot } from "../../src/app/index.ts";
import { ran } from "./in-process.ts";

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

/** Files of a folder, but those of packages, by their names in it. */
const filesIn = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true, encoding: "utf8" })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name))
      .map((file) => [path.relative(folder, file), readFileSync(file, "utf8")]),
  );

test("prosa init writes a bot that plays its chats", async () => {
  const folder = path.join(home, "plain");
  expect((await run(home, BIN, "init", folder)).code).toBe(0);
  const packages = path.join(folder, "node_modules");
  mkdirSync(packages);
  for (const name of readdirSync(path.join(ROOT, "node_modules")))
    symlinkSync(path.join(ROOT, "node_modules", name), path.join(packages, name));
  symlinkSync(ROOT, path.join(packages, "prosa"));

  const played = await run(folder, path.join(packages, "prosa/src/cli/bin.js"), "flows", "test");
  expect(played.out).toMatch(/[1-9]\d* passed, 0 failed/);
  expect(played.code).toBe(0);
});

// That they play their chats is `test/app/bot/examples.test.ts`'s to prove.
test.each(["pizzeria", "clinic"])(
  "prosa init --example %s writes that bot, whole",
  async (name) => {
    const folder = path.join(home, name);
    expect((await ran(["init", folder, "--example", name])).code).toBe(0);
    const made = filesIn(folder);
    const own = filesIn(path.join(ROOT, "test/examples", name));
    expect(own.size).toBeGreaterThan(5);
    for (const [file, text] of own) expect(made.get(file), file).toBe(text);
    expect([...made.keys()]).toEqual(expect.arrayContaining(["package.json", "texts.d.ts"]));
  },
);

test("prosa init refuses a folder that has something in it, and writes nothing", async () => {
  const folder = path.join(home, "taken");
  mkdirSync(folder);
  writeFileSync(path.join(folder, "own.txt"), "mine");
  expect(await ran(["init", folder])).toEqual({
    ...{ code: 2, out: "" },
    said: `${folder} is not empty: name a new folder, or an empty one.\n`,
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
  const made = await ran(["init", path.join(home, "My Shop!")]);
  expect(made.code).toBe(0);
  expect(made.said).toMatch(/cd '.*\/My Shop!' /);
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
