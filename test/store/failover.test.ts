/**
 * A primary that is lost, a replica that takes its place, an old file put back: what may not be done twice is held until a
 * person releases it, by whichever process asks first. Real servers; the address moves by a proxy, as a virtual one does.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Redis } from "ioredis";
import { afterEach, describe, expect, test } from "vitest";
import { openStore, type Begun, type Store } from "../../src/store/index.ts";
import { commandOf, scripts } from "../../src/store/redis/scripts.ts";
import { FaultProxy } from "../support/proxy.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import {
  accept,
  ACCOUNT,
  beginAll,
  claimOne,
  commitOf,
  message,
  newContact,
  sleep,
  texts,
  withEffects,
} from "./contract.ts";

const KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;
const SHORT = { restartGraceMs: 250 };

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function until(met: () => Promise<boolean>, ms = 10_000): Promise<void> {
  for (const end = Date.now() + ms; !(await met().catch(() => false)); await sleep(20))
    if (Date.now() > end) throw new Error("it did not happen in time");
}
async function server(options: Parameters<typeof startRedis>[0] = {}): Promise<TestRedis> {
  const started = await startRedis({ args: [], ...options });
  closing.push(() => started.stop());
  return started;
}
function raw({ url }: TestRedis): Redis {
  const redis = new Redis(url);
  redis.on("error", () => undefined);
  closing.push(() => redis.disconnect());
  return redis;
}
async function open(port: number, marks?: string): Promise<Store> {
  const store = await openStore({
    ...{ redisUrl: `redis://127.0.0.1:${port}`, keys: KEYS, limits: SHORT },
    ...(marks === undefined ? {} : { marks }),
  });
  closing.push(() => store.close());
  return store;
}
function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), "prosa-marks-"));
  closing.push(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A primary and a replica that has all of it, behind one address. */
async function pair(): Promise<{
  primary: TestRedis;
  replica: TestRedis;
  address: FaultProxy;
  promote: () => Promise<void>;
}> {
  const primary = await server({ args: ["--repl-diskless-sync-delay", "0"] });
  const replica = await server({ args: ["--replicaof", "127.0.0.1", String(primary.port)] });
  await until(async () => /state=online/.test(await raw(primary).info("replication")));
  const address = await FaultProxy.open(primary.port);
  closing.push(() => address.close());
  const promote = async () => {
    await raw(replica).replicaof("NO", "ONE");
    address.aim(replica.port);
  };
  return { primary, replica, address, promote };
}

/** Both of its connections are back. */
async function back(store: Store): Promise<void> {
  await until(async () => (await store.contacts.identify(ACCOUNT, ["x:probe"])) !== "");
  await until(async () => (await store.now()) > 0);
}

async function kill(redis: TestRedis, signal: "SIGKILL" | "SIGTERM" = "SIGKILL"): Promise<void> {
  const ended = new Promise((done) => redis.process?.once("exit", done));
  redis.process?.kill(signal);
  await ended;
}
async function again(redis: TestRedis): Promise<TestRedis> {
  return server({ port: redis.port, folder: redis.folder ?? "" });
}

const fiscal = (id: string) =>
  message(id, { class: "fiscal", scope: `credits:${ACCOUNT}`, ordered: false });
const ids = (begun: readonly Begun[]) => begun.map(({ id }) => id).sort();
const holds = async (store: Store) =>
  [...(await store.scopes.pauses())].map(([scope, { reason }]) => `${scope} ${reason}`).sort();
async function done(store: Store, begun: readonly Begun[]): Promise<void> {
  await store.effects.end(begun.map((one) => ({ ...one, outcome: { kind: "done" } as const })));
}
/** What is due is taken, however long the store is being looked at; nothing else is. */
async function takes(store: Store, wanted: readonly string[]): Promise<void> {
  const taken: Begun[] = [];
  await until(async () => {
    taken.push(...(await beginAll(store)));
    return taken.length >= wanted.length;
  });
  expect(ids(taken)).toEqual([...wanted].sort());
  await done(store, taken);
}

