/** One place in the installation: a process that is started again whenever it died, each time with a plan of how to die. */
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import type { Plan } from "../support/faulty-store.ts";
import { freePort } from "../support/ports.ts";

/** A start on a busy machine. */
const READY_MS = 60_000;
/** Starts in a row that ended by themselves before they were ready, at most: Redis is away for less, a taken port for ever. */
const IN_VAIN = 20;
/** Many short lives share few processors: threads that help to clear memory cost each more than they save it. */
const FLAGS = ["--single-threaded-gc"];
/**
 * A process that is killed after seconds: it clears no memory before it dies, and compiles neither the HTTP parser nor our
 * own code nor its hundreds of regular expressions better than they need.
 */
const BRIEF = [
  // The most bounds the least.
  ...["--min-semi-space-size=64", "--max-semi-space-size=64"],
  ...["--wasm-tiering-budget=1000000000", "--no-opt", "--regexp-tier-up-ticks=50"],
];
/** Kept of what a process says, characters. */
const LOG_KEPT = 20_000;

export interface Death {
  /** The named point, or `random`, or `outside` when the harness did it. */
  readonly point: string;
  /** Turns claimed, effects begun, webhooks not answered in that moment. */
  readonly inHand: number;
  /** When the harness saw it, real ms, and who it was. */
  readonly at: number;
  readonly pid: number;
}

/** An end nobody asked for: a crash, a watchdog's blow, an answer to SIGTERM that is not code 0. */
export interface Ended {
  readonly role: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** When it was started and when the harness saw its end, real ms, and who it was. */
  readonly from: number;
  readonly at: number;
  readonly pid: number;
  /** Whether it had been ready: before that the store may not have been there to start with. */
  readonly ready: boolean;
  /** The last error it told of; empty for none. */
  readonly words: string;
}

/** What a process was asked for: an end by signal, its graceful end, or that cut short by a kill. */
type Asked = "SIGKILL" | "SIGTERM" | "cut short";

/** Whether an end is the one that was asked for. */
function isAsked(by: Asked | undefined, code: number | null, signal: string | null): boolean {
  if (by === undefined) return false;
  return (by !== "SIGTERM" && signal === "SIGKILL") || (by !== "SIGKILL" && code === 0);
}

const alive = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of alive) child.kill("SIGKILL");
});

export class Life {
  readonly role: string;
  readonly deaths: Death[] = [];
  /** Whatever ended and was not to: whoever kills on purpose says so to {@link strike}, or dies by name. */
  readonly ended: Ended[] = [];
  /** Writes told by a process that traces them. */
  readonly writes: string[] = [];
  #program: string;
  #env: Readonly<Record<string, string>>;
  readonly #plan: () => Plan;
  readonly #flags: readonly string[];
  #child: ChildProcess | undefined;
  #ready: Promise<void> = Promise.resolve();
  #wanted = false;
  #log = "";
  #inVain = 0;
  readonly #asked = new WeakMap<ChildProcess, Asked>();
  #armed: (inForce: boolean) => void = () => undefined;
  /** Starts so far. */
  starts = 0;
  /** Since when the present process is ready, ms of `performance.now`. */
  #readyAt = Number.POSITIVE_INFINITY;

  constructor(
    program: string,
    role: string,
    env: Readonly<Record<string, string>>,
    plan: () => Plan = () => ({}),
    brief = false,
  ) {
    this.#program = program;
    this.role = role;
    this.#env = env;
    this.#plan = plan;
    this.#flags = brief ? [...FLAGS, ...BRIEF] : FLAGS;
  }

  get log(): string {
    return this.#log;
  }

