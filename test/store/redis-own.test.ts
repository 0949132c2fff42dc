/** What is Redis' own: memory limits, outages, other processes, keys, partitions, replicas. */
import { readFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../../src/base/index.ts";
import { type Claimed, openStore, type Store } from "../../src/store/index.ts";
import { scripts } from "../../src/store/redis/scripts.ts";
import { parseRedisUrl } from "../../src/store/redis/connection/url.ts";
import { KeyRing } from "../../src/store/sealing/seal.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import {
  accept,
  ACCOUNT,
  beginAll,
  claimAll,
  claimOne,
  commitOf,
  message,
  newContact,
  sleep,
  take,
  texts,
  withEffects,
} from "./contract.ts";
import {
  changed,
  rememberedKey,
  unreadableDocument,
  unreadableEffects,
  unreadableFirstKey,
  unreadableKey,
  unreadableLists,
  unreadableNote,
} from "./unreadable.ts";

const key = (kid: string, byte: number) => `${kid}:${Buffer.alloc(32, byte).toString("base64")}`;
const KEYS = key("k1", 7);

let server: TestRedis;
const opened: { close(): Promise<unknown> }[] = [];
let database = 0;

async function open(options: { keys?: string; redisUrl?: string; partitions?: number } = {}) {
  const limits = { keyHolderMs: 150 };
  const store = await openStore({ redisUrl: server.url, keys: KEYS, limits, ...options });
  opened.push(store);
  return store;
}
const fresh = () => `${server.url}/${(database += 1)}`;
function raw(url: string): Redis {
  const redis = new Redis(url);
  opened.push({ close: async () => redis.disconnect() });
  return redis;
}
async function until(met: () => boolean | Promise<boolean>, ms = 5_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await met())) {
    if (Date.now() > deadline) throw new Error("it did not happen in time");
    await sleep(10);
  }
}