describe("a fail-over", () => {
  test("between a write and its confirmation confirms nothing: the new primary's replicas never had it", async () => {
    const { primary, replica, address, promote } = await pair();
    await raw(primary).config("SET", "min-replicas-to-write", "1");
    const store = await open(address.port);
    expect(await store.info()).toMatchObject({ durability: "D2" });
    expect(await store.effects.confirm()).toBe(true);
    await raw(primary).config("SET", "min-replicas-to-write", "0");
    await raw(replica).replicaof("NO", "ONE");
    await server({ args: ["--replicaof", "127.0.0.1", String(replica.port)] });
    await until(async () => /state=online/.test(await raw(replica).info("replication")));

    await store.documents.put("meta", "written", { to: "the old primary alone" });
    await promote();
    await until(async () => (await store.documents.get("meta", "written")) === null);

    expect(await store.effects.confirm()).toBe(false);
  });

  test("holds what may not be done twice, in every process, until a person releases it; the rest goes on", async () => {
    const { primary, address, promote } = await pair();
    const [one, two] = [await open(address.port), await open(address.port)];
    const contact = await withEffects(one, [fiscal("before")]);
    await takes(one, ["before"]);
    expect(await beginAll(two)).toEqual([]);
    await kill(primary);
    await promote();
    await until(async () => (await accept(one, contact, "still talking")) === "new");
    await back(one);
    const claimed = await claimOne(one);
    expect(texts(claimed)).toEqual(["still talking"]);
    const effects = [
      fiscal("note"),
      fiscal("other note"),
      message("issuer", { class: "costly", ordered: false }),
      message("words"),
    ];
    await one.mail.commit([commitOf(claimed, { effects })]);
    // The second process has seen nothing of the fail-over but that its line broke.
    await until(async () => ids(await beginAll(two)).join() === "words");
    for (const store of [one, two]) expect(await beginAll(store)).toEqual([]);
    expect(await holds(one)).toEqual(["hold:costly failover", "hold:fiscal failover"]);
    const late = await open(address.port);
    expect(await beginAll(late)).toEqual([]);

    expect(await late.scopes.resume("hold:fiscal")).toBe(true);
    await takes(two, ["note", "other note"]);
    expect(await holds(one)).toEqual(["hold:costly failover"]);
    expect(await one.scopes.resume("hold:costly")).toBe(true);
    await takes(one, ["issuer"]);
    for (const store of [one, two, late]) expect(await beginAll(store)).toEqual([]);
    expect(await holds(one)).toEqual([]);
  });

  test("takes the place of a hold that would end by itself, or that a person set for another reason", async () => {
    const { primary, replica, address, promote } = await pair();
    const store = await open(address.port);
    await withEffects(store, [fiscal("before")]);
    await takes(store, ["before"]);
    await store.scopes.pause("hold:fiscal", "manutenção", { until: 5 });
    await store.scopes.pause("hold:costly", "manutenção");
    const offset = async (of: TestRedis) =>
      /master_repl_offset:(\d+)/.exec(await raw(of).info("replication"))?.[1];
    await until(async () => (await offset(primary)) === (await offset(replica)));
    await kill(primary);
    await promote();
    await back(store);
    await until(async () => {
      expect(await beginAll(store)).toEqual([]);
      return (await holds(store)).join() === "hold:costly failover,hold:fiscal failover";
    });

    // Its minutes are over.
    await store.scopes.resume("hold:fiscal", { reason: "manutenção", until: 5 });
    await withEffects(store, [fiscal("note")]);
    expect(await beginAll(store)).toEqual([]);
    expect(await store.scopes.resume("hold:fiscal")).toBe(true);
    await takes(store, ["note"]);
  });

  test("that happened while no worker ran is noticed by the first that comes", async () => {
    const { primary, replica, address, promote } = await pair();
    const store = await open(address.port);
    await withEffects(store, [fiscal("note")]);
    await store.effects.begin({
      ...{ limit: 9, leaseMs: 1, paused: ["credits:acme"], offsetMs: 0 },
    });
    await store.close();
    const offset = async (of: TestRedis) =>
      /master_repl_offset:(\d+)/.exec(await raw(of).info("replication"))?.[1];
    await until(async () => (await offset(primary)) === (await offset(replica)));
    await kill(primary);
    await promote();
    const first = await open(address.port);
    expect(await beginAll(first)).toEqual([]);
    expect(await holds(first)).toEqual(["hold:costly failover", "hold:fiscal failover"]);
  });

  test("back to the old primary, which never heard of the new one's time, is noticed as well", async () => {
    const { primary, address, promote } = await pair();
    const store = await open(address.port);
    await withEffects(store, [fiscal("a")]);
    await takes(store, ["a"]);
    await promote();
    await until(
      async () => (await beginAll(store)).length === 0 && (await holds(store)).length > 0,
    );
    for (const hold of ["hold:fiscal", "hold:costly"]) await store.scopes.resume(hold);
    await withEffects(store, [fiscal("b")]);
    await takes(store, ["b"]);
    address.aim(primary.port);
    await until(async () => (await store.views.backlog()).counters.accepted === 1);
    await back(store);
    await withEffects(store, [fiscal("c")]);
    expect(await beginAll(store)).toEqual([]);
    expect(await holds(store)).toHaveLength(2);
  });
});

