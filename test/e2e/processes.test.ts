/**
 * One that listens and two that work, on a real three-node Cluster: compositions of the command line side by side. `npm run
 * chaos -- --profile workers` has them as processes, on one Redis and on a Cluster, with one, two and four that work.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  readSettings,
  type Role,
  type Running,
  startProsa,
  startSandbox,
} from "../../src/app/index.ts";
import { startCluster } from "../support/cluster.ts";
import { Phone } from "../support/phone.ts";
import { call } from "../support/prosa.ts";
import { freePort } from "../support/ports.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const TOKEN = "demo0000000000000000000000000000";
const HOOK = `/webhooks/engine-b/${TOKEN}`;
const closing: (() => Promise<unknown> | void)[] = [];
const urls: string[] = [];
/** The listener, then the two that work; one that is away is undefined. */
const running: (Running | undefined)[] = [];
let sandbox = "";
/** Starts the process of this place, the first time or again. */
let start: (at: number) => Promise<void>;

async function stop(at: number): Promise<void> {
  await running[at]?.stop();
  running[at] = undefined;
}

beforeAll(async () => {
  const cluster = await startCluster();
  closing.push(() => cluster.stop());
  const [listening, sandboxPort] = [await freePort(), await freePort()];
  const common = {
    REDIS_URL: cluster.url,
    PROSA_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
    SANDBOX_PORT: String(sandboxPort),
    BOT_URL: `http://127.0.0.1:${listening}`,
    PROSA_DEMO: "1",
    LOG_LEVEL: "silent",
  };
  const settings = (port: number, more: object = {}) => {
    const folder = mkdtempSync(path.join(tmpdir(), "prosa-processes-"));
    closing.push(() => rmSync(folder, { recursive: true, force: true }));
    return readSettings({ ...common, PORT: String(port), PROSA_DATA_DIR: folder, ...more });
  };
  const gateway = await startSandbox(settings(listening));
  closing.push(() => gateway.stop());
  sandbox = gateway.url;
  const roles: [Role, number][] = [["ingress", listening]];
  for (let index = 0; index < 2; index += 1) roles.push(["worker", await freePort()]);
  const places = roles.map(([role, port]) => {
    return { role, settings: settings(port, { GATEWAY_URL: `${sandbox}/api/v2` }) };
  });
  start = async (at) => {
    const place = places[at];
    if (!place) throw new Error(`no place ${at}`);
    const one = await startProsa(place.settings, { role: place.role });
    running[at] = one;
    urls[at] = one.url;
  };
  for (const at of places.keys()) {
    closing.push(() => stop(at));
    await start(at);
  }
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

const control = (method: string, target: string, body?: unknown) =>
  call(method, `${sandbox}${target}`, body);
const phone = (number: string) => new Phone(number, { control, log: () => "" });

/** Texts that the process of this place sent since it started. */
async function sent(at: number): Promise<number> {
  const { text } = await call("GET", `${urls[at]}/metrics`);
  const counts = text.matchAll(/calls_total\{route="message\.sendText"[^}]*\} (\d+)/g);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

test("only the listener takes webhooks", async () => {
  const body = JSON.stringify({});
  const answers = await Promise.all(urls.map((url) => call("POST", `${url}${HOOK}`, body)));
  expect(answers.map(({ status }) => status === 404)).toEqual([false, true, true]);
  const roles = await Promise.all(urls.map((url) => call("GET", `${url}/health/ready`)));
  expect(roles.map((one) => one.body["roles"])).toEqual([["ingress"], ["worker"], ["worker"]]);
});

test("a moved clock reaches those that work: what is due fires once, before the answer comes, and the listener runs no turn", async () => {
  const people = Array.from({ length: 5 }, (_, index) => phone(`551198765200${index}`));
  await Promise.all(people.map((one) => one.asks("preciso da nota", /Qual serviço/)));
  await control("POST", "/sandbox/clock", { advance: "16m" });
  for (const one of people)
    expect((await one.hears()).filter((text) => text.includes("Ainda por aí"))).toHaveLength(1);
  expect(await sent(0)).toBe(0);
  expect((await sent(1)) + (await sent(2))).toBeGreaterThanOrEqual(2 * people.length);
  const clocks = await Promise.all(urls.map((url) => call("GET", `${url}/api/meta`)));
  const offsets = clocks.map((one) => Number(one.body["clock"]?.["offsetMs"]));
  for (const offset of offsets) expect(Math.abs(offset - 960_000)).toBeLessThan(2_000);
});

test("either of the two carries a conversation on alone while the other is away", async () => {
  const someone = phone("5511987652010");
  const turns = [
    { away: 1, alone: 2, say: "preciso da nota", then: /Qual serviço/ },
    { away: 2, alone: 1, say: "1", then: /CPF ou CNPJ/ },
  ] as const;
  for (const { away, alone, say, then } of turns) {
    await stop(away);
    const before = await sent(alone);
    await someone.asks(say, then);
    expect(await sent(alone)).toBeGreaterThan(before);
    await start(away);
  }
  expect(await sent(0)).toBe(0);
});
