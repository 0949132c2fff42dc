/**
 * Reads the conversations from disk: one folder each, `flow.ts` or `flow.yaml` with its catalogues beside it. Everything that
 * reads files about flows is here; what they mean is the kit's business.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { z } from "zod";
import { Fault } from "../base/index.ts";
import { smsCut } from "../channels/index.ts";
import {
  type Ast,
  type Catalogue,
  type Catalogues,
  type ChannelLimits,
  createLibrary,
  type EffectInfo,
  type Finding,
  findingLine,
  type FlowLibrary,
  type FlowSource,
  type LibrarySource,
  MESSENGER,
  type Origin,
  parseFlow,
} from "../flow/index.ts";
import { routeOf } from "../gateway/index.ts";
import type { Kept } from "./kept.ts";
import { keptCatalogue, keptVerdicts, type Verdicts } from "./kept-flows.ts";
import { type Read, refused, unreadable } from "./flow-reader.ts";
import { eventsOf, HOUSE_EVENTS } from "./event-names.ts";
import { costOf, routeInfo, sortOf } from "./route-infos.ts";
import {
  CancelInput,
  CancelResult,
  effects,
  INSTEAD_OF_ITEMS,
  INVOICE_CANCEL,
  INVOICE_ISSUE,
  IssueInput,
  IssueResult,
  locals,
} from "../worker/index.ts";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
export const FLOWS_FOLDER = path.join(PACKAGE, "flows");
const COMMON_FOLDER = path.join(PACKAGE, "src", "flow");
const LOCALES = ["pt-BR", "en"] as const;

/** What a refusal brings, and what an end without an answer: the same of every call. */
const REFUSED = ["code", "text"];
const FAILED = ["reason", "code", "text"];

/** What the kit must know of every effect a flow may name. */
export function effectInfos(): readonly EffectInfo[] {
  const own = [...locals.values()].map(({ name, version, class: kind, input, result }) => {
    return {
      ...{ name, version, class: kind, result, local: true as const },
      ends: { done: result, rejected: REFUSED, failed: FAILED },
      input: inputOf(input),
    };
  });
  return [...own, ...gatewayInfos()];
}

/** Calls that are more than their route. */
const OWN: ReadonlyMap<
  string,
  { readonly input: z.ZodObject; readonly result: Readonly<Record<string, z.ZodObject>> }
> = new Map([
  [INVOICE_ISSUE, { input: IssueInput, result: IssueResult }],
  [INVOICE_CANCEL, { input: CancelInput, result: CancelResult }],
]);

function gatewayInfos(): readonly EffectInfo[] {
  return [...effects.values()].map((spec) => {
    const head = { name: spec.name, version: spec.version, class: spec.class };
    if (spec.result && spec.input instanceof z.ZodObject)
      return {
        ...{ ...head, ...costOf(routeOf(spec.route)), result: spec.result },
        input: inputOf(spec.input),
      };
    const own = OWN.get(spec.name);
    if (!own) return routeInfo(routeOf(spec.route), spec.version);
    const results = Object.values(own.result).flatMap((schema) => Object.keys(schema.shape));
    return {
      ...head,
      ...costOf(routeOf(spec.route)),
      input: inputOf(own.input).map(({ optional, ...one }) => {
        if (own.input === IssueInput && INSTEAD_OF_ITEMS.some((name) => name === one.name))
          return { ...one, unless: "items" };
        return { ...one, ...(optional ? { optional } : {}) };
      }),
      result: [...new Set(results)],
      ends: Object.fromEntries(
        Object.entries(own.result).map(([end, { shape }]) => [end, Object.keys(shape)]),
      ),
      results: resultsOf(Object.values(IssueResult)),
    };
  });
}

/** What the fields of a result are, where every outcome that has one agrees. */
function resultsOf(outcomes: readonly z.ZodObject[]): NonNullable<EffectInfo["results"]> {
  const known = new Map<string, ReturnType<typeof resultType>[]>();
  for (const { shape } of outcomes)
    for (const [name, schema] of Object.entries(shape))
      known.set(name, [...(known.get(name) ?? []), resultType(schema as z.ZodType)]);
  return Object.fromEntries(
    [...known].flatMap(([name, [first, ...others]]) =>
      first && others.every((other) => JSON.stringify(other) === JSON.stringify(first))
        ? [[name, first]]
        : [],
    ),
  );
}

