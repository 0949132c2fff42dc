/**
 * Synchronous work that ends, or is ended: an endless loop in a guard blocks everybody in this process, and nothing but
 * the engine itself can stop it. Costs about 50 µs of a thread's making, so it is for suspects only: contacts whose last
 * claim brought nothing forward.
 */
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { createContext, Script } from "node:vm";

/** File descriptors that must be free: the thread that keeps the time needs three, and the process dies when it gets none. */
const ROOM = 8;

/** No suspect can be run now, through no fault of its own. */
export class NoRoom extends Error {}

/** Cut off by the clock, which goes on where a machine has no processor to spare: most of the time this process had none. */
export class Starved extends Error {}

const script = new Script("work()");
const context = createContext({ work: () => undefined as unknown });

/**
 * Runs `work`; throws when it has not ended after `ms`, and `NoRoom` without running it when file descriptors are short. When
 * this process had a processor for less than half of that time, it throws `Starved`: that says nothing about the work. It is
 * cut off wherever it stands, so it must own what it changes.
 */
export function limited<T>(work: () => T, ms: number): T {
  mustHaveRoom();
  let value: T | undefined;
  context["work"] = () => {
    value = work();
  };
  const before = process.cpuUsage();
  try {
    script.runInContext(context, { timeout: ms });
  } catch (error) {
    const code = (error as { code?: unknown } | null)?.code;
    if (code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    const { user, system } = process.cpuUsage(before);
    const Why = (user + system) / 1_000 < ms / 2 ? Starved : Error;
    throw new Why(`the turn did not end within ${ms} ms`, { cause: error });
  }
  return value as T;
}

function mustHaveRoom(): void {
  const taken: number[] = [];
  try {
    while (taken.length < ROOM) taken.push(openSync(devNull, "r"));
  } catch (cause) {
    throw new NoRoom("this process has no file descriptors left to run a suspect with", { cause });
  } finally {
    for (const one of taken) closeSync(one);
  }
}
