/**
 * `npm run chaos`: the long forms of the fault tests. Says the seed first; the same seed and commit throw the same dice.
 *
 *   (nothing)                     200 deaths under load, then a death at every place of the flagship conversation
 *   --minutes N --seed S          kill runs with drawn surroundings, one after the other, until the time is over
 *   --planted [--only NAME]       each planted bug, and which oracle finds it
 *   --profile overload [--minutes N]   a hot contact, then a flood: four phases of a quarter each; one minute in all
 */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { bundle, sharedBundle } from "../support/bundle.ts";
import { Dice } from "../support/dice.ts";
import { shake } from "./flagship.ts";
import { killRun, lines, missed, type KillRun, type Report } from "./kill-run.ts";
import { overload } from "./overload.ts";
import { PLANTS, playScene, type Scene, seedOf } from "./planted.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    minutes: { type: "string" },
    planted: { type: "boolean", default: false },
    only: { type: "string" },
    profile: { type: "string" },
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

/** The form of each push: at least 200 deaths, each named point three times, then the flagship conversation. */
async function whole(program: string): Promise<void> {
  const report = await killRun({
    ...{ program, seed, store: "redis", contacts: 200, each: 50, kills: 200, workers: 4, say },
    ...{ redisKills: 2, lostReplies: 3, freezes: 2, gapMs: 1_000 },
  });
  told(report);
  const seldom = missed(report.points, 3);
  if (seldom.length > 0 || report.inHand < 0.9) {
    say(`too few deaths where they count: ${seldom.join(", ")}; ${report.inHand}`);
    failed = true;
  }
  for (const store of ["redis", "embedded"] as const) {
    const shaken = await shake(program, store, { stages: 4 });
    say(
      `flagship on ${store}: ${shaken.deaths.length} deaths at ${shaken.places} places in ${shaken.conversations} conversations, ${shaken.held} notes held for a person`,
    );
    for (const line of shaken.wrong) say(`  ${line}`);
    if (shaken.wrong.length > 0) failed = true;
  }
}

/** One drawn run after the other. */
async function long(program: string, minutes: number): Promise<void> {
  const dice = new Dice(seed);
  for (const end = Date.now() + minutes * 60_000; Date.now() < end && !failed;) {
    const own = values.seed !== undefined && minutes === 0 ? seed : dice.between(1, 1_000_000);
    const drawn = surroundings(own);
    say(`— run with seed ${own}: ${JSON.stringify({ ...drawn, before: undefined })}`);
    told(await killRun({ program, seed: own, say, ...drawn }));
    if (failed) say(`again with: npm run chaos -- --minutes 1 --seed ${seed}, at ${commit.trim()}`);
  }
}

/** Store, load and faults of one run, from its seed. */
function surroundings(own: number): Omit<KillRun, "program" | "seed"> {
  const dice = new Dice(own).split("surroundings");
  const store = dice.chance(0.75) ? ("redis" as const) : ("embedded" as const);
  const faults = dice.shuffled(GATEWAY_FAULTS).slice(0, dice.between(0, 2));
  return {
    ...{ store, contacts: dice.between(20, 120), each: dice.between(30, 60) },
    ...{ kills: dice.between(20, 60), workers: dice.between(1, 4), gapMs: dice.between(300, 900) },
    ...(store === "redis"
      ? { redisKills: dice.between(0, 2), lostReplies: dice.between(0, 2) }
      : {}),
    freezes: dice.between(0, 2),
    async before(stage) {
      for (const effect of faults)
        await stage.control("POST", "/sandbox/faults", { effect, probability: 0.05, seed: own });
    },
  };
}

const GATEWAY_FAULTS = [
  { kind: "status", status: 500 },
  { kind: "status", status: 503 },
  { kind: "reset" },
  { kind: "malformed" },
  { kind: "html" },
  { kind: "business_error" },
  { kind: "slow", ms: 1_500 },
  { kind: "accepted_then_lost" },
] as const;

/** Every scene without and with its bugs, as rows of a table. */
async function planted(): Promise<void> {
  const clean = await sharedBundle("test/chaos/process.ts");
  const plants = PLANTS.filter(({ name }) => values.only === undefined || name === values.only);
  const scenes = [...new Set(plants.map(({ scene }) => scene))];
  const rows: string[] = [];
  for (const scene of scenes) {
    const found = await spoken(scene, clean);
    say(`${scene}, without a bug: ${found === "" ? "all oracles content" : found}`);
    if (found !== "") failed = true;
  }
  for (const { name, scene, edits } of plants) {
    const sick = await bundle("test/chaos/process.ts", edits);
    try {
      const found = await spoken(scene, sick.file);
      rows.push(`| ${name} | ${scene} | ${found === "" ? "**nobody**" : found} |`);
      say(rows.at(-1) ?? "");
      if (found === "") failed = true;
    } finally {
      rmSync(sick.folder, { recursive: true, force: true });
    }
  }
}

/** Which oracles spoke, each with its first finding. */
async function spoken(scene: Scene, program: string): Promise<string> {
  try {
    const verdicts = await playScene(scene, program, seedOf(seed, scene));
    return verdicts
      .filter(({ wrong }) => wrong.length > 0)
      .map(({ oracle, wrong }) => `${oracle}: ${(wrong[0] ?? "").slice(0, 140)}`)
      .join("; ");
  } catch (error) {
    return `the run itself: ${String(error).slice(0, 140)}`;
  }
}

async function main(): Promise<void> {
  if (values.planted) return planted();
  const file = await sharedBundle("test/chaos/process.ts");
  if (values.profile === "overload") {
    const seconds = Math.round(Number(values.minutes ?? 1) * 60) / 4;
    failed = !(await overload({ program: file, seed, seconds, say }));
  } else if (values.profile !== undefined)
    throw new Error(`no profile ${values.profile}: overload`);
  else if (values.minutes !== undefined) await long(file, Number(values.minutes));
  else await whole(file);
}

await main();
process.exitCode = failed ? 1 : 0;
