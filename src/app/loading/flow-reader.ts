/**
 * Reads flow files apart from everything else: in a thread with a heap of its own, under a time limit. A file that throws,
 * never ends, eats memory or ends its process is a finding that names the file; the program that asked goes on.
 *
 * What comes over is JSON: a flow is data. The thread is used for several reads, then replaced, so that what it remembers of
 * older contents is bounded, too.
 */
import { Worker } from "node:worker_threads";
import type { BuildFailure } from "esbuild";
import type { Ast, Finding } from "../../flow/index.ts";
import { type Bundled, bundled, kitUrl } from "../bot/bundle.ts";
import type { Kept } from "./kept.ts";
import { finding, notBundled, thrown } from "./unreadable.ts";

/** Time one file has to make its flow, ms: an honest one takes a few. */
const READ_MS = 5_000;
/** A file that takes longer is expected not to end, ms. */
const SLOW_MS = 300;
/** Time a thread has to say that it is there, ms: one that is not is busy with what a file before left behind. */
const AWAKE_MS = 1_000;
/** Time the thread has to load the kit, ms: a second on an idle machine. */
const READY_MS = 60_000;
/** Heap of the thread, MiB: the kit takes 60. */
const HEAP_MB = 256;
/** Reads of one thread, and twice as many while its successor loads; each leaves a few kB of modules behind. */
const READS_MAX = 40;
/** Largest flow that is looked at, as JSON, bytes; lint wants far less. */
const AST_MAX = 1_048_576;

export type Read =
  { readonly ok: true; readonly ast: Ast } | { readonly ok: false; readonly finding: Finding };

/** Flows that are remembered: words are saved more often than steps, and need no thread then. */
const REMEMBERED = 100;

const PROGRAM = `
const { parentPort } = require("node:worker_threads");
parentPort.on("message", async ({ kit, url }) => {
  if (kit !== undefined)
    return import(kit).then(
      () => parentPort.postMessage({ ready: true }),
      (error) => parentPort.postMessage({ ready: false, message: String(error) }),
    );
  if (url === undefined) return parentPort.postMessage({ awake: true });
  try {
    const { default: ast } = await import(url);
    const text = ast === undefined ? "" : JSON.stringify(ast);
    parentPort.postMessage({ text: typeof text === "string" ? text : "" });
  } catch (error) {
    parentPort.postMessage({
      message: String(error?.message ?? error),
      stack: String(error?.stack ?? ""),
    });
  }
});
`;

interface Told {
  readonly ready?: boolean;
  readonly awake?: boolean;
  readonly text?: string;
  readonly message?: string;
  readonly stack?: string;
}

/** A thread with the kit loading or loaded. */
interface Thread {
  readonly worker: Worker;
  readonly ready: Promise<void>;
  isReady: boolean;
  /** It ended, or was ended. */
  isGone: boolean;
  reads: number;
}

export class FlowReader {
  readonly #readMs: number;
  readonly #kit: () => Promise<string>;
  readonly #kept: Kept | undefined;
  #thread: Thread | undefined;
  /** What takes over, loading ahead: whoever saves a file must not wait for the kit. */
  #next: Thread | undefined;
  /** Whether somebody saves files and waits. */
  #isWarm = false;
  #isClosed = false;
  #version = 0;
  /** Files that are bundled together: those asked for in one go. */
  #asked: string[] = [];
  #bundles: Promise<ReadonlyMap<string, Bundled | Finding>> | undefined;
  /** By the digest of their code. */
  readonly #known = new Map<string, Ast>();
  /** One after the other: a file that never ends must not be taken for its neighbour. */
  #turn: Promise<unknown> = Promise.resolve();

  /** `readMs`: time one file has to make its flow. `kit`: the address of what "prosa" is to these flows. */
  constructor(
    options: { readonly readMs?: number; readonly kit?: string; readonly kept?: Kept } = {},
  ) {
    this.#readMs = options.readMs ?? READ_MS;
    this.#kept = options.kept;
    const { kit } = options;
    this.#kit = kit === undefined ? kitUrl : () => Promise.resolve(kit);
  }

  /** Has the kit loaded ahead of the first file, and of each that needs another thread. */
  async warm(): Promise<void> {
    this.#isWarm = true;
    await (this.#thread ??= this.#open()).ready;
  }

  read(file: string): Promise<Read> {
    // It loads the kit while the files are bundled.
    if (this.#known.size === 0 && !this.#kept?.isThere) this.#thread ??= this.#open();
    const code = this.#bundle(file);
    const read = this.#turn.then(async () => this.#read(file, await code));
    this.#turn = read.catch(() => undefined);
    return read;
  }

  async #bundle(file: string): Promise<Bundled | Finding | undefined> {
    this.#asked.push(file);
    this.#bundles ??= this.#kit().then((kit) => {
      this.#bundles = undefined;
      return bundles(this.#asked.splice(0), kit);
    });
    return (await this.#bundles).get(file);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#leave();
    await this.#end(this.#next);
    this.#next = undefined;
  }

  async #read(file: string, code: Bundled | Finding | undefined): Promise<Read> {
    if (code === undefined) return refused(file, "could not be bundled");
    if (!("url" in code)) return { ok: false, finding: code };
    const known = code.isAlone ? this.#knownOf(code.digest) : undefined;
    if (known) return { ok: true, ast: known };
    this.#isClosed = false;
    const thread = await this.#fit();
    thread.reads++;
    const answer = this.#answer(thread, this.#readMs, "does not end");
    // Read anew each time, though the code is the same.
    thread.worker.postMessage({ url: `${code.url}#${++this.#version}` });
    // What takes so long will probably not end: then its successor is ready when its time is up.
    const slow = setTimeout(() => this.#isWarm && this.#ahead(), SLOW_MS);
    const told = await answer.finally(() => clearTimeout(slow));
    // What it may have changed there is none of the next one's business.
    if (thread.isGone || !code.isAlone) await this.#leave();
    if (this.#thread === undefined && this.#isWarm) this.#ahead();
    else if (thread.reads >= READS_MAX) this.#ahead();
    if (told.text === undefined) return { ok: false, finding: thrown(file, told, code) };
    if (told.text.length > AST_MAX)
      return refused(file, `its flow is larger than ${AST_MAX} bytes`);
    const ast = JSON.parse(told.text === "" ? "null" : told.text) as Ast | null;
    if (typeof ast?.flow !== "string") return refused(file, "has no flow as its default export");
    if (code.isAlone) {
      this.#remember(code.digest, ast);
      this.#kept?.put("flow", code.digest, ast);
    }
    return { ok: true, ast };
  }

  #knownOf(digest: string): Ast | undefined {
    const known = this.#known.get(digest);
    if (known) return known;
    const kept = this.#kept?.find<Ast>("flow", digest);
    if (kept) this.#remember(digest, kept);
    return kept;
  }

  #remember(digest: string, ast: Ast): void {
    this.#known.set(digest, ast);
    const [oldest] = this.#known.keys();
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
  }

