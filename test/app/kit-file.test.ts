/** The kit as one file: used while it is of the sources that stand there, and never instead of others. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { kitFile, kitMade } from "../../src/app/kit-file.ts";

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

test("is the sources at first, then one file that says the same, until any of them changes", async () => {
  const { home, kit, part, write } = await installed();
  expect(kitFile(kit, home)).toBe(kit);
  await kitMade();
  const file = kitFile(kit, home);
  expect(file).not.toBe(kit);
  expect(await partOf(file)).toBe(1);

  write("part.ts", "export const part: number = 2;\n");
  await pause(70);
  expect(kitFile(kit, home)).toBe(kit);
  await kitMade();
  expect(await partOf(kitFile(kit, home))).toBe(2);

  // The same size with the same time of change, as a copy may keep it: the file system's own account tells.
  const then = new Date(1_700_000_000_000);
  utimesSync(part, then, then);
  await pause(70);
  kitFile(kit, home);
  await kitMade();
  expect(kitFile(kit, home)).toBe(file);
  write("part.ts", "export const part: number = 3;\n");
  utimesSync(part, then, then);
  expect(kitFile(kit, home)).toBe(kit);
  await kitMade();
});

test("is the sources while there is no file: it was removed, is of another entry, or half of it is there", async () => {
  const { home, kit, write } = await installed();
  kitFile(kit, home);
  await kitMade();
  const file = kitFile(kit, home);
  const other = write("other.ts", "export const part = 9;\n");
  await pause(70);
  expect(kitFile(other, home)).toBe(other);
  await kitMade();
  expect(kitFile(kit, home)).toBe(kit);
  await kitMade();
  expect(kitFile(kit, home)).toBe(file);

  rmSync(file);
  expect(kitFile(kit, home)).toBe(kit);
  await kitMade();
  const told = readFileSync(`${file}.json`, "utf8");
  writeFileSync(`${file}.json`, told.slice(0, -20));
  expect(kitFile(kit, home)).toBe(kit);
  await kitMade();
  expect(kitFile(kit, home)).toBe(file);
});

test("is the sources where it cannot be made, and where the packages are another installation's", async () => {
  const broken = await installed();
  broken.write("part.ts", "export const part = (;\n");
  expect(kitFile(broken.kit, broken.home)).toBe(broken.kit);
  await kitMade();
  expect(kitFile(broken.kit, broken.home)).toBe(broken.kit);

  const borrowed = await installed();
  rmSync(path.join(borrowed.home, "node_modules"), { recursive: true });
  const packages = path.join(broken.home, "node_modules");
  symlinkSync(packages, path.join(borrowed.home, "node_modules"));
  expect(kitFile(borrowed.kit, borrowed.home)).toBe(borrowed.kit);
  await kitMade();
  expect(existsSync(path.join(packages, ".cache"))).toBe(false);
});
