/**
 * A deployment under load, and back again: two bundles of the sources whose flow differs (another version, a slot more in
 * its question and a field more in its state) and of which the newer knows a kind of effect more. Each worker of the one
 * build starts beside a worker of the other, which is then asked to end; the listener, whose port is its own, is ended and
 * started as the other build. Both work on one Redis for a while, in both directions, and people in the middle of a
 * conversation are to notice nothing.
 */
import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { bundle, type Edit } from "../support/bundle.ts";
import { killRun } from "./kill-run.ts";
import { textIn } from "../support/prosa.ts";
import type { OverloadOptions } from "./overload.ts";
import type { Stage } from "./stage.ts";

const FLOW = "test/chaos/recorder-flow.ts";
/** Heard where a call of the kind that only the next build knows failed; no phone says it. */
const FAILED = 9_000_000;
/** The next build: its flow, and the kind of effect its flow asks for. */
export const NEXT: readonly Edit[] = [
  {
    file: "src/worker/effects/table.ts",
    find: "const ROUTES = flowRoutes.map(routeEffect);",
    replace:
      'const ROUTES = [...flowRoutes.map(routeEffect), ...flowRoutes.filter(({ id }) => id === "jobs.list").map((route) => ({ ...routeEffect(route), name: "recorder.look" }))];',
  },
  {
    file: FLOW,
    find: "said, [quiet]);",
    replace:
      'said, number % 5 === 0 ? [quiet, { type: "effect", step: "hear", name: "recorder.look", class: "read", input: {}, for: "look" }] : [quiet]);',
  },
  {
    file: FLOW,
    find: '    if (event.type === "quiet.nudge") {',
    replace: `    if (/^hear[.](failed|rejected)$/.test(event.type)) return step({ ...old, heard: [...heard, ${FAILED}] }, "", []);
    if (event.type === "quiet.nudge") {`,
  },
  {
    file: FLOW,
    find: "...{ version: build, hash: `recorder-${build}` },",
    replace: "...{ version: build + 1, hash: `recorder-next-${build}` },",
  },
  {
    file: FLOW,
    find: '  slots: [\n    {\n      ...{ name: "number"',
    replace:
      '  slots: [\n    { name: "mood", kind: "text", filled: false, names: [], read: () => ({ ok: false, reason: "absent" }) } as never,\n    {\n      ...{ name: "number"',
  },
  {
    file: FLOW,
    find: "    state: { ...recording, heard: [...recording.heard] },",
    replace: '    state: { ...recording, heard: [...recording.heard], mood: "calm" } as never,',
  },
];
/** Both builds work beside each other for this long before the next process is changed, ms. */
const BESIDE_MS = 2_500;
/** What the product promises of a stop, ms. */
const STOP_MS = 10_000;

export async function rolling({ program, seed, say }: OverloadOptions): Promise<boolean> {
  let well = true;
  const demand = (met: boolean, what: string): void => {
    well &&= met;
    say(`${met ? "PASS" : "FAIL"} ${what}`);
  };
  const next = await bundle("test/chaos/process.ts", NEXT);
  const stops: { code: number | null; ms: number }[] = [];
  const change = async (stage: Stage, to: string): Promise<void> => {
    const [listener, ...workers] = stage.lives;
    for (const worker of workers) {
      stops.push(await worker.succeed(to));
      await pause(BESIDE_MS);
    }
    const from = performance.now();
    const code = (await listener?.end("SIGTERM")) ?? null;
    stops.push({ code, ms: performance.now() - from });
    listener?.use(to);
    await listener?.start();
    await pause(BESIDE_MS);
  };
  try {
    const report = await killRun({
      ...{ program, seed, store: "redis", contacts: 40, each: 160, kills: 0, workers: 2 },
      ...{ gapMs: 150, plan: () => ({}), say },
      async during(stage) {
        await pause(BESIDE_MS);
        await change(stage, next.file);
        await change(stage, program);
        return [];
      },
    });
    say(
      `${report.events} events and ${report.repeats} repeats of 40 contacts in ${report.seconds} s; webhook p99 ${report.latency.p99} ms`,
    );
    for (const { oracle, wrong } of report.verdicts)
      demand(wrong.length === 0, `${oracle}: ${wrong.slice(0, 4).join("; ") || "nothing wrong"}`);
    const looks = report.evidence.requests.filter(
      (row) => textIn(row["route"]) === "jobs.list" && Number(row["status"]) === 200,
    );
    demand(looks.length > 0, `what only the newer build can do was done: ${looks.length} times`);
    const unheard = report.evidence.contacts.filter(
      ({ acked, heard, dead }) => heard.length + dead.length < acked.length,
    );
    demand(
      unheard.length === 0,
      `conversations in the middle of their form end it: ${40 - unheard.length} of 40`,
    );
    demand(
      report.evidence.counters.dead === 0,
      `nothing was parked: ${report.evidence.counters.dead}`,
    );
    const slowest = Math.max(...stops.map(({ ms }) => ms));
    demand(
      stops.every(({ code }) => code === 0) && slowest < STOP_MS,
      `${stops.length} stops there and back end by themselves, ${Math.round(slowest)} ms at most`,
    );
    const gone = report.deaths.length + report.evidence.ends.ended.length;
    demand(gone === 0, `nobody died or ended by itself: ${gone}`);
    demand(
      report.exits.every((code) => code === 0),
      `all end as asked: ${report.exits.join(" ")}`,
    );
    return well;
  } finally {
    rmSync(next.folder, { recursive: true, force: true });
  }
}
