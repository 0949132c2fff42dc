/** A Redis that cannot be used, or would lose what it was given: `start` and `doctor` say so in one sentence, within 10 s. */
import { createServer, type AddressInfo, type Server } from "node:net";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ran } from "../cli/in-process.ts";
import { freePort } from "../support/ports.ts";
import { programFile, prosa } from "../support/prosa.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

const SECRET = "hunter2-secret";
const KEYS = `k1:${randomBytes(32).toString("base64")}`;
/** What a start may take until it says why it cannot, ms; the rest is the process' own start on a busy machine. */
const SAID_MS = 20_000;

let redis: TestRedis;
let deaf: Server;
let folder: string;
beforeAll(async () => {
  redis = await startRedis({ args: ["--maxmemory-policy", "allkeys-lru"] });
  const client = new Redis(redis.url);
  await client.config("SET", "requirepass", SECRET);
  client.disconnect();
  deaf = createServer(() => undefined);
  await new Promise<void>((resolve) => deaf.listen(0, "127.0.0.1", resolve));
  folder = mkdtempSync(path.join(tmpdir(), "prosa-refused-"));
});
afterAll(async () => {
  deaf.close();
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
});

const settings = (url: string): Record<string, string> => ({
  ...{ REDIS_URL: url, PROSA_KEYS: KEYS, PROSA_DEMO: "0" },
  ...{ PORT: "0", SANDBOX_PORT: "0", PROSA_DATA_DIR: folder, LOG_LEVEL: "error" },
});

async function said(command: string, url: string) {
  const from = performance.now();
  if (command === "doctor") {
    // How a command ends as a process is the start's to show.
    const { code, out, said: told } = await ran([command], settings(url));
    return { code, text: out + told, ms: performance.now() - from };
  }
  const run = prosa([command], settings(url), await programFile());
  const code = await run.ended;
  return { code, text: run.output(), ms: performance.now() - from };
}

describe("start and doctor", () => {
  type Case = readonly [what: string, url: () => string | Promise<string>, says: RegExp];
  const cases: readonly Case[] = [
    [
      "a % that is no escape",
      () => `redis://:50%off@127.0.0.1:${redis.port}`,
      /holds a % that begins no escape/,
    ],
    [
      "a wrong password",
      () => `redis://:wrong@127.0.0.1:${redis.port}`,
      /refuses the user or the password/,
    ],
    ["no password", () => `redis://127.0.0.1:${redis.port}`, /wants a password/],
    ["nobody there", async () => `redis://127.0.0.1:${await freePort()}`, /Nothing listens/],
    [
      "a list with other passwords",
      () => `redis://:a@127.0.0.1:1,redis://:b@127.0.0.1:2`,
      /different users, passwords or TLS/,
    ],
    ["a port that is none", () => "redis://127.0.0.1:99999", /port above 65535/],
    [
      "a Redis that evicts",
      () => `redis://:${SECRET}@127.0.0.1:${redis.port}`,
      /maxmemory-policy allkeys-lru/,
    ],
  ];
  /** Those that are given time to answer: they wait beside each other. */
  const silent: readonly Case[] = [
    [
      "a server that never answers",
      () => `redis://127.0.0.1:${(deaf.address() as AddressInfo).port}`,
      /does not answer/,
    ],
    [
      "TLS where there is none",
      () => `rediss://:${SECRET}@127.0.0.1:${redis.port}`,
      /breaks off at once|does not answer/,
    ],
    [
      "Sentinels that are away",
      async () => `redis+sentinel://:${SECRET}@127.0.0.1:${await freePort()}/main/0`,
      /No Sentinel of REDIS_URL answers/,
    ],
  ];
  const saysSo = async (...[, url, sentence]: Case): Promise<void> => {
    const address = await url();
    for (const { code, text, ms } of await Promise.all(
      ["start", "doctor"].map((command) => said(command, address)),
    )) {
      expect(text).toMatch(sentence);
      expect(text).not.toContain(SECRET);
      expect(text).not.toMatch(/^\s+at /m);
      expect(code).toBe(1);
      expect(ms).toBeLessThan(SAID_MS);
    }
  };
  test.each(cases)("say what is wrong with %s", saysSo);
  test.concurrent.each(silent)("say what is wrong with %s", saysSo);
});

test.concurrent.each(["start", "doctor"])(
  "%s ends at once when it is told to while it still looks",
  async (command) => {
    const run = prosa(
      [command],
      settings(`redis+sentinel://127.0.0.1:${await freePort()}/main/0`),
      await programFile(),
    );
    setTimeout(() => run.child.kill("SIGTERM"), 3_000);
    const from = performance.now();
    await run.ended;
    expect(performance.now() - from).toBeLessThan(6_000);
  },
);
