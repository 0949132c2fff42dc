import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { FlowReader } from "../../../src/app/loading/flow-reader.ts";
import { Kept } from "../../../src/app/loading/kept.ts";
import { asking, FlowsFolder } from "../flows-folder.ts";

vi.mock(import("esbuild"), async (original) => {
  const esbuild = await original();
  return { ...esbuild, build: vi.fn(esbuild.build) };
});

const folder = new FlowsFolder();
const reader = new FlowReader({ readMs: 1_500 });
beforeAll(() => reader.warm(), 60_000);
afterAll(async () => {
  await reader.close();
  folder.remove();
});

async function finding(name: string, text: string) {
  const file = folder.write(`${name}/flow.ts`, text);
  const read = await reader.read(file);
  return read.ok ? "a flow" : { ...read.finding, file: read.finding.file === file };
}
const found = (flow: string, message: unknown, line?: number, column?: unknown) => ({
  ...{ rule: "flow/unreadable", severity: "error", flow, file: true, message },
  ...(line === undefined ? {} : { line, column }),
});

const COMPILE = ": it does not compile. Mend this line or the one before.";

describe("a flow file that is read apart", () => {
  test("becomes data, and says where it does not compile or throws", async () => {
    expect(await finding("good", asking("good", ["name"]))).toBe("a flow");
    const typo = asking("typo", ["name"]).replace("f.end()", "f.end(");
    expect(await finding("typo", typo)).toEqual(
      found("typo", `Unexpected "]"${COMPILE}`, 6, expect.any(Number) as unknown),
    );
    const throws = `${asking("throws", ["name"])}\nconst none: { at?: { way: number } } = {};\nexport const x = none.at!.way;\n`;
    expect(await finding("throws", throws)).toEqual(
      found("throws", expect.stringContaining("reading 'way'"), 10, expect.any(Number) as unknown),
    );
    expect(await finding("none", "export const x = 1;\n")).toEqual(
      found("none", "has no flow as its default export"),
    );
  });

  test("is read in a folder of its own, without a package beside it, and says which import leads nowhere", async () => {
    const alone = mkdtempSync(path.join(tmpdir(), "prosa-alone-"));
    onTestFinished(() => rmSync(alone, { recursive: true, force: true }));
    const read = async (name: string, text: string) => {
      const file = path.join(alone, name, "flow.ts");
      mkdirSync(path.dirname(file));
      writeFileSync(file, text);
      const made = await reader.read(file);
      if (made.ok) return made.ast.flow;
      const { file: at, line, column, message } = made.finding;
      return `${at === file ? "" : at}:${line}:${column} ${message.split(" imported")[0]}`;
    };
    const good = asking("alone", ["name"]);
    expect(
      await read("alone", good.replace("(f)", "(f: any)").replace(" },", " } as never,")),
    ).toBe("alone");
    expect(await read("package", good.replace('"prosa"', '"prossa"'))).toBe(
      ":1:32 Cannot find package 'prossa'",
    );
    expect(await read("beside", `export * from "./parts.ts";\n${good}`)).toMatch(
      /^:1:18 Cannot find module '.\/parts\.ts'$/,
    );
    const named = `export { flow as made } from "prosa";\nexport { flaw } from "prosa";\n${good}`;
    expect(await read("named", named)).toMatch(/^:2:10 .*does not provide an export named 'flaw'/);
  }, 60_000);

  test("says what to do about an import that leads nowhere, in the file that has it", async () => {
    const broken = async (name: string, text: string) => {
      const file = folder.write(`${name}/flow.ts`, text);
      const read = await reader.read(file);
      if (read.ok) return "a flow";
      const { file: at = "", line, column, message } = read.finding;
      return `${path.relative(path.dirname(file), at)}:${line}:${column} ${message}`;
    };
    folder.write("nowhere/prices.ts", "export const price = 1;\n");
    const importing = (from: string) =>
      `export { price } from "${from}";\n${asking("nowhere", ["name"])}`;
    expect(await broken("nowhere", importing("./price.ts"))).toBe(
      `flow.ts:1:26 Cannot find module './price.ts' imported here: there is no such file. Did you mean "prices.ts"? Its path begins at this file and has its ending, as "./parts.ts".`,
    );
    expect(await broken("nowhere", importing("prossa"))).toMatch(
      /^flow\.ts:1:24 Cannot find package 'prossa' imported here\. Did you mean "prosa"\? .* begins with "\.\/"\.$/,
    );
    // What an imported file lacks is told there, not of the flow that has nothing wrong.
    folder.write("nowhere/prices.ts", 'export { price } from "./lists.ts";\n');
    expect(await broken("nowhere", importing("./prices.ts"))).toMatch(
      /^prices\.ts:1:26 Cannot find module '\.\/lists\.ts' imported here: there is no such file\. Its path/,
    );
    folder.write("nowhere/prices.ts", "export const list = [1, 2;\nexport const price = 1;\n");
    expect(await broken("nowhere", importing("./prices.ts"))).toMatch(
      /^prices\.ts:1:26 Expected .* in a file that nowhere imports\. Mend this line/,
    );
  }, 60_000);

  test("takes nothing with it when it ends its process, never ends, or eats memory; the next file is read", async () => {
    expect(await finding("exits", "process.exit(3);\n")).toEqual(
      found("exits", "ended its process while it was read"),
    );
    expect(await finding("loops", "for (;;) {}\n")).toEqual(
      found("loops", "does not end within 1500 ms"),
    );
    const eats =
      "const all: unknown[] = []; for (;;) all.push(new Array(100_000).fill(all.length));\n";
    expect(await finding("eats", eats)).toEqual(
      found("eats", expect.stringMatching(/memory|does not end/)),
    );
    expect(await finding("after", asking("after", ["name"]))).toBe("a flow");
  }, 60_000);

  test("is not blamed for what the file before it left running, or throws later", async () => {
    for (const left of ["for (;;) {}", 'throw new Error("late");']) {
      const made = `setTimeout(() => { ${left} }, 20);\n${asking("before", ["name"])}`;
      expect(await finding("before", made)).toBe("a flow");
      await pause(60);
      expect(await finding("next", asking("next", ["name"]))).toBe("a flow");
    }
  }, 60_000);

  test("is read anew when what it imports has changed", async () => {
    const importing = asking("split", ["name"]).replace('"split",\n', "id,\n");
    folder.write("split/id.ts", 'export const id = "split-one";\n');
    const file = folder.write("split/flow.ts", `import { id } from "./id.ts";\n${importing}`);
    expect(await reader.read(file)).toMatchObject({ ok: true, ast: { flow: "split-one" } });
    folder.write("split/id.ts", 'export const id = "split-two";\n');
    expect(await reader.read(file)).toMatchObject({ ok: true, ast: { flow: "split-two" } });
  }, 60_000);
});

