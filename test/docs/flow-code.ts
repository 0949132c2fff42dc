/** TypeScript of `flows/README.md`: snippets made whole, checked by the compiler, and run to the flow they build. */
import path from "node:path";
import vm from "node:vm";
import ts from "typescript";
import { routeTypes } from "../../src/app/authoring/declarations.ts";
import * as prosa from "../../src/index.ts";
import type { Ast } from "../../src/flow/index.ts";
import { eachStep, isAsk } from "../../src/flow/machine/steps.ts";
import { type Fence, ROOT } from "./fences.ts";

/** A file as an author would have it: `flows/<id>/flow.ts`. */
export interface FlowCode {
  readonly place: string;
  readonly file: string;
  readonly code: string;
  readonly ast: Ast;
}

const ROUTES = path.join(ROOT, "flows/gateway.d.ts");
/** What the invoicing plugin adds to `account`. */
const PLUGIN = path.join(ROOT, "src/plugins/invoicing/account.ts");
const REGISTRY = path.join(ROOT, "flows/registry.d.ts");

/** The whole file of a block: what it is, or a list of steps (`steps=slot,slot`) or options put into a flow. */
export function flowCode(fence: Fence, slots: string): FlowCode {
  const id = fence.role === "flow" ? fence.arg : `snippet-${/\d+$/.exec(fence.place)?.[0] ?? ""}`;
  const file = path.join(ROOT, "flows", id, "flow.ts");
  if (fence.role === "flow")
    return { place: fence.place, file, code: fence.code, ast: run(fence.code) };
  const wanted = fence.arg.split(",").filter((name) => name !== "");
  const bare = around(fence, id, slots, wanted, []);
  const asked = new Set(
    eachStep(run(bare)).flatMap((step) => (isAsk(step) || step.t === "repeat" ? [step.slot] : [])),
  );
  const code = around(
    fence,
    id,
    slots,
    wanted,
    wanted.filter((name) => !asked.has(name)),
  );
  return { place: fence.place, file, code, ast: run(code) };
}

/** The flow around a snippet. Slots it reads and does not ask are asked before it. */
function around(
  { role, code }: Fence,
  id: string,
  slots: string,
  wanted: readonly string[],
  before: readonly string[],
): string {
  const picked = `(${slots.trim()}).pick({ ${wanted.map((name) => `${name}: true`).join(", ")} })`;
  const outcomes = code.includes('"reported"') ? `outcomes: ["reported"],` : "";
  const options = role === "options" ? code : outcomes;
  const asks = before.map((name) => `f.ask("${name}"),`).join(" ");
  return `import { flow, slot, z } from "prosa";
export default flow("${id}", { version: 2, slots: ${picked}, ${options} }, (f, $) => [
${asks}
${role === "steps" ? code : ""}]);
`;
}

function run(code: string): Ast {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
  });
  const body = outputText
    .replace(/^import (\{[^}]*\}) from "prosa";$/m, "const $1 = prosa;")
    .replace("export default", "return");
  const make = vm.runInThisContext(`(prosa) => {\n${body}\n}`) as (face: typeof prosa) => Ast;
  return make(prosa);
}

/** The compiler's settings and its reading of the house, which all programs of this file share: most of their time. */
const { config } = ts.readConfigFile(path.join(ROOT, "tsconfig.json"), (name) =>
  ts.sys.readFile(name),
) as {
  config: { compilerOptions: object };
};
const { options } = ts.convertCompilerOptionsFromJson(
  { ...config.compilerOptions, noEmit: true, incremental: false, tsBuildInfoFile: null },
  ROOT,
);
const house = new Map([
  [ROUTES, ts.createSourceFile(ROUTES, routeTypes(), ts.ScriptTarget.ES2023)],
]);
/** The program before: of what did not change, its successor takes over where imports lead, too. */
let before: ts.Program | undefined;

/** What the compiler says of the files, one line each, with `registry` in place of the installation's own. */
export function typeErrors(files: readonly FlowCode[], registry: string): readonly string[] {
  const virtual = new Map([
    [REGISTRY, registry],
    ...files.map(({ file, code }): [string, string] => [file, code]),
  ]);
  const host = ts.createCompilerHost(options);
  host.readFile = (name) => virtual.get(name) ?? ts.sys.readFile(name);
  host.fileExists = (name) => virtual.has(name) || ts.sys.fileExists(name);
  host.getSourceFile = (name, version) => {
    const text = virtual.get(name);
    const known = text === undefined ? house.get(name) : undefined;
    if (known) return known;
    const read = text ?? ts.sys.readFile(name);
    if (read === undefined) return undefined;
    const source = ts.createSourceFile(name, read, version);
    if (text === undefined) house.set(name, source);
    return source;
  };
  const program = ts.createProgram([...virtual.keys(), ROUTES, PLUGIN], options, host, before);
  before = program;
  return [...virtual.keys()].flatMap((name) => {
    const source = program.getSourceFile(name);
    return [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ].map(({ start = 0, messageText }) => {
      const line = source?.getLineAndCharacterOfPosition(start).line ?? 0;
      const place = files.find(({ file }) => file === name)?.place ?? "registry";
      const text = ts.flattenDiagnosticMessageText(messageText, " ");
      return `${place} (${(source?.text.split("\n")[line] ?? "").trim()}): ${text}`;
    });
  });
}
