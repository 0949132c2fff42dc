/**
 * Reads flow files apart from everything else: in a thread with a heap of its own, under a time limit. A file that throws,
 * never ends, eats memory or ends its process is a finding that names the file; the program that asked goes on.
 *
 * What comes over is JSON: a flow is data. The thread is used for several reads, then replaced, so that what its module
 * cache holds of older contents is bounded, too.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { Ast, Finding } from "../../flow/index.ts";
import { kitFile } from "./kit-file.ts";
import { broken, finding } from "./unreadable.ts";

const PACKAGE = fileURLToPath(new URL("../../..", import.meta.url));
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

/** Written by hand: it must run as it is, bundled or not. */
const PROGRAM = `
const { parentPort, workerData } = require("node:worker_threads");
const loader = import(workerData.loader);
const load = async (kit) => {
  (await loader).takeKit(kit);
  await import(kit);
};
parentPort.on("message", async ({ kit, url }) => {
  if (kit !== undefined)
    return load(kit).then(
      () => parentPort.postMessage({ ready: true }),
      (error) => parentPort.postMessage({ ready: false, message: String(error) }),
    );
  if (url === undefined) return parentPort.postMessage({ awake: true });
  try {
    const module = await import(url);
    // A folder without "type": "module" gives a CommonJS module.
    const ast = module.default?.__esModule ? module.default.default : module.default;
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
  readonly #kit: string | undefined;
  #thread: Thread | undefined;
  /** What takes over, loading ahead: whoever saves a file must not wait for the kit. */
  #next: Thread | undefined;
  /** Whether somebody saves files and waits. */
  #isWarm = false;
  #isClosed = false;
  #version = 0;
  /** One after the other: a file that never ends must not be taken for its neighbour. */
  #turn: Promise<unknown> = Promise.resolve();

  /** `readMs`: time one file has to make its flow. `kit`: what "prosa" is to these flows. */
  constructor(options: { readonly readMs?: number; readonly kit?: string } = {}) {
    this.#readMs = options.readMs ?? READ_MS;
    this.#kit = options.kit;
  }

  /** Has the kit loaded ahead of the first file, and of each that needs another thread. */
  async warm(): Promise<void> {
    this.#isWarm = true;
    await (this.#thread ??= this.#open()).ready;
  }

  read(file: string): Promise<Read> {
    const read = this.#turn.then(() => this.#read(file));
    this.#turn = read.catch(() => undefined);
    return read;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#leave();
    await this.#end(this.#next);
    this.#next = undefined;
  }

  async #read(file: string): Promise<Read> {
    this.#isClosed = false;
    const thread = await this.#fit();
    thread.reads++;
    const url = `${pathToFileURL(file).href}?v=${++this.#version}`;
    const answer = this.#answer(thread, this.#readMs, "does not end");
    thread.worker.postMessage({ url });
    // What takes so long will probably not end: then its successor is ready when its time is up.
    const slow = setTimeout(() => this.#isWarm && this.#ahead(), SLOW_MS);
    const told = await answer.finally(() => clearTimeout(slow));
    // Modules beside a file are remembered by the thread as they were: the next one is read by another.
    if (thread.isGone || leavesModules(file)) await this.#leave();
    if (this.#thread === undefined && this.#isWarm) this.#ahead();
    else if (thread.reads >= READS_MAX) this.#ahead();
    if (told.text === undefined) return { ok: false, finding: broken(file, told) };
    if (told.text.length > AST_MAX)
      return refused(file, `its flow is larger than ${AST_MAX} bytes`);
    const ast = JSON.parse(told.text === "" ? "null" : told.text) as Ast | null;
    if (typeof ast?.flow !== "string") return refused(file, "has no flow as its default export");
    return { ok: true, ast };
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

  /** Made while the thread loads what it reads TypeScript with. */
  async #kitFile(): Promise<string> {
    return this.#kit ?? kitFile(path.join(PACKAGE, "src", "index.ts"), PACKAGE);
  }

  #open(): Thread {
    const worker = new Worker(PROGRAM, {
      ...{ eval: true, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } },
      workerData: { loader: new URL("./flow-loader.js", import.meta.url).href },
    });
    void this.#kitFile().then((kit) => worker.postMessage({ kit: pathToFileURL(kit).href }));
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

/** How a file gets the kit: the one import that brings nothing of anybody else. */
const KIT_IMPORT =
  /^import\s+(?:type\s+)?(?:\{[\w\s,$]*\}|\*\s+as\s+[\w$]+)\s+from\s+(["'])prosa\1;?[ \t]*$/gm;
/** Those of the runtime never change while a thread lives; `node:module` can load others. */
const RUNTIME_IMPORT =
  /^import\s+(?:type\s+)?(?:\{[\w\s,$]*\}|\*\s+as\s+[\w$]+)\s+from\s+(["'])node:(?!module\b)[\w/]+\1;?[ \t]*$/gm;
/** Words by which code gets other code, or reads what may change; also in a comment or a text, which costs a second at most. */
const OTHERS =
  /\b(?:import|require|createRequire|eval|Function|constructor|process|globalThis|global|Reflect)\b|\bexport\s*(?:[*{/]|type\b)|\\[ux]/;

/** Whether anything but the file itself and the kit may be in what it makes. In doubt it may. */
export function importsOthers(file: string): boolean {
  return OTHERS.test(readFileSync(file, "utf8").replace(KIT_IMPORT, " "));
}

/** Whether a thread may remember modules of this file as they were. In doubt it does. */
function leavesModules(file: string): boolean {
  const text = readFileSync(file, "utf8");
  return OTHERS.test(text.replace(KIT_IMPORT, " ").replace(RUNTIME_IMPORT, " "));
}

/** A file that was read and is no flow. */
export function refused(file: string, message: string): Read {
  return { ok: false, finding: finding(file, message) };
}

/** What reading a file threw, with the place in it. */
export function unreadable(file: string, error: unknown): Read {
  const { message, stack } =
    error instanceof Error ? error : { message: String(error), stack: undefined };
  return { ok: false, finding: broken(file, { message, ...(stack ? { stack } : {}) }) };
}
