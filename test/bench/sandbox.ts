/**
 * How many requests a second the sandbox answers on one core: `npm run -s bench:sandbox`.
 *
 * The server runs alone on core 0, the load generator on core 1 (where `taskset` exists and there are two). Medians of
 * rounds; CPU is that of the server process only, so that a busy machine does not make it look better or worse. The floor
 * is a bare HTTP server under the same load: what the generator and Node leave to be had.
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import os from "node:os";
import path from "node:path";
import { Pool } from "undici";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 7);
const ROUND_MS = Number(process.env["BENCH_ROUND_MS"] ?? 2_000);
const WARM_UP_MS = Math.min(3_000, ROUND_MS * 2);
/** Connections kept alive, and requests on the way on each. */
const CONNECTIONS = 8;
const PIPELINING = 8;

const HEADERS = {
  authorization: "Bearer sandbox-token",
  devicetoken: "sandbox-device",
  "content-type": "application/json",
};

interface Load {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
}

const SEND_TEXT: Load = {
  name: "message.sendText",
  method: "POST",
  path: "/api/v2/msgengine/message/sendText",
  body: JSON.stringify({
    number: "5511987650001",
    text: "Olá! Sua nota está pronta.",
    options: { delay: 1_200, presence: "composing" },
  }),
};
const LOADS: readonly Load[] = [
  SEND_TEXT,
  {
    name: "instance.connectionState",
    method: "GET",
    path: "/api/v2/msgengine/instance/connectionState",
  },
];

interface Round {
  readonly perSecond: number;
  /** CPU milliseconds of the server for one request. */
  readonly cpu: number;
}

const pinned = os.cpus().length > 1 && spawnSync("taskset", ["-V"]).status === 0;

function begin(kind: "sandbox" | "floor"): ChildProcess {
  const script = path.join(import.meta.dirname, "sandbox-process.ts");
  const node = [process.execPath, ...nodeOptions(), "--import", "tsx", script, kind];
  const [command = "", ...rest] = pinned ? ["taskset", "-c", "0", ...node] : node;
  return spawn(command, rest, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
}

function nodeOptions(): readonly string[] {
  return (process.env["BENCH_NODE_OPTIONS"] ?? "").split(" ").filter(Boolean);
}

function told<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`the server ended with ${code}`));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message as T);
    });
  });
}

async function cpuOf(child: ChildProcess): Promise<{ cpu: number; rss: number }> {
  const answer = told<{ cpu: number; rss: number }>(child);
  child.send("cpu");
  return answer;
}

/** Keeps every slot of the pool busy for `ms`; resolves with the answers that came. */
async function press(pool: Pool, load: Load, ms: number): Promise<number> {
  const end = performance.now() + ms;
  let answers = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      const { statusCode, body } = await pool.request({
        method: load.method,
        path: load.path,
        headers: HEADERS,
        ...(load.body === undefined ? {} : { body: load.body }),
        // Both are needed for requests to follow each other on one connection without waiting.
        idempotent: true,
        blocking: false,
      });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`${load.name}: ${statusCode} ${text}`);
      answers += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS * PIPELINING }, worker));
  return answers;
}

async function measure(child: ChildProcess, pool: Pool, load: Load): Promise<readonly Round[]> {
  await press(pool, load, WARM_UP_MS);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await cpuOf(child);
    const begun = performance.now();
    const answers = await press(pool, load, ROUND_MS);
    const seconds = (performance.now() - begun) / 1_000;
    const after = await cpuOf(child);
    rounds.push({ perSecond: answers / seconds, cpu: (after.cpu - before.cpu) / answers });
  }
  return rounds;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function print(name: string, rounds: readonly Round[]): void {
  const rates = rounds.map((round) => round.perSecond);
  const cells = [
    name,
    median(rates).toFixed(0),
    `${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)}`,
    median(rounds.map((round) => round.cpu)).toFixed(3),
  ];
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
}

async function run(kind: "sandbox" | "floor", loads: readonly Load[]): Promise<void> {
  const child = begin(kind);
  const { url } = await told<{ url: string }>(child);
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: PIPELINING });
  if (kind === "sandbox")
    for (const channel of ["sms", "engine-a", "engine-b", "engine-c"])
      await pool
        .request({
          method: "PUT",
          path: "/sandbox/subscriptions",
          headers: HEADERS,
          body: JSON.stringify({ channel, urls: [] }),
        })
        .then((answer) => answer.body.dump());
  for (const load of loads)
    print(kind === "floor" ? "floor (bare HTTP)" : load.name, await measure(child, pool, load));
  if (kind === "sandbox")
    process.stderr.write(
      `memory of the sandbox: ${((await cpuOf(child)).rss / 1_048_576).toFixed(0)} MiB\n`,
    );
  await pool.destroy();
  child.disconnect();
}

if (pinned) spawnSync("taskset", ["-a", "-c", "-p", "1", String(process.pid)]);
process.stderr.write(
  `Node ${process.version}, ${os.cpus()[0]?.model ?? "?"}, ${pinned ? "server on core 0, load on core 1" : "not pinned"}, ` +
    `${ROUNDS} rounds of ${ROUND_MS} ms, ${CONNECTIONS} connections × ${PIPELINING} requests on the way\n`,
);
process.stdout.write(
  "| route | requests/s | range | CPU ms per request |\n| --- | --- | --- | --- |\n",
);
await run("sandbox", LOADS);
await run("floor", [SEND_TEXT]);