describe("a restart", () => {
  test("of a server that lost nothing holds nothing, killed or stopped as planned", async () => {
    let redis = await server();
    const [one, two] = [await open(redis.port, folder()), await open(redis.port, folder())];
    await withEffects(one, [fiscal("1")]);
    await takes(one, ["1"]);
    expect(await beginAll(two)).toEqual([]);
    for (const [signal, id] of [["SIGKILL", "2"] as const, ["SIGTERM", "3"] as const]) {
      await kill(redis, signal);
      redis = await again(redis);
      await back(one);
      await withEffects(one, [fiscal(id)]);
      await takes(id === "2" ? one : two, [id]);
      expect(await holds(one)).toEqual([]);
    }
  });

  test("on an older file is noticed by a worker that lives", async () => {
    let redis = await server();
    const store = await open(redis.port);
    await withEffects(store, [fiscal("kept")]);
    await takes(store, ["kept"]);
    await kill(redis, "SIGTERM");
    const backup = folder();
    cpSync(redis.folder ?? "", backup, { recursive: true });
    redis = await again(redis);
    await back(store);
    const contact = await withEffects(store, [fiscal("sent since")]);
    await takes(store, ["sent since"]);
    await kill(redis, "SIGTERM");
    rmSync(redis.folder ?? "", { recursive: true });
    cpSync(backup, redis.folder ?? "", { recursive: true });
    await again(redis);
    await until(async () => (await accept(store, contact, "again")) === "new");
    await back(store);
    const claimed = await claimOne(store);
    await store.mail.commit([commitOf(claimed, { effects: [fiscal("sent twice?")] })]);
    await until(
      async () => (await beginAll(store)).length === 0 && (await holds(store)).length > 0,
    );
    expect(await holds(store)).toEqual(["hold:costly restored", "hold:fiscal restored"]);
    await sleep(SHORT.restartGraceMs);
    expect(await beginAll(store)).toEqual([]);
  });

  test("is believed by nobody before those who know more had the time to say so", async () => {
    let redis = await server();
    const knows = await open(redis.port);
    await withEffects(knows, [fiscal("kept")]);
    await takes(knows, ["kept"]);
    await kill(redis, "SIGTERM");
    const backup = folder();
    cpSync(redis.folder ?? "", backup, { recursive: true });
    redis = await again(redis);
    await back(knows);
    await withEffects(knows, [fiscal("sent since")]);
    await takes(knows, ["sent since"]);
    await kill(redis, "SIGTERM");
    rmSync(redis.folder ?? "", { recursive: true });
    cpSync(backup, redis.folder ?? "", { recursive: true });
    redis = await again(redis);
    const patient = { restartGraceMs: 60_000 };
    const newcomer = await openStore({ redisUrl: redis.url, keys: KEYS, limits: patient });
    closing.push(() => newcomer.close());
    await withEffects(newcomer, [fiscal("sent twice?")]);
    for (let look = 0; look < 3; look += 1) expect(await beginAll(newcomer)).toEqual([]);
    expect(await holds(newcomer)).toEqual([]);
    await back(knows);
    await until(async () => {
      expect(await beginAll(knows)).toEqual([]);
      return (await holds(knows)).length > 0;
    });
    expect(await holds(newcomer)).toEqual(["hold:costly restored", "hold:fiscal restored"]);
    expect(await beginAll(newcomer)).toEqual([]);
  });

  test("or not: a count that went back on the very same server holds, too", async () => {
    const redis = await server();
    const store = await open(redis.port);
    const contact = await withEffects(store, [fiscal("one")]);
    await takes(store, ["one"]);
    for (const key of await raw(redis).keys("prosa:{p*}:count"))
      await raw(redis).hset(key, "guarded", 0);
    await withEffects(store, [fiscal("two")], contact);
    expect(await beginAll(store)).toEqual([]);
    expect(await holds(store)).toEqual(["hold:costly restored", "hold:fiscal restored"]);
  });

  test("is vouched for only as it was judged: not when somebody else spoke meanwhile, nor for another server", async () => {
    const redis = await server();
    await open(redis.port);
    const client = new Redis(redis.url, { scripts: scripts() });
    closing.push(() => client.disconnect());
    const vouch = (client as unknown as Record<string, (...all: unknown[]) => Promise<unknown>>)[
      commandOf("vouch")
    ];
    const info = `${await client.info("server")}${await client.info("replication")}`;
    const field = (name: string) => new RegExp(`${name}:(\\w+)`).exec(info)?.[1] ?? "";
    const [run, history] = [field("run_id"), field("master_replid")];
    const say = (...values: unknown[]) => vouch?.call(client, "prosa:{p00}:", ...values, "me");
    const noted = () => client.hgetall("prosa:{p00}:count");
    expect(await say("", "", "another", history, 3, "")).toBe(0);
    expect(await say("", "", run, "another", 3, "")).toBe(0);
    expect(await noted()).toEqual({});
    expect(await say("", "", run, history, 3, "fiscal costly")).toBe(1);
    expect(await say("", "", run, history, 9, "")).toBe(0);
    expect(await say(run, "another", run, history, 9, "")).toBe(0);
    expect(await noted()).toMatchObject({ run, history, guarded: "3", hold: "fiscal costly" });
  });

  test("of everything on an older file is noticed by what the data folder remembers", async () => {
    let redis = await server();
    const marks = folder();
    const before = await open(redis.port, marks);
    await newContact(before);
    await kill(redis, "SIGTERM");
    const backup = folder();
    cpSync(redis.folder ?? "", backup, { recursive: true });
    redis = await again(redis);
    await back(before);
    await withEffects(before, [fiscal("sent since")]);
    await takes(before, ["sent since"]);
    await before.close();
    await kill(redis, "SIGTERM");
    rmSync(redis.folder ?? "", { recursive: true });
    cpSync(backup, redis.folder ?? "", { recursive: true });
    redis = await again(redis);
    const after = await open(redis.port, marks);
    expect(await beginAll(after)).toEqual([]);
    expect(await holds(after)).toEqual(["hold:costly restored", "hold:fiscal restored"]);
    const stranger = await open(redis.port, folder());
    expect(await beginAll(stranger)).toEqual([]);
    // Released once, it stays so: the folder knows the store as it is now.
    for (const hold of ["hold:fiscal", "hold:costly"]) await stranger.scopes.resume(hold);
    await withEffects(stranger, [fiscal("new")]);
    await takes(stranger, ["new"]);
    const later = await open(redis.port, marks);
    expect(await beginAll(later)).toEqual([]);
    expect(await holds(later)).toEqual([]);
  });
});

