/**
 * `flows check --against X`: what the flows as they are now would make of conversations in an older version, be it of a
 * commit, of a file, or of those people are in at this moment. Nothing is changed anywhere.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Fault } from "../../base/index.ts";
import {
  against,
  type Against,
  type Ast,
  type Finding,
  findingLine,
  flowHash,
  type FlowSource,
  harms,
  link,
  vocabularyOf,
} from "../../flow/index.ts";
import { runningServer } from "../operator/client.ts";
import { type LoadedBot } from "../bot/loaded-bot.ts";
import { loadBot } from "../bot/load-bot.ts";
import { flowFolders, loadFlows, readSource } from "../loading/flow-files.ts";
import { occupiedVersions, type OccupiedVersion } from "../loading/flow-history.ts";
import { FlowReader } from "../loading/flow-reader.ts";
import { build } from "../loading/program.js";
import { FLOWS_FOLDER, PACKAGE } from "../places.ts";
import type { Settings } from "../settings.ts";
import { openConfiguredStore } from "../start/storage.ts";

const ZONE = "America/Sao_Paulo";
/** A commit's flows and kit, as an archive, bytes. */
const ARCHIVE_MAX = 256 * 1024 * 1024;

export interface AgainstReport {
  /** False when somebody would lose something, or could not go on. */
  readonly ok: boolean;
  /** What was looked at, as a sentence. */
  readonly what: string;
  readonly results: readonly Against[];
  /** Versions that are what the flows are now. */
  readonly same: readonly string[];
  /** Flows that are no more, or have an error: who is in them goes on in the older version. */
  readonly gone: readonly string[];
}

/** An older version with, for `live`, who rests where. */
interface Older {
  readonly ast: Ast;
  readonly hash: string;
  readonly texts: FlowSource["texts"];
  readonly people?: ReadonlyMap<string, number>;
}

interface Versions {
  readonly what: string;
  readonly older: readonly Older[];
}

/** Throws `FLOW_INVALID` for what cannot be read, and for a name that is neither `live`, nor a file, nor a commit. */
export async function checkAgainst(target: string, settings: Settings): Promise<AgainstReport> {
  const { flowsDir } = settings;
  const { what, older } =
    target === "live" ? await liveVersions(settings) : await versionsAt(target, flowsDir);
  const { library } = await loadFlows(flowsDir, { older });
  const context = { now: Date.now(), zone: ZONE, locale: "pt-BR", variant: 0 } as const;
  const results: Against[] = [];
  const same: string[] = [];
  const gone: string[] = [];
  for (const { ast, hash, people } of older) {
    const newer = library.get(ast.flow);
    const before = library.get(ast.flow, hash);
    if (newer?.hash === hash) same.push(ast.flow);
    else if (!newer) gone.push(ast.flow);
    else if (before) results.push(against(before, newer, context, people));
    else throw notLoaded(library.findings, ast.flow);
  }
  return { ok: !results.some(harms), what, results, same, gone };
}

function notLoaded(findings: readonly Finding[], flow: string): Fault {
  const why = findings.find((one) => one.flow === flow)?.message ?? "it cannot be loaded";
  return new Fault("FLOW_INVALID", `The older version of ${flow} cannot be restored: ${why}.`);
}

/** The flows of a file, a folder or a commit, as they would be stored. Throws `FLOW_INVALID` for what is none of these. */
export async function flowsAt(target: string): Promise<readonly Omit<Older, "people">[]> {
  return (await versionsAt(target, FLOWS_FOLDER)).older;
}

/** `flowsDir`: of the bot whose plugins these flows are read with. */
async function versionsAt(target: string, flowsDir: string): Promise<Versions> {
  if (!existsSync(target)) return commitVersions(target, flowsDir);
  const reader = new FlowReader();
  try {
    const sources = await sourcesAt(path.resolve(target), reader);
    return { what: `Against ${target}.`, older: linked(sources, await loadBot(flowsDir)) };
  } finally {
    await reader.close();
  }
}

