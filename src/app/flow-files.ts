/**
 * Reads the conversations from disk: one folder each, `flow.ts` or `flow.yaml` with its catalogues beside it. Everything that
 * reads files about flows is here; what they mean is the kit's business.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Fault, type JsonObject } from "../base/index.ts";
import {
  type Ast,
  type Catalogue,
  type Catalogues,
  createLibrary,
  type EffectInfo,
  findingLine,
  type FlowLibrary,
  type FlowSource,
  type LibrarySource,
  parseCatalogue,
  parseFlow,
} from "../flow/index.ts";
import { routeOf } from "../gateway/index.ts";
import type { Store } from "../store/port.ts";
import { routeInfo } from "./route-infos.ts";
import { effects, INVOICE_ISSUE, IssueInput, IssueResult } from "../worker/index.ts";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
export const FLOWS_FOLDER = path.join(PACKAGE, "flows");
const COMMON_FOLDER = path.join(PACKAGE, "src", "flow");
const LOCALES = ["pt-BR", "en"] as const;
/** Flow versions as data, by flow and hash, while conversations may be in them. */
const FLOW_DOCS = "flows";

/** What the kit must know of every effect a flow may name. */
export function effectInfos(): readonly EffectInfo[] {
  return [...effects.values()].map((spec) => {
    const head = { name: spec.name, version: spec.version, class: spec.class };
    if (spec.name !== INVOICE_ISSUE) return routeInfo(routeOf(spec.route), spec.version);
    const results = Object.values(IssueResult).flatMap((schema) => Object.keys(schema.shape));
    return {
      ...head,
      input: Object.entries(IssueInput.shape).map(([name, schema]) => ({
        name,
        ...(schema.safeParse(undefined).success ? { optional: true as const } : {}),
      })),
      result: [...new Set(results)],
    };
  });
}

function catalogues(folder: string): Catalogues {
  const found: { [L in (typeof LOCALES)[number]]?: Catalogue } = {};
  for (const locale of LOCALES) {
    const file = path.join(folder, `texts.${locale}.yaml`);
    if (!existsSync(file)) continue;
    const parsed = parseCatalogue(readFileSync(file, "utf8"), path.relative(PACKAGE, file));
    if (!parsed.ok) throw new Fault("FLOW_INVALID", parsed.findings.map(findingLine).join("\n"));
    found[locale] = parsed.catalogue;
  }
  return found;
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

async function source(folder: string): Promise<FlowSource> {
  return { ast: await astOf(folder), texts: catalogues(folder) };
}

async function astOf(folder: string): Promise<Ast> {
  const yaml = path.join(folder, "flow.yaml");
  const file = path.join(folder, "flow.ts");
  if (existsSync(yaml)) {
    const name = path.relative(PACKAGE, yaml);
    if (existsSync(file))
      throw new Fault("FLOW_INVALID", `${name} stands beside a flow.ts: which is the flow?`);
    const parsed = parseFlow(readFileSync(yaml, "utf8"), name);
    if (!parsed.ok) throw new Fault("FLOW_INVALID", parsed.findings.map(findingLine).join("\n"));
    return parsed.ast;
  }
  const module = (await import(pathToFileURL(file).href)) as { default?: Ast };
  if (!module.default || typeof module.default.flow !== "string")
    throw new Fault(
      "FLOW_INVALID",
      `${path.relative(PACKAGE, file)} has no flow as its default export.`,
    );
  return module.default;
}

export interface LoadedFlows {
  readonly library: FlowLibrary;
  /** Catalogues by flow. */
  readonly texts: ReadonlyMap<string, Catalogues>;
}

/** All flows of a folder, compiled and checked. Throws `FLOW_INVALID` for files that cannot be read at all. */
export async function loadFlows(folder = FLOWS_FOLDER): Promise<LoadedFlows> {
  const flows = await Promise.all(flowFolders(folder).map(source));
  return {
    library: createLibrary({ flows, common: catalogues(COMMON_FOLDER), effects: effectInfos() }),
    texts: new Map(flows.map(({ ast, texts }) => [ast.flow, texts])),
  };
}

/**
 * The library with every version conversations may still be in: what was stored by earlier starts, and this one's are
 * stored for later ones.
 */
export async function loadWithHistory(store: Store, folder = FLOWS_FOLDER): Promise<FlowLibrary> {
  const flows = await Promise.all(flowFolders(folder).map(source));
  const texts = new Map(flows.map((one) => [one.ast.flow, one.texts]));
  const older: NonNullable<LibrarySource["older"]>[number][] = [];
  for (let after: string | undefined; ;) {
    const page = await store.list(FLOW_DOCS, {
      limit: 100,
      ...(after === undefined ? {} : { after }),
    });
    for (const { id, value } of page.items) {
      const ast = value["ast"] as unknown as Ast;
      // Its words were stored, too: the folder may be gone while conversations are still in it. The hash is the one they
      // name; computed anew it would be another as soon as a kind or effect has a newer version.
      const stored = value["texts"] as unknown as Catalogues | undefined;
      const hash = id.slice(id.lastIndexOf("@") + 1);
      older.push({ ast, hash, texts: texts.get(ast.flow) ?? stored ?? {} });
    }
    if (page.next === undefined) break;
    after = page.next;
  }
  const library = createLibrary({
    flows,
    older,
    common: catalogues(COMMON_FOLDER),
    effects: effectInfos(),
  });
  for (const { hash, ast } of library.asts())
    await store.put(
      FLOW_DOCS,
      `${ast.flow}@${hash}`,
      JSON.parse(JSON.stringify({ ast, texts: texts.get(ast.flow) ?? {} })) as JsonObject,
    );
  return library;
}
