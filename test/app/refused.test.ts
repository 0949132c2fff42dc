/** A Redis that has no room: webhooks are refused, the process goes on, and people are told, of the store and of what was lost. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Redis } from "ioredis";
import { afterEach, expect, test } from "vitest";
import { startProsa } from "../../src/app/index.ts";
import { readSettings } from "../../src/app/settings.ts";
import { until } from "../sandbox/stage.ts";
import { freePort } from "../support/ports.ts";
import { startRedis } from "../support/redis.ts";

const KEYS = `test:${Buffer.alloc(32, 7).toString("base64")}`;
const TOKEN = "demo0000000000000000000000000000";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** Whoever is told of alarms by the process. */
async function receiver(): Promise<{ url: string; told: Record<string, unknown>[] }> {
  const told: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => (text += part));
    request.on("end", () => {
      told.push(JSON.parse(text) as Record<string, unknown>);
      response.end();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  undo.push(() => new Promise((done) => server.close(done)));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, told };
}

const json = { "content-type": "application/json" };

test("what a full Redis refused is an alarm at once, and a gap that is told when it is over", async () => {
  const server = await startRedis();
  undo.push(() => server.stop());
  const redis = new Redis(server.url);
  undo.push(() => redis.quit());
  const dataDir = mkdtempSync(path.join(tmpdir(), "prosa-refused-"));
  undo.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const alerts = await receiver();
  const settings = readSettings({
    ...{ REDIS_URL: server.url, PROSA_DATA_DIR: dataDir, PROSA_KEYS: KEYS, LOG_LEVEL: "silent" },
    ...{ ALERT_URL: alerts.url, PORT: String(await freePort()), SANDBOX_PORT: "0" },
  });
  const prosa = await startProsa(settings, { role: "all" });
  undo.push(() => prosa.stop());
  const says = async (id: string) => {
    const body = JSON.stringify([{ id, reply: "oi", from: "5511987650001" }]);
    const url = `${prosa.url}/webhooks/sms/${TOKEN}`;
    return (await fetch(url, { method: "POST", headers: json, body })).status;
  };
  /** Virtual time goes on, and with it the next sign of life. */
  const pass = async (advance: string) => {
    const url = `${prosa.sandboxUrl ?? ""}/sandbox/clock`;
    const body = JSON.stringify({ advance });
    expect((await fetch(url, { method: "POST", headers: json, body })).status).toBeLessThan(300);
  };
  const alarm = (code: string) =>
    until(async () => alerts.told.find((one) => one["code"] === code));

  expect(await says("before")).toBe(200);
  await redis.config("SET", "maxmemory", "1");
  undo.push(() => redis.config("SET", "maxmemory", "0"));
  expect(await says("lost")).toBe(503);
  await pass("1s");
  expect(await alarm("store.full")).toMatchObject({ subject: "store" });
  await redis.config("SET", "maxmemory", "0");
  expect(await says("after")).toBe(200);
  await pass("11m");
  expect(await alarm("channel.gap")).toMatchObject({ account: "demo", vars: { channels: "SMS" } });
});
