/**
 * `npm run chaos`: the long forms of the fault tests. Says the seed first; the same seed and commit throw the same dice.
 *
 *   (nothing)                     200 deaths under load, then a death at every place of the flagship conversation on Redis, at
 *                                 every second one on SQLite: which half, the seed says by being even or odd
 *   --every                       the same with every place on SQLite, too, and of what may follow the conversation
 *   --minutes N --seed S          the same conversations at every place on both, then N minutes of kill runs with drawn surroundings
 *   --run S                       one of those again, by the seed it told
 *   --planted [--only NAME,…]     each planted bug, and which oracle finds it
 *   --write                       with each of these but the long form: its table in README.md anew
 *   --profile workers             the same conversations with 1, 2 and 4 workers, on one Redis and on a Cluster
 *   --profile timers              100,000 timers overdue at once beside live conversations
 *   --profile endings             graceful stops under load, events that end their process, notes on their way
 *   --profile rolling             another build takes over under load, and back
 *   --profile failover            primaries of a Cluster die under load, their replicas take over
 *   --profile resources           full disks, slow syncs, no file descriptors, a burst of new contacts; --only NAME,NAME
 *   --profile overload [--minutes N]   a hot contact, then a flood of N minutes (1), and about four minutes around it
 */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { bundle, sharedBundle } from "../support/bundle.ts";
import { Dice } from "../support/dice.ts";
import { drawnRun } from "./drawn.ts";
import { killRun } from "./kill-run.ts";
import { lines, type Report } from "./report.ts";
import { endings } from "./endings.ts";
import { failover } from "./failover.ts";
import { overload } from "./overload.ts";
import { RESOURCES, resources } from "./resources.ts";
import { rolling } from "./rolling.ts";
import { PLANTS } from "./planted.ts";
import { rowOf, writeTable } from "./tables.ts";
import { playScene, type Scene, seedOf } from "./scenes.ts";
import { timers } from "./timers.ts";
import { flagship, whole } from "./whole.ts";
import { workers } from "./workers.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    minutes: { type: "string" },
    run: { type: "string" },
    planted: { type: "boolean", default: false },
    only: { type: "string" },
    profile: { type: "string" },
    every: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
  cwd: ROOT,
  encoding: "utf8",
});
say(`seed ${seed}, commit ${commit.trim()}`);

let failed = false;
// An end by a signal takes the processes of the run with it, too.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

function told(report: Report): void {
  for (const line of lines(report)) say(line);
  if (report.verdicts.some(({ wrong }) => wrong.length > 0)) failed = true;
}

/** The short form. */
async function short(program: string): Promise<void> {
  const { good, rows } = await whole({ program, seed, every: values.every, say });
  if (!good) failed = true;
  if (values.write)
    writeTable("runs", ["| run | deaths | time | nothing wrong |", "|---|---|---|---|", ...rows]);
}

/** The flagship at every place on both stores, then one drawn run after the other; with `--run` the one of that seed alone. */
async function long(program: string, minutes: number): Promise<void> {
  const dice = new Dice(seed);
  if (values.run === undefined)
    failed = !(await flagship({ program, seed, every: true, say })).good;
  for (const end = Date.now() + minutes * 60_000; Date.now() < end && !failed;) {
    const own = values.run === undefined ? dice.between(1, 1_000_000) : Number(values.run);
    const { told: surroundings, run } = drawnRun(own);
    say(`— run ${own}: ${surroundings}`);
    try {
      told(await killRun({ ...run, program, seed: own, say }));
    } catch (error) {
      failed = true;
      say(`the run itself: ${String(error)}`);
    }
    if (failed) say(`again with: npm run chaos -- --run ${own}, at commit ${commit.trim()}`);
    if (values.run !== undefined) return;
  }
}

/** Forms that demand: each says line by line what held, answers whether all did, and has a table of its name. */
const FORMS = { overload, workers, timers, endings, rolling, failover };

/** Scenes beside each other: most of their time is waiting for leases and outages. */
const AT_ONCE = 5;