function resultType(schema: z.ZodType) {
  const sort = sortOf(schema);
  const of = schema instanceof z.ZodEnum ? { of: schema.options.map(String) } : {};
  return sort ? { sort, ...of } : undefined;
}

function inputOf({ shape }: z.ZodObject): readonly EffectInfo["input"][number][] {
  return Object.entries(shape).map(([name, schema]) => ({
    ...sorted(name, schema as z.ZodType),
    ...((schema as z.ZodType).safeParse(undefined).success ? { optional: true as const } : {}),
  }));
}

function sorted(name: string, schema: z.ZodType) {
  const sort = sortOf(schema);
  return sort ? { name, sort } : { name };
}

type TextPlaces = NonNullable<Origin["texts"]>;
interface Texts {
  readonly texts: Catalogues;
  readonly places: TextPlaces;
  readonly findings: readonly Finding[];
}

/** The catalogues beside a flow. What is wrong with one is a finding with its file and line. */
function catalogues(folder: string, kept?: Kept): Texts {
  const texts: { [L in (typeof LOCALES)[number]]?: Catalogue } = {};
  const places: { [L in (typeof LOCALES)[number]]?: NonNullable<TextPlaces[L]> } = {};
  const findings: Finding[] = [];
  for (const locale of LOCALES) {
    const file = path.join(folder, `texts.${locale}.yaml`);
    if (!existsSync(file)) continue;
    const parsed = keptCatalogue(kept, readFileSync(file, "utf8"), shown(file));
    if (parsed.ok) {
      texts[locale] = parsed.catalogue;
      places[locale] = { file: shown(file), places: parsed.places };
    } else findings.push(...parsed.findings);
  }
  return { texts, places, findings };
}

/** The texts every flow shares. They come with the house: one that cannot be read stops the start. */
function commonTexts(kept?: Kept): Catalogues {
  const { texts, findings } = catalogues(COMMON_FOLDER, kept);
  if (findings.length > 0) throw new Fault("FLOW_INVALID", findings.map(findingLine).join("\n"));
  return texts;
}

/** A file as people know it: from the root of the package, or whole. */
/** The catalogues of every folder, by its name. What is wrong with one is lint's to tell. */
export function textsOf(folder: string): ReadonlyMap<string, Catalogues> {
  return new Map(flowFolders(folder).map((one) => [path.basename(one), catalogues(one).texts]));
}

