/**
 * The line between a process and Redis, broken in the ways lines break: answers lost, cut in the middle, slow, silent. And
 * what a crash of the machine leaves of the log. One client goes through the proxy; another looks past it.
 */
import { closeSync, ftruncateSync, openSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Claimed, openStore, type Store } from "../../src/store/index.ts";
import { Dice } from "../support/dice.ts";
import { FaultProxy } from "../support/proxy.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";

const KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;
const ACCOUNT = "acme";

let server: TestRedis;
let proxy: FaultProxy;
/** Through the proxy, and past it. */
let near: Store;
let sure: Store;
let contact: string;
/** Somebody who said all there was to say, and is only knocked on. */
let other: string;

beforeEach(async () => {
  server = await startRedis({ args: [] });
  const dice = new Dice(1);
  proxy = await FaultProxy.open(server.port, () => dice.unit());
  sure = await openStore({ redisUrl: server.url, keys: KEYS, partitions: 4 });
  near = await openStore({
    redisUrl: `redis://127.0.0.1:${proxy.port}`,
    keys: KEYS,
    partitions: 4,
  });
  contact = await sure.contacts.identify(ACCOUNT, ["x:1"]);
  other = await sure.contacts.identify(ACCOUNT, ["x:2"]);
  await sure.mail.accept([{ account: ACCOUNT, contact: other, event: "knock", mail: {} }]);
  const [claimed] = await sure.mail.claim({ owner: "t", contacts: 1, events: 1, leaseMs: 5_000 });
  if (claimed)
    await sure.mail.commit([
      { ...claimed, applied: 1, session: {}, effects: [], due: null, journal: [] },
    ]);
});
afterEach(async () => {
  await proxy.set({ kind: "none" });
  await Promise.all([near.close(), sure.close()].map((closing) => closing.catch(() => undefined)));
  await proxy.close();
  await server.stop();
});

const accept = (store: Store, event: string) =>
  store.mail.accept([{ account: ACCOUNT, contact, event, mail: { event } }]);

async function claimOne(store: Store): Promise<Claimed> {
  const [claimed] = await store.mail.claim({ owner: "t", contacts: 1, events: 50, leaseMs: 300 });
  if (!claimed) throw new Error("nothing to claim");
  return claimed;
}

const heardBy = (claimed: Claimed): string[] =>
  (claimed.session as { heard?: string[] } | null)?.heard ?? [];

/** A turn that lists what it heard. */
const commit = (store: Store, claimed: Claimed) =>
  store.mail.commit([
    {
      ...{ account: ACCOUNT, contact, epoch: claimed.epoch, rev: claimed.rev },
      applied: claimed.mail.length,
      session: { heard: [...heardBy(claimed), ...claimed.mail.map(({ event }) => event)] },
      ...{ effects: [], due: null, journal: [] },
    },
  ]);

async function heard(): Promise<unknown> {
  const view = await sure.views.session(ACCOUNT, contact);
  return (view?.session as { heard?: unknown } | undefined)?.heard;
}

/** The line is whole again, and the client has found out: what it takes in with is not what it works off with. */
async function backOnLine(): Promise<void> {
  await proxy.set({ kind: "none" });
  for (const end = Date.now() + 15_000; ;) {
    try {
      await near.mail.accept([{ account: ACCOUNT, contact: other, event: "knock", mail: {} }]);
      await near.views.backlog();
      return;
    } catch {
      if (Date.now() > end) throw new Error("the client did not come back");
      await pause(50);
    }
  }
}