  /** The thread to read with. One that has read enough goes as soon as its successor is ready, and at twice that in any case. */
  async #fit(): Promise<Thread> {
    const worn = this.#thread?.reads ?? 0;
    if (worn >= READS_MAX && (this.#next?.isReady === true || worn >= 2 * READS_MAX))
      await this.#leave();
    if (this.#thread?.isGone) await this.#leave();
    // What a file set going, and what it throws later, must not be taken for the work of the next one.
    if (this.#thread && worn > 0 && !(await this.#isAwake(this.#thread))) await this.#leave();
    if (!this.#thread) {
      this.#thread = this.#next?.isGone === false ? this.#next : this.#open();
      this.#next = undefined;
    }
    const thread = this.#thread;
    await thread.ready;
    return thread;
  }

  async #isAwake(thread: Thread): Promise<boolean> {
    const answer = this.#answer(thread, AWAKE_MS, "is busy");
    thread.worker.postMessage({});
    return (await answer).awake === true;
  }

  #ahead(): void {
    if (this.#isClosed || this.#next?.isGone === false) return;
    this.#next = this.#open();
  }

  async #leave(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await this.#end(thread);
  }

  async #end(thread: Thread | undefined): Promise<void> {
    if (!thread) return;
    thread.isGone = true;
    await thread.worker.terminate();
  }

  #open(): Thread {
    const worker = new Worker(PROGRAM, {
      eval: true,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    void this.#kit().then(
      (kit) => worker.postMessage({ kit }),
      () => worker.terminate(),
    );
    // An error after the end of interest is nobody's.
    worker.on("error", () => undefined);
    worker.unref();
    const state = { worker, isReady: false, isGone: false, reads: 0 };
    worker.on("exit", () => (state.isGone = true));
    const ready = this.#answer(state, READY_MS, "did not load the kit").then((told) => {
      if (told.ready !== true)
        throw new Error(`Flows cannot be read: ${told.message ?? "the thread ended"}.`);
      thread.isReady = true;
    });
    const thread: Thread = Object.assign(state, { ready });
    // Told to whoever waits for it; one that was opened ahead has nobody yet.
    ready.catch(() => (thread.isGone = true));
    return thread;
  }

  /** What the thread says next. One that is late, or ends, is gone: the next file gets another. */
  #answer(thread: Omit<Thread, "ready">, ms: number, late: string): Promise<Told> {
    const { worker } = thread;
    return new Promise((resolve) => {
      const finish = (told: Told, gone: boolean): void => {
        clearTimeout(timer);
        worker.off("message", said).off("error", failed).off("exit", ended);
        thread.isGone ||= gone;
        if (gone) void worker.terminate().then(() => resolve(told));
        else resolve(told);
      };
      const said = (told: Told): void => finish(told, false);
      const failed = (error: Error & { code?: string }): void => {
        const full = error.code === "ERR_WORKER_OUT_OF_MEMORY";
        const message = full ? `needs more than ${HEAP_MB} MiB of memory` : error.message;
        finish({ message }, true);
      };
      const ended = (): void => finish({ message: "ended its process while it was read" }, true);
      const timer = setTimeout(() => finish({ message: `${late} within ${ms} ms` }, true), ms);
      worker.on("message", said).on("error", failed).on("exit", ended);
    });
  }
}

/** By file; what does not compile stands alone with its finding. */
async function bundles(
  files: readonly string[],
  kit: string,
): Promise<ReadonlyMap<string, Bundled | Finding>> {
  try {
    const all = await bundled(files, kit);
    return new Map(all.map((one, at) => [files[at] ?? "", one]));
  } catch (error) {
    const [file = "", ...others] = files;
    if (others.length === 0) return new Map([[file, notBundled(file, error as BuildFailure)]]);
    // The half without the broken one is bundled as it is.
    const half = Math.ceil(files.length / 2);
    const first = await bundles(files.slice(0, half), kit);
    return new Map([...first, ...(await bundles(files.slice(half), kit))]);
  }
}

/** A file that was read and is no flow. */
function refused(file: string, message: string): Read {
  return { ok: false, finding: finding(file, message) };
}
