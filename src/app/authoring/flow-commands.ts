/** What `prosa flows …` does: lists, checks, draws and tests the conversations, and begins a new one. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Fault } from "../../base/index.ts";
import { chartSvg, createLayouter } from "../../console/index.ts";
import { businessOf, routing, type RoutingLine } from "../../engine/index.ts";
import {
  chartMermaid,
  chartOf,
  chartTree,
  type CommonText,
  costsOf,
  type Finding,
  flowSchema,
  fullChart,
  KINDS,
  vocabularyOf,
  withCoverage,
  withFindings,
} from "../../flow/index.ts";
import { isKind, KINDS as UNDERSTOOD, understand } from "../../understanding/index.ts";
import { loadBot } from "../bot/load-bot.ts";
import { loadFlows } from "../loading/flow-files.ts";
import { FLOWS_FOLDER, shown } from "../places.ts";
import type { Checked } from "./finding-formats.ts";
import { testFlows, unknownFlow } from "./flow-tests.ts";

interface Listed {
  readonly flows: readonly {
    readonly flow: string;
    readonly title: string;
    readonly audience: string;
    readonly version: number;
    readonly hash: string;
  }[];
  /** What keeps others out. */
  readonly left: readonly Finding[];
}

export async function listFlows(folder = FLOWS_FOLDER): Promise<Listed> {
  const { library } = await loadFlows(folder);
  const flows = library.list().map(({ flow, title, audience, version, hash }) => ({
    flow,
    title,
    audience,
    version,
    hash,
  }));
  return { flows, left: library.findings.filter(({ severity }) => severity === "error") };
}

/** Every finding, and what each flow costs by outcome. */
export async function checkFlows(folder = FLOWS_FOLDER): Promise<Checked> {
  const { library, bot } = await loadFlows(folder);
  const asts = library.asts().map(({ ast }) => ast);
  const world = {
    words: vocabularyOf({ effects: bot.infos, ...bot.vocabulary }),
    flows: new Map(asts.map((ast) => [ast.flow, ast])),
  };
  const costs = asts.map((ast) => ({ flow: ast.flow, costs: costsOf(ast, world) }));
  return { findings: library.findings, costs };
}

/** How a message finds what answers it, with the readers of this bot's plugins where they are asked. */
export async function listRouting(folder = FLOWS_FOLDER): Promise<readonly RoutingLine[]> {
  const { vocabulary } = await loadBot(folder);
  return routing(vocabulary.readers ?? []);
}

/** Every common text, as it is said in this bot, and who brings it. */
export async function listTexts(folder = FLOWS_FOLDER): Promise<{
  readonly texts: readonly CommonText[];
  readonly findings: readonly Finding[];
}> {
  const { texts, findings } = await loadBot(folder);
  return { texts: texts.list(), findings };
}

export type GraphFormat = "tree" | "mermaid" | "svg" | "json";

export interface GraphOptions {
  /** The machine as it is, nothing folded. */
  readonly full?: boolean;
  /** What is shown on the places of the chart. */
  readonly overlay?: "coverage" | "lint";
}

/** A flow's chart. The same flow gives the same text, to the letter. */
export async function flowGraph(
  flow: string,
  format: GraphFormat,
  options: GraphOptions & { readonly folder: string },
): Promise<string> {
  const { folder } = options;
  const flows = await loadFlows(folder);
  const program = flows.library.get(flow);
  if (!program) throw unknownFlow(flow, flows);
  let chart = options.full ? fullChart(program) : chartOf(program);
  if (options.overlay === "lint") chart = withFindings(chart, flows.library.findings);
  if (options.overlay === "coverage") {
    const [coverage] = (await testFlows(flow, { coverage: true, folder })).coverage;
    if (coverage) chart = withCoverage(chart, program, coverage);
  }
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

const CHAT = (id: string) => `# A name, and thanks for it
@flow ${id}

> ${id.replaceAll("-", " ")}
< {ask.name}
< …
= state name
> Maria Souza
< {say.thanks}
= outcome done
`;

/** Makes a folder with a small flow that works; gives the files it wrote. */
export async function newFlow(id: string, flows = FLOWS_FOLDER): Promise<readonly string[]> {
  if (!/^[a-z][a-z0-9-]{1,40}$/.test(id))
    throw new Fault(
      "FLOW_NAME",
      `${id} is no flow id: 2 to 41 lower case letters, digits and dashes, a letter first.`,
    );
  const folder = path.join(flows, id);
  if (existsSync(folder)) throw new Fault("FLOW_NAME", `${shown(folder)} exists already.`);
  mkdirSync(path.join(folder, "chats"), { recursive: true });
  const files = {
    "flow.ts": FLOW(id),
    "texts.pt-BR.yaml": TEXTS["pt-BR"](id),
    "texts.en.yaml": TEXTS.en(id),
    "chats/hello.chat": CHAT(id),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return Object.keys(files).map((name) => shown(path.join(folder, name)));
}

export interface Understanding {
  /** The runtime's kinds, and those of plugins. */
  readonly kinds: readonly string[];
  /** Understands one text at a moment (ms). Throws a `RangeError` for a kind that there is not. */
  readonly read: (kind: string, text: string, now: number) => unknown;
}

/** Of the bot in this folder. */
export async function understandingOf(folder: string): Promise<Understanding> {
  const { readers = [] } = (await loadBot(folder)).vocabulary;
  const own = new Map(readers.flatMap(({ understands = {} }) => Object.entries(understands)));
  const context = {
    ...({ zone: "America/Sao_Paulo", locale: "pt-BR", variant: 0 } as const),
    business: businessOf(readers),
  };
  return {
    kinds: [...UNDERSTOOD, ...own.keys()],
    read(kind, text, now) {
      const reader = own.get(kind);
      if (reader) return reader(text, { ...context, now });
      if (!isKind(kind)) throw new RangeError(`There is no kind ${kind}.`);
      return understand(kind, text, { ...context, now });
    },
  };
}
