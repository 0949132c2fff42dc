/**
 * Takes over flows and texts while people are in them: a file is saved, read apart, checked, and used from the next event
 * on. What does not hold up is told with its place, and the version before goes on. For development: never where the
 * gateway is a real one.
 *
 * Files are looked at, not listened to: editors save in many ways, and a look at a few dozen files is cheap.
 */
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type {
  Catalogues,
  CurrentLibrary,
  Finding,
  FlowLibrary,
  FlowSource,
  LibrarySource,
} from "../flow/index.ts";
import type { Store } from "../store/port.ts";
import { flowFolders, libraryOf, type ReadFlow, readSource } from "./flow-files.ts";
import { dropVersions, keepVersions, occupied } from "./flow-history.ts";
import { Verdicts } from "./kept-flows.ts";

/** How often files are looked at, ms. */
const LOOK_MS = 150;
/** Versions nobody is in that are kept beside those somebody is in: someone may just begin one. */
const SPARE = 20;

type Older = NonNullable<LibrarySource["older"]>;

export interface Reloaded {
  /** Flows that are new or changed, and live. */
  readonly flows: readonly string[];
  /** What keeps others, or their new version, out. */
  readonly findings: readonly Finding[];
  /** The words of everything that is live, by flow. */
  readonly texts: ReadonlyMap<string, Catalogues>;
  /** From the moment the change was seen until it was live, ms. */
  readonly ms: number;
}

export interface ReloadParts {
  readonly folder: string;
  readonly store: Store;
  readonly library: CurrentLibrary;
  /** The flows the library was made of. */
  readonly flows: readonly FlowSource[];
  readonly older: Older;
  readonly read: ReadFlow;
  /** Real time, ms. */
  readonly now: () => number;
  readonly told: (what: Reloaded) => void;
  readonly failed: (error: unknown) => void;
}

