/**
 * A whole Prosa as its users run it: child processes of the command line on free loopback ports, a folder of its own, and
 * phones that talk to it through the sandbox gateway. They run the command line as one file, because a start from its many
 * sources costs three times as much.
 * Processes are ended by their own id only.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { sharedBundle } from "./bundle.ts";
import { Phone } from "./phone.ts";
import { freePort } from "./ports.ts";
import { removeFolder } from "./remove-folder.ts";
import { startRedis, type TestRedis } from "./redis.ts";

export type StoreKind = "redis" | "embedded";

const ROOT = path.resolve(import.meta.dirname, "../..");
const READY_MS = 60_000;
const CALL_MS = 40_000;

/** Anything JSON, for reading answers in tests: whatever is asked for may be there. */
export interface Body {
  readonly [key: string]: Body | undefined;
}

/** A JSON text; anything else is an empty one. */
export function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export interface Answer {
  readonly status: number;
  readonly body: Body;
  readonly text: string;
}

export interface ProsaOptions {
  readonly store?: StoreKind;
  /** The sandbox gateway as a process of its own, so that its memory survives a killed bot. */
  readonly sandboxApart?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Prosa {
  readonly url: string;
  readonly sandboxUrl: string;
  /** What a further process of the same installation needs. */
  readonly env: Readonly<Record<string, string>>;
  phone(number: string): Phone;
  /** The bot's HTTP: `/api/…`, `/webhooks/…`, `/health/…`. */
  http(method: string, target: string, body?: unknown): Promise<Answer>;
  /** The sandbox's controls: `/sandbox/…`. */
  control(method: string, target: string, body?: unknown): Promise<Answer>;
  /** Rows of one of the sandbox's lists. */
  rows(list: "invoices" | "ledger" | "requests" | "webhooks"): Promise<readonly Body[]>;
  /** Moves virtual time forward, such as `15m`. */
  advance(by: string): Promise<void>;
  /** `kill -9` of the bot. */
  kill(): Promise<void>;
  /** Asks the bot to end; answers its exit code. */
  stop(): Promise<number | null>;
  /** Starts the bot again after {@link kill} or {@link stop}, ready when it resolves. */
  start(): Promise<void>;
  /** Ends and starts the sandbox's own process. */
  stopSandbox(): Promise<void>;
  startSandbox(): Promise<void>;
  /** Everything the bot wrote, over all its lives. */
  log(): string;
  close(): Promise<void>;
}

export interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Only stdout. */
  readonly told: () => string;
  /** Only stderr. */
  readonly warned: () => string;
  readonly ended: Promise<number | null>;
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** The command line as one file, for `prosa(args, env, await programFile())`. */
export const programFile = (): Promise<string> => sharedBundle("src/cli/main.ts");

/** One process of the command line. Its environment is ours without any setting, plus `env`. */
export function prosa(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  program: string,
): Run {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: ROOT,
    env: { ...surroundings(), NO_COLOR: "1", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  running.add(child);
  let output = "";
  let told = "";
  let warned = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    told += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    warned += text;
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", (code) => {
      running.delete(child);
      resolve(code);
    });
  });
  return { child, output: () => output, told: () => told, warned: () => warned, ended };
}

/** Our own environment without what the test runner adds to it. */
function surroundings(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_|TEST$)/.test(name)),
  );
}

/** HTTP with a JSON body, or with the given bytes. */
export async function call(
  method: string,
  url: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(CALL_MS),
  });
  const text = await response.text();
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Pages and faults are no JSON.
  }
  return { status: response.status, body: parsed as Body, text };
}

