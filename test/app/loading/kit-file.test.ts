/** The kit as one file: used while it is of the sources that stand there, and never instead of others. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { kitFile } from "../../../src/app/loading/kit-file.ts";

/** An installation whose kit is two files. */
async function installed() {
  const home = mkdtempSync(path.join(tmpdir(), "prosa-kit-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(path.join(home, "node_modules"));
  mkdirSync(path.join(home, "src"));
  const write = (name: string, text: string) => {
    const file = path.join(home, "src", name);
    writeFileSync(file, text);
    return file;
  };
  const part = write("part.ts", "export const part: number = 1;\n");
  const kit = write("index.ts", 'export { part } from "./part.ts";\n');
  // What changed in the moment the file is made is not trusted.
  await pause(70);
  return { home, kit, part, write };
}

const partOf = async (file: string): Promise<unknown> =>
  ((await import(`${pathToFileURL(file).href}?${Math.random()}`)) as { part: unknown }).part;

test("is one file that says the same from the first on, made anew whenever one of the sources changed", async () => {
  const { home, kit, part, write } = await installed();
  const file = await kitFile(kit, home);
  expect(file).not.toBe(kit);
  expect(await partOf(file)).toBe(1);

  write("part.ts", "export const part: number = 2;\n");
  await pause(70);
  expect(await partOf(await kitFile(kit, home))).toBe(2);

  // The same size with the same time of change, as a copy may keep it: the file system's own account tells.
  const then = new Date(1_700_000_000_000);
  utimesSync(part, then, then);
  await pause(70);
  expect(await kitFile(kit, home)).toBe(file);
  write("part.ts", "export const part: number = 3;\n");
  utimesSync(part, then, then);
  await pause(70);
  expect(await partOf(await kitFile(kit, home))).toBe(3);
});

test("is as it stands while nothing changed: it is made once, also for those who ask at once", async () => {
  const { home, kit } = await installed();
  const [one, other] = await Promise.all([kitFile(kit, home), kitFile(kit, home)]);
  expect(one).toBe(other);
  const { ino } = statSync(one);
  expect(await kitFile(kit, home)).toBe(one);
  expect(statSync(one).ino).toBe(ino);
});

test("is the sources while one of them changes: what was made meanwhile may be of both", async () => {
  const { home, kit, write } = await installed();
  write("part.ts", "export const part: number = 2;\n");
  expect(await kitFile(kit, home)).toBe(kit);
  await pause(70);
  expect(await partOf(await kitFile(kit, home))).toBe(2);
});

test("is made anew where it was removed, is of another entry, or half of it is there", async () => {
  const { home, kit, write } = await installed();
  const file = await kitFile(kit, home);
  const other = write("other.ts", "export const part = 9;\n");
  await pause(70);
  expect(await partOf(await kitFile(other, home))).toBe(9);
  expect(await partOf(await kitFile(kit, home))).toBe(1);

  rmSync(file);
  expect(await partOf(await kitFile(kit, home))).toBe(1);
  const told = readFileSync(`${file}.json`, "utf8");
  writeFileSync(`${file}.json`, told.slice(0, -20));
  writeFileSync(file, "export const part = 7;");
  expect(await partOf(await kitFile(kit, home))).toBe(1);
});

test("is the sources where it cannot be made, and where the packages are another installation's", async () => {
  const broken = await installed();
  broken.write("part.ts", "export const part = (;\n");
  await pause(70);
  expect(await kitFile(broken.kit, broken.home)).toBe(broken.kit);
  expect(await kitFile(broken.kit, broken.home)).toBe(broken.kit);

  const borrowed = await installed();
  rmSync(path.join(borrowed.home, "node_modules"), { recursive: true });
  const packages = path.join(broken.home, "node_modules");
  symlinkSync(packages, path.join(borrowed.home, "node_modules"));
  expect(await kitFile(borrowed.kit, borrowed.home)).toBe(borrowed.kit);
  expect(existsSync(path.join(packages, ".cache"))).toBe(false);
});
