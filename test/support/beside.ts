/**
 * Commands beside each other, of which all must end well: the first that does not ends the others, and its words come last.
 * Each is the leader of a process group of its own, so that an end reaches whatever it started, and nobody else.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { setPriority } from "node:os";

export interface Job {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /**
   * Gives way to the others, and its words are kept until all have ended: two that speak at once are read by nobody.
   */
  readonly behind?: boolean;
}

export interface Options {
  readonly cwd: string;
  readonly out: (words: string) => void;
  /** From the request to end until the end by force, ms. */
  readonly graceMs?: number;
}

/** What one that gives way has beside another of the usual 0. */
const BEHIND = 10;
const GRACE_MS = 10_000;

interface Started {
  readonly job: Job;
  readonly child: ChildProcess;
  /** What is wrong with its end; undefined when nothing is. */
  readonly ended: Promise<string | undefined>;
  /** What it said, of one whose words are kept. */
  readonly words: () => string;
}

/** Answers whether all ended well, once all have ended. */
export async function beside(jobs: readonly Job[], options: Options): Promise<boolean> {
  const all = jobs.map((job) => started(job, options.cwd));
  const stop = (): void => {
    for (const { child } of all) end(child, options.graceMs ?? GRACE_MS);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    let first: string | undefined;
    const ends = all.map(async ({ job, ended }) => {
      const wrong = await ended;
      if (wrong === undefined || first !== undefined) return;
      first = `${job.name} ended with ${wrong}.`;
      stop();
    });
    await Promise.all(ends);
    for (const { words } of all) options.out(words());
    if (first !== undefined) options.out(`${first}\n`);
    return first === undefined;
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

/** What a terminal and a supervisor end us with: children in groups of their own hear of it from us alone. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function started(job: Job, cwd: string): Started {
  const child = spawn(job.command, job.args, {
    cwd,
    detached: true,
    stdio: job.behind ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
  });
  if (job.behind && child.pid !== undefined) giveWay(child.pid);
  let said = "";
  const keep = (text: string): void => void (said += text);
  child.stdout?.setEncoding("utf8").on("data", keep);
  child.stderr?.setEncoding("utf8").on("data", keep);
  const ended = new Promise<string | undefined>((resolve) => {
    child.once("error", (error) => resolve(String(error)));
    child.once("close", (code, signal) => resolve(code === 0 ? undefined : String(code ?? signal)));
  });
  return { job, child, ended, words: () => said };
}

/** One that has ended already gives way to nobody. */
function giveWay(pid: number): void {
  try {
    setPriority(pid, BEHIND);
  } catch {
    // Then all have the same.
  }
}

/** Asks the group to end, then makes it. One that was never started, or is gone, has none. */
function end({ pid, exitCode, signalCode }: ChildProcess, graceMs: number): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  const tell = (signal: NodeJS.Signals): void => {
    try {
      process.kill(-pid, signal);
    } catch {
      // Gone.
    }
  };
  tell("SIGTERM");
  setTimeout(() => tell("SIGKILL"), graceMs).unref();
}
