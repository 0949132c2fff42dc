/** Graceful stops under load: what was accepted is finished or safely left, and killing in the middle of one harms nothing. */
import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Bundled, bundle } from "../support/bundle.ts";
import { killRun, lines } from "./kill-run.ts";
import type { Stage } from "./stage.ts";

const seed = Number(process.env["CHAOS_SEED"] ?? Date.now() % 1_000_000);
const TIMEOUT_MS = 120_000;
/** What the product promises of a stop, ms. */
const STOP_MS = 10_000;

let program: Bundled;
beforeAll(async () => {
  program = await bundle("test/chaos/process.ts");
});
afterAll(() => rmSync(program.folder, { recursive: true, force: true }));

test(
  "stopped and killed while it stops, all under load: every stop ends in time with code 0, and the five oracles are content",
  { timeout: TIMEOUT_MS },
  async () => {
    process.stdout.write(`CHAOS_SEED=${seed}\n`);
    const stops: { code: number | null; ms: number }[] = [];
    const during = async (stage: Stage): Promise<void> => {
      for (const life of stage.lives) {
        await pause(200);
        const from = performance.now();
        const code = await life.end("SIGTERM");
        stops.push({ code, ms: performance.now() - from });
        await life.start();
        await pause(200);
        // In the middle of the next stop it is killed; it comes back by itself.
        process.kill(life.pid ?? 0, "SIGTERM");
        await pause(30);
        life.strike();
        await life.ready();
      }
    };
    const report = await killRun({
      ...{ program: program.file, seed, store: "redis", contacts: 16, each: 12, kills: 0 },
      ...{ workers: 1, gapMs: 150, during, plan: () => ({}) },
    });
    process.stdout.write(`${lines(report).join("\n")}\n`);
    process.stdout.write(`stops: ${stops.map(({ ms }) => Math.round(ms)).join(" ")} ms\n`);
    for (const { oracle, wrong } of report.verdicts) expect(wrong, oracle).toEqual([]);
    expect(stops.map(({ code }) => code)).toEqual([0, 0]);
    expect(Math.max(...stops.map(({ ms }) => ms))).toBeLessThan(STOP_MS);
    expect(report.deaths.length).toBeGreaterThan(0);
    expect(report.exits.every((code) => code === 0)).toBe(true);
    // Refused while it stopped, or not reached at all: answered by nobody who did not keep it.
    expect([...report.statuses.keys()].every((status) => [0, 200, 503].includes(status))).toBe(
      true,
    );
  },
);
