/**
 * An erased person's wrapped data key leaves the append-only file whatever happens between the erasure and the rewrite: a
 * deploy, another rewrite under way, one that dies, a server that restarts or is away. On real servers, by their files.
 */
import { readdirSync, readFileSync } from "node:fs";
import { Redis } from "ioredis";
import { afterEach, expect, test } from "vitest";
import { openStore, type Store } from "../../src/store/index.ts";
import { knowsAll } from "../../src/store/redis/failover/log-rewrite.ts";
import { startCluster, type TestCluster } from "../support/cluster.ts";
import { nodePort } from "../support/ports.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { accept, ACCOUNT, newContact, sleep } from "./contract.ts";
import { logBytes, openable } from "./log-bytes.ts";

const KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;
/** Long enough that a rewrite ends within it, short enough to be waited for. */
const SPAN_MS = 1_000;
/** Time for a key of the store while its file is written anew, microseconds: long enough to be met. */
const SLOW = "100000";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function server(): Promise<{ readonly redis: TestRedis; readonly raw: Redis }> {
  const redis = await startRedis({ args: ["--enable-debug-command", "yes"] });
  closing.push(() => redis.stop());
  const raw = new Redis(redis.url);
  raw.on("error", () => undefined);
  closing.push(async () => raw.disconnect());
  return { redis, raw };
}

async function open(redisUrl: string, logRewriteMs = SPAN_MS): Promise<Store> {
  const store = await openStore({ redisUrl, keys: KEYS, limits: { logRewriteMs } });
  closing.push(() => store.close());
  return store;
}

async function until(met: () => Promise<boolean> | boolean, ms = 8_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await met())) {
    if (Date.now() > deadline) throw new Error("it did not happen in time");
    await sleep(10);
  }
}

/** Somebody with one message. */
async function somebody(store: Store): Promise<string> {
  const contact = await newContact(store);
  await accept(store, contact, "preciso da nota");
  return contact;
}

/** How often this person's data key can still be read from the server's files. */
const left = ({ folder }: Pick<TestRedis, "folder">, contact: string) =>
  openable(logBytes(folder ?? ""), KEYS, contact);

async function told(raw: Redis, name: string): Promise<string> {
  return new RegExp(`^${name}:(.*)$`, "m").exec(await raw.info())?.[1]?.trim() ?? "";
}
const isRewriting = async (raw: Redis) => (await told(raw, "aof_rewrite_in_progress")) === "1";
const rewrites = async (raw: Redis) => Number(await told(raw, "aof_rewrites"));

/** Whether a rewrite is still owed, by what stands in the store. */
async function isOwed(raw: Redis): Promise<boolean> {
  const counts = await raw.keys("prosa:{p*}:count");
  const owed = await Promise.all(counts.map((key) => raw.hget(key, "owed")));
  return owed.some((name) => name !== null);
}

test("a second erasure is made good by the next process, when the first had its rewrite just before a deploy", async () => {
  const { redis, raw } = await server();
  const store = await open(redis.url);
  const [a, b, stays] = [await somebody(store), await somebody(store), await somebody(store)];
  await store.contacts.erase(ACCOUNT, a);
  await until(() => left(redis, a) === 0);
  await store.contacts.erase(ACCOUNT, b);
  await store.close();
  expect(left(redis, b)).toBe(1);

  await open(redis.url);
  await until(() => left(redis, b) === 0);
  expect(left(redis, stays)).toBe(1);
  await until(async () => !(await isOwed(raw)));
});

test("an erasure while a rewrite is under way has one of its own, in time", async () => {
  const { redis, raw } = await server();
  const [one, two] = [await open(redis.url, 4_000), await open(redis.url, 4_000)];
  const a = await somebody(one);
  const b = await somebody(two);
  await raw.config("SET", "rdb-key-save-delay", SLOW);
  await one.contacts.erase(ACCOUNT, a);
  await until(() => isRewriting(raw));
  await two.contacts.erase(ACCOUNT, b);
  expect(await isRewriting(raw)).toBe(true);
  await raw.config("SET", "rdb-key-save-delay", "0");

  await until(() => left(redis, a) === 0);
  expect(left(redis, b)).toBe(1);
  await until(() => left(redis, b) === 0);
  await until(async () => !(await isOwed(raw)));
});

