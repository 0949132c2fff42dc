/** Which flow files may be taken as known by their own content: those that nothing else can change. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { FLOWS_FOLDER } from "../../../src/app/loading/flow-files.ts";
import { importsOthers } from "../../../src/app/loading/flow-reader.ts";
import { asking, FlowsFolder } from "../flows-folder.ts";

const folder = new FlowsFolder();
afterAll(() => folder.remove());

const plain = asking("plain", ["name"]);
const other = (more: string) => importsOthers(folder.write("plain/flow.ts", `${more}\n${plain}`));

test("every shipped flow is one file, and so read in a moment", () => {
  const all = readdirSync(FLOWS_FOLDER, { recursive: true, encoding: "utf8" });
  const files = all
    .filter((one) => one.endsWith("flow.ts"))
    .map((one) => path.join(FLOWS_FOLDER, one));
  expect(files.length).toBeGreaterThan(15);
  expect(files.filter(importsOthers)).toEqual([]);
  expect(other("// Asks for a name.")).toBe(false);
  expect(other('import type { Account } from "prosa";')).toBe(false);
});

test.each([
  'import { a } from "./a.ts";',
  'import { a } from "/srv/flows/a.ts";',
  'import { a } from "file:///srv/flows/a.ts";',
  'import { a } from /* here */ "./a.ts";',
  'import/**/"./a.ts";',
  'import { a } from\n  "../a.ts";',
  'import { readFileSync } from "node:fs";',
  'import { a } from "prosa/../a.ts";',
  'import { a } from "#a";',
  'export * from "./a.ts";',
  'export/**/{ a } from "./a.ts";',
  'export { a } from /* here */ "./a.ts";',
  "const a = await import(`./a.ts`);",
  'const a = await import(/* here */ "./" + "a.ts");',
  'const a = require("./a.ts");',
  "const a = module.require(`./a.ts`);",
  "const a = process.env.PRICE;",
  'const a = eval("1");',
  'const a = (() => 1).constructor("return 1")();',
  'const a = globalThis["ev" + "al"];',
  "const a = \\u0065val('1');",
  'import { flow } from "prosa"; import { a } from "./a.ts";',
])("in doubt a file is read guarded each time: %s", (line) => {
  expect(other(line)).toBe(true);
});
