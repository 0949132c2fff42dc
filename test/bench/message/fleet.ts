/**
 * The processes of a run: one Redis, Restate's server if Restate takes part, one server for replies, and the contestants,
 * each in a process and a database of its own. Bots run on core 0; the stores, the replies and the people on core 1, where
 * `taskset` can do that.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Redis } from "ioredis";
import { freePort } from "../../support/ports.ts";
import { startRedis, type TestRedis } from "../../support/redis.ts";
import { PATH, type Usage } from "./contestant.ts";
import { Crowd } from "./crowd.ts";
import type { Length } from "./form.ts";
import type { Profile } from "./profile.ts";
import { type RestateServer, startRestateServer } from "./restate-server.ts";
import { Lines, openSink, type Sink } from "./wire.ts";

export const CONTESTANTS = ["prosa", "grammy", "bullmq", "restate", "floor"] as const;
export type Name = (typeof CONTESTANTS)[number];
export type Fsync = "everysec" | "always";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const PEERS = path.join(ROOT, "test/bench/peers");
const SCRIPTS: Readonly<Record<Name, string>> = {
  prosa: path.join(import.meta.dirname, "prosa.ts"),
  grammy: path.join(PEERS, "grammy.js"),
  bullmq: path.join(PEERS, "bullmq.js"),
  restate: path.join(PEERS, "restate.js"),
  floor: path.join(import.meta.dirname, "floor.ts"),
};
const READY_MS = 60_000;

export const PINNED = os.cpus().length > 1 && spawnSync("taskset", ["-V"]).status === 0;

/** Installs the peers beside their scripts, from their own lock file; nothing is run at the install. */
export function installPeers(note: (text: string) => void): void {
  const changed = (file: string) =>
    statSync(path.join(PEERS, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  // npm's own note of what is installed. An optional package may be missing there for good reason.
  if (changed("node_modules/.package-lock.json") > changed("package-lock.json")) return;
  note("Installing the peers …");
  const { status } = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: PEERS,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error("npm ci in test/bench/peers failed.");
}

/** This process, with all its threads, on core 1. */
export function stepAside(): void {
  if (PINNED) spawnSync("taskset", ["-acp", "1", String(process.pid)]);
}

export class Contestant {
  readonly name: Name;
  readonly lines: Lines;
  readonly #child: ChildProcess;

  constructor(name: Name, child: ChildProcess, lines: Lines) {
    this.name = name;
    this.#child = child;
    this.lines = lines;
  }

  usage(): Promise<Usage> {
    return this.#ask<Usage>("usage");
  }

  /** What the process does while `work` runs. */
  async profile(work: () => Promise<unknown>): Promise<Profile> {
    await this.#ask("profile");
    await work();
    return this.#ask<Profile>("profiled");
  }

  async close(): Promise<void> {
    this.lines.close();
    if (this.#child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await ended;
  }

  #ask<T>(what: string): Promise<T> {
    const answer = told<T>(this.#child, this.name);
    this.#child.send(what);
    return answer;
  }
}

function told<T>(child: ChildProcess, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${name} says nothing`)), READY_MS);
    const ended = (): void => reject(new Error(`${name} ended`));
    child.once("exit", ended);
    child.once("message", (message) => {
      clearTimeout(late);
      child.off("exit", ended);
      resolve(message as T);
    });
  });
}

/** What the server did that keeps a contestant's state. NaN: it does not tell. */
export interface StoreUsage {
  /** Bytes it uses. */
  readonly bytes: number;
  readonly cpuMs: number;
  /** Commands it ran, those within scripts too. */
  readonly commands: number;
}

export class Fleet {
  readonly crowd: Crowd;
  readonly #redis: TestRedis;
  readonly #sink: Sink;
  readonly #control: Redis;
  readonly #all: Contestant[] = [];
  readonly #length: Length;
  #restate: RestateServer | undefined;

  private constructor(parts: { length: Length; redis: TestRedis; sink: Sink; crowd: Crowd }) {
    this.#length = parts.length;
    this.#redis = parts.redis;
    this.#sink = parts.sink;
    this.crowd = parts.crowd;
    this.#control = new Redis(parts.redis.url);
  }

  static async open(length: Length, fsync: Fsync): Promise<Fleet> {
    // A folder or arguments of our own: never a server that somebody else uses.
    const redis = await startRedis({ args: ["--appendfsync", fsync] });
    if (PINNED) spawnSync("taskset", ["-acp", "1", String(redis.process?.pid ?? "")]);
    const crowd = new Crowd(length);
    const sink = await openSink(crowd.take);
    return new Fleet({ length, redis, sink, crowd });
  }

  get contestants(): readonly Contestant[] {
    return this.#all;
  }

  /** `root`: another working copy whose build of it is meant; it gets a database of its own. */
  async add(name: Name, root = ROOT): Promise<Contestant> {
    if (name === "restate")
      this.#restate ??= await startRestateServer(
        path.join(PEERS, "node_modules"),
        PINNED ? "1" : undefined,
      );
    const port = await freePort();
    const database = CONTESTANTS.indexOf(name) + (root === ROOT ? 0 : CONTESTANTS.length);
    const script = path.join(root, path.relative(ROOT, SCRIPTS[name]));
    const node = [process.execPath, "--import", "tsx", script];
    const [command = "", ...rest] = PINNED ? ["taskset", "-c", "0", ...node] : node;
    const child = spawn(command, rest, {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      env: {
        PATH: process.env["PATH"] ?? "",
        NODE_ENV: "production",
        BENCH_REDIS: `${this.#redis.url}/${database}`,
        BENCH_SINK: this.#sink.url,
        BENCH_PORT: String(port),
        BENCH_LENGTH: String(this.#length),
        ...(name === "restate" && {
          BENCH_RESTATE_INGRESS: this.#restate?.ingress,
          BENCH_RESTATE_ADMIN: this.#restate?.admin,
          // At "WARN" each start tells that requests are not signed, which they need not be on loopback.
          RESTATE_LOGGING: "ERROR",
        }),
      },
    });
    try {
      await told(child, name);
    } catch (error) {
      child.kill("SIGKILL");
      throw error;
    }
    const contestant = new Contestant(name, child, new Lines(port, PATH));
    this.#all.push(contestant);
    return contestant;
  }

  /** What the server did that keeps this contestant's state: Redis, or Restate's. */
  async store(name: Name): Promise<StoreUsage> {
    if (name !== "restate") return this.redis();
    return {
      bytes: Number.NaN,
      cpuMs: this.#restate?.cpuMs() ?? Number.NaN,
      commands: Number.NaN,
    };
  }

  async redis(): Promise<StoreUsage> {
    const info = await this.#control.info();
    const calls = (await this.#control.info("commandstats")).matchAll(/:calls=(\d+)/g);
    const number = (name: string) => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1] ?? 0);
    const cpu = number("used_cpu_user") + number("used_cpu_sys");
    const commands = [...calls].reduce((sum, [, count]) => sum + Number(count), 0);
    return { bytes: number("used_memory"), cpuMs: cpu * 1_000, commands };
  }

  /** Bytes of a contestant's keys whose names hold the text. */
  async bytesOf(name: Name, part: string): Promise<number> {
    return this.#sum(name, part, async (key) =>
      Number((await this.#control.call("MEMORY", "USAGE", key, "SAMPLES", "0")) ?? 0),
    );
  }

  /** The same of some fields of hashes: names and values, without what Redis adds to each. */
  async bytesOfFields(name: Name, part: string, fields: RegExp): Promise<number> {
    return this.#sum(name, part, async (key) => {
      const all = Object.entries(await this.#control.hgetall(key));
      const some = all.filter(([field]) => fields.test(field));
      return some.reduce((sum, [field, value]) => sum + field.length + value.length, 0);
    });
  }

  async #sum(name: Name, part: string, of: (key: string) => Promise<number>): Promise<number> {
    await this.#control.select(CONTESTANTS.indexOf(name));
    let sum = 0;
    for (let cursor = "0"; ;) {
      const [next, keys] = await this.#control.scan(cursor, "MATCH", `*${part}*`, "COUNT", 1_000);
      for (const size of await Promise.all(keys.map(of))) sum += size;
      if (next === "0") return sum;
      cursor = next;
    }
  }

  async close(): Promise<void> {
    // At once: Restate's server and its bot complain when the other one goes first.
    await Promise.all([
      this.#restate?.stop(),
      ...this.#all.map((contestant) => contestant.close()),
    ]);
    this.#control.disconnect();
    await this.#sink.close();
    await this.#redis.stop();
  }
}
