/** The sources as one program: made once for each state of them, whole or not at all, wherever it may be written. */
import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const run = promisify(execFile);

/** An installation whose command line tells a number, and the text that lies beside its source. */
function installed(name = "prosa-program-") {
  const home = mkdtempSync(path.join(tmpdir(), name));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const write = (name: string, text: string): string => {
    const file = path.join(home, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  write("package.json", '{ "type": "module" }');
  for (const name of ["src/cli/bin.js", "src/app/loading/program.js"]) {
    write(name, "");
    cpSync(path.join(ROOT, name), path.join(home, name));
  }
  mkdirSync(path.join(home, "node_modules"));
  for (const name of ["esbuild", "@esbuild", "qr"])
    symlinkSync(path.join(ROOT, "node_modules", name), path.join(home, "node_modules", name));
  write("src/index.ts", "export const flow = 1;\n");
  write("src/cli/words.txt", "beside");
  write(
    "src/cli/main.ts",
    `import { readFileSync } from "node:fs";
import "qr";
import { number } from "../number.ts";
const words: string = readFileSync(new URL("words.txt", import.meta.url), "utf8");
if (process.argv[2] === "throw") throw new Error("no good");
console.log(number, words);
`,
  );
  const save = (number: number) => write("src/number.ts", `export const number = ${number};\n`);
  save(1);
  const cache = path.join(home, "node_modules", ".cache", "prosa");
  const start = async (
    env: Readonly<Record<string, string>> = {},
    args: readonly string[] = [],
    user: { uid?: number; gid?: number } = {},
  ) => {
    const bin = path.join(home, "src/cli/bin.js");
    const { stdout } = await run(process.execPath, [bin, ...args], {
      env: { PATH: process.env["PATH"], ...env },
      ...user,
    });
    return stdout.trim();
  };
  return { home, cache, save, write, start, programs: () => readdirSync(cache) };
}

/** In place of the link to it. */
function copyPackage(home: string, name: string): void {
  const copied = path.join(home, "node_modules", name);
  rmSync(copied);
  cpSync(path.join(ROOT, "node_modules", name), copied, { recursive: true });
}

test("is made once for each state of the sources, and finds what lies beside them", async () => {
  const { save, start, programs } = installed();
  expect(await start()).toBe("1 beside");
  const [first] = programs();
  expect(await start()).toBe("1 beside");
  expect(programs()).toEqual([first]);
  // The same size with the same time of change, as a copy may keep it: the file system's own account tells.
  const then = new Date(1_700_000_000_000);
  utimesSync(save(1), then, then);
  expect(await start()).toBe("1 beside");
  utimesSync(save(2), then, then);
  expect(await start()).toBe("2 beside");
  expect(programs()).toContain(first);
}, 60_000);

test("two that start at once both have it, and leave nothing half made", async () => {
  const { start, programs } = installed();
  expect(await Promise.all([start(), start(), start()])).toEqual(Array(3).fill("1 beside"));
  expect(programs()).toEqual([expect.stringMatching(/^program-[0-9a-f]{16}$/)]);
}, 60_000);

test("a source that does not compile is told with its place, and leaves nothing", async () => {
  const { write, start, programs } = installed();
  write("src/number.ts", "export const number = (;\n");
  await expect(start()).rejects.toThrow(/number\.ts:1:23: ERROR: Unexpected ";"/);
  expect(programs()).toEqual([]);
}, 60_000);

test("packages that are not installed are told with what to do", async () => {
  const { home, start } = installed();
  rmSync(path.join(home, "node_modules"), { recursive: true });
  await expect(start()).rejects.toThrow(/The packages of \S+ are not installed\. Run npm ci there/);
}, 60_000);

test("stacks name the sources", async () => {
  const { start } = installed();
  await expect(start({}, ["throw"])).rejects.toThrow(/no good\n +at .*src\/cli\/main\.ts:5:/);
}, 60_000);

test("those past six go when nobody has used them for a week", async () => {
  const { cache, save, start, programs } = installed();
  const used = (days: number, some = programs()) => {
    const at = new Date(Date.now() - days * 86_400_000);
    for (const one of some) utimesSync(path.join(cache, one), at, at);
  };
  for (let number = 1; number <= 8; number += 1) {
    save(number);
    expect(await start()).toBe(`${number} beside`);
    used(6);
  }
  const all = programs();
  expect(all).toHaveLength(8);
  // What another start has begun, and never ended, goes like a program.
  mkdirSync(path.join(cache, `${all[0]}.0d9cbb4c-2c4e-4a4e-8d4c-0b0e7d1f9a11`));
  used(9);
  used(8, all);
  save(9);
  expect(await start()).toBe("9 beside");
  expect(programs()).toHaveLength(6);
  expect(programs().filter((one) => !all.includes(one))).toHaveLength(1);
}, 60_000);

test("is found in a folder of any name, and again where nobody may write any more", async () => {
  const { cache, home, start, programs } = installed("prosa São João (1)-");
  for (const name of ["esbuild", "qr"]) copyPackage(home, name);
  expect(await start()).toBe("1 beside");
  const then = new Date(1_700_000_000_000);
  const [name = ""] = programs();
  utimesSync(path.join(cache, name), then, then);
  // What may be done with the folder is not tried, also by root: the command line is another user's.
  chmodSync(home, 0o755);
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if (process.getuid?.() !== 0) chmodSync(cache, 0o555);
  const temporary = mkdtempSync(path.join(tmpdir(), "prosa-none-"));
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
  expect(await start({ TMPDIR: temporary }, [], nobody)).toBe("1 beside");
  expect(readdirSync(temporary)).toEqual([]);
}, 60_000);

test("is another with other settings of the compiler, and with another compiler", async () => {
  const { home, write, start, programs } = installed();
  for (const change of [
    () => write("tsconfig.json", "{}"),
    () => write("package.json", '{ "type": "module", "version": "2.0.0" }'),
    () => copyPackage(home, "esbuild"),
  ]) {
    await start();
    const before = programs().length;
    change();
    await start();
    expect(programs()).toHaveLength(before + 1);
  }
}, 60_000);

test("where nobody may write beside the packages, it is among the user's own temporary files", async () => {
  const { home, start } = installed();
  // No folder can be made there, also not by root.
  writeFileSync(path.join(home, "node_modules", ".cache"), "");
  // It must not find its packages above itself.
  const outside = mkdtempSync(path.join(tmpdir(), "prosa-outside-"));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  const temporary = path.join(outside, "tmp");
  mkdirSync(temporary);
  expect(await start({ TMPDIR: temporary })).toBe("1 beside");
  const [own = ""] = readdirSync(temporary);
  const [name = ""] = readdirSync(path.join(temporary, own));
  expect(name).toMatch(/^program-[0-9a-f]{16}$/);
  expect(await start({ TMPDIR: temporary })).toBe("1 beside");
  // Where others may write, they may have put a program of theirs.
  const shared = path.join(outside, "shared");
  mkdirSync(path.join(shared, own), { recursive: true, mode: 0o777 });
  await expect(start({ TMPDIR: shared })).rejects.toThrow(/is not this user's alone/);
}, 60_000);