/** Does all, so many at once; answers in the order asked. */
async function several<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  const todo = [...all.entries()];
  const next = async (): Promise<void> => {
    for (let one = todo.shift(); one; one = todo.shift()) done[one[0]] = await act(one[1]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return done;
}

/** The names of `--only`; undefined for all. Throws at one that is none: it would run nothing and find nothing wrong. */
function asked(names: readonly string[]): readonly string[] | undefined {
  const only = values.only?.split(",");
  const unknown = only?.filter((name) => !names.includes(name)) ?? [];
  if (unknown.length > 0) throw new Error(`no ${unknown.join(", ")}: ${names.join(", ")}`);
  return only;
}

/** Every scene without and with its bugs, as rows of a table. */
async function planted(): Promise<void> {
  const began = performance.now();
  const clean = await sharedBundle("test/chaos/process.ts");
  const only = asked(PLANTS.map(({ name }) => name));
  const plants = PLANTS.filter(({ name }) => only === undefined || only.includes(name));
  const scenes = [...new Set(plants.map(({ scene }) => scene))];
  await several(scenes, async (scene) => {
    const began = performance.now();
    const found = await spoken(scene, clean);
    const seconds = Math.round((performance.now() - began) / 1_000);
    say(`${scene}, without a bug, ${seconds} s: ${found === "" ? "all oracles content" : found}`);
    if (found !== "") failed = true;
  });
  const rows = await several(plants, async ({ name, scene, edits }) => {
    const began = performance.now();
    const sick = await bundle("test/chaos/process.ts", edits);
    try {
      const found = await spoken(scene, sick.file);
      // A run that breaks down tells nothing about the oracles.
      if (found === "" || found.startsWith(BROKE)) failed = true;
      const row = rowOf(name, `\`${scene}\``, found === "" ? "**nobody**" : found);
      say(`${row} ${Math.round((performance.now() - began) / 1_000)} s`);
      return row;
    } finally {
      rmSync(sick.folder, { recursive: true, force: true });
    }
  });
  say(`${plants.length} bugs in ${Math.round((performance.now() - began) / 1_000)} s`);
  if (values.write && only === undefined)
    writeTable("planted", ["| bug | scene | who finds it |", "|---|---|---|", ...rows]);
}

const BROKE = "the run itself";

/** Which oracles spoke, each with its first finding. */
async function spoken(scene: Scene, program: string): Promise<string> {
  try {
    const verdicts = await playScene(scene, program, seedOf(seed, scene));
    return verdicts
      .filter(({ wrong }) => wrong.length > 0)
      .map(({ oracle, wrong }) => `${oracle}: ${(wrong[0] ?? "").slice(0, 140)}`)
      .join("; ");
  } catch (error) {
    return `${BROKE}: ${String(error).slice(0, 140)}`;
  }
}

async function main(): Promise<void> {
  if (values.planted) return planted();
  const file = await sharedBundle("test/chaos/process.ts");
  const play = Object.entries(FORMS).find(([name]) => name === values.profile)?.[1];
  if (play && values.profile !== undefined) {
    const lines: string[] = [];
    const note = (line: string): void => (lines.push(line), say(line));
    const minutes = Number(values.minutes ?? 1);
    failed = !(await play({ program: file, seed, minutes, say: note }));
    say(`${values.profile}: ${failed ? "FAIL" : "PASS"}`);
    if (values.write) writeTable(values.profile, ["```", ...lines, "```"]);
  } else if (values.profile === "resources") {
    const lines: string[] = [];
    const note = (line: string): void => (lines.push(line), say(line));
    const only = asked(RESOURCES);
    failed = !(await resources({ program: file, seed, say: note, ...(only ? { only } : {}) }));
    say(failed ? "resources: FAIL" : "resources: PASS");
    if (values.write && !only) writeTable("resources", ["```", ...lines, "```"]);
  } else if (values.profile !== undefined)
    throw new Error(`no profile ${values.profile}: resources, ${Object.keys(FORMS).join(", ")}`);
  else if (values.minutes !== undefined || values.run !== undefined)
    await long(file, Number(values.minutes ?? 1));
  else await short(file);
}

await main();
process.exitCode = failed ? 1 : 0;
