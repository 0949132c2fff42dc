/** Every machine that differs from a flow's by one edge or one guard, and what notices it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { RuntimeWorld } from "../../src/app/chat/chat-world.ts";
import { demoAccount } from "../../src/app/start/demo.ts";
import { chatFiles, flowFolders, readSources } from "../../src/app/loading/flow-files.ts";
import { FLOWS_FOLDER } from "../../src/app/places.ts";
import { readSettings } from "../../src/app/index.ts";
import { libraryOf, nothingKnown } from "../../src/app/loading/library.ts";
import {
  edgesOf,
  type EdgeConfig,
  type FlowConfig,
  type FlowProgram,
  generated,
  parseChat,
  type Probe,
  runChat,
} from "../../src/flow/index.ts";
import { CONTEXT } from "./walker.ts";
import { bot, model } from "../support/plugins.ts";

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
const account = demoAccount(readSettings({}), model);
const chats = flowFolders()
  .flatMap(chatFiles)
  .flatMap((file) => {
    const parsed = parseChat(readFileSync(file, "utf8"), path.basename(file));
    return parsed.ok ? [parsed.chat] : [];
  });

/** What lint says hangs on the flows as they are written, which no mutant changes. */
const { verdicts } = nothingKnown();

function library(flow: string, probe?: Probe) {
  const known = { verdicts, programs: nothingKnown().programs };
  return libraryOf(flows, [], [], {
    known,
    bot,
    probe: (one) => (one === flow ? probe : undefined),
  });
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

type Chat = (typeof chats)[number];

/** The chats of the flow first, each with the edges of the flow that it takes or whose guard it asks. */
export interface Baseline {
  readonly flow: string;
  readonly met: ReadonlyMap<Chat, ReadonlySet<string>>;
}

/** Whether a chat is the flow's own. */
const isOf = (flow: string) => (chat: Chat) => chat.headers.some(({ rest }) => rest === flow);

/** Plays all chats and the generated tests of the flow as it is. Throws where something fails: it notices no mutant. */
export async function baseline(flow: string): Promise<Baseline> {
  const met = new Map<Chat, Set<string>>();
  let edges = new Set<string>();
  const whole = library(flow, {
    took: (edge) => edges.add(edge),
    tried: (edge) => edges.add(edge),
  });
  const isOwn = isOf(flow);
  for (const chat of [...chats.filter(isOwn), ...chats.filter((one) => !isOwn(one))]) {
    met.set(chat, (edges = new Set()));
    const failure = await failing([chat], whole);
    if (failure !== undefined) throw new Error(failure);
  }
  const broken = failingProperty(whole.get(flow));
  if (broken !== undefined) throw new Error(broken);
  return { flow, met };
}

/**
 * Plays the flow's chats, then its generated tests, then the chats of the others, until one fails. A chat that never meets the
 * mutant's edge goes as it went without the mutant, and is left out.
 */
export async function tried({ flow, met }: Baseline, mutant: Mutant): Promise<Verdict> {
  const changed = library(flow, { shape: mutant.shape });
  const meeting = [...met].flatMap(([chat, edges]) => (edges.has(mutant.edge) ? [chat] : []));
  const own = meeting.filter(isOf(flow));
  const killer =
    (await failing(own, changed)) ??
    failingProperty(changed.get(flow)) ??
    (await failing(
      meeting.filter((one) => !own.includes(one)),
      changed,
    ));
  return killer === undefined ? { mutant } : { mutant, killer };
}

const texts = new Map(flows.map((one) => [one.ast.flow, one.texts]));

async function failing(
  played: typeof chats,
  changed: ReturnType<typeof library>,
): Promise<string | undefined> {
  for (const chat of played) {
    const world = new RuntimeWorld(chat, { library: changed, texts, bot }, account);
    try {
      const result = await runChat(chat, world);
      if (!result.ok) return `${result.failure.file}:${result.failure.line}`;
    } catch (error) {
      return `${chat.file}: ${error instanceof Error ? error.message : "threw"}`;
    } finally {
      await world.close();
    }
  }
  return undefined;
}

function failingProperty(program: FlowProgram | undefined): string | undefined {
  const [broken] = program ? generated(program, CONTEXT, 1).broken : [];
  return broken && `${broken.property} (${broken.at})`;
}
