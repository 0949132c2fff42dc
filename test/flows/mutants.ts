/** Every machine that differs from a flow's by one edge or one guard, and what notices it. */
import { readSources } from "../../src/app/loading/flow-files.ts";
import { FLOWS_FOLDER } from "../../src/app/places.ts";
import { libraryOf, nothingKnown } from "../../src/app/loading/library.ts";
import {
  type ChatFile,
  edgesOf,
  type EdgeConfig,
  type FlowConfig,
  type FlowProgram,
  generated,
  type Probe,
} from "../../src/flow/index.ts";
import { bot } from "../support/plugins.ts";
import { chats, failureOf } from "./chats.ts";
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

/** By chat of the flow, the edges of the flow that it takes or whose guard it asks. */
export type Met = ReadonlyMap<ChatFile, ReadonlySet<string>>;

/** Whether a chat is the flow's own. */
const isOf = (flow: string) => (chat: ChatFile) => chat.headers.some(({ rest }) => rest === flow);

/** Plays the flow's chats as it is. Throws where one fails: it notices no mutant. */
export async function edgesMet(flow: string): Promise<Met> {
  const met = new Map<ChatFile, Set<string>>();
  let edges = new Set<string>();
  const whole = library(flow, {
    took: (edge) => edges.add(edge),
    tried: (edge) => edges.add(edge),
  });
  for (const chat of chats.filter(isOf(flow))) {
    met.set(chat, (edges = new Set()));
    const failure = await failing([chat], whole);
    if (failure !== undefined) throw new Error(failure);
  }
  return met;
}

/**
 * Plays the flow's generated tests, then its chats, then those of the others, until one fails. That they go as written without a
 * mutant is `chats.test.ts`'s to prove. `met`: a chat that never meets the mutant's edge is left out.
 */
export async function tried(flow: string, mutant: Mutant, met?: Met): Promise<Verdict> {
  const changed = library(flow, { shape: mutant.shape });
  const own = chats.filter(isOf(flow));
  const meeting = own.filter((chat) => met?.get(chat)?.has(mutant.edge) ?? true);
  const killer =
    failingProperty(changed.get(flow)) ??
    (await failing(meeting, changed)) ??
    (await failing(
      chats.filter((chat) => !own.includes(chat)),
      changed,
    ));
  return killer === undefined ? { mutant } : { mutant, killer };
}

const texts = new Map(flows.map((one) => [one.ast.flow, one.texts]));

async function failing(
  played: readonly ChatFile[],
  changed: ReturnType<typeof library>,
): Promise<string | undefined> {
  for (const chat of played) {
    const failure = await failureOf(chat, { library: changed, texts, bot });
    if (failure !== undefined) return failure;
  }
  return undefined;
}

function failingProperty(program: FlowProgram | undefined): string | undefined {
  const [broken] = program ? generated(program, CONTEXT, 1).broken : [];
  return broken && `${broken.property} (${broken.at})`;
}
