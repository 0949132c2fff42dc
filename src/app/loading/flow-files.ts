/**
 * Reads the conversations from disk: one folder each, `flow.ts` or `flow.yaml` with its catalogues beside it. Everything that
 * reads files about flows is here; what they mean is the kit's business.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import {
  type Ast,
  type Catalogues,
  type EventInfo,
  type Finding,
  type FlowLibrary,
  type FlowSource,
  type LibrarySource,
  type Origin,
  parseFlow,
  readEvents,
} from "../../flow/index.ts";
import { loadBot } from "../bot/load-bot.ts";
import type { LoadedBot } from "../bot/loaded-bot.ts";
import { FLOWS_FOLDER, shown } from "../places.ts";
import { catalogues, strayCatalogues, type TextPlaces } from "./catalogues.ts";
import { FlowReader, type Read } from "./flow-reader.ts";
import type { Kept } from "./kept.ts";
import { libraryOf } from "./library.ts";

/** The catalogues of every folder, by its name. What is wrong with one is lint's to tell. */
export function textsOf(folder: string): ReadonlyMap<string, Catalogues> {
  return new Map(flowFolders(folder).map((one) => [path.basename(one), catalogues(one).texts]));
}

/** Catalogues by flow. */
export function wordsOf(flows: Iterable<FlowSource>): ReadonlyMap<string, Catalogues> {
  return new Map([...flows].map(({ ast, texts }) => [ast.flow, texts]));
}

/** What a flow is written in, by the name of its file. */
const FLOW_FILES = ["flow.ts", "flow.yaml"] as const;

/** Folders of flows, in name order. */
export function flowFolders(folder = FLOWS_FOLDER): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .filter(({ name }) => FLOW_FILES.some((file) => existsSync(path.join(folder, name, file))))
    .map((entry) => path.join(folder, entry.name))
    .sort();
}

/** Chat files of a flow's folder, in name order. */
export function chatFiles(folder: string): readonly string[] {
  const chats = path.join(folder, "chats");
  if (!existsSync(chats)) return [];
  return readdirSync(chats)
    .filter((name) => name.endsWith(".chat"))
    .sort()
    .map((name) => path.join(chats, name));
}

/** How a `flow.ts` becomes data. */
export type ReadFlow = (file: string) => Promise<Read>;

/** A flow with its texts, or what keeps it out. */
type SourceRead =
  | { readonly ok: true; readonly source: FlowSource }
  | { readonly ok: false; readonly findings: readonly Finding[] };

interface Around {
  readonly kept?: Kept | undefined;
  /** The texts are read then. */
  readonly turn?: Promise<unknown>;
  /** What the folder of all flows declares, where it was read already. */
  readonly declared?: EventNames;
}

/** Reads one folder. Never throws for what stands in it. */
export async function readSource(
  folder: string,
  read: ReadFlow,
  { kept, turn, declared }: Around = {},
): Promise<SourceRead> {
  const [flow, { texts, places, findings }] = await Promise.all([
    astOf(folder, read),
    turn?.then(() => catalogues(folder, kept)) ?? catalogues(folder, kept),
  ]);
  const { events } = declared ?? eventsOf(path.dirname(folder));
  const found = [...(flow.ok ? [] : flow.findings), ...findings];
  // Texts say nothing of their flow by themselves.
  const named = found.map((finding) => ({ flow: path.basename(folder), ...finding }));
  if (!flow.ok || found.length > 0) return { ok: false, findings: named };
  const origin = flow.originWith(places);
  const source = { ast: flow.ast, texts, file: origin.file, origin };
  return { ok: true, source: events.length > 0 ? { ...source, events } : source };
}

type AstRead =
  | { readonly ok: true; readonly ast: Ast; readonly originWith: (texts: TextPlaces) => Origin }
  | { readonly ok: false; readonly findings: readonly Finding[] };

async function astOf(folder: string, read: ReadFlow): Promise<AstRead> {
  const yaml = path.join(folder, "flow.yaml");
  const file = path.join(folder, "flow.ts");
  if (!existsSync(yaml)) {
    const made = await read(file);
    if (!made.ok) return { ok: false, findings: [made.finding] };
    const here = { file: shown(file), text: readFileSync(file, "utf8") };
    return { ok: true, ast: made.ast, originWith: (texts) => ({ ...here, texts }) };
  }
  const name = shown(yaml);
  if (existsSync(file)) {
    const message = "stands beside a flow.ts: which is the flow?";
    const place = { file: name, line: 1, column: 1 };
    return { ok: false, findings: [{ rule: "flow/file", severity: "error", ...place, message }] };
  }
  const text = readFileSync(yaml, "utf8");
  const parsed = parseFlow(text, name);
  if (!parsed.ok) return { ok: false, findings: parsed.findings };
  const originWith = (texts: TextPlaces) => ({ file: name, text, texts, places: parsed.places });
  return { ok: true, ast: parsed.ast, originWith };
}

export interface LoadedFlows {
  readonly library: FlowLibrary;
  /** Catalogues by flow. */
  readonly texts: ReadonlyMap<string, Catalogues>;
  readonly bot: LoadedBot;
}

/** All flows of a folder, read and put together. What cannot be read is left out and told among the findings. */
export async function loadFlows(
  folder = FLOWS_FOLDER,
  { older = [], probe }: Pick<LibrarySource, "older" | "probe"> = {},
): Promise<LoadedFlows> {
  const [bot, { flows, findings }] = await Promise.all([loadBot(folder), readSources(folder)]);
  return { library: libraryOf(flows, older, findings, { bot, probe }), texts: wordsOf(flows), bot };
}

/** Every folder's flow; those that cannot be read are told. Without `given` they are read by a thread of its own. */
export async function readSources(
  folder: string,
  given?: ReadFlow,
  kept?: Kept,
): Promise<{ flows: readonly FlowSource[]; findings: readonly Finding[] }> {
  const reader = given ? undefined : new FlowReader({ kept });
  const read = given ?? ((file: string) => (reader as FlowReader).read(file));
  const folders = flowFolders(folder);
  const declared = eventsOf(folder);
  // One folder's texts at a time: the thread that reads the flows apart begins meanwhile.
  let turn: Promise<unknown> = Promise.resolve();
  try {
    const all = await Promise.all(
      folders.map((one) => {
        turn = turn.then(() => setImmediate());
        return readSource(one, read, { kept, turn, declared });
      }),
    );
    return {
      flows: all.flatMap((one) => (one.ok ? [one.source] : [])),
      findings: [
        ...declared.findings,
        ...[folder, ...folders].flatMap(strayCatalogues),
        ...all.flatMap((one) => (one.ok ? [] : one.findings)),
      ],
    };
  } finally {
    await reader?.close();
  }
}

interface EventNames {
  readonly events: readonly EventInfo[];
  readonly findings: readonly Finding[];
}

/**
 * The events of `events.yaml` in a folder of flows: what the world outside may tell a conversation, one event in a line, with what
 * it brings. None where it has no such file. Only names of a wait are checked by it; whoever knows of an event posts it as before.
 *
 *     parcel.ready: [item, shelf]
 */
function eventsOf(folder: string): EventNames {
  const file = path.join(folder, "events.yaml");
  if (!existsSync(file)) return { events: [], findings: [] };
  const read = readEvents(readFileSync(file, "utf8"), shown(file));
  return read.ok ? { events: read.events, findings: [] } : { events: [], findings: read.findings };
}
