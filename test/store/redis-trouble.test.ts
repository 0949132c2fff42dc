/** A Redis that cannot be used, or keeps nothing safe: what is said of it, in one sentence and in time. */
import { randomBytes } from "node:crypto";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openStore, parseRedisUrl } from "../../src/store/index.ts";
import { startCluster } from "../support/cluster.ts";
import { startRedis, startSentinels, type TestRedis } from "../support/redis.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const KEYS = `k1:${randomBytes(32).toString("base64")}`;
const SECRET = "hunter2-secret";
let server: TestRedis;
let admin: Redis;
beforeAll(async () => {
  server = await startRedis({ args: ["--databases", "16"] });
  admin = new Redis(server.url);
});
afterAll(async () => {
  admin.disconnect();
  await server.stop();
});

const infoOf = async (redisUrl: string) => {
  const store = await openStore({ redisUrl, keys: KEYS });
  const info = await store.info();
  await store.close();
  return info;
};
const withUser = async (...rights: string[]) => {
  await admin.call("ACL", "SETUSER", "bot", "reset", "on", `>${SECRET}`, ...rights);
  return `redis://bot:${SECRET}@127.0.0.1:${server.port}`;
};

describe("opening says why not", () => {
  const sentinelOf = async (address: (url: string) => string) => {
    const sentinels = await startSentinels(server);
    return { url: address(sentinels.url), stop: () => sentinels.stop() };
  };
  const plain = (url: string | Promise<string>) => async () => ({
    url: await url,
    stop: async () => undefined,
  });
  test.each<[string, () => Promise<{ url: string; stop: () => Promise<void> }>, RegExp]>([
    [
      "several addresses of a server that is no Cluster",
      async () => plain(`${server.url},${server.url}`)(),
      /which is a Cluster; this one is none/,
    ],
    [
      "a database that is not there",
      async () => plain(`${server.url}/16`)(),
      /database that REDIS_URL names is not there/,
    ],
    [
      "a user who may not choose a database",
      async () => plain(`${await withUser("~*", "&*", "+@all", "-select")}/3`)(),
      /lacks a right that is needed \(select\): ACL SETUSER/,
    ],
    [
      "a user who may not read INFO",
      async () => plain(withUser("~*", "&*", "+@all", "-info"))(),
      /lacks a right that is needed \(info\): ACL SETUSER .*\+info/,
    ],
    [
      "a user who may not run scripts",
      async () => plain(withUser("~*", "&*", "+@all", "-evalsha"))(),
      /lacks a right that is needed \(evalsha\)/,
    ],
    [
      "a user who may not reach our keys",
      async () => plain(withUser("~other:*", "&*", "+@all"))(),
      /lacks a right that is needed: ACL SETUSER <name> .*~\*/,
    ],
    [
      "a Sentinel that knows no such primary",
      () => sentinelOf((url) => url.replace("/main/", "/other/")),
      /none of them knows a primary of that name/,
    ],
    [
      "a Sentinel that is taken for a Redis",
      () => sentinelOf((url) => `redis://${/127\.0\.0\.1:\d+/.exec(url)?.[0] ?? ""}`),
      /Sentinels are named by redis\+sentinel/,
    ],
  ])("%s", async (_what, address, sentence) => {
    const { url, stop } = await address();
    const from = performance.now();
    const said = await openStore({ redisUrl: url, keys: KEYS }).then(() => "opened", String);
    await stop();
    expect(said).toMatch(sentence);
    expect(said).toMatch(/STORE_UNAVAILABLE/);
    expect(said).not.toMatch(/hunter2|127\.0\.0\.1|prosa:/);
    expect(performance.now() - from).toBeLessThan(10_000);
  });

  test.each([
    ["redis://:p?w@h", /is no address|holds a \?/],
    ["redis://h:6379?db=3", /holds a \? or #/],
    ["redis://h:6379/0#x", /holds a \? or #/],
    ["redis://h:65536", /port above 65535/],
    ["redis://u:p@[::1]:99999/2", /port above 65535/],
    ["redis://a,redis://b:70000", /port above 65535/],
    ["redis+sentinel://h:70000/main/0", /port above 65535/],
    ["redis+sentinel://a,b:99999/main", /port above 65535/],
    ["redis://a/1,redis://b/1", /names a database; a Cluster/],
    ["redis://u:p@a,redis://u:q@b", /different users, passwords or TLS/],
    ["redis://a,rediss://b", /different users, passwords or TLS/],
    ["redis+sentinel://:50%off@h/main", /% that begins no escape/],
  ])("the address %s", (url, sentence) => {
    expect(() => parseRedisUrl(url)).toThrow(sentence);
  });

  test("a port is not looked for in a password", () => {
    const password = ["99999", "99999"].join("");
    expect(parseRedisUrl(`redis://u:${password}@h:7000/2`)).toMatchObject({
      ...{ password, at: { host: "h", port: 7000 }, database: 2 },
    });
  });
});

describe("what may be lost is told", () => {
  test.each([
    ...["allkeys-lru", "allkeys-lfu", "allkeys-random"],
    ...["volatile-lru", "volatile-lfu", "volatile-random", "volatile-ttl"],
  ])("%s is not durable", async (policy) => {
    await admin.config("SET", "maxmemory-policy", policy);
    const info = await infoOf(server.url);
    await admin.config("SET", "maxmemory-policy", "noeviction");
    expect(info).toMatchObject({ durability: "D0", evicts: policy });
    expect(info.fix).toBe("set maxmemory-policy noeviction");
    expect(await infoOf(server.url)).toMatchObject({ durability: "D1" });
  });

  test("also to a user who may not read the configuration, who is told of that", async () => {
    const url = await withUser("~*", "&*", "+@all", "-config");
    expect(await infoOf(url)).toMatchObject({
      durability: "D0",
      sentence: expect.stringMatching(/may not read.*\+config\|get/) as unknown,
      fix: expect.stringMatching(/ACL SETUSER <name> \+config\|get/) as unknown,
    });
    await admin.config("SET", "maxmemory-policy", "volatile-ttl");
    const info = await infoOf(url);
    await admin.config("SET", "maxmemory-policy", "noeviction");
    expect(info).toMatchObject({ durability: "D0", evicts: "volatile-ttl" });
  });

  test("of a Cluster one primary is enough", async () => {
    const cluster = await startCluster();
    const last = new Redis(cluster.primaries.at(-1)?.url ?? "");
    await last.config("SET", "maxmemory-policy", "allkeys-lru");
    last.disconnect();
    const info = await infoOf(cluster.url);
    await cluster.stop();
    expect(info).toMatchObject({ durability: "D0", evicts: "allkeys-lru" });
  });
});