describe("with required replicas", () => {
  const strict = ["--repl-diskless-sync-delay", "0", "--min-replicas-to-write", "1"];
  const event = (store: Store, contact: string, name: string) =>
    accept(store, contact, name, name).then(
      (answer) => ({ name, answered: answer === "new" || answer === "duplicate" }),
      () => ({ name, answered: false }),
    );

  test("whatever was answered outlives the primary, also while the replica lagged, and a demoted one answers nothing", async () => {
    const primary = await server({ args: strict });
    const replica = await server({
      args: [...strict, "--replicaof", "127.0.0.1", String(primary.port)],
    });
    await until(async () => /state=online/.test(await raw(primary).info("replication")));
    const address = await FaultProxy.open(primary.port);
    closing.push(() => address.close());
    const store = await open(address.port);
    expect(await store.info()).toMatchObject({ durability: "D2" });
    const contact = await newContact(store);
    const asked = Array.from({ length: 200 }, (_, index) => `e${index}`);
    const first = await Promise.all(asked.slice(0, 100).map((name) => event(store, contact, name)));
    expect(first.every(({ answered }) => answered)).toBe(true);
    let told = 0;
    store.onUnconfirmed(() => (told += 1));
    replica.process?.kill("SIGSTOP");
    const lagging = await Promise.all(
      asked.slice(100, 150).map((name) => event(store, contact, name)),
    );
    expect(lagging.some(({ answered }) => answered)).toBe(false);
    await store.documents.put("things", "frozen", { bytes: "…" });
    expect(await store.effects.confirm()).toBe(false);
    expect(told).toBe(1);
    expect(await store.info()).toMatchObject({ unconfirmed: true });
    await kill(primary);
    replica.process?.kill("SIGCONT");
    await raw(replica).replicaof("NO", "ONE");
    address.aim(replica.port);

    // The old one comes back by itself, is a primary once more and takes what nobody is told of; then it is demoted.
    const old = await server({
      ...{ port: primary.port, folder: primary.folder ?? "" },
      args: ["--repl-diskless-sync-delay", "0"],
    });
    await raw(old).set("prosa:divergent", "1");
    await raw(old).replicaof("127.0.0.1", String(replica.port));
    await until(async () => /state=online/.test(await raw(replica).info("replication")));
    address.aim(old.port);
    const refusal = () => accept(store, contact, "on a replica").catch(String);
    await until(async () => (await refusal()).includes("READONLY"));
    address.aim(replica.port);
    for (const name of asked.slice(100))
      await until(async () => (await event(store, contact, name)).answered);

    expect(await raw(replica).exists("prosa:divergent")).toBe(0);
    const heard = texts(await claimOne(store));
    expect(heard).toHaveLength(100);
    expect(heard).toEqual(asked.slice(0, 100));
  });
});
