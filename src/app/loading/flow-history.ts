/**
 * Versions of flows as data, by flow and hash, in the store: a conversation that is in one goes on in it after the files
 * have changed, on every process, for as long as anybody is in it.
 */
import type { JsonObject } from "../../base/index.ts";
import type { Ast, Catalogues, FlowLibrary, FlowSource, LibrarySource } from "../../flow/index.ts";
import type { Store } from "../../store/port/port.ts";
import { loadBot } from "../bot/load-bot.ts";
import type { LoadedBot } from "../bot/loaded-bot.ts";
import { FLOWS_FOLDER } from "../places.ts";
import { type ReadFlow, readSources, wordsOf } from "./flow-files.ts";
import type { Kept } from "./kept.ts";
import { type Known, libraryOf, nothingKnown } from "./library.ts";

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
  readonly bot: LoadedBot;
  /** For the library that comes after this one. */
  readonly known: Known;
  readonly seen: Seen;
}

/**
 * The library with every version conversations may still be in: what was stored by earlier starts, and this one's are
 * stored for later ones. `now`: the real time, ms.
 */
export async function loadWithHistory(
  store: Store,
  options: {
    readonly folder?: string;
    readonly read?: ReadFlow;
    readonly kept?: Kept;
    readonly now?: number;
  } = {},
): Promise<Loaded> {
  const now = options.now ?? Date.now();
  const folder = options.folder ?? FLOWS_FOLDER;
  const { kept } = options;
  const known = nothingKnown();
  const [bot, { flows, findings }] = await Promise.all([
    loadBot(folder, kept),
    readSources(folder, options.read, kept),
  ]);
  const { older, seen } = await stored(store, wordsOf(flows), now);
  const library = libraryOf(flows, older, findings, { kept, known, bot });
  kept?.save();
  await keepVersions(store, library, flows, now, seen);
  return { library, flows, older, bot, known, seen };
}

/** Versions that stand in the store as they are, and were seen there a moment ago. */
class Seen {
  readonly #known = new Map<string, { readonly of: string; readonly at: number }>();
  /** JSON of what was looked at before: as text it is made once. */
  readonly #texts = new WeakMap<object, string>();

  put(id: string, ast: unknown, texts: unknown, at: number): void {
    this.#known.set(id, { of: this.#of(ast, texts), at });
  }

  drop(id: string): void {
    this.#known.delete(id);
  }

  has(id: string, ast: unknown, texts: unknown, now: number): boolean {
    const known = this.#known.get(id);
    if (!known || Math.abs(now - known.at) >= FRESH_MS) return false;
    return known.of === this.#of(ast, texts);
  }

  #of(ast: unknown, texts: unknown): string {
    return `${this.#text(ast)} ${this.#text(texts)}`;
  }

  #text(of: unknown): string {
    if (typeof of !== "object" || of === null) return JSON.stringify(of);
    let text = this.#texts.get(of);
    if (text === undefined) this.#texts.set(of, (text = JSON.stringify(of)));
    return text;
  }
}

/** Stores the versions in use, so that whoever is in one finds it again; but those that were seen there a moment ago. */
export async function keepVersions(
  store: Pick<Store, "documents">,
  library: FlowLibrary,
  flows: readonly FlowSource[],
  now: number,
  seen: Seen,
): Promise<void> {
  const texts = wordsOf(flows);
  for (const { hash, ast } of library.asts()) {
    const id = `${ast.flow}@${hash}`;
    const value = { ast, texts: texts.get(ast.flow) ?? {}, seen: now };
    if (seen.has(id, ast, value.texts, now)) continue;
    // Through JSON: what is absent must not be stored as undefined.
    const plain = JSON.parse(JSON.stringify(value)) as JsonObject;
    await store.documents.put(FLOW_DOCS, id, plain);
    seen.put(id, ast, value.texts, now);
  }
}

