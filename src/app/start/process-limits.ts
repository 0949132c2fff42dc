/** What this process must not outgrow: memory that nobody holds any more, and the time its event loop stands still. */
import inspector from "node:inspector";
import { setFlagsFromString } from "node:v8";
import { SHARE_ENV, Worker } from "node:worker_threads";

/**
 * Room for what is forgotten, percent of what is held. Costs a clearing more for every few thousand turns.
 *
 * On a machine with much memory V8 lets the old generation grow to four or five times what is held. What a turn remembers
 * of its contact (data key, session) lives long and is then forgotten for another's, so a storm of turns of many contacts
 * fills that room with what was forgotten: 100,000 timers took 490 MB more, of which 45 were held.
 */
const ROOM_PERCENT = 100;
/** As V8 takes it. */
export const HEAP_FLAG = `--heap-growing-percent=${ROOM_PERCENT}`;

/** From now on, for the whole process. A Node that does not know the flag says so on stderr and goes on as it is. */
export function boundHeap(): void {
  setFlagsFromString(HEAP_FLAG);
}

/** Standing still so long means for ever, ms. Far above a slow disk's sync and any honest turn. */
const BLOCKED_MS = 20_000;
/** Looks in that time. */
const LOOKS = 20;

/** Written by hand: it must run as it is, bundled or not. `beat`: [counter, 1 while a debugger may hold the loop]. */
const WATCH = `
const { workerData: { beat, lookMs, looks } } = require("node:worker_threads");
const { writeSync } = require("node:fs");
let seen = -1;
let still = 0;
for (;;) {
  if (Atomics.wait(beat, 2, 0, lookMs) !== "timed-out") break;
  const now = Atomics.load(beat, 0);
  still = now === seen && Atomics.load(beat, 1) === 0 ? still + 1 : 0;
  seen = now;
  if (still < looks) continue;
  const msg = "the event loop has stood still for " + looks * lookMs + " ms; this process ends so that others can go on";
  const line = JSON.stringify({ level: 60, time: Date.now(), pid: process.pid, msg }) + "\\n";
  try { writeSync(2, line); } catch {}
  process.kill(process.pid, "SIGKILL");
}
`;

/**
 * Ends this process when its event loop stands still: a guard that never returns would hold every conversation, and no
 * code on the same thread could say so. Another thread watches a counter; what the dead process held is taken over when
 * its leases end, and the contact that did it is tried alone, under a time limit, and parked.
 *
 * Looks are counted, not times: a process that was stopped and goes on (a suspended machine) has missed no look. The answer
 * ends the watch.
 */
export function watchLoop(blockedMs = BLOCKED_MS): () => Promise<void> {
  const lookMs = Math.ceil(blockedMs / LOOKS);
  const beat = new Int32Array(new SharedArrayBuffer(12));
  const worker = new Worker(WATCH, {
    eval: true,
    workerData: { beat, lookMs, looks: LOOKS },
    // Neither copied for it nor counted: a quarter of what its start costs, and it uses none of them.
    env: SHARE_ENV,
    trackUnmanagedFds: false,
    // Without the loaders of this process: they would ask its event loop, which may stand still already.
    execArgv: [],
  });
  // Without it this process is less safe, not less right.
  worker.on("error", () => undefined);
  worker.unref();
  const timer = setInterval(() => {
    Atomics.add(beat, 0, 1);
    Atomics.store(beat, 1, inspector.url() === undefined ? 0 : 1);
  }, lookMs / 2);
  timer.unref();
  return async () => {
    clearInterval(timer);
    Atomics.store(beat, 2, 1);
    Atomics.notify(beat, 2);
    await worker.terminate();
  };
}
