/**
 * One SQLite file of one process: write-ahead log, `synchronous=FULL`, group commit.
 *
 * Everything asked for in one turn of the event loop shares one transaction and one fsync; a promise resolves only after
 * the commit. The kernel's lock on the file ends with the process, however it ends; the pid beside it is for people.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import Database from "libsql";
import { Fault } from "../../../base/index.ts";

export type SqlValue = string | number | null;

interface Work {
  readonly run: () => unknown;
  readonly done: (value: unknown) => void;
  readonly failed: (error: unknown) => void;
}

const FILE = "prosa.db";
const PID_FILE = "prosa.pid";
/** A log that could not be emptied is tried again after this, ms. */
const FLUSH_AGAIN_MS = 10_000;

export class SqlFile {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement<[readonly SqlValue[]]>>();
  #waiting: Work[] = [];
  #scheduled = false;
  #open = true;
  #owed: NodeJS.Timeout | undefined;

  /** Opens or makes the file in `folder`; without one, a database in memory. Throws `STORE_LOCKED` when another process has it. */
  constructor(folder: string | undefined, schema: string) {
    if (folder === undefined) {
      this.#database = new Database(":memory:");
      this.#database.exec(schema);
      return;
    }
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const pidFile = path.join(folder, PID_FILE);
    this.#database = new Database(path.join(folder, FILE), { timeout: 0 });
    try {
      // Exclusive before the log is opened: then no shared memory is used, and no other process can read or write.
      this.#database.pragma("locking_mode = EXCLUSIVE");
      this.#database.pragma("journal_mode = WAL");
      this.#database.pragma("synchronous = FULL");
      // Deleted data is overwritten: an erased data key must not survive in a free page.
      this.#database.pragma("secure_delete = ON");
      this.#database.exec("BEGIN IMMEDIATE");
      this.#database.exec(schema);
      this.#database.exec("COMMIT");
      // A process that died between an erasure and this left erased data in the log.
      this.#checkpoint();
    } catch (cause) {
      this.#database.close();
      if (isBusy(cause)) throw lockedBy(pidFile, cause);
      throw asFault(cause);
    }
    writeFileSync(pidFile, String(process.pid));
  }

  /** First row, or undefined. Every SELECT names columns of the row type it is asked for. */
  get<Row>(sql: string, ...values: readonly SqlValue[]): Row | undefined {
    return this.#statement(sql).get(values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: readonly SqlValue[]): Row[] {
    return this.#statement(sql).all(values) as Row[];
  }

  /** Number of rows changed. */
  run(sql: string, ...values: readonly SqlValue[]): number {
    return this.#statement(sql).run(values).changes;
  }

  /** Bytes in use, without free pages. */
  bytes(): number {
    const pages = this.#pragma("page_count") - this.#pragma("freelist_count");
    return pages * this.#pragma("page_size");
  }

  /**
   * Moves the log into the file and empties it, so that deleted data is nowhere any more. If the disk has no room for it
   * now, it is tried again later and at the next start.
   */
  flushLog(): void {
    clearTimeout(this.#owed);
    try {
      this.#checkpoint();
    } catch {
      this.#owed = setTimeout(() => this.flushLog(), FLUSH_AGAIN_MS).unref();
    }
  }

  /**
   * Runs `work` in the transaction of this turn of the event loop. `after` runs once it is on disk, before the answer; what
   * it throws is the answer to this work alone. Work that throws is undone alone. It may run twice, so it must only touch
   * the database and its own result.
   */
  commit<T>(work: () => T, after?: (value: T) => void): Promise<T> {
    if (!this.#open)
      return Promise.reject(new Fault("STORE_UNAVAILABLE", "The embedded store is closed."));
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        run: work,
        done: (value) => {
          after?.(value as T);
          resolve(value as T);
        },
        failed: reject,
      });
      if (this.#scheduled) return;
      this.#scheduled = true;
      setImmediate(() => this.#flush());
    });
  }

  /** Takes every row away, of a database in memory. Pending work is committed first. */
  empty(): void {
    this.#flush();
    const tables = this.all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table'",
    );
    for (const { name } of tables) this.run(`DELETE FROM ${name}`);
  }

  close(): void {
    if (!this.#open) return;
    this.#flush();
    this.#open = false;
    clearTimeout(this.#owed);
    // The binding closes the file only when its statements are collected. Leaving the log mode gives the lock back now.
    this.#database.pragma("journal_mode = DELETE");
    this.#database.pragma("locking_mode = NORMAL");
    this.#database.exec("SELECT 1 FROM sqlite_master");
    this.#statements.clear();
    this.#database.close();
  }

  #checkpoint(): void {
    this.#database.pragma("wal_checkpoint(TRUNCATE)");
  }

  #flush(): void {
    this.#scheduled = false;
    const batch = this.#waiting;
    this.#waiting = [];
    if (batch.length === 0 || !this.#open) return;
    const together = this.#transaction(batch);
    // Work that fails must not undo the rest of the transaction.
    if (!together.ok && batch.length > 1) {
      for (const one of batch) this.#answer([one], this.#transaction([one]));
      return;
    }
    this.#answer(batch, together);
  }

  #transaction(
    batch: readonly Work[],
  ): { ok: true; values: unknown[] } | { ok: false; error: unknown } {
    try {
      this.#database.exec("BEGIN IMMEDIATE");
      const values = batch.map((work) => work.run());
      this.#database.exec("COMMIT");
      return { ok: true, values };
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec("ROLLBACK");
      return { ok: false, error: asFault(error) };
    }
  }

  #answer(
    batch: readonly Work[],
    result: { ok: true; values: unknown[] } | { ok: false; error: unknown },
  ): void {
    for (const [index, work] of batch.entries())
      try {
        if (result.ok) work.done(result.values[index]);
        else work.failed(result.error);
      } catch (error) {
        work.failed(error);
      }
  }

  #statement(sql: string): Database.Statement<[readonly SqlValue[]]> {
    const known = this.#statements.get(sql);
    if (known) return known;
    const made = this.#database.prepare<[readonly SqlValue[]]>(sql);
    this.#statements.set(sql, made);
    return made;
  }

  #pragma(name: string): number {
    const [row] = this.#database.pragma(name) as Record<string, number>[];
    return row?.[name] ?? 0;
  }
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith("SQLITE_BUSY") || codeOf(error).startsWith("SQLITE_LOCKED");
}

function lockedBy(pidFile: string, cause: unknown): Fault {
  let pid = "unknown";
  try {
    pid = readFileSync(pidFile, "utf8").trim();
  } catch {
    // The other process has the lock but has not written its pid yet.
  }
  return new Fault("STORE_LOCKED", `The embedded store is open in process ${pid}.`, {
    details: { pid },
    cause,
  });
}

/** Turns database errors into the port's Faults; any other error is a bug and stays as it is. */
function asFault(error: unknown): unknown {
  const code = codeOf(error);
  if (!code.startsWith("SQLITE_")) return error;
  if (code.startsWith("SQLITE_FULL"))
    return new Fault("STORE_FULL", "The disk is full.", { cause: error });
  if (code.startsWith("SQLITE_CORRUPT") || code.startsWith("SQLITE_NOTADB"))
    return new Fault("STORE_INCOMPATIBLE", "The embedded store's file is damaged.", {
      cause: error,
    });
  return new Fault("STORE_UNAVAILABLE", `The embedded store failed with ${code}.`, {
    cause: error,
  });
}
