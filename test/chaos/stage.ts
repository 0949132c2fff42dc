/**
 * A whole installation that can be broken: a real Redis (or one file), the sandbox gateway as its own process, a fault
 * proxy before each, and bots with roles as processes that are started again whenever they died.
 */
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openStore, type Store, type StoreOptions } from "../../src/store/index.ts";
import { Deliveries } from "../support/deliveries.ts";
import type { Dice } from "../support/dice.ts";
import type { Plan } from "../support/faulty-store.ts";
import { Phone } from "../support/phone.ts";
import { type Answer, type Body, call, textIn } from "../support/prosa.ts";
import { freePort } from "../support/ports.ts";
import { FaultProxy } from "../support/proxy.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { Book, type Trouble } from "./book.ts";
import type { Resumed } from "./ledger.ts";
import { type Ended, Life } from "./life.ts";

export type StoreKind = "redis" | "embedded";

/** A bot without flows, for the recording flow that `process.ts` puts in. */
const RECORDER_BOT = path.join(import.meta.dirname, "bot");

export interface StageOptions {
  readonly store: StoreKind;
  /** The bundled `process.ts`. */
  readonly program: string;
  readonly dice: Dice;
  /** Processes beside each other; the first one listens to webhooks. Embedded: `["all"]`. */
  readonly roles: readonly ("all" | "ingress" | "worker")[];
  readonly recorder?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Somebody else's Redis, a Cluster say, as `REDIS_URL` takes it: nothing stands between it and the bots. */
  readonly redisUrl?: string;
  /** Arguments of the Redis server. */
  readonly redisArgs?: readonly string[];
  readonly plan?: (role: string) => Plan;
  /** Builds beside each other: every second process is of the next one. */
  readonly builds?: 1 | 2;
  /** Its processes are killed again and again: their starts count, not how they bear load. */
  readonly brief?: boolean;
  /** No line is broken: the bots speak to Redis and to the gateway without a proxy between. */
  readonly straight?: boolean;
  /** A folder for what the store writes: a disk of its own, say. */
  readonly disk?: string;
}

/** Time for a Redis that was killed to come back before it is asked. */
const REDIS_DOWN_MS = 300;

/** Servers to end with the harness, however it ends. */
const servers = new Set<ChildProcess>();
process.once("exit", () => {
  for (const server of servers) server.kill("SIGKILL");
});

function watched(redis: TestRedis): TestRedis {
  const { process: server } = redis;
  if (server) {
    servers.add(server);
    server.once("exit", () => servers.delete(server));
  }
  return redis;
}

/** What the processes write down stands beside the store's folder, never on its disk. */
const bookOf = (folder: string): string => path.join(tmpdir(), `${path.basename(folder)}.book`);

export class Stage {
  readonly url: string;
  /** Every place that listens to webhooks. */
  readonly doors: readonly string[];
  readonly sandboxUrl: string;
  readonly kind: StoreKind;
  /** Every place, the listening one first. */
  readonly lives: readonly Life[];
  readonly redisProxy: FaultProxy | undefined;
  readonly gatewayProxy: FaultProxy;
  readonly #sandbox: Life;
  readonly #folder: string;
  readonly #place: StoreOptions;
  readonly #redisArgs: readonly string[];
  #redis: TestRedis | undefined;
  #deliveries: Deliveries | undefined;
  #peaceful = false;
  /** Paused scopes that were let go on, with the gateway's time. */
  readonly resumed: Resumed[] = [];
  /** Moves of the gateway's clock: from this real time on it is ahead by so much, ms. */
  readonly #moves: { readonly from: number; readonly ahead: number }[] = [{ from: 0, ahead: 0 }];