export class Reload {
  readonly #parts: ReloadParts;
  /** The last version of each folder that held up. */
  readonly #good = new Map<string, FlowSource>();
  /** What keeps a folder's flow, or its newest version, out. */
  readonly #broken = new Map<string, readonly Finding[]>();
  /** Versions that came and went while this process ran: nobody else ever had them. */
  readonly #made = new Set<string>();
  /** Only what was saved, and what hangs on it, is looked at anew. */
  readonly #verdicts = new Verdicts();
  #older: Older;
  #prints: ReadonlyMap<string, string> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(parts: ReloadParts) {
    this.#parts = parts;
    this.#older = parts.older;
    for (const source of parts.flows) this.#good.set(folderOf(parts.folder, source), source);
  }

  /** Takes what is there as seen; what changes from now on is taken over. */
  async start(): Promise<void> {
    this.#prints = await fingerprints(this.#parts.folder);
    this.#next();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#work;
  }

  #next(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      void this.look()
        .catch(this.#parts.failed)
        .then(() => this.#next());
    }, LOOK_MS);
    this.#timer.unref();
  }

  /** Takes over what has changed since the last look; one look after the other. */
  look(): Promise<void> {
    const look = this.#work.then(() => this.#look());
    this.#work = look.catch(() => undefined);
    return look;
  }

  async #look(): Promise<void> {
    const prints = await fingerprints(this.#parts.folder);
    const changed = [...prints].filter(([folder, print]) => this.#prints.get(folder) !== print);
    const gone = [...this.#prints.keys()].filter((folder) => !prints.has(folder));
    this.#prints = prints;
    if (changed.length + gone.length === 0) return;
    await this.#take(
      changed.map(([folder]) => folder),
      gone,
    );
  }

  async #take(changed: readonly string[], gone: readonly string[]): Promise<void> {
    const from = performance.now();
    const tried = new Map(this.#good);
    for (const folder of [...changed, ...gone]) this.#broken.delete(folder);
    for (const folder of gone) tried.delete(folder);
    for (const folder of changed) {
      const read = await readSource(folder, this.#parts.read);
      if (read.ok) tried.set(folder, read.source);
      else this.#broken.set(folder, read.findings);
    }
    const older = this.#versions();
    const library = this.#holding(tried, older);
    const flows = changed.flatMap((folder) => {
      const source = tried.get(folder);
      return source && source !== this.#good.get(folder) ? [source.ast.flow] : [];
    });
    this.#good.clear();
    for (const [folder, source] of tried) this.#good.set(folder, source);
    // Kept before it is used: a conversation that begins in it must find it again.
    await keepVersions(this.#parts.store, library, [...tried.values()], this.#parts.now());
    for (const { ast, hash } of library.asts())
      if (!older.some((one) => idOf(one) === `${ast.flow}@${hash}`))
        this.#made.add(`${ast.flow}@${hash}`);
    this.#parts.library.use(library);
    const findings = changed.flatMap((folder) => this.#broken.get(folder) ?? []);
    const ms = Math.round(performance.now() - from);
    this.#parts.told({ flows, findings, texts: wordsOf(this.#good.values()), ms });
    this.#older = await this.#trimmed(older);
  }

  /** The library of what was tried; a flow with an error in it is put back to what it was. */
  #holding(tried: Map<string, FlowSource>, older: Older): FlowLibrary {
    for (;;) {
      const findings = [...this.#broken.values()].flat();
      const library = libraryOf([...tried.values()], older, findings, {
        verdicts: this.#verdicts,
      });
      const broken = [...tried].filter(
        ([folder, source]) =>
          library.get(source.ast.flow) === undefined && source !== this.#good.get(folder),
      );
      if (broken.length === 0) return library;
      for (const [folder, { ast }] of broken) {
        this.#broken.set(
          folder,
          library.findings.filter((one) => one.severity === "error" && one.flow === ast.flow),
        );
        const before = this.#good.get(folder);
        if (before) tried.set(folder, before);
        else tried.delete(folder);
      }
    }
  }

  /** Every version that may still be named: the older ones and those in use until now. */
  #versions(): Older {
    const texts = wordsOf(this.#good.values());
    // Each with the words that were live with it: those of another version may lack what is still to be said in it.
    const now = this.#parts.library
      .asts()
      .map(({ ast, hash }) => ({ ast, hash, texts: texts.get(ast.flow) ?? {} }));
    const all = new Map<string, Older[number]>();
    for (const one of [...this.#older, ...now]) {
      const id = idOf(one);
      all.delete(id);
      all.set(id, one);
    }
    return [...all.values()];
  }

  /** Without those that nobody is in, but for the latest. */
  async #trimmed(older: Older): Promise<Older> {
    if (older.length <= SPARE) return older;
    const { store } = this.#parts;
    const used = new Set((await occupied(store)).map(({ flow, hash }) => `${flow}@${hash}`));
    const kept = older.filter((one, index) => index >= older.length - SPARE || used.has(idOf(one)));
    const gone = older.filter((one) => !kept.includes(one)).map(idOf);
    await dropVersions(
      store,
      gone.filter((id) => this.#made.delete(id)),
    );
    return kept;
  }
}

/** Catalogues by flow. */
export function wordsOf(sources: Iterable<FlowSource>): ReadonlyMap<string, Catalogues> {
  return new Map([...sources].map(({ ast, texts }) => [ast.flow, texts]));
}

function idOf({ ast, hash = "" }: Older[number]): string {
  return `${ast.flow}@${hash}`;
}

function folderOf(root: string, { ast, file }: FlowSource): string {
  return path.join(root, file === undefined ? ast.flow : path.basename(path.dirname(file)));
}

/** Of each flow's folder, what changes when anything that makes the flow changes. */
async function fingerprints(root: string): Promise<ReadonlyMap<string, string>> {
  const prints = new Map<string, string>();
  for (const folder of flowFolders(root)) {
    const names = (await readdir(folder)).filter((name) => /\.(ts|yaml)$/.test(name)).sort();
    const parts = await Promise.all(
      names.map(async (name) => {
        // A file that goes away between two looks is a change like any other.
        const seen = await stat(path.join(folder, name)).catch(() => undefined);
        return `${name} ${seen?.mtimeMs} ${seen?.size} ${seen?.ino}`;
      }),
    );
    prints.set(folder, parts.join("\n"));
  }
  return prints;
}
