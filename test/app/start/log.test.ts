/** A log nobody reads: neither the work nor the end of the process waits for it, and it does not grow. Nor does either end by it. */
import { spawn } from "node:child_process";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const PROGRAM = `
  import { Registry } from "prom-client";
  import { openLog } from "./src/app/start/log.ts";
  const registry = new Registry();
  const { log, close } = openLog("info", registry);
  const line = "x".repeat(1000);
  // 50 MB in all, a hundred lines at a time, with room for other work between them.
  for (let at = 0; at < 500; at++) {
    for (let n = 0; n < 100; n++) log.info({ line }, "said");
    await new Promise((done) => setImmediate(done));
  }
  const dropped = (await registry.getSingleMetric("prosa_log_dropped_total").get()).values[0].value;
  console.log(JSON.stringify({ dropped, waiting: process.memoryUsage().rss }));
  await close();
  // As the start command does: what still waits for a reader was given up.
  process.exit(0);
`;

test("a log sink that is blocked stops nothing: lines are dropped and counted, and the process ends", async () => {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "--eval", PROGRAM],
    { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] },
  );
  // Nobody reads stderr: the pipe is full after 64 kB.
  child.stderr.pause();
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  const said = JSON.parse(await text(child.stdout)) as { dropped: number; waiting: number };
  expect(await ended).toBe(0);
  expect(said.dropped).toBeGreaterThan(40_000);
  expect(said.dropped).toBeLessThan(50_000);
  expect(said.waiting).toBeLessThan(200 * 1_024 ** 2);
});

const LATE = `
  import { Registry } from "prom-client";
  import { openLog } from "./src/app/start/log.ts";
  const registry = new Registry();
  const { log, close } = openLog("info", registry);
  const part = log.child({ part: "worker" });
  log.info("in time");
  await close();
  for (const one of [log, part]) one.warn("too late");
  const dropped = (await registry.getSingleMetric("prosa_log_dropped_total").get()).values[0].value;
  console.log(JSON.stringify({ dropped }));
`;

test("what is said after the end of the log is dropped and counted, and no process ends by it", async () => {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "--eval", LATE],
    { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] },
  );
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  const [said, logged] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(await ended).toBe(0);
  expect(JSON.parse(said)).toEqual({ dropped: 2 });
  expect(logged).toContain("in time");
  expect(logged).not.toContain("too late");
});
