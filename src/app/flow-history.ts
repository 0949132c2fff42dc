/**
 * Versions of flows as data, by flow and hash, in the store: a conversation that is in one goes on in it after the files
 * have changed, on every process, for as long as anybody is in it.
 */
import type { JsonObject } from "../base/index.ts";
import type { Ast, Catalogues, FlowLibrary, FlowSource, LibrarySource } from "../flow/index.ts";
import type { Store } from "../store/port.ts";
import { Kept } from "./kept.ts";
import { FLOWS_FOLDER, libraryOf, type ReadFlow, readSources } from "./flow-files.ts";

const FLOW_DOCS = "flows";
/** Versions kept beside those somebody is in: other processes may still begin conversations in them. */
const KEPT = 50;
/** … and for at least so long after a process last had them, ms. */
const KEPT_MS = 7 * 86_400_000;
/** A version that stands there as it is, seen so short a time ago, is not written again: a write costs more than the look. */
const FRESH_MS = 3_600_000;
const PAGE = 500;

type Older = NonNullable<LibrarySource["older"]>;

export interface Loaded {
  readonly library: FlowLibrary;
  readonly flows: readonly FlowSource[];
  readonly older: Older;
}

/**
 * The library with every version conversations may still be in: what was stored by earlier starts, and this one's are
 * stored for later ones. `now`: the real time, ms.
 */
export async function loadWithHistory(
  store: Store,
  options: { readonly folder?: string; readonly read?: ReadFlow; readonly now?: number } = {},
): Promise<Loaded> {
  const now = options.now ?? Date.now();
  const folder = options.folder ?? FLOWS_FOLDER;
  const kept = new Kept(folder);
  const { flows, findings } = await readSources(folder, options.read, kept);
  const texts = new Map(flows.map((one) => [one.ast.flow, one.texts]));
  const { older, fresh } = await stored(store, texts, now);
  const library = libraryOf(flows, older, findings, { kept });
  kept.save();
  await keepVersions(store, library, flows, now, fresh);
  return { library, flows, older };
}

/** Versions that were seen a moment ago, by `flow@hash`: AST and texts as JSON. */
type Fresh = ReadonlyMap<string, string>;

const asStored = (ast: unknown, texts: unknown): string => JSON.stringify([ast, texts]);

/** Stores the versions in use, so that whoever is in one finds it again; but those of `fresh`. */
export async function keepVersions(
  store: Pick<Store, "put">,
  library: FlowLibrary,
  flows: readonly FlowSource[],
  now: number,
  fresh: Fresh = new Map(),
): Promise<void> {
  const texts = new Map(flows.map((one) => [one.ast.flow, one.texts]));
  for (const { hash, ast } of library.asts()) {
    const value = { ast, texts: texts.get(ast.flow) ?? {}, seen: now };
    if (fresh.get(`${ast.flow}@${hash}`) === asStored(ast, value.texts)) continue;
    // Through JSON: what is absent must not be stored as undefined.
    const plain = JSON.parse(JSON.stringify(value)) as JsonObject;
    await store.put(FLOW_DOCS, `${ast.flow}@${hash}`, plain);
  }
}

/** Forgets versions nobody is in, given as `flow@hash`. */
export async function dropVersions(
  store: Pick<Store, "remove">,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) await store.remove(FLOW_DOCS, id);
}

