/**
 * How many guarded effects this machine knows to have begun, in each partition. It is kept outside the store, because a
 * restored backup does not show that it is old. One small file for each process and installation, written before an effect
 * is handed out.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import path from "node:path";

/** A file not written for this long belongs to a process that ended, ms; every later file has what it knew. */
const STALE_MS = 3_600_000;

export class GuardMarks {
  readonly #known = new Map<number, number>();
  readonly #file: string | undefined;
  /** Whether the last write came to its end. */
  #writing: Promise<boolean> = Promise.resolve(true);
  #dirty = false;

  /**
   * `folder`: where the files are; made when missing. Without it nothing is kept over a restart. `install` tells the store
   * apart from others that this folder served, `origin` this process from others that share the folder.
   */
  constructor(of?: { readonly folder: string; readonly install: string; readonly origin: string }) {
    if (!of) return;
    mkdirSync(of.folder, { recursive: true, mode: 0o700 });
    const prefix = `marks.${of.install}.`;
    const own = `${prefix}${of.origin}.json`;
    this.#file = path.join(of.folder, own);
    const files = readdirSync(of.folder).filter((name) => name.startsWith(prefix));
    const old: string[] = [];
    for (const name of files) {
      const file = path.join(of.folder, name);
      for (const [partition, count] of entriesOf(file)) this.#raise(partition, count);
      // An origin that outlives its process continues its own file.
      if (name !== own && isStale(file)) old.push(file);
    }
    if (old.length === 0) return;
    // Written first, so that what the old files knew is not lost.
    void this.#write().then((isWritten) => {
      if (isWritten) for (const file of old) forget(file);
    });
  }

  of(partition: number): number {
    return this.#known.get(partition) ?? 0;
  }

  /** Resolves when it is on disk. If the folder cannot be written, only this check is lost; work goes on. */
  async raise(partition: number, count: number): Promise<void> {
    if (this.#raise(partition, count)) await this.#write();
  }

  #raise(partition: number, count: number): boolean {
    if (count <= this.of(partition)) return false;
    this.#known.set(partition, count);
    return true;
  }

  /** Writes of one moment share one file; a later one waits for the one that runs. */
  #write(): Promise<boolean> {
    if (this.#file === undefined) return Promise.resolve(false);
    if (this.#dirty) return this.#writing;
    this.#dirty = true;
    const file = this.#file;
    this.#writing = this.#writing.then(() => {
      this.#dirty = false;
      return save(file, Object.fromEntries(this.#known)).then(
        () => true,
        () => false,
      );
    });
    return this.#writing;
  }
}

/** Whole or not at all, and on disk. */
async function save(file: string, marks: Readonly<Record<string, number>>): Promise<void> {
  const made = `${file}.new`;
  const handle = await open(made, "w", 0o600);
  try {
    await handle.writeFile(JSON.stringify(marks));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(made, file);
}

function entriesOf(file: string): [number, number][] {
  if (!file.endsWith(".json")) return [];
  try {
    const marks: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Object.entries(marks as Record<string, unknown>).flatMap(([partition, count]) =>
      typeof count === "number" && Number.isSafeInteger(count)
        ? [[Number(partition), count] as [number, number]]
        : [],
    );
  } catch {
    return [];
  }
}

/** A file that cannot be removed is read again by the next process and changes nothing. */
function forget(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The file of another program, or a folder that cannot be written any more.
  }
}

function isStale(file: string): boolean {
  try {
    return Date.now() - statSync(file).mtimeMs > STALE_MS;
  } catch {
    return false;
  }
}
