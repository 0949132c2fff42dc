/**
 * Places charts. ELK runs in a worker thread, so that 0.4 s of layout never delays a message; results are kept by the
 * chart's content.
 */
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import type { ElkNode } from "elkjs/lib/elk-api.js";
import { digest } from "../../base/index.ts";
import type { Chart } from "../../flow/chart/chart-model.ts";
import { type Care, elkGraph, outline, readBack } from "./elk.ts";
import { fold } from "./fold.ts";
import type { LaidOut } from "./laid-out.ts";

/** Drawings kept; a flow's chart takes about 10 kB. */
const CACHE_LIMIT = 100;

/** One attempt may take so long, ms: 480 boxes took 1.9 s, and a chart nobody can read is not worth more. */
const ATTEMPT_MS = 8_000;

/** An idle worker holds about 60 MB; it is ended after so long, ms. */
const IDLE_MS = 30_000;

/**
 * The worker's whole program. Text, because a file in TypeScript would need a loader inside the thread, which neither
 * the tests nor the built package have.
 */
const PROGRAM = `
const { parentPort, workerData } = require("node:worker_threads");
const Elk = require(workerData.elk);
const elk = new (Elk.default ?? Elk)();
parentPort.on("message", ({ id, graph }) => {
  elk.layout(graph).then(
    (laid) => parentPort.postMessage({ id, laid }),
    (error) => parentPort.postMessage({ id, error: String(error && error.message || error) }),
  );
});
`;

type Answer = { readonly id: number; readonly laid?: ElkNode; readonly error?: string };

export interface Layouter {
  /** Never fails: a chart that cannot be placed comes back as an outline. */
  layout(chart: Chart): Promise<LaidOut>;
  close(): Promise<void>;
}

class ElkThread {
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #count = 0;
  readonly #waiting = new Map<number, (answer: ElkNode | undefined) => void>();

  run(graph: ElkNode): Promise<ElkNode | undefined> {
    const worker = (this.#worker ??= this.#start());
    clearTimeout(this.#idle);
    const id = (this.#count += 1);
    return new Promise((resolve) => {
      const timer = setTimeout(() => void this.close(), ATTEMPT_MS);
      this.#waiting.set(id, (answer) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        if (this.#waiting.size === 0) this.#rest();
        resolve(answer);
      });
      worker.ref();
      worker.postMessage({ id, graph });
    });
  }

  /** Ends the thread; whoever waits gets nothing. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    this.#giveUp();
    await worker?.terminate();
  }

  #start(): Worker {
    const elk = createRequire(import.meta.url).resolve("elkjs/lib/elk.bundled.js");
    const worker = new Worker(PROGRAM, { eval: true, execArgv: [], workerData: { elk } });
    const lost = () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#giveUp();
    };
    worker.on("message", (answer: Answer) => this.#waiting.get(answer.id)?.(answer.laid));
    worker.on("error", lost);
    worker.on("exit", lost);
    return worker;
  }

  #giveUp(): void {
    for (const settle of [...this.#waiting.values()]) settle(undefined);
  }

  #rest(): void {
    this.#worker?.unref();
    this.#idle = setTimeout(() => void this.close(), IDLE_MS);
    this.#idle.unref();
  }
}

export function createLayouter(): Layouter {
  const thread = new ElkThread();
  const kept = new Map<string, Promise<LaidOut>>();

  const place = async (chart: Chart): Promise<LaidOut> => {
    const folded = fold(chart);
    const attempts: readonly Care[] = ["fine", "plain"];
    for (const care of attempts) {
      const answer = await thread.run(elkGraph(chart, folded, care));
      const laid = answer && readBack(chart, folded, answer);
      if (laid) return laid;
    }
    return outline(chart, folded);
  };

  return {
    layout(chart) {
      const key = digest(chart);
      const known = kept.get(key);
      if (known) return known;
      const laid = place(chart);
      kept.set(key, laid);
      if (kept.size > CACHE_LIMIT) {
        const oldest = kept.keys().next();
        if (!oldest.done) kept.delete(oldest.value);
      }
      return laid;
    },
    close: () => thread.close(),
  };
}