describe("an answer that is lost", () => {
  test("of accept leaves the event stored once: the delivery comes again and is a duplicate", async () => {
    await accept(near, "e0");
    await proxy.set({ kind: "drop-replies" });
    await expect(accept(near, "e1")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(proxy.dropped).toBeGreaterThan(0);
    await backOnLine();
    expect(await accept(near, "e1")).toEqual(["duplicate"]);
    expect((await claimOne(sure)).mail.map(({ event }) => event)).toEqual(["e0", "e1"]);
  });

  test("of commit is no second turn: sent again it is refused, and the next claim sees it done", async () => {
    await accept(near, "e0");
    const claimed = await claimOne(near);
    await proxy.set({ kind: "drop-replies" });
    await expect(commit(near, claimed)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await backOnLine();
    expect(await commit(near, claimed)).toMatchObject([{ ok: false, reason: "fenced" }]);
    await accept(near, "e1");
    const next = await claimOne(near);
    expect(next.mail.map(({ event }) => event)).toEqual(["e1"]);
    await commit(near, next);
    expect(await heard()).toEqual(["e0", "e1"]);
  });

  test("of a claim costs one lease, and the work is done by whoever comes next", async () => {
    await accept(near, "e0");
    await proxy.set({ kind: "drop-replies" });
    await expect(claimOne(near)).rejects.toThrow();
    await pause(350);
    await commit(sure, await claimOne(sure));
    expect(await heard()).toEqual(["e0"]);
  });
});

describe("a line", () => {
  test("that is cut in the middle of many deliveries keeps what was stored, and takes the rest when they come again", async () => {
    const events = Array.from({ length: 200 }, (_, at) => `e${at}`);
    const first = events.map((event) => accept(near, event));
    setTimeout(() => proxy.reset(), 3);
    const answers = await Promise.allSettled(first);
    await backOnLine();
    const again = [];
    for (const [at, answer] of answers.entries())
      if (answer.status === "rejected") again.push(await accept(near, events[at] ?? ""));
    const { counters } = await sure.views.backlog();
    expect(counters.accepted).toBe(201);
    expect(counters.queued).toBe(200);
    expect(again.flat().every((word) => word === "new" || word === "duplicate")).toBe(true);
  });

  test("that is slow and uneven keeps the order of a contact", async () => {
    await proxy.set({ kind: "delay", ms: 60, jitterMs: 50 });
    for (let at = 0; at < 8; at += 1) await accept(near, `e${at}`);
    const claimed = await near.mail
      .claim({ owner: "t", contacts: 1, events: 50, leaseMs: 5_000 })
      .then(([one]) => one);
    if (!claimed) throw new Error("nothing to claim");
    await commit(near, claimed);
    expect(await heard()).toEqual(["e0", "e1", "e2", "e3", "e4", "e5", "e6", "e7"]);
  });

  test("whose answers come in crumbs is read all the same", async () => {
    await proxy.set({ kind: "slice", bytes: 7, ms: 1 });
    await accept(near, "e0");
    const claimed = await near.mail
      .claim({ owner: "t", contacts: 1, events: 50, leaseMs: 5_000 })
      .then(([one]) => one);
    expect(claimed?.mail.map(({ event }) => event)).toEqual(["e0"]);
  });

  test("that goes silent without closing is told as a Fault, and a new one is made", async () => {
    await accept(near, "e0");
    // A firewall forgot the connection: nothing comes through it any more, and nobody says so. Others can be made.
    proxy.strand();
    await expect(accept(near, "e1")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await backOnLine();
    expect(await accept(near, "e1")).toEqual(["new"]);
  });
});

describe("a step", () => {
  test("that meets a broken record writes nothing at all", async () => {
    await accept(sure, "e0");
    const claimed = await claimOne(sure);
    // The mailbox is no list any more: the script fails in the middle of its work.
    const { Redis } = await import("ioredis");
    const raw = new Redis(server.url);
    const [mailbox = ""] = await raw.keys(`prosa:*:m:${contact}`);
    const kept = await raw.lrange(mailbox, 0, -1);
    await raw.set(mailbox, "broken");
    const before = await raw.hgetall(mailbox.replace(":m:", ":s:"));
    await expect(commit(sure, claimed)).rejects.toThrow();
    await expect(accept(sure, "e1")).rejects.toThrow();
    expect(await raw.hgetall(mailbox.replace(":m:", ":s:"))).toEqual(before);

    await raw.del(mailbox);
    await raw.rpush(mailbox, ...kept);
    expect(await commit(sure, claimed)).toMatchObject([{ ok: true }]);
    expect(await accept(sure, "e1")).toEqual(["new"]);
    expect((await sure.views.backlog()).counters).toMatchObject({
      accepted: 3,
      applied: 2,
      queued: 1,
    });
    raw.disconnect();
  });

  test("is whole or not at all when the end of the log is torn off", async () => {
    for (let at = 0; at < 20; at += 1) await accept(sure, `e${at}`);
    const claimed = await claimOne(sure);
    await commit(sure, claimed);
    await Promise.all([near.close(), sure.close()]);
    const dice = new Dice(Number(process.env["CHAOS_SEED"] ?? 7));
    for (let round = 0; round < 6; round += 1) {
      const ended = new Promise((done) => server.process?.once("exit", done));
      server.process?.kill("SIGKILL");
      await ended;
      const log = logOf(server.folder ?? "");
      const size = statSync(log).size;
      const file = openSync(log, "r+");
      ftruncateSync(file, size - dice.between(1, Math.min(400, size - 1)));
      closeSync(file);
      const again = await startRedis({ port: server.port, folder: server.folder ?? "" });
      const first = server;
      server = { ...again, stop: () => first.stop() };
      const store = await openStore({ redisUrl: server.url, keys: KEYS, partitions: 4 });
      const { counters } = await store.views.backlog();
      expect(counters.accepted).toBe(counters.applied + counters.dead + counters.queued);
      const view = await store.views.session(ACCOUNT, contact);
      const list = (view?.session as { heard?: string[] } | undefined)?.heard ?? [];
      expect(list).toHaveLength(Math.max(0, counters.applied - 1));
      await store.close();
    }
    const ended = new Promise((done) => server.process?.once("exit", done));
    server.process?.kill("SIGKILL");
    await ended;
  }, 60_000);
});

/** The append-only file that grows. */
function logOf(folder: string): string {
  const inner = path.join(folder, "appendonlydir");
  const name = readdirSync(inner).find((one) => one.endsWith(".incr.aof"));
  return path.join(inner, name ?? "");
}
