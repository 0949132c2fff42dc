/**
 * Takes over flows and texts while people are in them: a file is saved, read apart, checked, and used from the next event
 * on. What does not hold up is told with its place, and the version before goes on. For development: never where the
 * gateway is a real one.
 *
 * Files are looked at, not listened to: editors save in many ways, and a look at a few dozen files is cheap.
 */
import { statSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Log } from "../../base/index.ts";
import {
  type Catalogues,
  type CurrentLibrary,
  type Finding,
  findingLine,
  type FlowLibrary,
  type FlowSource,
  type LibrarySource,
} from "../../flow/index.ts";
import type { Store } from "../../store/port/port.ts";
import { writeTextTypes } from "../authoring/declarations.ts";
import { namesIn } from "../places.ts";
import type { Settings } from "../settings.ts";
import { flowFolders, type ReadFlow, readSource, wordsOf } from "./flow-files.ts";
import { dropVersions, keepVersions, type Loaded, occupied } from "./flow-history.ts";
import type { FlowReader } from "./flow-reader.ts";
import { libraryOf } from "./library.ts";

/** How often files are looked at, ms: a look at two dozen flows takes less than one. */
const LOOK_MS = 75;
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

/** With what the start loaded: the bot is read then and never again. */
interface ReloadParts extends Omit<Loaded, "library"> {
  readonly folder: string;
  readonly store: Store;
  readonly library: CurrentLibrary;
  readonly read: ReadFlow;
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
  start(): void {
    this.#prints = fingerprints(this.#parts.folder);
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
    const prints = fingerprints(this.#parts.folder);
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
    const mended = new Set([...changed, ...gone].filter((folder) => this.#broken.delete(folder)));
    for (const folder of gone) tried.delete(folder);
    for (const folder of changed) {
      const read = await readSource(folder, this.#parts.read);
      const good = this.#good.get(folder);
      if (read.ok)
        tried.set(folder, good && isDeepStrictEqual(good, read.source) ? good : read.source);
      // Seen while it was being written: the next look finds it as it is then.
      else if (printOf(folder) === this.#prints.get(folder))
        this.#broken.set(folder, read.findings);
    }
    const isTried = (folder: string): boolean => tried.get(folder) !== this.#good.get(folder);
    const isNews = (folder: string): boolean =>
      isTried(folder) || mended.has(folder) || this.#broken.has(folder);
    if (![...changed, ...gone].some(isNews)) return;
    const older = this.#versions();
    const library = this.#holding(tried, older);
    const flows = changed.flatMap((folder) => {
      const source = this.#broken.has(folder) ? undefined : tried.get(folder);
      return source && isNews(folder) ? [source.ast.flow] : [];
    });
    this.#good.clear();
    for (const [folder, source] of tried) this.#good.set(folder, source);
    // Kept before it is used: a conversation that begins in it must find it again.
    const { store, seen } = this.#parts;
    await keepVersions(store, library, [...tried.values()], Date.now(), seen);
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
        bot: this.#parts.bot,
        // Only what was saved, and what hangs on it, is looked at and made anew.
        known: this.#parts.known,
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
    const used = new Set((await occupied(store)).keys());
    const kept = older.filter((one, index) => index >= older.length - SPARE || used.has(idOf(one)));
    const gone = older.filter((one) => !kept.includes(one)).map(idOf);
    for (const id of gone) this.#parts.seen.drop(id);
    await dropVersions(
      store,
      gone.filter((id) => this.#made.delete(id)),
    );
    return kept;
  }
}

function idOf({ ast, hash = "" }: Older[number]): string {
  return `${ast.flow}@${hash}`;
}

function folderOf(root: string, { ast, file }: FlowSource): string {
  return path.join(root, file === undefined ? ast.flow : path.basename(path.dirname(file)));
}

/**
 * Of each flow's folder, what changes when anything that makes the flow changes. All at once: a hundred small questions to
 * the disk cost less than to hand each to another thread, and on a busy machine none of them has to wait for its turn.
 */
function fingerprints(root: string): ReadonlyMap<string, string> {
  return new Map(flowFolders(root).map((folder) => [folder, printOf(folder)]));
}

function printOf(folder: string): string {
  const names = namesIn(folder).filter((name) => /\.(ts|yaml)$/.test(name));
  const parts = names.sort().map((name) => {
    // A file that goes away between two looks is a change like any other.
    const seen = statSync(path.join(folder, name), { throwIfNoEntry: false });
    return `${name} ${seen?.mtimeMs} ${seen?.size} ${seen?.ino}`;
  });
  return parts.join("\n");
}

/** Hot reload as `npm start` has it. Begins to watch, and writes to the log; the answer ends it. */
export async function reloading(parts: {
  readonly settings: Settings;
  readonly store: Store;
  readonly log: Log;
  readonly reader: FlowReader;
  readonly current: CurrentLibrary;
  readonly loaded: Loaded;
}): Promise<() => Promise<void>> {
  const { settings, store, log, reader, current, loaded } = parts;
  const isWatched = settings.reload === "warm" || process.stdout.isTTY === true;
  // For the author's editor; a folder nobody may write to has none.
  const typed = (texts: ReadonlyMap<string, Catalogues>): void => {
    if (!isWatched) return;
    try {
      writeTextTypes(settings.flowsDir, texts);
    } catch (error) {
      log.debug({ err: error }, "texts.d.ts could not be written");
    }
  };
  typed(wordsOf(loaded.flows));
  const reload = new Reload({
    ...loaded,
    store,
    library: current,
    folder: settings.flowsDir,
    // Never in this process: what is edited now may do anything.
    read: (file) => reader.read(file),
    told: ({ flows, findings, texts, ms }) => {
      typed(texts);
      for (const finding of findings)
        log.error(
          { ...finding, where: findingLine(finding) },
          "a saved flow does not hold up; the version before goes on",
        );
      if (flows.length > 0) log.info({ flows, ms }, "saved flows are live");
    },
    failed: (error) => log.warn({ err: error }, "saved flows could not be taken over"),
  });
  // For a person at a terminal, who waits for the first save; else made when it is needed.
  if (isWatched) void reader.warm().catch(() => undefined);
  reload.start();
  return () => reload.stop();
}
