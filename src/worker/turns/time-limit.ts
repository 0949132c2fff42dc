/**
 * Runs synchronous work under a time limit. An endless loop in a guard would block every conversation of this process, and
 * only the JavaScript engine can stop it. Making the thread costs about 50 µs, so only poison candidates run this way:
 * contacts whose last claim made no progress.
 */
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { createContext, Script } from "node:vm";

/** File descriptors that must be free: the thread that keeps the time needs three, and the process dies when it gets none. */
const ROOM = 8;

/** The work could not be run now, through no fault of its own. */
export class NoRoom extends Error {}

/** The work was cut off although this process had a processor for less than half of the time. */
export class Starved extends Error {}

const script = new Script("work()");
const context = createContext({ work: () => undefined as unknown });

/**
 * Runs `work`; throws when it has not ended after `ms`, and `NoRoom` without running it when file descriptors are short.
 * When this process had a processor for less than half of that time it throws `Starved`, which says nothing about the work.
 * The work may be cut off anywhere, so it must own what it changes.
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