/** A flow whose title tells how many of its kind its thread has read: they leave a mark at what the kit gives them. */
const counting = (id: string, slots: readonly string[]): string =>
  asking(id, slots).replace(
    `title: "${id}"`,
    "title: String(Object.assign(flow, { reads: ((flow as { reads?: number }).reads ?? 0) + 1 }).reads)",
  );
const titleOf = async (reader: FlowReader, file: string) => {
  const read = await reader.read(file);
  return read.ok ? read.ast.title : read.finding.message;
};

test("a flow whose code has not changed is not read again, and one that was saved is", async () => {
  const reader = new FlowReader();
  onTestFinished(() => reader.close());
  const save = (...slots: string[]) => folder.write("coffee/flow.ts", counting("coffee", slots));
  const file = save("name");
  expect(await titleOf(reader, file)).toBe("1");
  expect(await titleOf(reader, file)).toBe("1");
  save("name", "day");
  expect(await titleOf(reader, file)).toBe("2");
  save("name");
  expect(await titleOf(reader, file)).toBe("1");
  save("day");
  expect(await titleOf(reader, file)).toBe("3");
}, 60_000);

test("a flow that may be another each time is read anew, also by the next start, in a thread of its own", async () => {
  // What it does to the kit of its thread, others never see.
  const title = "title: String(Math.random() + Object.assign(flow, { reads: 9 }).reads)";
  const odd = asking("odd", ["name"]).replace('title: "odd"', title);
  const file = folder.write("odd/flow.ts", odd);
  const plain = ["name", "day", "hour"].map((slot) =>
    folder.write(`${slot}/flow.ts`, counting(slot, [slot])),
  );
  const titles = new Set<string>();
  const start = async () => {
    const kept = new Kept(path.join(folder.path, "kept.json"));
    const reader = new FlowReader({ kept });
    titles.add(await titleOf(reader, file)).add(await titleOf(reader, file));
    const counts: string[] = [];
    for (const one of plain) counts.push(await titleOf(reader, one));
    titles.add(await titleOf(reader, file));
    await reader.close();
    kept.save();
    return counts;
  };
  expect(await start()).toEqual(["1", "2", "3"]);
  expect(await start()).toEqual(["1", "2", "3"]);
  expect([...titles]).toHaveLength(6);
}, 60_000);

test("one flow that does not compile costs the others a few bundles, not one each", async () => {
  const names = Array.from({ length: 16 }, (_, at) => `many-${at}`);
  const files = names.map((name) => folder.write(`${name}/flow.ts`, asking(name, ["name"])));
  folder.write("many-6/flow.ts", "export default (;\n");
  const built = vi.mocked(build).mock.calls.length;
  const all = await Promise.all(files.map((file) => reader.read(file)));
  expect(all.flatMap((read, at) => (read.ok ? [] : [at]))).toEqual([6]);
  expect(vi.mocked(build).mock.calls.length - built).toBe(9);
}, 60_000);

describe("a thread that has read enough", () => {
  test("reads on while its successor loads the kit, and goes when that is ready", async () => {
    const folder = new FlowsFolder();
    const reader = new FlowReader();
    onTestFinished(async () => {
      await reader.close();
      folder.remove();
    });
    let reads = 0;
    // The flow says how many its thread has read.
    const next = () =>
      titleOf(reader, folder.write("coffee/flow.ts", counting("coffee", [`slot${(reads += 1)}`])));
    for (let count = 1; count <= 41; count += 1) expect(await next()).toBe(String(count));
    while (reads <= 80 && (await next()) === String(reads)) await pause(100);
    expect(reads).toBeLessThanOrEqual(81);
    expect(await next()).toBe("2");
  });
});
