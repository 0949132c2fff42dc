/**
 * What a machine runs out of: disk, in three ways of writing; time to sync; file descriptors; memory, when very many write
 * for the first time. Each while webhooks pour in, each over in seconds; afterwards the oracles must be content. One
 * line for each demand, and whether it was met.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { request } from "undici";
import { DEMO_TOKEN } from "../../src/app/start/demo.ts";
import { until } from "../support/prosa.ts";
import type { Trouble } from "./book.ts";
import { burst } from "./burst.ts";
import { message } from "./feeder.ts";
import { type KillRun, killRun } from "./kill-run.ts";
import { lines, type Report } from "./report.ts";
import { SmallDisk } from "./small-disk.ts";
import type { Stage } from "./stage.ts";

export interface ResourcesOptions {
  readonly program: string;
  readonly seed: number;
  readonly say: (line: string) => void;
  /** These scenes alone. */
  readonly only?: readonly string[];
}

/** What may be asked for alone. */
export const RESOURCES = [
  ...(["disk-always", "disk-everysec", "disk-embedded"] as const),
  ...(["slow-sync", "descriptors", "burst"] as const),
] as const;

type Demand = (met: boolean, what: string) => void;
type Act = (stage: Stage) => Promise<readonly Trouble[]>;

/** Load before something runs out, and how long it is out, ms. */
const BEFORE_MS = 1_500;
const OUT_MS = 4_000;
/** Between two looks while it is out, ms. */
const LOOK_MS = 250;
/** A sync that takes so long, so many times, with so little between, ms. */
const STALL = { ms: 2_000, times: 4, between: 400 } as const;
/** A refusal must not take longer than a sender waits, ms. */
const PATIENCE_MS = 5_000;
/** Refusals seen while it is out, at least: fewer would prove little. */
const SEEN = 3;
/** A stranger for each look: what a stranger is told is told once. */
const strangerOf = (number: number): string => `55118${String(30_000_000 + number)}`;

interface Seen {
  readonly status: number;
  readonly ms: number;
  readonly polite: boolean;
}