beforeAll(async () => {
  server = await startRedis({ args: ["--databases", "50"] });
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
afterAll(() => server.stop());

test("what counts from an earlier time is begun before all else", async () => {
  const redisUrl = fresh();
  const [store, redis] = [await open({ redisUrl, partitions: 1 }), raw(redisUrl)];
  for (const id of ["a", "b", "c"]) await withEffects(store, [message(id)]);
  const [bucket = ""] = await redis.keys("prosa:*:b:*");
  const [index = ""] = await redis.keys("prosa:*:buckets");
  await redis.zadd(bucket, "0", "c");
  await redis.zadd(index, "0", bucket.slice(bucket.indexOf(":b:") + 3));
  const begun: string[] = [];
  for (let n = 0; n < 3; n++)
    for (const { id } of await store.effects.begin({
      limit: 1,
      leaseMs: 60_000,
      paused: [],
      offsetMs: 0,
    }))
      begun.push(id);

  expect(begun).toEqual(["c", "a", "b"]);
});

describe("what cannot be read", () => {
  const partition = (contact: string) => String(Number.parseInt(contact.slice(0, 4), 16) % 16);
  const prefix = (contact: string) => `prosa:{p${partition(contact).padStart(2, "0")}}:`;

  /** One effect each of contacts in partitions of their own, and the contact whose partition comes first. */
  async function inFlight(store: Store, leaseMs: number) {
    const contacts = new Map<string, string>();
    while (contacts.size < 4) {
      const contact = await newContact(store);
      if (!contacts.has(partition(contact))) contacts.set(partition(contact), contact);
    }
    const all = [...contacts.values()].sort((a, b) => Number(partition(a)) - Number(partition(b)));
    for (const contact of all) await withEffects(store, [message(`of ${contact}`)], contact);
    expect(await beginAll(store, { leaseMs })).toHaveLength(4);
    return { all, first: all[0] ?? "" };
  }

  test("in one partition keeps nobody from judging what was left in flight in the others", async () => {
    const url = fresh();
    const store = await open({ redisUrl: url });
    const { all, first } = await inFlight(store, 20);
    await raw(url).set(`${prefix(first)}flight`, "not a set");
    await sleep(40);

    const reaped = await store.effects.reap({ limit: 100, leaseMs: 5_000 });

    const rest = all.slice(1).map((contact) => `of ${contact}`);
    expect(reaped.map(({ id }) => id).sort()).toEqual(rest.sort());
  });

  test("in one partition keeps no timer of the others waiting", async () => {
    const url = fresh();
    const store = await open({ redisUrl: url });
    const one = await newContact(store);
    const other = await elsewhere(store, one);
    for (const contact of [one, other]) await accept(store, contact, "hello");
    for (const claimed of await claimAll(store))
      await store.mail.commit([commitOf(claimed, { due: 1 })]);
    await raw(url).set(`${prefix(one)}waiting`, "not a set");

    expect(await store.mail.tick({ offsetMs: 0, limit: 10 })).toBe(1);

    expect((await claimAll(store)).map(({ contact }) => contact)).toContain(other);
  });

  test("of a name somebody had before leaves what asked for their erasure, so that it is done again", async () => {
    const url = fresh();
    const store = await open({ redisUrl: url });
    const names = ["phone:5511955560001", "lid:5560001"];
    const older = await store.contacts.identify(ACCOUNT, names.slice(0, 1));
    const younger = await store.contacts.identify(ACCOUNT, names.slice(1));
    await accept(store, younger, "old words");
    await store.mail.commit([commitOf(await claimOne(store), { journal: ["old words"] })]);
    expect(await store.contacts.identify(ACCOUNT, names)).toBe(older);
    const asks = message("erase", { class: "replace", ordered: false });
    await withEffects(store, [asks], older);
    // Its partition is with a node that is away.
    const broken = `${prefix(younger)}m:${younger}`;
    await raw(url).set(broken, "not a list");

    await expect(store.contacts.erase(ACCOUNT, older)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
    expect(await store.views.journal(ACCOUNT, younger, 1)).toEqual(["old words"]);
    const of = { account: ACCOUNT, contact: older, id: "erase" };
    expect(await store.views.effect(of)).toMatchObject({ state: "pending" });

    await raw(url).del(broken);
    expect(await store.contacts.erase(ACCOUNT, older)).toBe(true);
    expect(await store.views.journal(ACCOUNT, younger, 1)).toEqual([]);
    expect(await store.views.effect(of)).toBeNull();
  });

  test("in a mailbox fails no other call of the same moment, and is taken when it can be read again", async () => {
    const url = fresh();
    const store = await open({ redisUrl: url });
    const contacts = await Promise.all([1, 2, 3].map(() => newContact(store)));
    const [, bad = ""] = contacts;
    await raw(url).set(`${prefix(bad)}m:${bad}`, "not a list");
    const accepted = () =>
      Promise.allSettled(
        contacts.map((contact) =>
          store.mail.accept([{ account: ACCOUNT, contact, event: "e", mail: "hello" }]),
        ),
      );
    expect(await accepted()).toMatchObject([
      { value: ["new"] },
      { reason: { code: "STORE_UNAVAILABLE" } },
      { value: ["new"] },
    ]);
    await raw(url).del(`${prefix(bad)}m:${bad}`);
    expect(await accepted()).toMatchObject([
      { value: ["duplicate"] },
      { value: ["new"] },
      { value: ["duplicate"] },
    ]);
  });

  test("among dead letters loses nothing of what was stored before it in the same step", async () => {
    const url = fresh();
    const store = await openStore({ redisUrl: url, keys: KEYS, limits: { mailbox: 2 } });
    opened.push(store);
    const contact = await newContact(store);
    const key = `${prefix(contact)}dead`;
    await raw(url).set(key, "not a set");
    const items = ["a", "b", "c"].map((event) => ({
      ...{ account: ACCOUNT, contact, event, mail: { kind: "text", text: event } },
    }));
    await expect(store.mail.accept(items)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    const claimed = await claimOne(store);
    expect(texts(claimed)).toEqual(["a", "b"]);
    expect(await store.mail.commit([commitOf(claimed)])).toMatchObject([{ ok: true, left: 0 }]);
    await raw(url).del(key);
    expect(await store.mail.accept(items)).toEqual(["duplicate", "duplicate", "new"]);
    expect((await claimOne(store)).mail).toMatchObject([{ event: "c", seq: 3 }]);
  });

  test("in one effect keeps no other from being begun, judged or shown", async () => {
    const url = fresh();
    const store = await open({ redisUrl: url });
    const contact = await newContact(store);
    const effects = ["bad", "good"].map((id) => message(id, { ordered: false }));
    await withEffects(store, effects, contact);
    await raw(url).hset(`${prefix(contact)}e:bad`, "sealed", "garbage");

    expect((await beginAll(store, { leaseMs: 20 })).map(({ id }) => id)).toEqual(["good"]);
    await sleep(40);
    const reaped = await store.effects.reap({ limit: 100, leaseMs: 5_000 });
    expect(reaped.map(({ id }) => id)).toEqual(["good"]);
    const shown = await store.views.effects({ limit: 10 });
    expect(shown.map(({ id, reason }) => [id, reason])).toEqual([
      ["bad", "unreadable"],
      ["good", undefined],
    ]);
  });

  test("in the facts of one contact keeps no reply of another from being judged", async () => {
    const url = fresh();
    const store = await open({ redisUrl: url });
    const first = await newContact(store);
    let second = await newContact(store);
    while (prefix(second) !== prefix(first)) second = await newContact(store);
    const ids = [];
    for (const contact of [first, second]) {
      const { taken } = await take(store, contact, "hello", { found: true });
      const [claimed] = taken;
      if (!claimed) throw new Error("the contact was not leased");
      const id = `${contact}:1:0`;
      ids.push(id);
      const begin = { leaseMs: 20 };
      await store.mail.commit([commitOf(claimed, { effects: [message(id, { begin })] })]);
      if (contact === first) await raw(url).hset(`${prefix(contact)}s:${contact}`, "x", "garbage");
    }
    await sleep(40);
    const reaped = await store.effects.reap({ limit: 100, leaseMs: 5_000 });
    expect(reaped.map(({ id }) => id)).toEqual([ids[1]]);
  });

  test("in a mailbox loses no result: it is there once the end comes again", async () => {
    const url = fresh();
    const store = await open({ redisUrl: url });
    const contact = await newContact(store);
    await withEffects(store, [message("one", { ordered: false })], contact);
    const [begun] = await beginAll(store, { leaseMs: 5_000 });
    if (!begun) throw new Error("nothing begun");
    const mailbox = `${prefix(contact)}m:${contact}`;
    await raw(url).set(mailbox, "not a list");
    const end = {
      ...begun,
      outcome: { kind: "done" },
      result: { event: "told", mail: { kind: "text", text: "told" } },
    } as const;
    await expect(store.effects.end([end])).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await raw(url).del(mailbox);
    expect(await store.effects.end([end])).toEqual(["ok"]);
    const claimed = await claimOne(store);
    expect(texts(claimed)).toEqual(["told"]);
    expect(await store.mail.commit([commitOf(claimed)])).toMatchObject([{ ok: true, left: 0 }]);
  });

  const spoiling = (store: Store, url: string) => async (id: string) => {
    await raw(url).hset(`${prefix(id.split(":")[0] ?? "")}e:${id}`, "sealed", "garbage");
    return store;
  };

  test("in one effect holds back neither its contact nor anybody else, and is a person's after a few goes", async () => {
    const url = fresh();
    const store = await open({ redisUrl: url });
    await unreadableEffects(store, spoiling(store, url));
  });

  test("of a note that may have left is never sent again, and held at once", async () => {
    const url = fresh();
    const store = await open({ redisUrl: url });
    await unreadableNote(store, spoiling(store, url));
  });

  test("of one contact leaves everybody else in the lists that people look at", async () => {
    const url = fresh();
    const store = await open({ redisUrl: url });
    await unreadableLists(store, async (contact) => {
      const of = (kind: string) => `${prefix(contact)}${kind}:${contact}`;
      const redis = raw(url);
      await redis.hset(of("s"), "d", "garbage");
      await redis.hset(of("s"), "j0", "0|r1|garbage");
      for (const [hash, letter] of Object.entries(await redis.hgetall(of("d"))))
        await redis.hset(of("d"), hash, letter.replace(/[^|]*$/, "garbage"));
      // Another process: this one remembers what it wrote.
      return open({ redisUrl: url });
    });
  });

  test("of a document leaves it out of lists, and says so", async () => {
    const url = fresh();
    await unreadableDocument(await open({ redisUrl: url }), async (what, collection, id) => {
      const redis = raw(url);
      const at = `prosa:{d:${collection}}:`;
      if (what === "document") await redis.hset(`${at}docs`, id, "1|garbage");
      else await redis.hset(`${at}meta`, "k", changed((await redis.hget(`${at}meta`, "k")) ?? ""));
      return open({ redisUrl: url });
    });
  });

  const spoilKeys = async (url: string, contacts: readonly string[]) => {
    for (const contact of contacts) {
      const key = `${prefix(contact)}s:${contact}`;
      await raw(url).hset(key, "k", changed((await raw(url).hget(key, "k")) ?? ""));
    }
    // Another process: this one remembers the key.
    return open({ redisUrl: url });
  };

  test.each([
    ["in the middle of a conversation", unreadableKey],
    ["before one began", unreadableFirstKey],
  ])(
    "in a contact's own key %s costs what was sealed with it, and no more",
    async (_when, check) => {
      const url = fresh();
      await check(await open({ redisUrl: url }), (contacts) => spoilKeys(url, contacts));
    },
  );

  test("in a key that a process remembers costs nothing, and is mended", async () => {
    const url = fresh();
    const spoil = (contacts: readonly string[]) => spoilKeys(url, contacts);
    await rememberedKey(await open({ redisUrl: url }), spoil, () => open({ redisUrl: url }));
  });

  test("by a commit of one contact takes nothing from the others of the call", async () => {
    const url = fresh();
    const store = await open({ redisUrl: url });
    const [one, two] = [await newContact(store), await newContact(store)];
    const other = partition(one) === partition(two) ? await elsewhere(store, one) : two;
    for (const contact of [one, other]) await accept(store, contact, "hello");
    const claims = await claimAll(store);
    expect(claims).toHaveLength(2);
    await raw(url).set(`${prefix(one)}timers`, "not a set");

    const answers = await store.mail.commit(claims.map((claimed) => commitOf(claimed)));

    const by = new Map(claims.map(({ contact }, index) => [contact, answers[index]]));
    expect(by.get(one)).toEqual({ ok: false, reason: "unknown" });
    expect(by.get(other)).toMatchObject({ ok: true, rev: 1 });
  });

  async function elsewhere(store: Store, one: string): Promise<string> {
    for (;;) {
      const contact = await newContact(store);
      if (partition(contact) !== partition(one)) return contact;
    }
  }
});

describe("REDIS_URL", () => {
  test("names one server, a Cluster or Sentinels", () => {
    expect(parseRedisUrl("rediss://me:p%40ss@[::1]:7000/3")).toEqual({
      ...{ kind: "single", at: { host: "::1", port: 7000 }, database: 3, tls: true },
      ...{ username: "me", password: "p@ss" },
    });
    expect(parseRedisUrl("redis://a:1, redis://b")).toEqual({
      ...{ kind: "cluster", tls: false },
      nodes: [
        { host: "a", port: 1 },
        { host: "b", port: 6379 },
      ],
    });
    expect(parseRedisUrl("redis+sentinel://u:p%3Aw@h1:1,h2/main/2")).toEqual({
      ...{
        kind: "sentinel",
        name: "main",
        database: 2,
        tls: false,
        username: "u",
        password: "p:w",
      },
      sentinels: [
        { host: "h1", port: 1 },
        { host: "h2", port: 26379 },
      ],
    });
  });

  test("is refused without being quoted when it is something else", () => {
    for (const text of ["http://secret@x", "redis+sentinel://secret@h1", "redis://a/secret"])
      try {
        parseRedisUrl(text);
        expect.unreachable();
      } catch (error) {
        expect(error).toMatchObject({ code: "SETTING_INVALID" });
        expect(String(error)).not.toContain("secret");
      }
  });
});

test("remembers the last event id for the whole time, also where a result came before it", async () => {
  const redisUrl = fresh();
  const dedupeMs = 256_000;
  const store = await openStore({ redisUrl, keys: KEYS, limits: { dedupeMs } });
  opened.push(store);
  const redis = raw(redisUrl);
  const contact = await newContact(store);
  expect(await accept(store, contact, "one")).toBe("new");
  const effects = [message(`${contact}:1:0`)];
  await store.mail.commit([commitOf(await claimOne(store), { effects })]);
  const result = { event: "r", mail: { text: "sent" } };
  const ends = (await beginAll(store)).map((one) => {
    return { ...one, outcome: { kind: "done" } as const, result };
  });
  expect(await store.effects.end(ends)).toEqual(["ok"]);
  await sleep(300);
  expect(await accept(store, contact, "two")).toBe("new");
  const [key = ""] = await redis.keys(`prosa:*:i:${contact}`);
  expect(await redis.pttl(key)).toBeGreaterThanOrEqual(dedupeMs);
});

test("keeps no event ids of whoever never writes again past their time", async () => {
  const redisUrl = fresh();
  const limits = { dedupeMs: 700, mailbox: 1 };
  const store = await openStore({ redisUrl, keys: KEYS, limits });
  opened.push(store);
  const redis = raw(redisUrl);
  const contact = await newContact(store);
  const left = async () => {
    const [key] = await redis.keys(`prosa:*:i:${contact}`);
    return key === undefined ? "gone" : redis.pttl(key);
  };
  const forgets = async () => {
    expect(await left()).toBeGreaterThan(400);
    await until(async () => (await left()) === "gone");
  };
  expect(await accept(store, contact, "one")).toBe("new");
  expect(await accept(store, contact, "two")).toBe("dead");
  await forgets();

  const effects = [message(`${contact}:1:0`)];
  await store.mail.commit([commitOf(await claimOne(store), { effects })]);
  const result = { event: "r", mail: { text: "sent" } };
  const ends = (await beginAll(store)).map((one) => {
    return { ...one, outcome: { kind: "done" } as const, result };
  });
  expect(await store.effects.end(ends)).toEqual(["ok"]);
  await forgets();

  const { items } = await store.deadLetters.list({ limit: 1 });
  expect(await store.deadLetters.resolve(items[0]?.id ?? "", "drop")).toBe(true);
  await forgets();
});

describe("a Redis that is full", () => {
  test("refuses what comes in and lets go on what drains", async () => {
    const redisUrl = fresh();
    const store = await open({ redisUrl });
    const redis = raw(redisUrl);
    const contact = await newContact(store);
    await accept(store, contact, "before");
    await redis.config("SET", "maxmemory", "1");
    try {
      await expect(accept(store, contact, "more")).rejects.toMatchObject({ code: "STORE_FULL" });
      await expect(store.contacts.identify(ACCOUNT, ["phone:5511955550001"])).rejects.toMatchObject(
        {
          code: "STORE_FULL",
        },
      );
      const claimed = await claimOne(store);
      expect(texts(claimed)).toEqual(["before"]);
      const effects = [message(`${contact}:1:0`)];
      expect(await store.mail.commit([commitOf(claimed, { effects })])).toMatchObject([
        { ok: true },
      ]);
      const begun = await beginAll(store);
      const result = { event: "r", mail: { text: "sent" } };
      const ends = begun.map((one) => ({ ...one, outcome: { kind: "done" } as const, result }));
      expect(await store.effects.end(ends)).toEqual(["ok"]);
    } finally {
      await redis.config("SET", "maxmemory", "0");
    }
    expect(await accept(store, contact, "more")).toBe("new");
    expect(texts(await claimOne(store))).toEqual(["sent", "more"]);
  });

  test("stores none of a body's mail without what came before it, however little room there is", async () => {
    const redisUrl = fresh();
    const store = await open({ redisUrl });
    const redis = raw(redisUrl);
    const [size, steps] = [60_000, 40];
    const refused: boolean[] = [];
    for (let step = 0; step <= steps; step += 1) {
      const contact = await newContact(store);
      await accept(store, contact, "hello");
      await store.mail.commit([commitOf(await claimOne(store))]);
      const body = ["x".repeat(size), "y", "z"].map((text, at) => {
        return { account: ACCOUNT, contact, event: `${at}`, mail: { text } };
      });
      const used = /used_memory:(\d+)/.exec(await redis.info("memory"))?.[1];
      const room = Number(used) + Math.round((step * 4 * size) / steps);
      await redis.config("SET", "maxmemory", String(room));
      const early: number[] = [];
      const claimed = (one: Claimed) => early.push(one.mail.length);
      const all = { events: 100, leaseMs: 1, claimed };
      try {
        await store.mail.accept(body, step % 2 === 0 ? undefined : all);
        refused.push(false);
      } catch (error) {
        expect(error).toMatchObject({ code: "STORE_FULL" });
        refused.push(true);
      } finally {
        await redis.config("SET", "maxmemory", "0");
      }
      // Whoever was handed some of it was handed all of it.
      expect(early.filter((mail) => mail !== body.length)).toEqual([]);
      await store.mail.accept(body);
      await sleep(5);
      const again = await claimOne(store);
      expect(again.mail.map(({ event }) => event)).toEqual(["0", "1", "2"]);
      await store.mail.commit([commitOf(again, { session: {} })]);
    }
    expect(new Set(refused).size).toBe(2);
  });

  test("is emptied by a process that starts then, and told of what stands in documents", async () => {
    const redisUrl = fresh();
    const before = await open({ redisUrl });
    const redis = raw(redisUrl);
    await accept(before, await newContact(before), "waits");
    await before.close();
    await redis.config("SET", "maxmemory", "1");
    try {
      const store = await open({ redisUrl });
      const claimed = await claimOne(store);
      expect(texts(claimed)).toEqual(["waits"]);
      expect(await store.mail.commit([commitOf(claimed, {})])).toMatchObject([{ ok: true }]);
      expect(await store.documents.put("alarms", "store-full", { told: true })).toBe(1);
      expect((await store.views.backlog()).counters.queued).toBe(0);
    } finally {
      await redis.config("SET", "maxmemory", "0");
    }
  });
});

describe("a Redis that goes away", () => {
  test("fails at once while it is away, loses nothing, and works again within a second of its return", async () => {
    const first = await startRedis({ args: [] });
    const store = await openStore({ redisUrl: first.url, keys: KEYS });
    const contact = await newContact(store);
    await accept(store, contact, "kept", "e1");
    const child = first.process;
    const ended = new Promise((done) => child?.once("exit", done));
    child?.kill("SIGKILL");
    await ended;
    await sleep(50);

    const began = performance.now();
    await expect(accept(store, contact, "lost", "e2")).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
    await expect(claimAll(store)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(performance.now() - began).toBeLessThan(1_000);

    const again = await startRedis({ port: first.port, folder: first.folder ?? "" });
    const up = performance.now();
    await until(() =>
      store.now().then(
        () => true,
        () => false,
      ),
    );
    expect(performance.now() - up).toBeLessThan(1_500);
    await until(() =>
      accept(store, contact, "after", "e3").then(
        () => true,
        () => false,
      ),
    );
    expect(texts(await claimOne(store))).toEqual(["kept", "after"]);
    await store.close();
    await again.stop();
    await first.stop();
  });

  test("answers an unknown end with a Fault when it hangs, and a command sent again is known as such", async () => {
    const redisUrl = fresh();
    const store = await open({ redisUrl });
    const contact = await newContact(store);
    for (const text of ["1", "2", "3"]) await accept(store, contact, text);
    const claimed = await claimOne(store, 20_000);
    // Redis carries this out, but the answer comes after the client stopped waiting.
    const commit = commitOf(claimed, { applied: 1, session: null });
    server.process?.kill("SIGSTOP");
    const lost = store.mail.commit([commit]);
    await expect(lost).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    server.process?.kill("SIGCONT");
    await until(() =>
      store.now().then(
        () => true,
        () => false,
      ),
    );
    await until(async () => (await store.views.backlog()).counters.applied === 1);

    expect(await store.mail.commit([commit])).toEqual([{ ok: false, reason: "fenced" }]);
    expect((await store.views.backlog()).counters).toMatchObject({ applied: 1, queued: 2 });
  });

  test("is told at start when it cannot be reached", async () => {
    await expect(openStore({ redisUrl: "redis://127.0.0.1:1", keys: KEYS })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
  });

  test("finds its scripts again after they were dropped", async () => {
    const redisUrl = fresh();
    const store = await open({ redisUrl });
    const contact = await newContact(store);
    await accept(store, contact, "1");
    await raw(redisUrl).script("FLUSH");
    expect(await accept(store, contact, "2")).toBe("new");
    expect(texts(await claimOne(store))).toEqual(["1", "2"]);
  });
});

describe("several processes", () => {
  test("hear of each other's work at once", async () => {
    const redisUrl = fresh();
    const [one, two] = [await open({ redisUrl }), await open({ redisUrl })];
    const heard: string[] = [];
    two.onWake((what) => heard.push(what));
    const contact = await newContact(one);
    await until(async () => {
      await accept(one, contact, "oi");
      const claims = await claimAll(one);
      await one.mail.commit(
        claims.map((claimed) => commitOf(claimed, { effects: [message(randomUUID())] })),
      );
      return heard.includes("turns") && heard.includes("outbox");
    });
    expect(new Set(heard)).toEqual(new Set(["turns", "outbox"]));
  });

  test("never hold one contact at the same time, however they race", async () => {
    const redisUrl = fresh();
    const stores = [await open({ redisUrl }), await open({ redisUrl }), await open({ redisUrl })];
    const [store] = stores as [Store];
    for (let index = 0; index < 60; index += 1)
      await accept(store, await newContact(store), String(index));
    const seen: string[] = [];
    await Promise.all(
      stores.map(async (mine) => {
        for (let round = 0; round < 30; round += 1)
          for (const { contact } of await mine.mail.claim({
            ...{ owner: "w", contacts: 7, events: 5, leaseMs: 10_000 },
          }))
            seen.push(contact);
      }),
    );
    expect(new Set(seen).size).toBe(60);
    expect(seen).toHaveLength(60);
  });

  test("finish a merge that another one died in the middle of", async () => {
    const redisUrl = fresh();
    const store = await open({ redisUrl });
    const redis = raw(redisUrl);
    const [phone, lid] = ["phone:5511955550002", "lid:5550002@lid"];
    const older = await store.contacts.identify(ACCOUNT, [phone]);
    const younger = await store.contacts.identify(ACCOUNT, [lid]);
    await accept(store, younger, "waiting");
    await store.mail.commit([commitOf(await claimOne(store), { session: { form: 1 }, due: 1 })]);
    await accept(store, younger, "answer", "a");
    const [facts = ""] = await redis.keys(`*s:${younger}`);
    const [mailbox = ""] = await redis.keys(`*m:${younger}`);
    const [people = ""] = await redis.keys("*people");
    const [session, mail] = [await redis.hget(facts, "d"), await redis.lrange(mailbox, 0, -1)];
    const dies = async (forwarded: boolean) => {
      if (!forwarded) await redis.hdel(facts, "fw");
      await redis.hset(facts, "d", session ?? "");
      await redis.del(mailbox);
      await redis.rpush(mailbox, ...mail);
      await redis.hset(people, `${older}:p`, younger);
    };
    expect(await store.contacts.identify(ACCOUNT, [phone, lid])).toBe(older);
    // As if the process had died between the two slots, or when it had handed over and not told so.
    for (const forwarded of [false, true]) {
      await dies(forwarded);
      expect(await store.contacts.identify(ACCOUNT, [lid])).toBe(older);
    }
    const claimed = await claimOne(store);
    expect(claimed.contact).toBe(older);
    expect(claimed.mail.map(({ mail: one }) => one)).toEqual([
      { kind: "joined", from: younger, session: { form: 1 } },
      { kind: "text", text: "answer", via: younger },
    ]);
    expect(await redis.hexists(people, `${older}:p`)).toBe(0);

    // … and nobody asked since: whoever claims the mail is told whose it is, and of what session.
    await store.mail.commit([commitOf(claimed)]);
    await dies(true);
    await accept(store, younger, "later");
    const left = await claimOne(store);
    expect(left).toMatchObject({ contact: younger, forward: older, session: { form: 1 } });
    expect(texts(left)).toEqual(["answer", "later"]);
  });
});

describe("keys and partitions", () => {
  test("go on after a rotation, wrapped anew by what is used", async () => {
    const redisUrl = fresh();
    const before = await open({ redisUrl });
    const contact = await newContact(before);
    await accept(before, contact, "old words");
    await before.documents.put("accounts", "demo", { name: "Demo" });

    await before.close();
    const rotated = await open({ redisUrl, keys: `${key("k2", 9)},${KEYS}` });
    await until(async () => (await rotated.census()).active === "k2");
    const claimed = await claimOne(rotated);
    expect(texts(claimed)).toEqual(["old words"]);
    expect(await rotated.documents.get("accounts", "demo")).toMatchObject({
      value: { name: "Demo" },
    });
    const redis = raw(redisUrl);
    const [session = ""] = await redis.keys(`*s:${contact}`);
    await until(async () => (await redis.hget(session, "k"))?.startsWith("k2:") === true);
    await rotated.mail.commit([commitOf(claimed)]);

    const later = await open({ redisUrl, keys: key("k2", 9) });
    expect((await later.views.session(ACCOUNT, contact))?.session).toEqual({
      heard: ["old words"],
    });
    expect(await later.documents.get("accounts", "demo")).toMatchObject({
      value: { name: "Demo" },
    });
    expect(await later.contacts.identify(ACCOUNT, ["phone:5511955550003"])).toMatch(
      /^[0-9a-f]{32}$/,
    );
    await expect(openStore({ redisUrl, keys: key("k3", 1) })).rejects.toMatchObject({
      code: "KEY_UNKNOWN",
    });
    await expect(openStore({ redisUrl, keys: key("k2", 1) })).rejects.toMatchObject({
      code: "DATA_TAMPERED",
    });
  });

  // As a fail-over does that loses what was written last: the key of a collection is away, and documents are not.
  const lost = async (redisUrl: string) => {
    const redis = raw(redisUrl);
    expect(await redis.hdel("prosa:{d:notes}:meta", "k")).toBe(1);
  };
  const said = async (store: Store) =>
    (await store.documents.list("notes")).items.map(({ id, value }) => [id, value["by"]]);

  test("of a collection are one for all who write, also after it was lost and made anew", async () => {
    const redisUrl = fresh();
    const [first, second] = [await open({ redisUrl }), await open({ redisUrl })];
    await first.documents.put("notes", "a", { by: "first" });
    await lost(redisUrl);
    await second.documents.put("notes", "b", { by: "second" });
    // Read before anything is written again, too.
    expect(await first.documents.get("notes", "b")).toMatchObject({ value: { by: "second" } });
    expect(await first.documents.put("notes", "c", { by: "first" })).toBe(1);
    expect(await first.documents.put("notes", "b", { by: "first" }, 7)).toBe("conflict");
    // Who made the new one never had the old one, and needs it for what stands there still.
    const all = [
      ["a", "first"],
      ["b", "second"],
      ["c", "first"],
    ];
    expect(await said(second)).toEqual(all);
    for (const store of [first, second]) await store.close();
    expect(await said(await open({ redisUrl }))).toEqual(all);
  });

  test("of a collection are one for many who write at once with one that was lost", async () => {
    const redisUrl = fresh();
    const stores = [await open({ redisUrl }), await open({ redisUrl })];
    await Promise.all(stores.map((store) => store.documents.put("notes", "0", { by: "anybody" })));
    await lost(redisUrl);
    stores.push(await open({ redisUrl }), await open({ redisUrl }));
    const ids = Array.from({ length: 40 }, (_, index) => String(100 + index));
    await Promise.all(
      ids.map((id, at) =>
        (stores[at % stores.length] as Store).documents.put("notes", id, { by: id }),
      ),
    );
    for (const store of stores) await store.close();
    const found = await said(await open({ redisUrl }));
    expect(found).toEqual([["0", "anybody"], ...ids.map((id) => [id, id])]);
  });

  test("of a collection go back where nobody made another one since", async () => {
    const redisUrl = fresh();
    const store = await open({ redisUrl });
    const redis = raw(redisUrl);
    await store.documents.put("notes", "a", { by: "first" });
    const before = await redis.hget("prosa:{d:notes}:meta", "k");
    await lost(redisUrl);
    await store.documents.put("notes", "b", { by: "first" });
    expect(await redis.hget("prosa:{d:notes}:meta", "k")).toBe(before);
    // So they do where their wrapping was changed, as far as it can be told that it is theirs.
    await redis.hset("prosa:{d:notes}:meta", "k", before?.replace(/:[^:]+:/, ":changed-:") ?? "");
    await store.documents.put("notes", "c", { by: "first" });
    await store.close();
    expect((await said(await open({ redisUrl }))).map(([id]) => id)).toEqual(["a", "b", "c"]);
  });

  test("of a collection are the same when they were wrapped anew, and a write is one step", async () => {
    const redisUrl = fresh();
    const store = await open({ redisUrl, keys: `${KEYS},${key("k2", 9)}` });
    await store.documents.put("notes", "a", { by: "first" });
    const redis = raw(redisUrl);
    const wrapped = () => redis.hget("prosa:{d:notes}:meta", "k");
    const before = await wrapped();
    const ring = new KeyRing(`${key("k2", 9)},${KEYS}`);
    const anew = ring.rewrap("collection notes", before ?? "");
    await redis.hset("prosa:{d:notes}:meta", "k", anew);

    const monitor = await redis.monitor();
    const asked: string[] = [];
    monitor.on("monitor", (_time: string, words: string[], source: string) => {
      if (source !== "lua" && words.some((word) => word.includes("{d:notes}")))
        asked.push(...words);
    });
    for (const id of ["b", "c"]) await store.documents.put("notes", id, { by: "first" });
    await until(() => asked.includes("c"));
    monitor.disconnect();
    expect(asked.filter((word) => /^(evalsha|eval|hget)$/i.test(word))).toHaveLength(2);
    expect(await wrapped()).toBe(anew);
    await store.close();
    const later = await open({ redisUrl, keys: `${key("k2", 9)},${KEYS}` });
    expect((await said(later)).map(([id]) => id)).toEqual(["a", "b", "c"]);
  });

  test("of a collection need not be told by a build that does not know how", async () => {
    const redisUrl = fresh();
    const store = await open({ redisUrl });
    await store.documents.put("notes", "a", { by: "first" });
    const { lua = "" } = scripts()["prosa:put"] ?? {};
    expect(await raw(redisUrl).eval(lua, 1, "prosa:{d:notes}:", "b", "sealed", "")).toBe(1);
  });

  test("do not change under an installation", async () => {
    const redisUrl = fresh();
    await open({ redisUrl, partitions: 4 });
    const same = await open({ redisUrl });
    expect(await accept(same, await newContact(same), "oi")).toBe("new");
    expect(await claimAll(same)).toHaveLength(1);
    await expect(openStore({ redisUrl, keys: KEYS, partitions: 8 })).rejects.toMatchObject({
      code: "STORE_INCOMPATIBLE",
    });
  });

  test("put nothing of one contact outside its slot", async () => {
    const redisUrl = fresh();
    const store = await open({ redisUrl });
    const contact = await withEffects(store, [message("x")]);
    const redis = raw(redisUrl);
    const keys = await redis.keys("*");
    const slots = new Set(keys.map((name) => /\{([^}]*)\}/.exec(name)?.[1]));
    const own = keys.filter((name) => name.includes(contact));
    expect(new Set(own.map((name) => /^prosa:\{p\d\d\}:/.exec(name)?.[0])).size).toBe(1);
    // Its partition, its account, and the installation's own facts.
    expect(slots.size).toBe(3);
  });

  test("leave every script with one fixed key, so that a Cluster can route it", () => {
    const all = Object.values(scripts());
    expect(
      all.every(({ numberOfKeys, lua }) => numberOfKeys === 1 && lua.startsWith("#!lua")),
    ).toBe(true);
    // Only what takes in new work may be refused for want of memory.
    expect(all.filter(({ lua }) => !lua.includes("allow-oom"))).toHaveLength(2);
    for (const { lua } of all) expect(lua).not.toMatch(/KEYS\[2\]/);
  });
});

describe("durability", () => {
  test("is told as it is in force", async () => {
    const strict = await open({ redisUrl: fresh() });
    expect(await strict.info()).toMatchObject({ kind: "redis", durability: "D1" });
    expect((await strict.info()).version).toMatch(/^\d+\.\d+/);
    await raw(server.url).config("SET", "appendfsync", "everysec");
    try {
      const loose = await open({ redisUrl: fresh() });
      expect(await loose.info()).toMatchObject({ durability: "D0" });
    } finally {
      await raw(server.url).config("SET", "appendfsync", "always");
    }
  });

  test("is unknown, not an error, to a user who may not ask", async () => {
    const redisUrl = fresh();
    await raw(server.url).acl(
      ...(["SETUSER", "bot", "on", ">pw", "~prosa:*", "&prosa:*", "+@all", "-config"] as const),
    );
    const store = await open({ redisUrl: redisUrl.replace("redis://", "redis://bot:pw@") });
    expect((await store.info()).sentence).toMatch(/may not read/);
    expect(await accept(store, await newContact(store), "oi")).toBe("new");
  });

  test("waits for a replica where one is required, and refuses when it does not answer", async () => {
    const primary = await startRedis({ args: ["--repl-diskless-sync-delay", "0"] });
    const replica = await startRedis({ args: ["--replicaof", "127.0.0.1", String(primary.port)] });
    const redis = new Redis(primary.url);
    await until(async () => /connected_slaves:1/.test(await redis.info("replication")));
    await until(async () => /state=online/.test(await redis.info("replication")));
    await redis.config("SET", "min-replicas-to-write", "1");
    const store = await openStore({ redisUrl: primary.url, keys: KEYS });
    expect(await store.info()).toMatchObject({ durability: "D2" });
    const contact = await newContact(store);
    expect(await accept(store, contact, "one", "e1")).toBe("new");

    replica.process?.kill("SIGSTOP");
    await expect(accept(store, contact, "two", "e2")).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
    const claimed = await claimOne(store);
    const effects = [message("f", { class: "fiscal", ordered: false })];
    await store.mail.commit([commitOf(claimed, { effects })]);
    expect(await beginAll(store)).toEqual([]);
    replica.process?.kill("SIGCONT");
    expect(await accept(store, contact, "two", "e2")).toBe("duplicate");
    await until(async () => (await beginAll(store)).length === 1);
    expect(await store.views.effects({ limit: 5 })).toMatchObject([
      { state: "inflight", attempt: 1 },
    ]);
    await store.close();
    redis.disconnect();
    await replica.stop();
    await primary.stop();
  });
});

describe("memory", () => {
  test("of an idle contact in the middle of a form stays under four kilobytes", async () => {
    const redisUrl = fresh();
    const store = await open({ redisUrl });
    const redis = raw(redisUrl);
    const fixture = new URL("session.fixture.json", import.meta.url);
    const session = JSON.parse(readFileSync(fixture, "utf8")) as Json;
    const contact = await newContact(store);
    const now = await store.now();
    await store.mail.accept(
      Array.from({ length: 10 }, (_, turn) => ({
        ...{ account: ACCOUNT, contact, event: `e${turn}`, mail: { text: `answer ${turn}` } },
      })),
    );
    const record = { at: now, event: "inbound", said: "Qual o valor da nota?" };
    const journal = Array.from({ length: 12 }, (_, rev) => ({ ...record, rev }));
    await store.mail.commit([
      commitOf(await claimOne(store), { session, journal, due: now + 86_400_000 }),
    ]);
    let bytes = 0;
    // Without the ids that are remembered against duplicates: they age away.
    for (const name of (await redis.keys(`*${contact}`)).filter((one) => !one.includes(":i:")))
      bytes += (await redis.call("MEMORY", "USAGE", name, "SAMPLES", "0")) as number;
    expect(bytes).toBeLessThan(4_096);
    expect(bytes).toBeGreaterThan(1_000);
  });
});

test("hints of other processes are heard again after their line was cut", async () => {
  const redisUrl = fresh();
  const [one, other] = [await open({ redisUrl }), await open({ redisUrl })];
  let heard = 0;
  one.onWake((what) => what === "turns" && heard++);
  const tells = async (): Promise<void> => {
    const contact = await newContact(other);
    await accept(other, contact, "oi");
  };
  await until(async () => (await tells(), heard > 0));

  await raw(redisUrl).call("CLIENT", "KILL", "TYPE", "pubsub");
  await sleep(100);
  heard = 0;

  await until(async () => (await tells(), heard > 0));
  expect(heard).toBeGreaterThan(0);
});
