/**
 * The whole bot under kill -9 at named points and at random, with Redis killed too, answers lost and a worker stopped:
 * the small form of `npm run chaos`. `CHAOS_SEED` throws the same dice again.
 */
import { beforeAll, expect, test } from "vitest";
import { sharedBundle } from "../support/bundle.ts";
import { killRun } from "./kill-run.ts";
import { lines, type Report } from "./report.ts";

const seed = Number(process.env["CHAOS_SEED"] ?? Date.now() % 1_000_000);
/** A busy machine; the runs wait for facts, not for times. */
const TIMEOUT_MS = 300_000;

let program: string;
beforeAll(async () => {
  program = await sharedBundle("test/chaos/process.ts");
});

function expectGood(report: Report): void {
  process.stdout.write(`${lines(report).join("\n")}\n`);
  for (const { oracle, wrong } of report.verdicts) expect(wrong, oracle).toEqual([]);
  expect(report.exits.every((code) => code === 0)).toBe(true);
}

// Beside each other: most of their time is waiting for leases, and for timers that must not come.
test.concurrent(
  "Redis: a listener, one that does all and two workers die 6 times, Redis once, and the oracles are content",
  { timeout: TIMEOUT_MS },
  async () => {
    process.stdout.write(`CHAOS_SEED=${seed}\n`);
    const acts = ["redis killed", "answers lost", "freeze"] as const;
    const report = await killRun({
      ...{ program, seed, store: "redis", contacts: 24, each: 12, kills: 6, acts },
      ...{ alls: 1, workers: 2, gapMs: 500 },
    });
    expectGood(report);
    expect(report.deaths.length).toBeGreaterThanOrEqual(6);
    expect([...report.acts].sort()).toEqual([...acts].sort());
  },
);

// By the seed: what the embedded store loses at a death is tried each time by `kill-store.test.ts`.
if (seed % 2 === 1)
  test.concurrent(
    "embedded: the one process dies 3 times, and the oracles are content",
    { timeout: TIMEOUT_MS },
    async () => {
      const report = await killRun({
        program,
        seed,
        store: "embedded",
        contacts: 12,
        each: 12,
        kills: 3,
        gapMs: 400,
      });
      expectGood(report);
      expect(report.deaths.length).toBeGreaterThanOrEqual(3);
    },
  );