  private constructor(parts: {
    doors: readonly string[];
    sandboxUrl: string;
    kind: StoreKind;
    lives: (peaceful: () => boolean) => readonly Life[];
    sandbox: Life;
    folder: string;
    place: StoreOptions;
    redis: TestRedis | undefined;
    redisArgs: readonly string[];
    redisProxy: FaultProxy | undefined;
    gatewayProxy: FaultProxy;
  }) {
    this.url = parts.doors[0] ?? "";
    this.doors = parts.doors;
    this.sandboxUrl = parts.sandboxUrl;
    this.kind = parts.kind;
    this.lives = parts.lives(() => this.#peaceful);
    this.#sandbox = parts.sandbox;
    this.#folder = parts.folder;
    this.#place = parts.place;
    this.#redis = parts.redis;
    this.#redisArgs = parts.redisArgs;
    this.redisProxy = parts.redisProxy;
    this.gatewayProxy = parts.gatewayProxy;
  }

  static async open(options: StageOptions): Promise<Stage> {
    const home = options.store === "embedded" ? (options.disk ?? tmpdir()) : tmpdir();
    const folder = mkdtempSync(path.join(home, "prosa-chaos-"));
    const keys = `k1:${randomBytes(32).toString("base64")}`;
    const args = options.redisArgs ?? [];
    const redis =
      options.store === "redis" && options.redisUrl === undefined
        ? watched(await startRedis({ args, ...(options.disk ? { folder: options.disk } : {}) }))
        : undefined;
    const redisUrl = redis?.url ?? options.redisUrl;
    const draw = options.dice.split("proxy");
    const redisProxy =
      redis && !options.straight ? await FaultProxy.open(redis.port, () => draw.unit()) : undefined;
    const [port, sandboxPort] = [await freePort(), await freePort()];
    const gatewayProxy = await FaultProxy.open(sandboxPort, () => draw.unit());
    const common = {
      PROSA_DATA_DIR: folder,
      PROSA_KEYS: keys,
      LOG_LEVEL: "error",
      SANDBOX_PORT: String(sandboxPort),
      BOT_URL: `http://127.0.0.1:${port}`,
    };
    const bot: Record<string, string> = {
      ...common,
      GATEWAY_URL: `http://127.0.0.1:${options.straight ? sandboxPort : gatewayProxy.port}/api/v2`,
      PROSA_DEMO: "1",
      ...(redisProxy
        ? { REDIS_URL: `redis://127.0.0.1:${redisProxy.port}` }
        : redisUrl === undefined
          ? { PROSA_STORE: "embedded" }
          : { REDIS_URL: redisUrl }),
      // The recording flow stands alone: the shipped flows would be compiled at each of many starts.
      ...(options.recorder ? { CHAOS_FLOWS: "recorder", PROSA_FLOWS_DIR: RECORDER_BOT } : {}),
      CHAOS_BOOK: bookOf(folder),
      ...options.env,
    };
    const ports = [port];
    while (ports.length < options.roles.length) ports.push(await freePort());
    const stage = new Stage({
      doors: ports
        .filter((_, at) => options.roles[at] !== "worker")
        .map((one) => `http://127.0.0.1:${one}`),
      sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
      kind: options.store,
      lives: (peaceful) =>
        options.roles.map(
          (role, at) =>
            new Life(
              options.program,
              role,
              {
                ...bot,
                PORT: String(ports[at]),
                CHAOS_BUILD: String(1 + (at % (options.builds ?? 1))),
              },
              () => (peaceful() ? {} : (options.plan?.(role) ?? {})),
              options.brief,
            ),
        ),
      sandbox: new Life(options.program, "sandbox", common),
      folder,
      place: redisUrl === undefined ? { dataDir: folder, keys } : { redisUrl, keys },
      ...{ redis, redisArgs: args, redisProxy, gatewayProxy },
    });
    try {
      await stage.#sandbox.start();
      // The first one makes the key and the documents all others read.
      const [first, ...others] = stage.lives;
      await first?.start();
      await Promise.all(others.map((life) => life.start()));
    } catch (error) {
      await stage.close();
      throw error;
    }
    return stage;
  }

  /** Processes die no more: those with a plan are ended and started again without one. */
  async peace(): Promise<void> {
    this.#peaceful = true;
    await this.redisProxy?.set({ kind: "none" });
    await this.gatewayProxy.set({ kind: "none" });
    await Promise.all(
      this.lives.map(async (life) => {
        await life.end();
        await life.start();
      }),
    );
  }

  /** Ends every bot by SIGTERM; answers their exit codes. */
  async stop(): Promise<readonly (number | null)[]> {
    return Promise.all(this.lives.map((life) => life.end("SIGTERM")));
  }

  /** Ends nobody asked for, of the bots and of the gateway. */
  get ended(): readonly Ended[] {
    return [...this.lives, this.#sandbox].flatMap((life) => life.ended);
  }

  /** A client of the store, past the proxy. Embedded: only while no bot runs. */
  store(): Promise<Store> {
    return openStore(this.#place);
  }

  /** `kill -9` of Redis, and its start on what it had written. */
  async killRedis(): Promise<void> {
    const redis = this.#redis;
    if (!redis?.process) throw new Error("there is no Redis to kill");
    if (this.isRedisUp) {
      const ended = new Promise((done) => redis.process?.once("exit", done));
      redis.process.kill("SIGKILL");
      await ended;
    }
    await pause(REDIS_DOWN_MS);
    await this.startRedis();
  }

  /** What a supervisor does when Redis ended by itself. Throws when it does not come up. */
  async startRedis(): Promise<void> {
    const redis = this.#redis;
    if (!redis || this.isRedisUp) return;
    const { port, folder = "" } = redis;
    const again = watched(await startRedis({ port, folder, args: this.#redisArgs }));
    this.#redis = { ...again, stop: async () => (await again.stop(), await redis.stop()) };
  }

  get isRedisUp(): boolean {
    const server = this.#redis?.process;
    return server?.exitCode === null && server.signalCode === null;
  }

  /** Moves the gateway's clock forward, and the bots that live with it. */
  async moveClock(minutes: number): Promise<void> {
    const before = this.#moves.at(-1)?.ahead ?? 0;
    this.#moves.push({ from: Date.now(), ahead: before + minutes * 60_000 });
    // It answers when the bots have followed; one that is dead just now does so at its start.
    await this.control("POST", "/sandbox/clock", { advance: `${minutes}m` }).catch(() => undefined);
  }

  /** Real ms of a time the gateway told. */
  realTime(iso: string): number {
    const told = Date.parse(iso);
    const piece = this.#moves.findLast(({ from, ahead }) => from + ahead <= told);
    const next = this.#moves[this.#moves.indexOf(piece ?? { from: 0, ahead: 0 }) + 1];
    return Math.min(told - (piece?.ahead ?? 0), next?.from ?? Infinity);
  }

  /** What the processes wrote down, judged by the deaths of all of them and what else broke. */
  book(broken: readonly Trouble[]): Book {
    const deaths = this.lives.flatMap((life) => life.deaths);
    const died = deaths.map(({ at, pid }) => ({ from: at, to: at, pid }));
    return Book.read(bookOf(this.#folder), [...died, ...broken]);
  }

  /** Scopes that are paused. */
  async pauses(): Promise<readonly string[]> {
    const { items } = (await this.http("GET", "/api/pauses")).body;
    return (items as unknown as readonly { readonly scope: string }[]).map(({ scope }) => scope);
  }

  /** What an operator does who looks at the pauses: lets every paused scope go on. Answers how many there were. */
  async resumeAll(): Promise<number> {
    const scopes = await this.pauses();
    for (const scope of scopes) {
      const now = textIn((await this.control("GET", "/sandbox/clock")).body["now"]);
      const said = this.http("DELETE", `/api/pauses/${encodeURIComponent(scope)}`);
      // Whoever died before the answer, or did not hear the store's, may have done it.
      const status = await said.then((answer) => answer.status).catch(() => 0);
      if (status === 200 || status === 0 || status >= 500) this.resumed.push({ at: now, scope });
      await said;
    }
    return scopes.length;
  }

  /** The server itself, past the proxy. */
  get redisUrl(): string | undefined {
    return this.#redis?.url;
  }

  get redisPid(): number | undefined {
    return this.#redis?.process?.pid;
  }

  phone(number: string): Phone {
    this.#deliveries ??= new Deliveries(this.sandboxUrl);
    const prosa = { control: this.control.bind(this), log: () => this.log() };
    return new Phone(number, prosa, this.#deliveries);
  }

  http(method: string, target: string, body?: unknown): Promise<Answer> {
    return call(method, `${this.url}${target}`, body);
  }

  control(method: string, target: string, body?: unknown): Promise<Answer> {
    return call(method, `${this.sandboxUrl}${target}`, body);
  }

  async rows(list: "invoices" | "requests" | "messages" | "webhooks"): Promise<readonly Body[]> {
    const { body } = await this.control("GET", `/sandbox/${list}`);
    if (!Array.isArray(body)) throw new Error(`/sandbox/${list} is no array`);
    return body as readonly Body[];
  }

  /**
   * What the bot did not take is posted again, in order, as soon as the first place listens: the gateway's own next try may be
   * a minute away. Answers how much there was; the bot knows what the gateway posts once more by itself.
   */
  async redeliver(): Promise<number> {
    await this.lives[0]?.ready();
    const missed = (await this.rows("webhooks")).filter(isMissed);
    for (const { id } of missed)
      await this.control("POST", `/sandbox/webhooks/${textIn(id)}/redeliver`, {});
    return missed.length;
  }

  log(): string {
    return this.lives.map((life) => life.log).join("\n");
  }

  async close(): Promise<void> {
    this.#deliveries?.close();
    await Promise.all([...this.lives, this.#sandbox].map((life) => life.end()));
    await Promise.all([this.redisProxy?.close(), this.gatewayProxy.close()]);
    await this.#redis?.stop();
    rmSync(bookOf(this.#folder), { force: true });
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Posted, and never answered but by trouble of ours. */
function isMissed(row: Body): boolean {
  const attempts = (row["attempts"] ?? []) as unknown as readonly { status: number | null }[];
  return attempts.length > 0 && attempts.every(({ status }) => status === null || status >= 500);
}