/** Somebody else writes, again and again, until `over`; answers what they were answered. */
async function probe(stage: Stage, over: Promise<unknown>, from: number): Promise<Seen[]> {
  const seen: Seen[] = [];
  let isOver = false;
  void over.finally(() => (isOver = true)).catch(() => undefined);
  for (let number = from; !isOver; number += 1) {
    const began = performance.now();
    const answer = await request(`${stage.url}/webhooks/engine-c/${DEMO_TOKEN}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(message(strangerOf(number), number, "oi")),
      headersTimeout: 2 * PATIENCE_MS,
    }).catch(() => undefined);
    await answer?.body.dump();
    seen.push({
      status: answer?.statusCode ?? 0,
      ms: performance.now() - began,
      polite: answer?.headers["retry-after"] !== undefined,
    });
    await pause(LOOK_MS);
  }
  await over;
  return seen;
}

function refusals(seen: readonly Seen[], demand: Demand): void {
  const refused = seen.filter(({ status }) => status === 503);
  const counts = [200, 503, 0].map((code) => seen.filter(({ status }) => status === code).length);
  const [kept = 0, no = 0, none = 0] = counts;
  demand(
    no >= SEEN && kept + no + none === seen.length && none === 0,
    `while it was out: 503 ${no} times, 200 ${kept} times, no answer ${none} times`,
  );
  demand(
    refused.every(({ polite }) => polite),
    "each refusal says when to come again",
  );
  const slowest = Math.round(Math.max(0, ...seen.map(({ ms }) => ms)));
  demand(slowest < PATIENCE_MS, `the slowest answer took ${slowest} ms`);
}

/** The store's disk is full for a while; whoever watches over Redis starts it again and again. */
function fullDisk(disk: SmallDisk, demand: Demand, ends: boolean | undefined): Act {
  return async (stage) => {
    await pause(BEFORE_MS);
    const from = Date.now();
    let starts = 0;
    const out = (async () => {
      disk.fill();
      for (const end = Date.now() + OUT_MS; Date.now() < end; await pause(LOOK_MS)) {
        disk.fill();
        if (ends === undefined || stage.isRedisUp) continue;
        starts += 1;
        await stage.startRedis().catch(() => undefined);
      }
      disk.free();
      await stage.startRedis();
    })();
    refusals(await probe(stage, out, 1), demand);
    if (ends !== undefined)
      demand(starts > 0 === ends, `Redis ended by itself ${starts} times while the disk was full`);
    const to = Date.now();
    await well(stage, demand);
    return [{ from, to, store: true }];
  };
}

/** It takes what comes in again. */
async function well(stage: Stage, demand: Demand): Promise<void> {
  const began = Date.now();
  await until("an event that is taken again", async () => {
    const [seen] = await probe(stage, pause(0), 1_000_000 + (began % 1_000_000));
    return seen?.status === 200 ? true : undefined;
  });
  demand(true, `taken again after ${Date.now() - began} ms`);
}

function slowSync(demand: Demand): Act {
  return async (stage) => {
    await pause(BEFORE_MS);
    const from = Date.now();
    const out = (async () => {
      for (let time = 0; time < STALL.times; time += 1) {
        const pid = stage.redisPid ?? 0;
        process.kill(pid, "SIGSTOP");
        await pause(STALL.ms);
        process.kill(pid, "SIGCONT");
        await pause(STALL.between);
      }
    })();
    const seen = await probe(stage, out, 1);
    const to = Date.now();
    const slow = seen.filter(({ ms }) => ms > STALL.ms / 2).length;
    const answered = seen.every(
      ({ status, ms }) => [200, 503].includes(status) && ms < PATIENCE_MS,
    );
    demand(slow > 0 && answered, `${slow} of ${seen.length} webhooks felt it, all were answered`);
    await well(stage, demand);
    const told = await until("the alarm", async () => {
      const pages = await Promise.all(stage.lives.map((life) => metrics(life.port)));
      return /prosa_alarms_total\{code="store\.slow"\} [1-9]/.test(pages.join("\n")) || undefined;
    });
    demand(told, "the alarm store.slow was raised");
    const page = await metrics(stage.lives[0]?.port);
    const within = Number(/prosa_webhook_seconds_bucket\{le="1",[^}]*\} (\d+)/.exec(page)?.[1]);
    const all = Number(/prosa_webhook_seconds_count\{[^}]*\} (\d+)/.exec(page)?.[1]);
    demand(all > within, `the metrics tell ${all - within} answers slower than a second`);
    return [{ from, to, store: true }];
  };
}

async function metrics(port: number | undefined): Promise<string> {
  const answer = await request(`http://127.0.0.1:${port ?? 0}/metrics`);
  return answer.body.text();
}

/** Standard input, output and error: with no more than these allowed, what closes cannot be opened again either. */
const STANDARD = 3;

/** No process may open anything any more, and what was open to Redis and to the gateway is cut. */
function noDescriptors(demand: Demand): Act {
  return async (stage) => {
    await pause(BEFORE_MS);
    const from = Date.now();
    const pids = stage.lives.map((life) => life.pid ?? 0);
    const before = pids.map(softLimit);
    const out = (async () => {
      for (const pid of pids) limit(pid, STANDARD);
      stage.redisProxy?.reset();
      stage.gatewayProxy.reset();
      await pause(OUT_MS);
      for (const [index, pid] of pids.entries())
        if (stage.lives[index]?.pid === pid) limit(pid, before[index] ?? 0);
    })();
    const seen = await probe(stage, out, 1);
    const to = Date.now();
    const refused = seen.filter(({ status }) => status !== 200).length;
    demand(refused >= SEEN, `refused ${refused} of ${seen.length} times while nothing could open`);
    const same = stage.lives.every((life, index) => life.pid === pids[index]);
    const ends = stage.lives.map(
      (life) => /Assertion[^\n]*|ended by itself[^\n]*/g.exec(life.log)?.[0],
    );
    demand(same, `no process ended by it ${ends.filter(Boolean).join("; ")}`.trim());
    await well(stage, demand);
    // The gateway's line was cut, too.
    return [{ from, to, calls: true, store: true }];
  };
}

function softLimit(pid: number): number {
  const limits = readFileSync(`/proc/${pid}/limits`, "utf8");
  return Number(/Max open files\s+(\d+)/.exec(limits)?.[1] ?? "1024");
}

function limit(pid: number, files: number): void {
  execFileSync("prlimit", ["--pid", String(pid), `--nofile=${files}:`]);
}

/** Answers whether all held; what it saw is told line by line. */
export async function resources({ program, seed, say, only }: ResourcesOptions): Promise<boolean> {
  let well = true;
  const base = {
    ...{ program, seed, store: "redis" as const, contacts: 24, each: 40, kills: 0 },
    ...{ workers: 2, gapMs: 200, operator: true, plan: () => ({}) },
  };
  const fed = async (name: string, run: (demand: Demand) => Partial<KillRun>): Promise<void> => {
    const demand = demander(name);
    try {
      const report = await killRun({ ...base, ...run(demand), say });
      oracles(report, demand);
    } catch (error) {
      demand(false, `the run itself: ${String(error)}`);
    }
  };
  const demander =
    (name: string): Demand =>
    (met, what) => {
      well &&= met;
      say(`${met ? "PASS" : "FAIL"} ${name}: ${what}`);
    };
  const onDisk = async (run: (disk: SmallDisk) => Promise<void>): Promise<void> => {
    const disk = SmallDisk.mount();
    try {
      await run(disk);
    } finally {
      disk.unmount();
    }
  };
  const SCENES: Readonly<Record<(typeof RESOURCES)[number], () => Promise<void>>> = {
    "disk-always": () =>
      onDisk((disk) =>
        fed("disk full, every write synced", (demand) => ({
          disk: disk.folder,
          during: fullDisk(disk, demand, true),
        })),
      ),
    "disk-everysec": () =>
      onDisk((disk) =>
        fed("disk full, synced each second", (demand) => ({
          disk: disk.folder,
          redisArgs: ["--appendfsync", "everysec"],
          during: fullDisk(disk, demand, false),
        })),
      ),
    "disk-embedded": () =>
      onDisk((disk) =>
        fed("disk full, embedded", (demand) => ({
          ...{ store: "embedded", disk: disk.folder },
          during: fullDisk(disk, demand, undefined),
        })),
      ),
    "slow-sync": () => fed("a slow sync", (demand) => ({ during: slowSync(demand) })),
    descriptors: () => fed("no file descriptors", (demand) => ({ during: noDescriptors(demand) })),
    burst: () => burst({ program, seed, demand: demander("a burst of new contacts") }),
  };
  for (const [name, play] of Object.entries(SCENES)) {
    if (only && !only.includes(name)) continue;
    try {
      await play();
    } catch (error) {
      demander(name)(false, String(error));
    }
  }
  return well;
}

function oracles(report: Report, demand: Demand): void {
  for (const { oracle, wrong } of report.verdicts)
    demand(wrong.length === 0, `${oracle}: ${wrong.slice(0, 4).join("; ") || "content"}`);
  demand(
    report.exits.every((code) => code === 0),
    lines(report).slice(0, 2).join("; "),
  );
}
