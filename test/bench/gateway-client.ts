/**
 * What the typed client costs on top of the HTTP it cannot do without: `npm run -s bench:client`.
 *
 * The same calls over loopback, once by the client and once by bare undici `request` with `JSON.stringify` and
 * `body.json()`, in pairs of rounds whose order alternates. CPU is that of this process alone (user and system); the
 * server is another process, on another core where `taskset` exists. The bar: 0.05 ms more per call, as a median of pairs.
 */
import { spawn, spawnSync } from "node:child_process";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import { fileURLToPath } from "node:url";
import { Agent, request } from "undici";
import {
  createGateway,
  routeOf,
  type CallOutcome,
  type Gateway,
  type RouteId,
} from "../../src/gateway/index.ts";

const PAIRS = Number(process.env["BENCH_ROUNDS"] ?? 31);
const CALLS = Number(process.env["BENCH_CALLS"] ?? 1_500);
/** Calls on the way at once. */
const CONCURRENCY = 16;
const BAR_MS = 0.05;
const TOKEN = "bench-token-of-the-usual-length-0123456789abcdef";
const DEVICE = "bench-device-0123456789abcdef";

interface Work {
  readonly id: RouteId;
  readonly variant?: string;
  readonly call: (gateway: Gateway) => Promise<CallOutcome>;
  readonly body?: unknown;
}

const text = { number: "5511900000002", text: "Olá! Sua nota está pronta.", delay: 1_200 };
const reply = { ...text, quoted: { key: { id: "3EB0A1B2C3D4E5F60719" } } };
const found = { id: ["3f0c2d9a-0000-4000-8000-000000000001"] };
const poll = { number: text.number, name: "Qual?", selectableCount: 1, values: ["Um", "Dois"] };
const picture = routeOf("message.sendMedia").variants["imageBase64"]?.example as object;
const image = { ...picture, media: "QUJD".repeat(25_000) };
const WORKS: readonly Work[] = [
  { id: "message.sendText", call: (gateway) => gateway.message.sendText(text), body: text },
  {
    id: "message.sendText",
    variant: "reply",
    call: (gateway) => gateway.message.sendText(reply),
    body: reply,
  },
  { id: "message.sendPoll", call: (gateway) => gateway.message.sendPoll(poll), body: poll },
  {
    id: "message.sendMedia",
    variant: "image of 75 kB",
    call: (gateway) => gateway.message.sendMedia(image as never),
    body: image,
  },
  { id: "instance.connectionState", call: (gateway) => gateway.instance.connectionState() },
  { id: "jobs.find", call: (gateway) => gateway.jobs.find(found), body: found },
];

/** Answers every call with the example of its route, as fast as Node can. */
function serve(): void {
  const answers = new Map(
    WORKS.map(({ id }) => {
      const route = routeOf(id);
      return [`${route.method} ${route.path}`, Buffer.from(JSON.stringify(route.example.response))];
    }),
  );
  const server = http.createServer((incoming, response) => {
    const body = answers.get(`${incoming.method} ${(incoming.url ?? "").replace("/api/v2", "")}`);
    incoming.resume();
    incoming.on("end", () => {
      response.writeHead(200, {
        "content-type": "application/json; charset=utf-8",
        "content-length": body?.byteLength ?? 0,
      });
      response.end(body);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
  process.on("disconnect", () => process.exit());
}

async function startServer(): Promise<{ port: number; stop: () => void }> {
  const node = [process.execPath, "--import", "tsx", fileURLToPath(import.meta.url), "serve"];
  const [command = "", ...rest] = pinned ? ["taskset", "-c", "1", ...node] : node;
  const child = spawn(command, rest, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const port = await new Promise<number>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    child.once("message", (message) => resolve(message as number));
  });
  return { port, stop: () => child.disconnect() };
}

/** CPU ms per call of this process while `one` is made `CALLS` times. */
async function cpuPerCall(one: () => Promise<void>): Promise<number> {
  globalThis.gc?.();
  let left = CALLS;
  const before = process.cpuUsage();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (left-- > 0) await one();
    }),
  );
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / CALLS;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function measure(work: Work, port: number): Promise<boolean> {
  const baseUrl = `http://127.0.0.1:${port}/api/v2`;
  const gateway = createGateway({ baseUrl, token: TOKEN, deviceToken: DEVICE, onCall: () => {} });
  const agent = new Agent({ connections: 128, keepAliveTimeout: 60_000 });
  const route = routeOf(work.id);
  const bare = async (): Promise<void> => {
    const answer = await request(`${baseUrl}${route.path}`, {
      dispatcher: agent,
      method: route.method,
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        authorization: `Bearer ${TOKEN}`,
        ...(route.auth === "bearer" ? {} : { DeviceToken: DEVICE }),
      },
      ...(work.body === undefined ? {} : { body: JSON.stringify(work.body) }),
    });
    const body = (await answer.body.json()) as { error?: boolean };
    if (body.error === true) throw new Error("the server said no");
  };
  const ours = async (): Promise<void> => {
    const outcome = await work.call(gateway);
    if (outcome.kind !== "ok") throw new Error(`${work.id}: ${JSON.stringify(outcome)}`);
  };
  for (let round = 0; round < 3; round += 1) {
    await cpuPerCall(bare);
    await cpuPerCall(ours);
  }
  const pairs: { bare: number; ours: number }[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const first = await cpuPerCall(pair % 2 === 0 ? bare : ours);
    const second = await cpuPerCall(pair % 2 === 0 ? ours : bare);
    pairs.push(pair % 2 === 0 ? { bare: first, ours: second } : { bare: second, ours: first });
  }
  await gateway.close();
  await agent.close();
  const added = pairs.map((pair) => pair.ours - pair.bare);
  const cells = [
    work.variant === undefined ? work.id : `${work.id} (${work.variant})`,
    quantile(
      pairs.map((pair) => pair.bare),
      0.5,
    ).toFixed(3),
    quantile(
      pairs.map((pair) => pair.ours),
      0.5,
    ).toFixed(3),
    quantile(added, 0.5).toFixed(3),
    `${quantile(added, 0.25).toFixed(3)} to ${quantile(added, 0.75).toFixed(3)}`,
  ];
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
  return quantile(added, 0.5) <= BAR_MS;
}

const pinned = os.cpus().length > 1 && spawnSync("taskset", ["-V"]).status === 0;

if (process.argv[2] === "serve") serve();
else {
  if (pinned) spawnSync("taskset", ["-a", "-c", "-p", "0", String(process.pid)]);
  const { port, stop } = await startServer();
  process.stderr.write(
    `Node ${process.version}, ${os.cpus()[0]?.model ?? "?"}, ${pinned ? "client on core 0, server on core 1" : "not pinned"}, ` +
      `${PAIRS} pairs of rounds of ${CALLS} calls, ${CONCURRENCY} on the way\n`,
  );
  process.stdout.write(
    "| call | bare undici, CPU ms | client, CPU ms | added, median | added, middle half |\n| --- | --- | --- | --- | --- |\n",
  );
  const only = process.env["BENCH_ONLY"];
  const met: boolean[] = [];
  for (const work of WORKS)
    if (only === undefined || work.id === only) met.push(await measure(work, port));
  stop();
  const all = met.every(Boolean);
  process.stderr.write(`bar of ${BAR_MS} ms: ${all ? "met" : "NOT met"}\n`);
  process.exitCode = all ? 0 : 1;
}