/** A file as people are told of it: from the package's folder on, or where it is elsewhere. */
export function shown(file: string): string {
  const name = path.relative(PACKAGE, file);
  return name.startsWith("..") ? file : name;
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

/** How a `flow.ts` becomes data: in this process, or apart from it. */
export type ReadFlow = (file: string) => Promise<Read>;

/** A flow with its texts, or what keeps it out. */
export type SourceRead =
  | { readonly ok: true; readonly source: FlowSource }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** Reads one folder. Never throws for what stands in it. */
export async function readSource(folder: string, read: ReadFlow, kept?: Kept): Promise<SourceRead> {
  const { texts, places, findings } = catalogues(folder, kept);
  const { events } = eventsOf(path.dirname(folder), shown);
  const flow = await astOf(folder, read);
  const found = [...(flow.ok ? [] : flow.findings), ...findings];
  // Texts say nothing of their flow by themselves.
  const named = found.map((finding) => ({ flow: path.basename(folder), ...finding }));
  if (!flow.ok || found.length > 0) return { ok: false, findings: named };
  return {
    ok: true,
    source: {
      ast: flow.ast,
      texts,
      file: flow.origin.file,
      ...(events.length > 0 ? { events } : {}),
      origin: { ...flow.origin, texts: places },
    },
  };
}

type AstRead =
  | { readonly ok: true; readonly ast: Ast; readonly origin: Origin }
  | { readonly ok: false; readonly findings: readonly Finding[] };

async function astOf(folder: string, read: ReadFlow): Promise<AstRead> {
  const yaml = path.join(folder, "flow.yaml");
  const file = path.join(folder, "flow.ts");
  if (!existsSync(yaml)) {
    const made = await read(file);
    return made.ok
      ? {
          ok: true,
          ast: made.ast,
          origin: { file: shown(file), text: readFileSync(file, "utf8") },
        }
      : { ok: false, findings: [made.finding] };
  }
  const name = shown(yaml);
  if (existsSync(file)) {
    const message = "stands beside a flow.ts: which is the flow?";
    const place = { file: name, line: 1, column: 1 };
    return { ok: false, findings: [{ rule: "flow/file", severity: "error", ...place, message }] };
  }
  const text = readFileSync(yaml, "utf8");
  const parsed = parseFlow(text, name);
  return parsed.ok
    ? { ok: true, ast: parsed.ast, origin: { file: name, text, places: parsed.places } }
    : { ok: false, findings: parsed.findings };
}

/** Reads a `flow.ts` of this installation in this process; for files that are known to come to an end. */
export async function readHere(file: string): Promise<Read> {
  const folder = path.dirname(file);
  try {
    const module = (await import(pathToFileURL(file).href)) as { default?: Ast };
    if (typeof module.default?.flow === "string") return { ok: true, ast: module.default };
    return refused(file, `${path.basename(folder)} has no flow as its default export`);
  } catch (error) {
    return unreadable(file, error);
  }
}

export interface LoadedFlows {
  readonly library: FlowLibrary;
  /** Catalogues by flow. */
  readonly texts: ReadonlyMap<string, Catalogues>;
}

export interface LoadOptions {
  readonly read?: ReadFlow;
  readonly older?: LibrarySource["older"];
  readonly probe?: LibrarySource["probe"];
}

/** All flows of a folder, read and put together. What cannot be read is left out and told among the findings. */
export async function loadFlows(
  folder = FLOWS_FOLDER,
  options: LoadOptions = {},
): Promise<LoadedFlows> {
  const { probe } = options;
  const { flows, findings } = await readSources(folder, options.read);
  return {
    library: libraryOf(flows, options.older ?? [], findings, probe ? { probe } : {}),
    texts: new Map(flows.map(({ ast, texts }) => [ast.flow, texts])),
  };
}

/** Every folder's flow; those that cannot be read are told. */
export async function readSources(
  folder: string,
  read: ReadFlow = readHere,
  kept?: Kept,
): Promise<{ flows: readonly FlowSource[]; findings: readonly Finding[] }> {
  const all = await Promise.all(flowFolders(folder).map((one) => readSource(one, read, kept)));
  return {
    flows: all.flatMap((one) => (one.ok ? [one.source] : [])),
    findings: [
      ...eventsOf(folder, shown).findings,
      ...all.flatMap((one) => (one.ok ? [] : one.findings)),
    ],
  };
}

/** Short messages have their own measure, and neither polls nor buttons. */
const SMS: ChannelLimits = {
  ...{ name: "SMS", maxText: Infinity, options: Infinity, label: Infinity, over: smsCut },
};

/** The library of these flows, with this installation's effects and common texts. */
export function libraryOf(
  flows: readonly FlowSource[],
  older: NonNullable<LibrarySource["older"]> = [],
  findings: readonly Finding[] = [],
  more: Pick<LibrarySource, "probe"> & { readonly kept?: Kept; readonly verdicts?: Verdicts } = {},
): FlowLibrary {
  const { probe, kept, verdicts } = more;
  const common = commonTexts(kept);
  return createLibrary({
    ...{ flows, older, findings, common, effects: effectInfos(), events: HOUSE_EVENTS },
    channels: [MESSENGER, SMS],
    ...(probe ? { probe } : {}),
    ...(kept ? { verdict: keptVerdicts(kept, flows, common) } : {}),
    ...(verdicts ? { verdict: verdicts.of(flows, common) } : {}),
  });
}
