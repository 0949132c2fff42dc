/**
 * A Cluster whose primaries die one after the other under load, each with a replica that takes over and comes back itself as
 * the replica of that one. Nobody of ours dies: the processes have to go on by themselves, and to hold what may not be done
 * twice until a person lets it go.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import { startCluster, type TestCluster } from "../support/cluster.ts";
import { until } from "../support/prosa.ts";
import type { Trouble } from "./book.ts";
import { killRun } from "./kill-run.ts";
import type { OverloadOptions } from "./overload.ts";
import type { Stage } from "./stage.ts";

/** Load before a death, and again once all is whole, ms. */
const CALM_MS = 4_000;
const PATIENCE_MS = 60_000;
const HOLDS = ["hold:costly", "hold:fiscal"];

export async function failover({ program, seed, say }: OverloadOptions): Promise<boolean> {
  let well = true;
  const demand = (met: boolean, what: string): void => {
    well &&= met;
    say(`${met ? "PASS" : "FAIL"} ${what}`);
  };
  const cluster = await startCluster({
    replicas: 1,
    args: ["--min-replicas-to-write", "1"],
  });
  try {
    const held: string[] = [];
    const broken: Trouble[] = [];
    const report = await killRun({
      ...{ program, seed, store: "redis", contacts: 40, each: 120, kills: 0, workers: 2 },
      ...{ redisUrl: cluster.url, gapMs: 150, plan: () => ({}), say },
      async during(stage) {
        for (const victim of [0, 1]) {
          await pause(CALM_MS);
          const from = Date.now();
          await lose(cluster, victim);
          broken.push({ from, to: Date.now(), store: true });
          held.push((await holdsOf(stage)).join(" "));
          await until("the release", () => released(stage), PATIENCE_MS);
        }
        return broken;
      },
    });
    say(
      `${report.events} events and ${report.repeats} repeats of 40 contacts in ${report.seconds} s; two of three primaries died; webhook p99 ${report.latency.p99} ms`,
    );
    for (const { oracle, wrong } of report.verdicts)
      demand(wrong.length === 0, `${oracle}: ${wrong.slice(0, 4).join("; ") || "nothing wrong"}`);
    demand(
      held.length === 2 && held.every((names) => names === HOLDS.join(" ")),
      `each fail-over is noticed and held until a person releases it: ${held.join(", then ")}`,
    );
    const gone = report.deaths.length + report.evidence.ends.ended.length;
    demand(gone === 0, `nobody died or ended by it: ${gone}`);
    demand(
      report.exits.every((code) => code === 0),
      `all end as asked: ${report.exits.join(" ")}`,
    );
    return well;
  } finally {
    await cluster.stop();
  }
}

/** Kills a primary; back as the replica of its replica. */
async function lose(cluster: TestCluster, victim: number): Promise<void> {
  const primary = cluster.primaries[victim];
  const successor = new Redis(cluster.replicas[victim]?.url ?? "");
  successor.on("error", () => undefined);
  const shows = async (text: string) =>
    (await successor.info("replication").catch(() => "")).includes(text);
  try {
    const ended = new Promise((done) => primary?.process?.once("exit", done));
    primary?.process?.kill("SIGKILL");
    await ended;
    await until("the promotion", () => shows("role:master"), PATIENCE_MS);
    await cluster.again(victim);
    await until("the return of the old one", () => shows("state=online"), PATIENCE_MS);
  } finally {
    successor.disconnect();
  }
}

/** Waits until both classes are held. */
function holdsOf(stage: Stage): Promise<readonly string[]> {
  const look = async () => {
    const found = (await stage.pauses().catch(() => [])).filter((one) => one.startsWith("hold:"));
    return found.length === HOLDS.length ? found.sort() : undefined;
  };
  return until("the hold", look, PATIENCE_MS);
}

/** What a person does who has looked: lets all go on. */
async function released(stage: Stage): Promise<boolean> {
  await stage.resumeAll().catch(() => 0);
  return (await stage.pauses().catch(() => HOLDS)).length === 0;
}
