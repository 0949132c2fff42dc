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
import type { Ast, Finding } from "../flow/index.ts";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
/** Time one file has to make its flow, ms: an honest one takes a few. */
const READ_MS = 5_000;
/** Time the thread has to load the kit, ms: a second on an idle machine. */
const READY_MS = 60_000;
/** Heap of the thread, MiB: the kit takes 60. */
const HEAP_MB = 256;
/** Reads of one thread; each leaves a few kB of modules behind. */
const READS_MAX = 40;
/** Largest flow that is looked at, as JSON, bytes; lint wants far less. */
const AST_MAX = 1_048_576;

export type Read =
  { readonly ok: true; readonly ast: Ast } | { readonly ok: false; readonly finding: Finding };

/** Written by hand: it must run as it is, bundled or not. */
const PROGRAM = `
const { parentPort, workerData } = require("node:worker_threads");
const ready = (async () => {
  await import(workerData.loader);
  await import(workerData.kit);
})();
ready.then(
  () => parentPort.postMessage({ ready: true }),
  (error) => parentPort.postMessage({ ready: false, message: String(error) }),
);
parentPort.on("message", async ({ url }) => {
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
  readonly text?: string;
  readonly message?: string;
  readonly stack?: string;
}

export class FlowReader {
  readonly #readMs: number;
  #thread: Worker | undefined;
  #ready: Promise<void> | undefined;
  #reads = 0;
  #version = 0;
  /** One after the other: a file that never ends must not be taken for its neighbour. */
  #turn: Promise<unknown> = Promise.resolve();

  readonly #kit: string;

  /** `readMs`: time one file has to make its flow. `kit`: what "prosa" is to these flows. */
  constructor(options: { readonly readMs?: number; readonly kit?: string } = {}) {
    this.#readMs = options.readMs ?? READ_MS;
    this.#kit = options.kit ?? path.join(PACKAGE, "src", "index.ts");
  }

  /** Has the kit loaded ahead of the first file. */
  async warm(): Promise<void> {
    await this.#open();
  }

  read(file: string): Promise<Read> {
    const read = this.#turn.then(() => this.#read(file));
    this.#turn = read.catch(() => undefined);
    return read;
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    this.#ready = undefined;
    await thread?.terminate();
  }

  async #read(file: string): Promise<Read> {
    await this.#open();
    this.#reads++;
    const url = `${pathToFileURL(file).href}?v=${++this.#version}`;
    const told = await this.#ask({ url }, this.#readMs, "does not end");
    // Modules beside a file are remembered by the thread as they were: the next one is read by another.
    if (this.#thread && (this.#reads >= READS_MAX || importsOthers(file))) await this.#renew();
    if (told.text === undefined) return { ok: false, finding: broken(file, told) };
    if (told.text.length > AST_MAX)
      return refused(file, `its flow is larger than ${AST_MAX} bytes`);
    const ast = JSON.parse(told.text === "" ? "null" : told.text) as Ast | null;
    if (typeof ast?.flow !== "string") return refused(file, "has no flow as its default export");
    return { ok: true, ast };
  }

  /** Another thread, at once: whoever saves next does not wait for it. */
  async #renew(): Promise<void> {
    await this.close();
    void this.#open().catch(() => undefined);
  }

  #open(): Promise<void> {
    this.#ready ??= this.#started();
    return this.#ready;
  }

  async #started(): Promise<void> {
    this.#reads = 0;
    this.#thread = new Worker(PROGRAM, {
      ...{ eval: true, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } },
      workerData: {
        loader: new URL("./flow-loader.js", import.meta.url).href,
        kit: pathToFileURL(this.#kit).href,
      },
    });
    // An error after the end of interest is nobody's.
    this.#thread.on("error", () => undefined);
    this.#thread.unref();
    const told = await this.#answer(READY_MS, "did not load the kit");
    if (told.ready !== true) {
      await this.close();
      throw new Error(`Flows cannot be read: ${told.message ?? "the thread ended"}.`);
    }
  }

  async #ask(question: object, ms: number, late: string): Promise<Told> {
    const answer = this.#answer(ms, late);
    this.#thread?.postMessage(question);
    return answer;
  }

  /** What the thread says next. One that is late, or ends, is gone: the next file gets another. */
  #answer(ms: number, late: string): Promise<Told> {
    const thread = this.#thread;
    if (!thread) return Promise.resolve({ message: "the thread is gone" });
    return new Promise((resolve) => {
      const finish = (told: Told, gone: boolean): void => {
        clearTimeout(timer);
        thread.off("message", said).off("error", failed).off("exit", ended);
        if (gone) void this.close().then(() => resolve(told));
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
      thread.on("message", said).on("error", failed).on("exit", ended);
    });
  }
}

/** Whether the file has modules of its own beside it. */
export function importsOthers(file: string): boolean {
  return /(?:from|import)\s*\(?\s*["']\.{1,2}\//.test(readFileSync(file, "utf8"));
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

function broken(file: string, { message = "cannot be read", stack = "" }: Told): Finding {
  // The compiler's own words: `/…/flow.ts:3:38: ERROR: Unexpected end of file`.
  const syntax = /:(\d+):(\d+): ERROR: (.*)/.exec(message);
  if (syntax)
    return {
      ...finding(file, syntax[3] ?? ""),
      ...{ line: Number(syntax[1]), column: Number(syntax[2]) + 1 },
    };
  return { ...finding(file, message.split("\n")[0] ?? ""), ...placeIn(file, stack) };
}

function finding(file: string, message: string): Finding {
  const flow = path.basename(path.dirname(file));
  const shown = path.relative(PACKAGE, file);
  const name = shown.startsWith("..") ? file : shown;
  return { rule: "flow/unreadable", severity: "error", flow, file: name, message };
}

/** The first place in this very file of a stack. */
function placeIn(file: string, stack: string): { line: number; column: number } | undefined {
  for (const line of stack.split("\n")) {
    const match = /^(.*?)(?:\?v=\d+)?:(\d+):(\d+)\)?$/.exec(line.trim());
    if (match?.[1]?.endsWith(file)) return { line: Number(match[2]), column: Number(match[3]) };
  }
  return undefined;
}