/** Forgets versions nobody is in, given as `flow@hash`. */
export async function dropVersions(
  store: Pick<Store, "documents">,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) await store.documents.remove(FLOW_DOCS, id);
}

async function stored(
  store: Store,
  texts: ReadonlyMap<string, Catalogues>,
  now: number,
): Promise<{ older: Older; seen: Seen }> {
  const fresh = new Seen();
  const found: { id: string; seen: number; older: Older[number] }[] = [];
  for (let after: string | undefined; ;) {
    const page = await store.documents.list(FLOW_DOCS, { limit: 100, after });
    for (const { id, value } of page.items) {
      const ast = value["ast"] as unknown as Ast;
      // Its words were stored, too, and are the ones that fit it: a newer version may have left out, or turned to other
      // results, just what is still to be said here. The hash is the one conversations name; computed anew it would be
      // another as soon as a kind or effect has a newer version.
      const words = value["texts"] as unknown as Catalogues | undefined;
      const hash = id.slice(id.lastIndexOf("@") + 1);
      const older = { ast, hash, texts: words ?? texts.get(ast.flow) ?? {} };
      fresh.put(id, ast, words, Number(value["seen"] ?? 0));
      found.push({ id, seen: Number(value["seen"] ?? now), older });
    }
    if (page.next === undefined) break;
    after = page.next;
  }
  const gone = await superfluous(store, found, now);
  await dropVersions(store, [...gone]);
  for (const id of gone) fresh.drop(id);
  return { seen: fresh, older: found.flatMap(({ id, older }) => (gone.has(id) ? [] : [older])) };
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
  const used = await occupied(store);
  return new Set(old.map(({ id }) => id).filter((id) => !used.has(id)));
}

/** A version people are in, and how many rest at each step: counts, nothing of anybody. */
interface OccupiedPlaces {
  readonly flow: string;
  readonly hash: string;
  readonly version: number;
  readonly steps: Readonly<Record<string, number>>;
}

/** Where people are, over all accounts, by `flow@hash`. */
export async function occupied(
  store: Pick<Store, "views">,
): Promise<ReadonlyMap<string, OccupiedPlaces>> {
  const versions = new Map<string, OccupiedPlaces & { steps: Record<string, number> }>();
  for (let after: string | undefined; ;) {
    const page = await store.views.sessions({ limit: PAGE, after });
    for (const { session } of page.items) {
      const { frames, requests } = session as unknown as Partial<Record<string, StoredFrame[]>>;
      for (const { flow, hash, version, state } of [...(frames ?? []), ...(requests ?? [])]) {
        const step = state?.facts?.at ?? state?.value ?? "";
        const id = `${flow}@${hash}`;
        const steps = versions.get(id)?.steps ?? {};
        steps[step] = (steps[step] ?? 0) + 1;
        versions.set(id, { flow, hash, version, steps });
      }
    }
    if (page.next === undefined) return versions;
    after = page.next;
  }
}

/** With what is stored of it. */
export interface OccupiedVersion extends OccupiedPlaces {
  /** Null when nothing is stored of it. */
  readonly ast: Ast | null;
  readonly texts?: Catalogues;
}

/** The versions people are in, with what is stored of them; of the people nothing but their number. */
export async function occupiedVersions(
  store: Pick<Store, "views" | "documents">,
): Promise<OccupiedVersion[]> {
  const versions: OccupiedVersion[] = [];
  for (const [id, places] of await occupied(store)) {
    const stored = (await store.documents.get(FLOW_DOCS, id))?.value;
    const ast = (stored?.["ast"] ?? null) as unknown as Ast | null;
    const texts = stored?.["texts"] as unknown as Catalogues | undefined;
    versions.push({ ...places, ast, texts });
  }
  return versions.sort((a, b) => (a.flow < b.flow ? -1 : 1));
}

interface StoredFrame {
  readonly flow: string;
  readonly hash: string;
  readonly version: number;
  readonly state?: { readonly value?: string; readonly facts?: { readonly at?: string } };
}
