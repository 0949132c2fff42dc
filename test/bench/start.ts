/**
 * `npm run bench:start`: from `npm start` to a bot that says it is ready, with nothing stored yet. The bar is 3 s. Two starts take
 * turns: the first after an install, with an empty cache, and any later one. `--rounds 7` is how often each is made; medians
 * count. `--write` puts the table into the README.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { freePort } from "../support/ports.ts";
import { origin } from "./origin.ts";
import { place } from "./placed.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** The bundled program and what was read of flows: the first start makes them. */
const KEPT = path.join(ROOT, "node_modules/.cache/prosa");
const ASIDE = `${KEPT}-aside`;
const BAR_MS = 3_000;
const LOOK_MS = 10;
const PATIENCE_MS = 60_000;
const KINDS = ["first after an install", "any later"] as const;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "7" },
    write: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
if (!(rounds >= 1)) throw new Error(`--rounds ${values.rounds}: at least 1`);

/** Ms from `npm start` until it is ready. */
async function started(): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "prosa-start-"));
  const [port, sandbox] = [await freePort(), await freePort()];
  const from = performance.now();
  const child = spawn("npm", ["start"], {
    cwd: ROOT,
    env: {
      ...{ PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", NO_COLOR: "1" },
      ...{ PORT: String(port), SANDBOX_PORT: String(sandbox), PROSA_DATA_DIR: folder },
    },
    stdio: "ignore",
    // A group of its own: the signal goes to the bot, too, not to npm alone.
    detached: true,
  });
  try {
    while (!(await isReady(port))) {
      if (child.exitCode !== null || performance.now() - from > PATIENCE_MS)
        throw new Error("npm start never said that it is ready");
      await pause(LOOK_MS);
    }
    return performance.now() - from;
  } finally {
    await ended(child, port);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** npm ends at once; its folder is still written until nobody listens. */
async function ended(child: ChildProcess, port: number): Promise<void> {
  if (child.exitCode === null && child.pid !== undefined) {
    const exit = once(child, "exit");
    process.kill(-child.pid, "SIGTERM");
    await exit;
  }
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/health/live`).then(
      () => true,
      () => false,
    );
  while (await answers()) await pause(LOOK_MS);
}

function row(kind: string, times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b).map(Math.round);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const verdict = median <= BAR_MS ? "met" : "**missed**";
  return `| ${kind} | ${sorted.length} | ${median} (${sorted[0]}–${sorted.at(-1)}) | ≤ ${BAR_MS} | ${verdict} |`;
}

const times: Record<(typeof KINDS)[number], number[]> = {
  "first after an install": [],
  "any later": [],
};
if (existsSync(KEPT)) renameSync(KEPT, ASIDE);
try {
  for (let round = 0; round < rounds; round += 1)
    for (const kind of KINDS) {
      if (kind === "first after an install") rmSync(KEPT, { recursive: true, force: true });
      times[kind].push(await started());
    }
} finally {
  if (existsSync(ASIDE)) {
    rmSync(KEPT, { recursive: true, force: true });
    renameSync(ASIDE, KEPT);
  }
}
const text = [
  `${os.cpus().length} cores, Node ${process.versions.node}, ${origin()}.`,
  "",
  "| start | times | until ready, ms: median (least–most) | bar, ms | |",
  "| --- | --- | --- | --- | --- |",
  ...KINDS.map((kind) => row(kind, times[kind])),
  "",
].join("\n");
process.stdout.write(text);
if (values.write) place("start", text);
process.exitCode = KINDS.every((kind) => {
  const sorted = [...times[kind]].sort((a, b) => a - b);
  return (sorted[Math.floor(sorted.length / 2)] ?? Infinity) <= BAR_MS;
})
  ? 0
  : 1;