/** Waits until something holds. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  ms = 10_000,
): Promise<NonNullable<T>> {
  const end = Date.now() + ms;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end) throw new Error(`${what}: did not happen in ${ms} ms`);
    await pause(25);
  }
}

export async function startProsa(options: ProsaOptions = {}): Promise<Prosa> {
  const store = options.store ?? "embedded";
  const folder = mkdtempSync(path.join(tmpdir(), "prosa-e2e-"));
  const [port, sandboxPort] = [await freePort(), await freePort()];
  // A server of its own even where one is given: the tests of one file must not see another's accounts.
  const redis = store === "redis" ? await startRedis({ args: [] }) : undefined;
  const env: Record<string, string> = {
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    PROSA_DATA_DIR: folder,
    ...(redis ? { REDIS_URL: redis.url, PROSA_KEYS: `k1:${key()}` } : {}),
    ...(options.sandboxApart
      ? {
          GATEWAY_URL: `http://127.0.0.1:${sandboxPort}/api/v2`,
          PROSA_DEMO: "1",
          ...(redis ? {} : { PROSA_STORE: "embedded" }),
        }
      : {}),
    ...options.env,
  };
  const installation = new Installation(env, port, sandboxPort, folder, redis);
  try {
    if (options.sandboxApart) await installation.startSandbox();
    await installation.start();
  } catch (error) {
    await installation.close();
    throw error;
  }
  return installation;
}

function key(): string {
  return randomBytes(32).toString("base64");
}

class Installation implements Prosa {
  readonly env: Readonly<Record<string, string>>;
  readonly url: string;
  readonly sandboxUrl: string;
  readonly #folder: string;
  readonly #redis: TestRedis | undefined;
  #bot: Run | undefined;
  #sandbox: Run | undefined;
  #before = "";

  constructor(
    env: Readonly<Record<string, string>>,
    port: number,
    sandboxPort: number,
    folder: string,
    redis: TestRedis | undefined,
  ) {
    this.env = env;
    this.url = `http://127.0.0.1:${port}`;
    this.sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
    this.#folder = folder;
    this.#redis = redis;
  }

  phone(number: string): Phone {
    return new Phone(number, this);
  }

  http(method: string, target: string, body?: unknown): Promise<Answer> {
    return call(method, `${this.url}${target}`, body);
  }

  control(method: string, target: string, body?: unknown): Promise<Answer> {
    return call(method, `${this.sandboxUrl}${target}`, body);
  }

  async rows(list: string): Promise<readonly Body[]> {
    const { body } = await this.control("GET", `/sandbox/${list}`);
    if (!Array.isArray(body)) throw new Error(`/sandbox/${list} is no array`);
    return body as readonly Body[];
  }

  async advance(by: string): Promise<void> {
    const answer = await this.control("POST", "/sandbox/clock", { advance: by });
    if (answer.status !== 200) throw new Error(`the clock did not move: ${answer.text}`);
  }

  async start(): Promise<void> {
    this.#bot = prosa(["start"], this.env, await programFile());
    await ready("the bot", this.#bot, `${this.url}/health/ready`);
  }

  async startSandbox(): Promise<void> {
    const { GATEWAY_URL: _gateway, ...env } = this.env;
    this.#sandbox = prosa(["sandbox"], env, await programFile());
    await ready("the sandbox", this.#sandbox, `${this.sandboxUrl}/sandbox/clock`);
  }

  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async stop(): Promise<number | null> {
    return this.#end("SIGTERM");
  }

  async #end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    const bot = this.#bot;
    if (!bot) return null;
    bot.child.kill(signal);
    const code = await bot.ended;
    this.#before += bot.output();
    this.#bot = undefined;
    return code;
  }

  async stopSandbox(): Promise<void> {
    this.#sandbox?.child.kill("SIGKILL");
    await this.#sandbox?.ended;
    this.#sandbox = undefined;
  }

  log(): string {
    return this.#before + (this.#bot?.output() ?? "");
  }

  async close(): Promise<void> {
    await this.#end("SIGKILL");
    await this.stopSandbox();
    await this.#redis?.stop();
    await removeFolder(this.#folder);
  }
}

async function ready(what: string, run: Run, url: string): Promise<void> {
  const end = Date.now() + READY_MS;
  for (;;) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    await answer?.arrayBuffer().catch(() => undefined);
    if (answer?.ok) return;
    if (run.child.exitCode !== null || Date.now() > end)
      throw new Error(`${what} did not get ready:\n${run.output().slice(-4_000)}`);
    await pause(50);
  }
}