test("a rewrite nobody here asked for, under way at the erasure, is not taken for the one that is owed", async () => {
  const { redis, raw } = await server();
  const store = await open(redis.url);
  const a = await somebody(store);
  await raw.config("SET", "rdb-key-save-delay", SLOW);
  await raw.bgrewriteaof();
  await until(() => isRewriting(raw));
  await store.contacts.erase(ACCOUNT, a);
  await sleep(300);
  expect(await isRewriting(raw)).toBe(true);
  await raw.config("SET", "rdb-key-save-delay", "0");

  await until(() => left(redis, a) === 0);
  expect(await rewrites(raw)).toBe(2);
  await until(async () => !(await isOwed(raw)));
});

test("a rewrite that died is asked for again, also by a process that came since", async () => {
  const { redis, raw } = await server();
  const store = await open(redis.url);
  const a = await somebody(store);
  await raw.config("SET", "rdb-key-save-delay", SLOW);
  await store.contacts.erase(ACCOUNT, a);
  await until(() => isRewriting(raw));
  await store.close();
  for (const child of childrenOf(redis.process?.pid ?? 0)) process.kill(child, "SIGKILL");
  await raw.config("SET", "rdb-key-save-delay", "0");
  await until(async () => !(await isRewriting(raw)));
  expect(await told(raw, "aof_last_bgrewrite_status")).toBe("err");
  expect(await isOwed(raw)).toBe(true);

  await open(redis.url);
  await until(() => left(redis, a) === 0);
  await until(async () => !(await isOwed(raw)));
});

test("a rewrite that a restart of the server cut off is asked for again", async () => {
  const { redis, raw } = await server();
  const store = await open(redis.url);
  const a = await somebody(store);
  await raw.config("SET", "rdb-key-save-delay", SLOW);
  await store.contacts.erase(ACCOUNT, a);
  await until(() => isRewriting(raw));
  // Noted as asked for.
  await until(async () => ((await raw.get("prosa:log:server")) ?? "").includes("asked"));
  redis.process?.kill("SIGKILL");
  const again = await startRedis({ port: redis.port, folder: redis.folder ?? "" });
  closing.push(() => again.stop());

  await until(() => left(redis, a) === 0);
  await until(async () => !(await isOwed(raw).catch(() => true)));
});

test("a server is asked once in a span, however many erase, and no more once nothing is owed", async () => {
  const { redis, raw } = await server();
  const span = 2_000;
  const [one, two] = [await open(redis.url, span), await open(redis.url, span)];
  const people = [];
  for (let n = 0; n < 6; n += 1) people.push(await somebody(one));
  const [first = "", ...others] = people;
  const began = Date.now();
  await one.contacts.erase(ACCOUNT, first);
  await until(() => left(redis, first) === 0);
  for (const [n, contact] of others.entries())
    await (n % 2 === 0 ? one : two).contacts.erase(ACCOUNT, contact);
  await sleep(span * 0.8 - (Date.now() - began));
  const asked = await rewrites(raw);
  expect(asked).toBeLessThanOrEqual(1 + Math.floor((Date.now() - began) / span));

  await until(() => others.every((contact) => left(redis, contact) === 0));
  await until(async () => !(await isOwed(raw)));
  const last = await rewrites(raw);
  expect(last).toBeLessThanOrEqual(1 + Math.floor((Date.now() - began) / span));
  await sleep(span * 1.5);
  expect(await rewrites(raw)).toBe(last);
});

test("nothing is owed where nothing is logged, and a server that may not be asked owes it still", async () => {
  const { redis, raw } = await server();
  await raw.config("SET", "appendonly", "no");
  const store = await open(redis.url, 300);
  await store.contacts.erase(ACCOUNT, await somebody(store));
  await until(async () => !(await isOwed(raw)));
  expect(await rewrites(raw)).toBe(0);

  await raw.config("SET", "appendonly", "yes");
  await until(async () => !(await isRewriting(raw)) && (await rewrites(raw)) === 1);
  await raw.call("ACL", "SETUSER", "default", "-bgrewriteaof");
  await store.contacts.erase(ACCOUNT, await somebody(store));
  await sleep(1_000);
  expect(await isOwed(raw)).toBe(true);
  expect(await rewrites(raw)).toBe(1);
  await raw.call("ACL", "SETUSER", "default", "+bgrewriteaof");
  await until(async () => !(await isOwed(raw)));
  expect(await rewrites(raw)).toBe(2);
});

