/**
 * The log: JSON lines to stderr, written beside the work. A reader that stops reading (a full pipe, a disk without room)
 * must not stop the conversations: lines wait up to a bound, then they are dropped and counted.
 */
import { closeSync, constants, existsSync, fstatSync, openSync } from "node:fs";
import { Socket } from "node:net";
import { type Logger, pino } from "pino";
import { Counter, type Registry } from "prom-client";
import { within } from "./running.ts";

const STDERR = 2;
/** The same pipe under a name that can be opened anew. */
const STDERR_PATH = "/proc/self/fd/2";
/** Lines that wait for a reader, characters: minutes of an ordinary log. */
const WAITING = 4 * 1_024 * 1_024;
/** For the last lines at the end, ms. */
const LAST_MS = 200;

interface Log {
  readonly log: Logger;
  /** The last lines, if anybody reads them. */
  close(): Promise<void>;
}

export function openLog(level: string, registry: Registry): Log {
  const own = ownPipe();
  const sink = pino.destination({ fd: own ?? STDERR, sync: false, maxLength: WAITING });
  const dropped = new Counter({
    name: "prosa_log_dropped_total",
    help: "Log lines dropped because nobody read the log",
    registers: [registry],
  });
  sink.on("drop", () => dropped.inc());
  sink.on("error", () => dropped.inc());
  // What is begun and not waited for may say something after the end; the sink would throw then, and end the process by it.
  let isClosed = false;
  const open = { write: (line: string) => void (isClosed ? dropped.inc() : sink.write(line)) };
  return {
    log: pino({ level, redact: ["req.headers", "headers"] }, open),
    async close() {
      await within(new Promise<void>((done) => sink.flush(() => done())), LAST_MS);
      isClosed = true;
      sink.destroy();
      if (own !== undefined) closeSync(own);
    },
  };
}

let socket: Socket | undefined;

/**
 * A description of our own of a piped stderr, so that writing never waits: a blocked write would hold a thread, and with it
 * the end of the process, for as long as nobody reads.
 */
function ownPipe(): number | undefined {
  try {
    const stderr = fstatSync(STDERR);
    // A socket cannot be opened anew; a stream on it makes writing to it never wait. Kept, so that it stays so.
    if (stderr.isSocket()) socket ??= new Socket({ fd: STDERR, readable: false }).unref();
    if (!stderr.isFIFO() || !existsSync(STDERR_PATH)) return undefined;
    return openSync(STDERR_PATH, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}
