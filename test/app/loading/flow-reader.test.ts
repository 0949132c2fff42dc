import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { FlowReader } from "../../../src/app/loading/flow-reader.ts";
import { asking, FlowsFolder } from "../flows-folder.ts";

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

test("a flow whose code has not changed is not read again, and one that was saved is", async () => {
  const made = (id: string, slots: string[], before = "") =>
    `${before}${asking(id, slots).replace(`title: "${id}"`, "title: String(Math.random())")}`;
  const save = (text: string) => folder.write("coffee/flow.ts", text);
  const file = save(made("coffee", ["name"]));
  const title = async () => {
    const read = await reader.read(file);
    return read.ok ? read.ast.title : read.finding.message;
  };
  const first = await title();
  expect(first).toMatch(/^0\.\d+/);
  expect(await title()).toBe(first);
  save(made("coffee", ["name", "day"]));
  expect(await title()).not.toBe(first);
  save(made("coffee", ["name"]));
  expect(await title()).toBe(first);
  // What it asks of the runtime may be another each time.
  save(made("coffee", ["name"], 'import { hostname } from "node:os";\nhostname();\n'));
  expect(await title()).not.toBe(await title());
}, 60_000);

describe("a thread that has read enough", () => {
  test("reads on while its successor loads the kit, and goes when that is ready", async () => {
    const folder = new FlowsFolder();
    const reader = new FlowReader();
    onTestFinished(async () => {
      await reader.close();
      folder.remove();
    });
    // The flow says which thread made it.
    const file = folder.write(
      "coffee/flow.ts",
      `import { threadId } from "node:worker_threads";\n${asking("coffee", ["name"]).replace('title: "coffee"', "title: String(threadId)")}`,
    );
    const thread = async () => {
      const read = await reader.read(file);
      return read.ok ? read.ast.title : read.finding.message;
    };
    const first = await thread();
    for (let reads = 1; reads < 40; reads++) await thread();
    expect(await thread()).toBe(first);
    let other = first;
    for (let reads = 41; other === first && reads <= 80; reads++) {
      await pause(100);
      other = await thread();
    }
    expect(other).not.toBe(first);
    expect(other).toMatch(/^\d+$/);
  });
});