test("in a Cluster every server's file is written anew, that of a replica that was away as well", async () => {
  // A replica that a busy machine made primary for a moment would not be the one that is away.
  const args = ["--cluster-replica-no-failover", "yes"];
  const cluster: TestCluster = await startCluster({ replicas: 1, args });
  closing.push(() => cluster.stop());
  const store = await open(cluster.url);
  const people = await Promise.all(Array.from({ length: 12 }, () => somebody(store)));
  const all = [...cluster.primaries, ...cluster.replicas];
  const holders = (contact: string) => all.filter((node) => left(node, contact) > 0);
  await until(() => people.every((contact) => holders(contact).length === 2));
  const raws = cluster.primaries.map(({ url }) => new Redis(url));
  closing.push(async () => raws.forEach((raw) => raw.disconnect()));
  const owed = async () => (await Promise.all(raws.map(isOwed))).some(Boolean);

  const [gone = "", ...others] = people;
  const [away] = holders(gone).filter((node) => cluster.replicas.includes(node));
  away?.process?.kill("SIGSTOP");
  closing.push(async () => void away?.process?.kill("SIGCONT"));
  for (const contact of [gone, ...others.slice(0, 5)]) await store.contacts.erase(ACCOUNT, contact);
  await until(() => holders(gone).every((node) => node === away));
  // The Cluster takes it for failed, and the client knows it no more.
  const isMissed = async () => /\bfail[ ,]/.test(String(await raws[0]?.call("CLUSTER", "NODES")));
  await until(isMissed, 15_000);
  await sleep(6_500);
  expect(await owed()).toBe(true);
  expect(holders(gone)).toEqual([away]);

  away?.process?.kill("SIGCONT");
  await until(() => holders(gone).length === 0, 20_000);
  await until(async () => !(await owed()), 20_000);
  for (const contact of others.slice(5)) expect(holders(contact)).toHaveLength(2);
}, 90_000);

test("a Cluster's server without slots has its file still: it is owed until the Cluster forgets it", async () => {
  const cluster = await startCluster();
  closing.push(() => cluster.stop());
  const store = await open(cluster.url, 300);
  const spare = await startRedis({ port: await nodePort(), args: ["--cluster-enabled", "yes"] });
  closing.push(() => spare.stop());
  const raws = [...cluster.primaries, spare].map(({ url }) => new Redis(url));
  closing.push(async () => raws.forEach((raw) => raw.disconnect()));
  const primaries = raws.slice(0, -1);
  const last = raws.at(-1);
  const id = String(await last?.call("CLUSTER", "MYID"));
  await last?.call("CLUSTER", "MEET", "127.0.0.1", cluster.primaries[0]?.port ?? 0);
  const known = async () =>
    Promise.all(primaries.map(async (raw) => String(await raw.call("CLUSTER", "NODES"))));
  await until(async () => (await known()).every((nodes) => nodes.includes(`${id} `)), 20_000);
  const owed = async () => (await Promise.all(primaries.map(isOwed))).some(Boolean);

  const gone = await somebody(store);
  await store.contacts.erase(ACCOUNT, gone);
  await until(() => cluster.primaries.every((node) => left(node, gone) === 0));
  await sleep(1_500);
  expect(await owed()).toBe(true);

  // Each is told, and believes nobody else for a minute.
  await spare.stop();
  for (const raw of primaries) await raw.call("CLUSTER", "FORGET", id);
  await until(async () => !(await owed()));
}, 60_000);

/** Processes that this one forked. */
function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const [, after = ""] = readFileSync(`/proc/${name}/stat`, "utf8").split(") ");
        return Number(after.split(" ")[1]) === parent;
      } catch {
        return false;
      }
    })
    .map(Number);
}

test("a Cluster's server counts by its address, not by how many there are, and until it is forgotten", () => {
  const names = new Set(["10.0.0.1:7000", "10.0.0.2:7000", "redis-3:7000"]);
  const line = (address: string, flags: string) =>
    `0f ${address} ${flags} - 0 1 2 connected 0-5460`;
  const three = [
    line("10.0.0.1:7000@17000", "myself,master"),
    line("10.0.0.2:7000@17000,", "slave"),
    line("10.0.0.3:7000@17000,redis-3,shard-id=ab", "master,fail"),
  ];
  const all = (...lines: string[]) => knowsAll([...lines, ""].join("\n"), names);
  expect(all(...three)).toBe(true);
  // As many as are known, and one of them another.
  expect(all(...three.slice(1), line("10.0.0.4:7000@17000", "slave"))).toBe(false);
  expect(all(...three, line("10.0.0.4:7000@17000", "master,fail"))).toBe(false);
  expect(all(...three, line(":0@0", "master,fail,noaddr"))).toBe(false);
  expect(all(...three, line("10.0.0.4:7000@17000", "handshake"))).toBe(true);
});
