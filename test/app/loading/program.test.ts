/** The sources as one program: made once for each state of them, whole or not at all, wherever it may be written. */
import { execFile } from "node:child_process";
import {
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
function installed() {
  const home = mkdtempSync(path.join(tmpdir(), "prosa-program-"));
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
  const start = async (env: Readonly<Record<string, string>> = {}, ...args: string[]) => {
    const bin = path.join(home, "src/cli/bin.js");
    const { stdout } = await run(process.execPath, [bin, ...args], {
      env: { PATH: process.env["PATH"], ...env },
    });
    return stdout.trim();
  };
  return { home, cache, save, write, start, programs: () => readdirSync(cache) };
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

test("stacks name the sources", async () => {
  const { start } = installed();
  await expect(start({}, "throw")).rejects.toThrow(/no good\n +at .*src\/cli\/main\.ts:5:/);
}, 60_000);

test("those that were not used for longest go", async () => {
  const { cache, save, start, programs } = installed();
  for (let number = 1; number <= 8; number += 1) {
    save(number);
    expect(await start()).toBe(`${number} beside`);
    const at = new Date(Date.now() - 60_000);
    for (const one of programs()) utimesSync(path.join(cache, one), at, at);
  }
  expect(programs()).toHaveLength(6);
}, 60_000);

test("where nobody may write beside the packages, it is among the user's own temporary files", async () => {
  const { home, start } = installed();
  // No folder can be made there, also not by root.
  writeFileSync(path.join(home, "node_modules", ".cache"), "");
  const temporary = path.join(home, "tmp");
  mkdirSync(temporary);
  expect(await start({ TMPDIR: temporary })).toBe("1 beside");
  const [own = ""] = readdirSync(temporary);
  const [name = ""] = readdirSync(path.join(temporary, own));
  expect(name).toMatch(/^program-[0-9a-f]{16}$/);
  expect(await start({ TMPDIR: temporary })).toBe("1 beside");
  // Where others may write, they may have put a program of theirs.
  const shared = path.join(home, "shared");
  mkdirSync(path.join(shared, own), { recursive: true, mode: 0o777 });
  await expect(start({ TMPDIR: shared })).rejects.toThrow(/is not this user's alone/);
}, 60_000);
