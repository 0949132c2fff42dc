/** An author's code as a bundle: what of it may be kept, what it finds beside itself, and that its words stay in it. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { bundled, kitUrl, withoutCode } from "../../../src/app/bot/bundle.ts";
import { loadBot } from "../../../src/app/bot/load-bot.ts";
import { FLOWS_FOLDER } from "../../../src/app/places.ts";
import { asking, FlowsFolder } from "../flows-folder.ts";

const folder = new FlowsFolder();
afterAll(() => folder.remove());
folder.write("plain/a.ts", "export const a = 1;\n");

const plain = asking("plain", ["name"]);
const alone = async (...files: string[]) => {
  const all = await bundled(files, await kitUrl());
  return files.filter((_, at) => all[at]?.isAlone);
};
const isAlone = async (line: string) => {
  const file = folder.write("plain/flow.ts", `${line}\n${plain}`);
  return (await alone(file)).length === 1;
};

test("every shipped flow is the same each time, and so read once", async () => {
  const all = readdirSync(FLOWS_FOLDER, { recursive: true, encoding: "utf8" });
  const files = all
    .filter((one) => one.endsWith("flow.ts"))
    .map((one) => path.join(FLOWS_FOLDER, one));
  expect(files.length).toBeGreaterThan(15);
  expect(await alone(...files)).toEqual(files);
});

test.each([
  "// Asks for a name at an import of process.env.",
  'import type { Account } from "prosa";',
  'import * as kit from "prosa"; export const more = kit.flow;',
  'import {\n  money,\n} from "prosa"; export const more = money;',
  'import { a } from "./a.ts"; export const more = a;',
  'export * from "./a.ts";',
  // The place of the source, which is written into the bundle and so into its digest.
  "export const a = import.meta.url;",
  'export const title = "Não é só português: ção";',
])("is the same each time: %s", async (line) => {
  expect(await isAlone(line)).toBe(true);
});

test.each([
  'import { hostname } from "node:os"; export const more = hostname();',
  'export const a = await import("node:os");',
  "export const a = await import(String(1)).catch(() => 1);",
  'export const a = require("node:os");',
  "export const a = module.require(`./a.ts`);",
  "export const a = process.env.PRICE;",
  'export const a = eval("1");',
  "export const a = \\u0065val('1');",
  'export const a = (() => 1).constructor("return 1")();',
  'export const a = new Function("return 1")();',
  'export const a = globalThis["ev" + "al"];',
  'export const a = Reflect.get(console, "log");',
  "export const a = new Date().getFullYear();",
  "export const a = Math.random();",
  "export const a = performance.now();",
  "export const a = crypto.randomUUID();",
  "export const a = new Intl.NumberFormat().format(1);",
  "export const a = (1_000).toLocaleString();",
  'export const a = (Array.prototype["own"] = 1);',
  "export const a = import.meta.resolve('prosa');",
  "export const a = (() => 1).__proto__;",
  'export const a = global["process"];',
  "export const a = navigator.hardwareConcurrency;",
  "export const a = await new Promise((done) => setTimeout(done, 1));",
  "export const a = new Event('x').timeStamp;",
  "export const a = new File([], 'x').lastModified;",
  "export const a = Buffer.allocUnsafe(8).toString('hex');",
  "export const a = URL.createObjectURL(new Blob([]));",
  "export const a = ['a', 'B'].sort((one, other) => one.localeCompare(other));",
  "export const a = new WeakRef({}).deref();",
  "export const a = new Error().stack;",
  "export const a = await fetch('http://localhost');",
  "console.log('once');",
])("in doubt it may be another each time: %s", async (line) => {
  expect(await isAlone(line)).toBe(false);
});

test("it finds what lies beside its source, and the modules of Node by require, also behind a line for a shell", async () => {
  const home = path.join(folder.path, "São João (1)");
  mkdirSync(home);
  const file = path.join(home, "flow.ts");
  const code = `#!/usr/bin/env node
const { sep } = require("node:path");
export default [import.meta.dirname, import.meta.filename, import.meta.url.slice(0, 8), sep];
export const fails = () => { throw new Error("here"); };
`;
  writeFileSync(file, code);
  const [one] = await bundled([file], await kitUrl());
  const made = (await import(one?.url ?? "")) as { default: unknown; fails: () => void };
  expect(made.default).toEqual([home, file, "file:///", path.sep]);
  const stack = await Promise.resolve()
    .then(made.fails)
    .then(String, (error: Error) => error.stack);
  expect(one?.spotIn(stack ?? "")).toMatchObject({ file, line: 4 });
});

test("what is told of a file never holds its code", async () => {
  folder.write(
    "config.ts",
    'const password = "hunter2";\nawait import(String(`nowhere${password.length}`));\n',
  );
  const { findings } = await loadBot(folder.path);
  expect(findings).toMatchObject([
    { rule: "bot/file", message: expect.stringContaining("this file") as unknown },
  ]);
  expect(JSON.stringify(findings)).not.toMatch(/hunter2|data:/);
  expect(withoutCode("The module 'data:text/javascript,a%20=%20'b'' has no x")).toBe(
    "The module this file has no x",
  );
});
