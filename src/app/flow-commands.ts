/** What `prosa flows …` does: lists, checks, draws and tests the conversations, and begins a new one. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Fault } from "../base/index.ts";
import { chartSvg, createLayouter } from "../console/index.ts";
import type { Account } from "../engine/index.ts";
import {
  chartMermaid,
  chartOf,
  chartTree,
  chatReport,
  costsOf,
  flowSchema,
  KINDS,
  parseChat,
  runChat,
  textTypes,
  vocabularyOf,
} from "../flow/index.ts";
import { ChatTown } from "./chat-world.ts";
import { demoAccount } from "./demo.ts";
import {
  chatFiles,
  effectInfos,
  FLOWS_FOLDER,
  flowFolders,
  type LoadedFlows,
  loadFlows,
} from "./flow-files.ts";
import type { Checked } from "./finding-formats.ts";
import { readSettings } from "./settings.ts";

export async function listFlows() {
  const { library } = await loadFlows();
  return library.list().map(({ flow, title, audience, version, hash }) => ({
    ...{ flow, title, audience, version, hash },
  }));
}

/** Writes `flows/texts.d.ts` where it differs; gives its name. */
export async function writeTextTypes(): Promise<string> {
  const { texts } = await loadFlows();
  const file = path.join(FLOWS_FOLDER, "texts.d.ts");
  const text = textTypes(texts);
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
  return "flows/texts.d.ts";
}

/** Every finding, and what each flow costs by outcome. */
export async function checkFlows(): Promise<Checked> {
  const { library } = await loadFlows();
  const asts = library.asts().map(({ ast }) => ast);
  const effects = effectInfos();
  const world = {
    words: vocabularyOf({ effects }),
    flows: new Map(asts.map((ast) => [ast.flow, ast])),
  };
  const costs = asts.map((ast) => ({ flow: ast.flow, costs: costsOf(ast, world) }));
  return { findings: library.findings, costs };
}

function unknownFlow(flow: string, { library }: LoadedFlows): Fault {
  const known = library.list().map((one) => one.flow);
  return new Fault("FLOW_UNKNOWN", `There is no flow ${flow} (there are: ${known.join(", ")}).`);
}

export async function flowGraph(
  flow: string,
  format: "tree" | "mermaid" | "svg" | "json",
): Promise<string> {
  const flows = await loadFlows();
  const program = flows.library.get(flow);
  if (!program) throw unknownFlow(flow, flows);
  const chart = chartOf(program);
  switch (format) {
    case "json":
      return JSON.stringify(chart, null, 2);
    case "tree":
      return chartTree(chart);
    case "mermaid":
      return chartMermaid(chart);
    case "svg": {
      const layouter = createLayouter();
      try {
        return chartSvg(await layouter.layout(chart));
      } finally {
        await layouter.close();
      }
    }
  }
}

export interface ChatReport {
  readonly ok: boolean;
  readonly file: string;
  readonly title: string;
  /** Where, expected and got, the last lines, the state. */
  readonly failure?: string;
}

/** Plays the chat files of one flow, or of all. */
export async function testFlows(
  flow?: string,
): Promise<{ passed: number; failed: number; results: readonly ChatReport[] }> {
  const flows = await loadFlows();
  if (flow !== undefined && !flows.library.get(flow)) throw unknownFlow(flow, flows);
  const account = demoAccount(readSettings({}));
  const results: ChatReport[] = [];
  for (const folder of flowFolders()) {
    if (flow !== undefined && path.basename(folder) !== flow) continue;
    for (const file of chatFiles(folder)) results.push(await play(file, flows, account));
  }
  const passed = results.filter((result) => result.ok).length;
  return { passed, failed: results.length - passed, results };
}

async function play(file: string, flows: LoadedFlows, account: Account): Promise<ChatReport> {
  const name = path.relative(path.dirname(FLOWS_FOLDER), file);
  const parsed = parseChat(readFileSync(file, "utf8"), name);
  if (!parsed.ok)
    return {
      ok: false,
      file: name,
      title: name,
      failure: `${name}:${parsed.line} ${parsed.message}`,
    };
  const { chat } = parsed;
  try {
    const result = await runChat(chat, new ChatTown(chat, flows, account));
    if (result.ok) return { ok: true, file: name, title: chat.title };
    return { ok: false, file: name, title: chat.title, failure: chatReport(result.failure) };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    return { ok: false, file: name, title: chat.title, failure };
  }
}

/** What an editor may know of a `flow.yaml`, as it stands in `flows/flow.schema.json`. */
export function flowSchemaText(): string {
  return JSON.stringify(flowSchema(KINDS.map(({ name }) => name)), null, 2);
}

const FLOW = (id: string) => `import { flow, slot, z } from "prosa";

/** Asks for a name and says it back. */
export default flow(
  "${id}",
  { version: 1, title: "${id}", audience: "anyone", slots: z.object({ name: slot.name() }) },
  (f) => [f.ask("name"), f.say("thanks"), f.end()],
);
`;
const TEXTS = {
  "pt-BR": (id: string) => `locale: pt-BR
title: ${id}
start: ["${id.replaceAll("-", " ")}"]
say:
  thanks: "Obrigado, {{name}}!"
ask:
  name: "Qual o seu nome?"
`,
  en: (id: string) => `locale: en
title: ${id}
start: ["${id.replaceAll("-", " ")} please"]
say:
  thanks: "Thank you, {{name}}!"
ask:
  name: "What is your name?"
`,
};

/** Makes a folder with a small flow that works; gives the files it wrote. */
export async function newFlow(id: string): Promise<readonly string[]> {
  if (!/^[a-z][a-z0-9-]{1,40}$/.test(id))
    throw new Fault("FLOW_INVALID", `${id} is no flow id: lower case letters, digits and dashes.`);
  const folder = path.join(FLOWS_FOLDER, id);
  if (existsSync(folder)) throw new Fault("FLOW_INVALID", `flows/${id} exists already.`);
  mkdirSync(path.join(folder, "chats"), { recursive: true });
  const files = {
    "flow.ts": FLOW(id),
    "texts.pt-BR.yaml": TEXTS["pt-BR"](id),
    "texts.en.yaml": TEXTS.en(id),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return Object.keys(files).map((name) => `flows/${id}/${name}`);
}
