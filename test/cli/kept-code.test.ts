import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { KeptCode } from "../../src/cli/kept-code.js";

function place(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "prosa-code-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return path.join(folder, "not/there/yet/code");
}

const digest = (letter: string): string => letter.repeat(64);

/** As a process that ends: everything is written, nothing is remembered. */
function kept(file: string, ...records: readonly (readonly [string, string, string])[]): void {
  const code = new KeptCode(file);
  for (const [name, of, text] of records) {
    code.find(name, of);
    code.keep(name, of, text);
  }
  code.flush();
}

test("what one process compiled is there for the next, letter for letter", () => {
  const file = place();
  kept(file, ["a.ts", digest("a"), "export const ação = 1;\n\n"], ["b/c.ts", digest("b"), ""]);
  kept(file, ["d.ts", digest("d"), "d"]);
  const next = new KeptCode(file);
  expect(next.find("a.ts", digest("a"))).toBe(`export const ação = 1;\n\n\n// ${digest("a")}\n`);
  expect(next.find("b/c.ts", digest("b"))).toBe(`\n// ${digest("b")}\n`);
  expect(next.find("d.ts", digest("d"))).toBe(`d\n// ${digest("d")}\n`);
  expect(next.find("e.ts", digest("a"))).toBe(undefined);
});

test("of a source that changed the old code is never given, and the new one counts", () => {
  const file = place();
  kept(file, ["a.ts", digest("a"), "old"]);
  expect(new KeptCode(file).find("a.ts", digest("b"))).toBe(undefined);
  kept(file, ["a.ts", digest("b"), "new"]);
  expect(new KeptCode(file).find("a.ts", digest("a"))).toBe(undefined);
  expect(new KeptCode(file).find("a.ts", digest("b"))).toMatch(/^new\n/);
});

test("what was cut off, or written across another, is not read, and what comes after it is kept again", () => {
  for (const spoil of [
    (whole: Buffer) => whole.subarray(0, -3),
    (whole: Buffer) => whole.subarray(0, -90),
    (whole: Buffer) => Buffer.concat([whole, Buffer.from("half of a li")]),
    (whole: Buffer) => Buffer.concat([whole, whole.subarray(20)]),
    (whole: Buffer) => Buffer.concat([whole, Buffer.alloc(5_000)]),
  ]) {
    const file = place();
    kept(file, ["a.ts", digest("a"), "first"], ["b.ts", digest("b"), "second"]);
    writeFileSync(file, spoil(readFileSync(file)));
    expect(new KeptCode(file).find("a.ts", digest("a"))).toMatch(/^first\n/);
    kept(file, ["c.ts", digest("c"), "third"]);
    const next = new KeptCode(file);
    expect(next.find("a.ts", digest("a"))).toMatch(/^first\n/);
    expect(next.find("c.ts", digest("c"))).toMatch(/^third\n/);
    expect([undefined, `second\n// ${digest("b")}\n`]).toContain(next.find("b.ts", digest("b")));
  }
});

test("code that says itself what ends a record is one all the same", () => {
  const file = place();
  const text = `x\n// ${digest("a")}\n${digest("b")} 1 b.ts\nz`;
  kept(file, ["a.ts", digest("a"), text], ["c.ts", digest("c"), "c"]);
  const next = new KeptCode(file);
  expect(next.find("a.ts", digest("a"))).toBe(`${text}\n// ${digest("a")}\n`);
  expect(next.find("b.ts", digest("b"))).toBe(undefined);
  expect(next.find("c.ts", digest("c"))).toMatch(/^c\n/);
});

test("a source that is saved a hundred times does not fill the disk", () => {
  const file = place();
  const text = "x".repeat(1_000);
  for (let time = 0; time < 100; time += 1)
    kept(file, ["a.ts", String(time).padStart(64, "0"), text], ["b.ts", digest("b"), text]);
  expect(statSync(file).size).toBeLessThan(8_000);
  expect(new KeptCode(file).find("a.ts", "99".padStart(64, "0"))).toMatch(/^xxx/);
  expect(new KeptCode(file).find("b.ts", digest("b"))).toMatch(/^xxx/);
});

test("two that begin at once keep what each of them made", () => {
  const file = place();
  const [one, other] = [new KeptCode(file), new KeptCode(file)];
  for (const code of [one, other]) code.find("a.ts", digest("a"));
  one.keep("a.ts", digest("a"), "same");
  other.keep("a.ts", digest("a"), "same");
  other.keep("b.ts", digest("b"), "more");
  one.flush();
  other.flush();
  expect(new KeptCode(file).find("a.ts", digest("a"))).toMatch(/^same\n/);
  expect(new KeptCode(file).find("b.ts", digest("b"))).toMatch(/^more\n/);
});

test("it is written without being asked: at once when it is much, and soon when it is little", async () => {
  const file = place();
  const code = new KeptCode(file);
  code.keep("a.ts", digest("a"), "x".repeat(70_000));
  expect(new KeptCode(file).find("a.ts", digest("a"))).toMatch(/^xxx/);
  code.keep("b.ts", digest("b"), "little");
  expect(new KeptCode(file).find("b.ts", digest("b"))).toBe(undefined);
  await expect
    .poll(() => new KeptCode(file).find("b.ts", digest("b")), { timeout: 5_000 })
    .toMatch(/^little\n/);
  // What this process itself forgot meanwhile it reads again.
  await pause(300);
  expect(code.find("a.ts", digest("a"))).toMatch(/^xxx/);
});

test("where nothing can be written nothing is kept, and nothing fails", () => {
  const blocked = path.join(place(), "../../../../blocked");
  writeFileSync(blocked, "a file where the folder would be");
  kept(path.join(blocked, "code"), ["a.ts", digest("a"), "text"]);
  expect(new KeptCode(path.join(blocked, "code")).find("a.ts", digest("a"))).toBe(undefined);
});