  /** Where it listens. */
  get port(): number {
    return Number(this.#env["PORT"] ?? "0");
  }

  /** How long the present process has been ready, ms; 0 before. */
  get readyMs(): number {
    return Math.max(0, performance.now() - this.#readyAt);
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts; resolves when it is ready, or died before it was (then it is being started again). */
  start(): Promise<void> {
    this.#wanted = true;
    this.#ready = this.#spawn();
    return this.#ready;
  }

  /** Resolves when the present process is ready. */
  async ready(): Promise<void> {
    await this.#ready;
  }

  /** Ends it, and it stays ended. Answers its exit code. */
  async end(signal: "SIGKILL" | "SIGTERM" = "SIGKILL"): Promise<number | null> {
    this.#wanted = false;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return null;
    const closed = new Promise<number | null>((done) => child.once("close", done));
    this.#asked.set(child, signal);
    child.kill(signal);
    // A stopped process hears no other signal.
    if (signal === "SIGKILL") child.kill("SIGCONT");
    return closed;
  }

  /** The program of all starts from now on: another build. */
  use(program: string): void {
    this.#program = program;
  }

  /**
   * A process of another build starts beside the present one, which is asked to end once the new one is ready. Answers how
   * the old one ended and how long that took, ms. Not for one that listens: it would need the old one's port.
   */
  async succeed(program: string): Promise<{ readonly code: number | null; readonly ms: number }> {
    const old = this.#child;
    if (old?.exitCode !== null) throw new Error("there is nobody to succeed");
    this.use(program);
    this.#env = { ...this.#env, PORT: String(await freePort()) };
    await this.start();
    const from = performance.now();
    const closed = new Promise<number | null>((done) => old.once("close", done));
    this.#asked.set(old, "SIGTERM");
    old.kill("SIGTERM");
    return { code: await closed, ms: performance.now() - from };
  }

  /**
   * Another plan, in force once this resolves. A process that dies of the one before has not heard it: the next one is told. What
   * was told of earlier writes stands in {@link writes} by then.
   */
  async arm(plan: Plan): Promise<void> {
    for (;;) {
      await this.#ready;
      const child = this.#child;
      if (!child) throw new Error("there is nobody to arm");
      const armed = new Promise<boolean>((resolve) => {
        const gone = (): void => resolve(false);
        // After the next one was begun, or nobody is wanted any more.
        child.once("close", gone);
        // One process is given a plan for each scene it lives through: it keeps no ear for those before.
        this.#armed = (inForce) => (child.off("close", gone), resolve(inForce));
        child.stdin?.write(`${JSON.stringify(plan)}\n`);
      });
      if ((await armed) || !this.#wanted) return;
    }
  }

  /** `kill -9` from outside; it comes back. */
  strike(): void {
    const child = this.#child;
    if (child?.exitCode !== null) return;
    if (!this.#asked.has(child)) this.#asked.set(child, "SIGKILL");
    child.kill("SIGKILL");
  }

  /** Asked to end, and killed so soon after, in the middle of that; resolves when the next one is ready. */
  async cutShort(ms: number): Promise<void> {
    const child = this.#child;
    if (!child) throw new Error("there is nobody to end");
    const closed = new Promise((done) => child.once("close", done));
    this.#asked.set(child, "cut short");
    child.kill("SIGTERM");
    await pause(ms);
    if (child === this.#child) this.strike();
    await closed;
    await this.#ready;
  }

  /** Stops it in its tracks and lets it go on later. */
  async freeze(ms: number): Promise<number | undefined> {
    const child = this.#child;
    child?.kill("SIGSTOP");
    await pause(ms);
    if (child?.exitCode === null) child.kill("SIGCONT");
    return child?.pid;
  }

  #spawn(): Promise<void> {
    this.starts += 1;
    this.#readyAt = Number.POSITIVE_INFINITY;
    const from = Date.now();
    const child = spawn(process.execPath, [...this.#flags, this.#program, this.role], {
      env: {
        ...{ PATH: process.env["PATH"] ?? "", NO_COLOR: "1", ...this.#env },
        CHAOS_PLAN: JSON.stringify(this.#plan()),
      },
      stdio: ["pipe", "pipe", "pipe"],
    });
    // One that has just died reads no more.
    child.stdin.on("error", () => undefined);
    alive.add(child);
    this.#child = child;
    let death: Pick<Death, "point" | "inHand"> | undefined;
    let [ready, words] = [false, ""];
    return new Promise<void>((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`a ${this.role} did not start:\n${this.#log.slice(-3_000)}`)),
        READY_MS,
      );
      let rest = "";
      child.stdout?.setEncoding("utf8").on("data", (text: string) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          const [word = "", what = "", sum = "0"] = line.split(" ");
          if (word === "READY") {
            this.#inVain = 0;
            ready = true;
            this.#readyAt = performance.now();
            resolve();
          }
          if (word === "DIED") death = { point: what, inHand: Number(sum) };
          if (word === "WROTE") this.writes.push(line.slice(word.length + 1));
          if (word === "ARMED") this.#armed(true);
        }
      });
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        this.#log = (this.#log + text).slice(-LOG_KEPT);
        words = /^\w*(?:Error|Fault|Assertion)\b.*$/m.exec(text)?.[0] ?? words;
      });
      child.once("close", (code, signal) => {
        clearTimeout(late);
        alive.delete(child);
        const own = { role: this.role, at: Date.now(), pid: child.pid ?? 0 };
        // Who dies by name has said so.
        const named = death !== undefined && signal === "SIGKILL";
        if (!named && !isAsked(this.#asked.get(child), code, signal))
          this.ended.push({ ...own, code, signal, from, ready, words });
        const { point, inHand } = death ?? { point: "outside", inHand: 0 };
        if (signal === "SIGKILL") this.deaths.push({ point, inHand, at: own.at, pid: own.pid });
        else if (this.#wanted && child === this.#child) {
          this.#log += `\nended by itself: code ${String(code)}, ${String(signal)}`;
          this.#inVain += 1;
        }
        if (this.#inVain > IN_VAIN) {
          this.#wanted = false;
          reject(new Error(`a ${this.role} ends by itself:\n${this.#log.slice(-3_000)}`));
        } else resolve();
        // One that another succeeded stays ended.
        if (!this.#wanted || child !== this.#child) return;
        this.#ready = this.#spawn();
        // Whoever waits for it is told; without one it shows in what is not done.
        this.#ready.catch(() => undefined);
      });
    });
  }
}