async function stored(
  store: Store,
  texts: ReadonlyMap<string, Catalogues>,
  now: number,
): Promise<{ older: Older; fresh: Fresh }> {
  const fresh = new Map<string, string>();
  const found: { id: string; seen: number; older: Older[number] }[] = [];
  for (let after: string | undefined; ;) {
    const page = await store.list(FLOW_DOCS, {
      limit: 100,
      ...(after === undefined ? {} : { after }),
    });
    for (const { id, value } of page.items) {
      const ast = value["ast"] as unknown as Ast;
      // Its words were stored, too, and are the ones that fit it: a newer version may have left out, or turned to other
      // results, just what is still to be said here. The hash is the one conversations name; computed anew it would be
      // another as soon as a kind or effect has a newer version.
      const words = value["texts"] as unknown as Catalogues | undefined;
      const hash = id.slice(id.lastIndexOf("@") + 1);
      const older = { ast, hash, texts: words ?? texts.get(ast.flow) ?? {} };
      const seen = Number(value["seen"] ?? 0);
      if (Math.abs(now - seen) < FRESH_MS) fresh.set(id, asStored(ast, words));
      found.push({ id, seen: Number(value["seen"] ?? now), older });
    }
    if (page.next === undefined) break;
    after = page.next;
  }
  const gone = await superfluous(store, found, now);
  await dropVersions(store, [...gone]);
  for (const id of gone) fresh.delete(id);
  return { fresh, older: found.flatMap(({ id, older }) => (gone.has(id) ? [] : [older])) };
}

/** Versions nobody is in that no process had for a week, past the latest fifty. */
async function superfluous(
  store: Store,
  found: readonly { readonly id: string; readonly seen: number }[],
  now: number,
): Promise<ReadonlySet<string>> {
  const old = [...found]
    .sort((a, b) => b.seen - a.seen)
    .slice(KEPT)
    .filter(({ seen }) => now - seen > KEPT_MS);
  if (old.length === 0) return new Set();
  const used = new Set((await occupied(store)).map(({ flow, hash }) => `${flow}@${hash}`));
  return new Set(old.map(({ id }) => id).filter((id) => !used.has(id)));
}

/** A step of a version with the conversations that rest there: counts, nothing of anybody. */
export interface OccupiedPlace {
  readonly flow: string;
  readonly hash: string;
  readonly version: number;
  readonly step: string;
  readonly people: number;
}

/** Where people are, over all accounts. */
export async function occupied(store: Pick<Store, "sessions">): Promise<OccupiedPlace[]> {
  const places = new Map<string, OccupiedPlace>();
  for (let after: string | undefined; ;) {
    const page = await store.sessions({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    for (const { session } of page.items) {
      const { frames, requests } = session as unknown as Partial<Record<string, StoredFrame[]>>;
      for (const { flow, hash, version, state } of [...(frames ?? []), ...(requests ?? [])]) {
        const step = state?.facts?.at ?? state?.value ?? "";
        const key = `${flow}@${hash} ${step}`;
        const people = (places.get(key)?.people ?? 0) + 1;
        places.set(key, { flow, hash, version, step, people });
      }
    }
    if (page.next === undefined) break;
    after = page.next;
  }
  return [...places.values()];
}

/** A version people are in: what it is, as it was stored, and how many rest at each step. */
export interface OccupiedVersion {
  readonly flow: string;
  readonly hash: string;
  readonly version: number;
  readonly steps: Readonly<Record<string, number>>;
  /** Null when nothing is stored of it. */
  readonly ast: Ast | null;
  readonly texts?: Catalogues;
}

/** The versions people are in, with what is stored of them; of the people nothing but their number. */
export async function occupiedVersions(
  store: Pick<Store, "sessions" | "get">,
): Promise<OccupiedVersion[]> {
  const versions = new Map<string, OccupiedVersion & { steps: Record<string, number> }>();
  for (const { flow, hash, version, step, people } of await occupied(store)) {
    const id = `${flow}@${hash}`;
    const stored = versions.has(id) ? undefined : (await store.get(FLOW_DOCS, id))?.value;
    const known = versions.get(id) ?? {
      ...{ flow, hash, version, steps: {} },
      ast: (stored?.["ast"] ?? null) as unknown as Ast | null,
      ...(stored?.["texts"] ? { texts: stored["texts"] as unknown as Catalogues } : {}),
    };
    known.steps[step] = people;
    versions.set(id, known);
  }
  return [...versions.values()].sort((a, b) => (a.flow < b.flow ? -1 : 1));
}

interface StoredFrame {
  readonly flow: string;
  readonly hash: string;
  readonly version: number;
  readonly state?: { readonly value?: string; readonly facts?: { readonly at?: string } };
}
