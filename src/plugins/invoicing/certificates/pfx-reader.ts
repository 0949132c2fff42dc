/**
 * Reads certificates apart from everything else: each in a thread of its own, with a heap of its own and a time limit. What
 * never ends or eats memory costs one refusal, and what the thread knew ends with it.
 */
import { Worker } from "node:worker_threads";
import { threadUrl } from "../../../plugin.ts";
import type { PfxReading } from "./pfx-reading.ts";

/** An honest file takes some 100 ms, one with very many rounds a second or two; an idle thread is there in half a second. */
const READ_MS = 20_000;
/** Heap and stack of the thread, MiB. Nesting ends by the stack long before the heap. */
const LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 };
/** Files read at once, and waiting for it; more are told to come again. */
const AT_ONCE = 2;
const WAITING = 16;

const THREAD = new URL("./pfx-thread.ts", import.meta.url);

export type Reading = PfxReading | { readonly ok: false; readonly reason: "busy" | "too-slow" };

export class PfxReader {
  readonly #readMs: number;
  readonly #places: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(options: { readonly readMs?: number; readonly waiting?: number } = {}) {
    this.#readMs = options.readMs ?? READ_MS;
    this.#places = options.waiting ?? WAITING;
  }

  /** Never throws. `busy`: too many at once; nothing was looked at. `too-slow`: it was given up. */
  async read(file: Uint8Array, password: string): Promise<Reading> {
    if (this.#running >= AT_ONCE) {
      if (this.#waiting.length >= this.#places) return { ok: false, reason: "busy" };
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running++;
    try {
      return await this.#inThread(file, password);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  async #inThread(file: Uint8Array, password: string): Promise<Reading> {
    const url = await threadUrl(THREAD);
    return new Promise((resolve) => {
      const thread = new Worker(url, {
        execArgv: [],
        resourceLimits: LIMITS,
        stderr: true,
        stdout: true,
        // Nothing of the process's surroundings: a key among them is none of the file's business.
        env: {},
        workerData: { file, password },
      });
      const end = (reading: Reading): void => {
        clearTimeout(timer);
        resolve(reading);
        void thread.terminate();
      };
      const timer = setTimeout(() => end({ ok: false, reason: "too-slow" }), this.#readMs);
      thread.once("message", (reading: PfxReading) => end(reading));
      // Memory or stack ran out: no form that is known here.
      thread.once("error", () => end({ ok: false, reason: "unsupported" }));
      thread.once("exit", () => end({ ok: false, reason: "unsupported" }));
    });
  }
}
