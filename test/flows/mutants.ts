/** Every machine that differs from a flow's by one edge or one guard, and what notices it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { ChatTown } from "../../src/app/chat-world.ts";
import { demoAccount } from "../../src/app/demo.ts";
import {
  chatFiles,
  FLOWS_FOLDER,
  flowFolders,
  libraryOf,
  readSources,
} from "../../src/app/flow-files.ts";
import { readSettings } from "../../src/app/index.ts";
import {
  edgesOf,
  type EdgeConfig,
  type FlowConfig,
  generated,
  parseChat,
  type Probe,
  runChat,
} from "../../src/flow/index.ts";
import { CONTEXT } from "./walker.ts";

export interface Mutant {
  readonly edge: string;
  readonly what: "edge dropped" | "guard dropped";
  readonly shape: (config: FlowConfig) => FlowConfig;
}

export interface Verdict {
  readonly mutant: Mutant;
  /** The first assertion that failed, with where it stands; undefined: the mutant lives. */
  readonly killer?: string;
}

const { flows } = await readSources(FLOWS_FOLDER);
const account = demoAccount(readSettings({}));
const chats = flowFolders()
  .flatMap(chatFiles)
  .flatMap((file) => {
    const parsed = parseChat(readFileSync(file, "utf8"), path.basename(file));
    return parsed.ok ? [parsed.chat] : [];
  });

function library(flow: string, probe?: Probe) {
  return libraryOf(flows, [], [], (one) => (one === flow ? probe : undefined));
}

/** The mutants of a flow: each edge that moves or does something left out, each guard left out. */
export function mutantsOf(flow: string): Mutant[] {
  const program = library(flow).get(flow);
  if (!program) throw new Error(`no flow ${flow}`);
  return edgesOf(program.machine.config)
    .filter(({ state }) => state !== "idle")
    .flatMap(({ id, edge }) => [
      { edge: id, what: "edge dropped" as const, shape: without(id, () => []) },
      ...(edge.guard
        ? [{ edge: id, what: "guard dropped" as const, shape: without(id, unguarded) }]
        : []),
    ]);
}

const unguarded = ({ guard: _guard, ...edge }: EdgeConfig): EdgeConfig[] => [edge];

function without(id: string, change: (edge: EdgeConfig) => EdgeConfig[]) {
  return (config: FlowConfig): FlowConfig => {
    const [state = "", event = "", index = ""] = id.split("/");
    const changed = (edges: readonly EdgeConfig[]) =>
      edges.flatMap((edge, at) => (at === Number(index) ? change(edge) : [edge]));
    if (state === "*")
      return { ...config, on: { ...config.on, [event]: changed(config.on[event] ?? []) } };
    const own = config.states[state];
    if (!own) throw new Error(`no state ${state}`);
    const next =
      event === "always"
        ? { ...own, always: changed(own.always ?? []) }
        : { ...own, on: { ...own.on, [event]: changed(own.on?.[event] ?? []) } };
    return { ...config, states: { ...config.states, [state]: next } };
  };
}

/** Plays every chat file, then the generated tests, until one of them fails. */
export async function tried(flow: string, mutant: Mutant): Promise<Verdict> {
  const changed = library(flow, { shape: mutant.shape });
  const texts = new Map(flows.map((one) => [one.ast.flow, one.texts]));
  const own = chats.filter((chat) => chat.headers.some(({ rest }) => rest === flow));
  for (const chat of [...own, ...chats.filter((one) => !own.includes(one))]) {
    try {
      const result = await runChat(chat, new ChatTown(chat, { library: changed, texts }, account));
      if (!result.ok) return { mutant, killer: `${result.failure.file}:${result.failure.line}` };
    } catch (error) {
      return {
        mutant,
        killer: `${chat.file}: ${error instanceof Error ? error.message : "threw"}`,
      };
    }
  }
  const program = changed.get(flow);
  const [broken] = program ? generated(program, CONTEXT, 1).broken : [];
  return broken ? { mutant, killer: `${broken.property} (${broken.at})` } : { mutant };
}
