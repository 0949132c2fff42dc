/** A bot's own effects, ready to be called: their settings, their connections, their threads. */
import { Worker } from "node:worker_threads";
import type { Json } from "../../base/index.ts";
import { type CallOutcome, createDispatcher } from "../../gateway/index.ts";
import { httpCall, type OwnCall, type OwnEffects, publicLookup } from "../../worker/index.ts";
import { withoutCode } from "./bundle.ts";
import type { LoadedBot, LoadedEffect } from "./loaded-bot.ts";

interface OpenedEffects {
  readonly effects: OwnEffects;
  /** Effects that cannot be called as things are, each a sentence. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

/** `secrets`: the settings `PROSA_SECRET_<NAME>`, by NAME. `tell` gets a sentence for the log for each run that failed. */
export function openEffects(
  bot: LoadedBot,
  secrets: Readonly<Record<string, string>>,
  tell: (message: string) => void,
): OpenedEffects {
  const dispatchers = {
    open: createDispatcher(),
    guarded: createDispatcher({ lookup: publicLookup }),
  };
  const threads: RunCall[] = [];
  const effects = new Map(
    bot.effects.map((loaded) => {
      const { effect } = loaded;
      const { http } = effect;
      let call: OwnCall;
      if (http) call = httpCall({ ...effect, http }, (name) => secrets[name], dispatchers);
      else {
        const thread = new RunCall(loaded, secrets, tell);
        threads.push(thread);
        call = thread;
      }
      return [effect.name, { effect, call }] as const;
    }),
  );
  return {
    effects,
    problems: [...effects].flatMap(([name, { call }]) =>
      call.problem === undefined ? [] : [`The effect ${name} cannot be called: ${call.problem}`],
    ),
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
      await Promise.all([dispatchers.open.close(), dispatchers.guarded.close()]);
    },
  };
}

const HEAP_MB = 128;
/** Time a thread has to load the kit and the effect, ms: a third of a second on an idle machine. */
const READY_MS = 60_000;
/** How long after its time a call may still answer to the abort of its signal, ms. */
const GRACE_MS = 500;
/** Codes are names, texts are sentences. Characters. */
const CODE_LIMIT = 100;
const TEXT_LIMIT = 300;

interface Told {
  readonly ready?: true;
  readonly call?: number;
  /** Why, without a word of the call's data: the name of what was thrown, or which field does not fit. */
  readonly failed?: string;
  readonly output?: string;
  readonly rejected?: { readonly code: string; readonly text: string };
}

interface Thread {
  readonly worker: Worker;
  readonly ready: Promise<void>;
  readonly waiting: Map<number, (told: Told | undefined) => void>;
}

/**
 * Calls a bot's own `run` in a thread. The thread stays for the next call; one that hangs, dies or eats memory is ended, and
 * the next call gets another.
 */
class RunCall implements OwnCall {
  readonly #loaded: LoadedEffect;
  readonly #secrets: Readonly<Record<string, string>>;
  readonly #tell: (message: string) => void;
  #thread: Thread | undefined;
  #calls = 0;

  /** `secrets`: what its file may ask for, by name. `tell`: a sentence for the log, about the effect alone. */
  constructor(
    loaded: LoadedEffect,
    secrets: Readonly<Record<string, string>>,
    tell: (message: string) => void,
  ) {
    this.#loaded = loaded;
    this.#secrets = secrets;
    this.#tell = tell;
  }

  bytes(): Uint8Array {
    return Buffer.alloc(0);
  }

  async call({
    mayLeave,
    bytes: _bytes,
    ...work
  }: Parameters<OwnCall["call"]>[0]): Promise<CallOutcome> {
    const thread = (this.#thread ??= this.#open());
    try {
      await thread.ready;
    } catch {
      // Its scope waits, with an alarm.
      return { kind: "not_sent", reason: "unreachable", ms: 0 };
    }
    if (!mayLeave()) return { kind: "not_sent", reason: "too_late", ms: 0 };
    const started = performance.now();
    const told = await this.#ask(thread, work);
    const ms = Math.round(performance.now() - started);
    const { name, timeoutMs } = this.#loaded.effect;
    if (told === undefined) {
      this.#tell(`The run of ${name} gave no answer within ${timeoutMs} ms, or ended its thread.`);
      return { kind: "unknown", reason: "timeout", ms };
    }
    if (told.failed !== undefined) this.#tell(`The run of ${name} failed: ${told.failed}.`);
    if (told.rejected) {
      const code = told.rejected.code.slice(0, CODE_LIMIT);
      const message = told.rejected.text.slice(0, TEXT_LIMIT);
      return { kind: "business_error", status: 200, code, message, ms };
    }
    if (told.output === undefined) return { kind: "unknown", reason: "unreadable", ms };
    const data = JSON.parse(told.output) as Json;
    return { kind: "ok", status: 200, data, raw: data, ms };
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.worker.terminate();
  }

  /** Undefined: it did not answer in time, or its thread ended. */
  #ask(thread: Thread, work: object): Promise<Told | undefined> {
    const call = ++this.#calls;
    return new Promise((resolve) => {
      const finish = (told: Told | undefined): void => {
        clearTimeout(timer);
        thread.waiting.delete(call);
        resolve(told);
      };
      // The next call gets another thread; what is beside in this one may still answer in its own time.
      const late = (): void => {
        if (this.#thread === thread) this.#thread = undefined;
        finish(undefined);
        if (thread.waiting.size === 0) void thread.worker.terminate();
      };
      const timer = setTimeout(late, this.#loaded.effect.timeoutMs + GRACE_MS);
      thread.waiting.set(call, finish);
      thread.worker.postMessage({ call, ...work });
    });
  }

  #open(): Thread {
    const worker = new Worker(new URL("./run-program.js", import.meta.url), {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      workerData: {
        url: this.#loaded.url,
        secrets: this.#secrets,
      },
    });
    worker.unref();
    const waiting: Thread["waiting"] = new Map();
    let isReady = false;
    const ready = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error("the thread did not load its effect"));
        void worker.terminate();
      }, READY_MS);
      worker.on("message", (told: Told) => {
        if (told.ready) {
          isReady = true;
          clearTimeout(timer);
          resolve();
        } else waiting.get(told.call ?? 0)?.(told);
      });
      // It ends the thread, which is told next. After the first call what is thrown may hold anybody's data.
      worker.on("error", (error: unknown) => {
        const { name } = this.#loaded.effect;
        const why = error instanceof Error ? `: ${withoutCode(error.message)}` : ".";
        this.#tell(
          isReady
            ? `The thread of ${name} was ended by what its run threw outside of a call.`
            : `The file of ${name} threw in its thread, which has no environment${why}`,
        );
      });
      worker.on("exit", () => {
        clearTimeout(timer);
        if (this.#thread === thread) this.#thread = undefined;
        reject(new Error("the thread ended"));
        for (const finish of [...waiting.values()]) finish(undefined);
      });
    });
    ready.catch(() => undefined);
    const thread = { worker, ready, waiting };
    return thread;
  }
}
