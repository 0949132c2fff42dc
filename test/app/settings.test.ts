import { describe, expect, test } from "vitest";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readSettings } from "../../src/app/index.ts";
import { flowsFolder } from "../../src/app/places.ts";

const KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;

describe("settings", () => {
  test("are whole without any variable: loopback, sandbox, demo, embedded store", () => {
    const settings = readSettings({});

    expect(settings).toMatchObject({
      host: "127.0.0.1",
      port: 3000,
      publicUrl: "http://localhost:3000",
      demo: true,
      sandbox: { port: 3001, botUrl: "http://127.0.0.1:3000" },
      gateway: { timeoutMs: 20_000, fiscalTimeoutMs: 60_000, routeWords: {} },
    });
    expect(settings.redisUrl).toBeUndefined();
    expect(settings.admin).toBeUndefined();
  });

  test("give the console a listener of its own off loopback", () => {
    const settings = readSettings({
      ...{ HOST: "0.0.0.0", GATEWAY_URL: "https://gateway.example/api/v2" },
      ...{ REDIS_URL: "redis://redis.example:6379", PROSA_KEYS: KEYS },
    });

    expect(settings.admin).toEqual({ host: "127.0.0.1", port: 3002 });
    expect(settings.demo).toBe(false);
  });

  test.each([
    ["PORT", { PORT: "many" }],
    ["PORT", { PORT: "1e3" }],
    ["PORT", { PORT: "0x10" }],
    ["PORT", { PORT: "70000" }],
    ["GATEWAY_TIMEOUT_MS", { GATEWAY_TIMEOUT_MS: "99" }],
    ["ADMIN_TOKEN", { ADMIN_TOKEN: "short" }],
    ["ADMIN_TOKEN", { ADMIN_HOST: "0.0.0.0" }],
    ["GATEWAY_URL", { GATEWAY_URL: "ftp://x" }],
    ["GATEWAY_URL", { HOST: "0.0.0.0", PROSA_DEMO: "0" }],
    ["REDIS_URL", { REDIS_URL: "localhost:6379", PROSA_KEYS: KEYS }],
    ["REDIS_URL", { GATEWAY_URL: "https://gateway.example/api/v2" }],
    ["REDIS_URL", { PROSA_STORE: "redis" }],
    ["PROSA_STORE", { PROSA_STORE: "mongo" }],
    ["PROSA_KEYS", { REDIS_URL: "redis://127.0.0.1" }],
    ["PROSA_KEYS", { PROSA_KEYS: "k1:c2hvcnQ=" }],
    ["PROSA_DEMO", { PROSA_DEMO: "yes" }],
    ["PROSA_DEMO", { HOST: "0.0.0.0", PROSA_DEMO: "1" }],
    ["GATEWAY_ROUTE_WORDS", { GATEWAY_ROUTE_WORDS: '{"unknown":"x"}' }],
    ["GATEWAY_ROUTE_WORDS", { GATEWAY_ROUTE_WORDS: "{" }],
    ["GATEWAY_TIMEOUT_MS", { GATEWAY_TIMEOUT_MS: "soon" }],
    ["GATEWAY_TOKEN", { GATEWAY_TOKEN: "two\nlines" }],
    ["GATEWAY_DEVICE_TOKEN", { GATEWAY_DEVICE_TOKEN: "dispositívo" }],
    ["LOG_LEVEL", { LOG_LEVEL: "loud" }],
    ["BOT_URL", { BOT_URL: "https://bot.example" }],
  ])("stop with a sentence that names %s when it is wrong: %j", (name, env) => {
    expect(() => readSettings(env)).toThrow(new RegExp(`^SETTING_INVALID: ${name} `));
  });

  test("an IPv6 host stands between brackets in every address made of it", () => {
    const settings = readSettings({ HOST: "::1" });

    expect(settings.publicUrl).toBe("http://[::1]:3000");
    expect(settings.sandbox.botUrl).toBe("http://[::1]:3000");
  });

  test("never repeat a secret in what they say", () => {
    const secret = "c2VjcmV0LXNlY3JldC1zZWNyZXQ";
    for (const env of [
      { PROSA_KEYS: `k1:${secret}` },
      { REDIS_URL: `http://user:${secret}@host` },
      { GATEWAY_URL: `ftp://user:${secret}@host` },
    ]) {
      let said = "";
      try {
        readSettings(env);
      } catch (error) {
        said = String(error);
      }
      expect(said).toMatch(/SETTING_INVALID/);
      expect(said).not.toContain(secret);
    }
  });

  test("take Redis in every form of its address", () => {
    for (const url of [
      "redis://127.0.0.1:6379",
      "rediss://user:pass@redis.example:6380/0",
      "redis://a:7000,redis://b:7000,redis://c:7000",
      "redis+sentinel://user:pass@h1:26379,h2:26379/NAME/0",
    ])
      expect(readSettings({ REDIS_URL: url, PROSA_KEYS: KEYS }).redisUrl).toBe(url);
  });
});

test.each([
  ["imports prosa in any quotes", { "config.ts": "import { defineBot } from 'prosa'" }, true],
  [
    "is empty in a package that depends on prosa",
    { "config.ts": "", "package.json": '{"dependencies":{"prosa":"1"}}' },
    true,
  ],
  [
    "belongs to something else",
    { "config.ts": "export default {};", "package.json": '{"scripts":{"prosa":"node x"}}' },
    false,
  ],
  ["is not there", { "package.json": '{"dependencies":{"prosa":"1"}}' }, false],
])("a working directory whose config.ts %s: is it the bot", (_what, files, isBot) => {
  const folder = mkdtempSync(path.join(tmpdir(), "prosa-cwd-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  try {
    expect(flowsFolder({}, folder) === folder).toBe(isBot);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