/** The versions people are in: of the running server, or of the store itself. */
async function liveVersions(settings: Settings): Promise<Versions> {
  const server = await runningServer(settings);
  let versions: readonly OccupiedVersion[];
  if (server) {
    const { items } = await server.get("/api/flows/occupied");
    versions = items as unknown as readonly OccupiedVersion[];
  } else {
    const store = await openConfiguredStore(settings);
    try {
      versions = await occupiedVersions(store);
    } finally {
      await store.close();
    }
  }
  const people = versions.flatMap(({ steps }) => Object.values(steps));
  const count = people.reduce((all, one) => all + one, 0);
  const lost = versions.filter(({ ast }) => ast === null);
  if (lost.length > 0)
    throw new Fault(
      "FLOW_UNKNOWN",
      `Nothing is stored of ${lost.map(({ flow, hash }) => `${flow}@${hash.slice(0, 8)}`).join(", ")}, in which people are.`,
    );
  return {
    what: `Against ${versions.length} versions in which ${count} conversations are.`,
    older: versions.flatMap(({ ast, hash, texts, steps }) =>
      ast ? [{ ast, hash, texts: texts ?? {}, people: new Map(Object.entries(steps)) }] : [],
    ),
  };
}

/** A file as its flow, a folder as the flow in it, else as a folder of such folders. */
async function sourcesAt(place: string, reader: FlowReader): Promise<readonly FlowSource[]> {
  if (place.endsWith(".json")) return [{ ast: astIn(place), texts: {} }];
  const folder = statSync(place).isDirectory() ? place : path.dirname(place);
  const isOne = ["flow.ts", "flow.yaml"].some((name) => existsSync(path.join(folder, name)));
  const folders = isOne ? [folder] : flowFolders(folder);
  const isNamed = !statSync(place).isDirectory() && !/^flow\.(ts|yaml)$/.test(path.basename(place));
  if (isNamed || folders.length === 0)
    throw new Fault(
      "FLOW_INVALID",
      `${place} is neither a flow.ts, a flow.yaml, a flow as JSON, nor a folder with flows.`,
    );
  const all: FlowSource[] = [];
  for (const one of folders) {
    const read = await readSource(one, (file) => reader.read(file));
    if (!read.ok) throw new Fault("FLOW_INVALID", read.findings.map(findingLine).join("\n"));
    all.push(read.source);
  }
  return all;
}

function astIn(file: string): Ast {
  try {
    const read = JSON.parse(readFileSync(file, "utf8")) as Partial<Ast> & { ast?: Ast };
    const ast = (read.ast ?? read) as Ast;
    if (typeof ast.flow === "string" && Array.isArray(ast.steps)) return ast;
  } catch {
    // Told below.
  }
  throw new Fault("FLOW_INVALID", `${file} holds no flow as JSON.`);
}

/** The flows of a commit, made by the kit of that commit: so the versions are what was in use then. */
async function commitVersions(rev: string, flowsDir: string): Promise<Versions> {
  const git = (...args: string[]): Buffer =>
    execFileSync("git", ["-C", PACKAGE, ...args], {
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: ARCHIVE_MAX,
    });
  let commit: string;
  try {
    commit = git("rev-parse", "--verify", "--end-of-options", `${rev}^{commit}`).toString().trim();
  } catch {
    throw new Fault(
      "FLOW_INVALID",
      `"${rev}" is neither "live", nor a file or folder, nor a commit.`,
    );
  }
  const folder = mkdtempSync(path.join(tmpdir(), "prosa-against-"));
  let reader: FlowReader | undefined;
  try {
    const archive = git("archive", "--format=tar", commit, "src", "flows", "package.json");
    execFileSync("tar", ["-x", "-C", folder], { input: archive });
    symlinkSync(path.join(PACKAGE, "node_modules"), path.join(folder, "node_modules"));
    const program = path.join(folder, "program");
    await build(program, folder);
    reader = new FlowReader({ kit: pathToFileURL(path.join(program, "kit.mjs")).href });
    const sources = await sourcesAt(path.join(folder, "flows"), reader);
    // Plugins come from this program, whatever that commit was made with.
    const older = linked(sources, await loadBot(flowsDir));
    return { what: `Against ${rev} (${commit.slice(0, 8)}).`, older };
  } finally {
    await reader?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As they were stored: every input written out, under the hash conversations would name. */
function linked(sources: readonly FlowSource[], bot: LoadedBot): Older[] {
  const words = vocabularyOf({ effects: bot.infos, ...bot.vocabulary });
  const neighbours = new Map(sources.map(({ ast }) => [ast.flow, ast]));
  return sources.map(({ ast: raw, texts }) => {
    const ast = JSON.parse(JSON.stringify(link(raw, words, neighbours))) as Ast;
    return { ast, texts, hash: flowHash(ast, words) };
  });
}
