/**
 * A real Cluster of three primaries with a replica each. One primary dies under load, the one that holds what the processes
 * agree on about their keys: its replica takes over, and the dead one comes back as a replica of it.
 */
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore, type Store } from "../../src/store/index.ts";
import { startCluster, type TestCluster } from "../support/cluster.ts";
import { ACCOUNT, accept, sleep } from "./contract.ts";
import { steady } from "./steady-worker.ts";

const key = (kid: string, byte: number) => `${kid}:${Buffer.alloc(32, byte).toString("base64")}`;
const [K1, K2] = [key("k1", 7), key("k2", 9)];
/** How long a process counts as running here, ms. */
const SPAN_MS = 300;
const CONTACTS = 24;
/** Events of each contact after the primary died. */
const MORE = 8;

let cluster: TestCluster;
const closing: (() => Promise<unknown> | void)[] = [];
beforeAll(async () => {
  cluster = await startCluster({ replicas: 1, args: ["--min-replicas-to-write", "1"] });
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
  await cluster.stop();
});

async function until(what: string, met: () => Promise<boolean>, ms = 30_000): Promise<void> {
  for (const end = Date.now() + ms; !(await met().catch(() => false)); await sleep(20))
    if (Date.now() > end) throw new Error(`${what}: did not happen in time`);
}
async function open(keys: string): Promise<Store> {
  const limits = { keyHolderMs: SPAN_MS };
  const store = await openStore({ redisUrl: cluster.url, keys, limits });
  closing.push(() => store.close());
  return store;
}
/** Which primary holds a key. */
async function holderOf(name: string): Promise<number> {
  for (const [at, { url }] of cluster.primaries.entries()) {
    const redis = new Redis(url);
    const found = await redis.exists(name).catch(() => 0);
    redis.disconnect();
    if (found === 1) return at;
  }
  throw new Error(`nobody holds ${name}`);
}

test("a primary that dies under load: nothing answered is lost or done twice, fiscal calls wait for a person, keys stay agreed", async () => {
  // The replicas count for writes a moment after they are there.
  await until("enough replicas", async () => {
    await (await open(K1)).close();
    return true;
  });
  const [ingress, worker] = [await open(K1), await open(K1)];
  expect(await worker.info()).toMatchObject({ durability: "D2" });
  const names = Array.from({ length: CONTACTS }, (_, index) => [`phone:55119${index}`]);
  const contacts = await Promise.all(names.map((name) => ingress.contacts.identify(ACCOUNT, name)));
  const { sent, notes, rounds, stop } = steady(worker);
  closing.push(stop);
  let dead = false;
  const lists = contacts.map(async (contact) => {
    const heard: string[] = [];
    for (let left = MORE; left > 0; left -= dead ? 1 : 0) {
      const name = `e${heard.length}`;
      heard.push(name);
      await until("an answer", async () =>
        ["new", "duplicate"].includes(await accept(ingress, contact, name, name)),
      );
    }
    return { contact, heard };
  });
  await until("some notes", async () => notes().length > CONTACTS);

  const victim = await holderOf("prosa:keys");
  const primary = cluster.primaries[victim];
  const replica = new Redis(cluster.replicas[victim]?.url ?? "");
  replica.on("error", () => undefined);
  closing.push(() => replica.disconnect());
  const ended = new Promise((done) => primary?.process?.once("exit", done));
  primary?.process?.kill("SIGKILL");
  await ended;
  dead = true;
  await until("a promotion", async () =>
    (await replica.info("replication")).includes("role:master"),
  );
  await cluster.again(victim);
  const all = await Promise.all(lists);
  await until(
    "the end of the back-log",
    async () => (await worker.views.backlog()).counters.queued === 0,
  );

  for (const { contact, heard } of all)
    expect((await worker.views.session(ACCOUNT, contact))?.session).toEqual({ heard });
  await until("the hold", async () => (await worker.scopes.pauses()).size === 2);
  const holds = [...(await ingress.scopes.pauses())].map(
    ([scope, { reason }]) => `${scope} ${reason}`,
  );
  expect(holds.sort()).toEqual(["hold:costly failover", "hold:fiscal failover"]);
  const pending = async () => {
    const all = await worker.views.effects({ state: "pending", limit: 1_000 });
    return all.map((one) => one.id).sort();
  };
  // What the two other primaries may still hand out is gone when whole rounds change nothing.
  let waiting: string[] = [];
  await until("only what is held", async () => {
    const before = await pending();
    const round = rounds();
    await until("two rounds", async () => rounds() > round + 2);
    waiting = await pending();
    return waiting.join() === before.join();
  });
  expect(waiting.length).toBeGreaterThan(0);
  expect(waiting.filter((id) => !id.endsWith("note") || notes().includes(id))).toEqual([]);

  for (const hold of ["hold:fiscal", "hold:costly"]) await ingress.scopes.resume(hold);
  await until(
    "the last effect",
    async () => (await worker.views.effects({ limit: 9 })).length === 0,
  );
  expect(waiting.filter((id) => sent.get(id) !== 1 && !notes().includes(id))).toEqual([]);
  for (const [id, times] of sent) if (id.endsWith("note")) expect(times, id).toBe(1);
  const { counters } = await worker.views.backlog();
  expect(counters).toMatchObject({ dead: 0, queued: 0, accepted: counters.applied });

  // Keys: the processes went on through the fail-over; a new entry is used only once no process runs without it.
  await stop();
  const ready = await open(`${K2},${K1}`);
  await sleep(2 * SPAN_MS);
  expect((await ready.census()).active).toBe("k1");
  await ingress.close();
  await worker.close();
  await until("the new entry", async () => (await ready.census()).active === "k2");
  const { entries } = await ready.census({ rewrap: true });
  expect(entries).toContainEqual({ entry: "k1", keys: 0, given: true, inUse: false });
  await expect(openStore({ redisUrl: cluster.url, keys: K1 })).rejects.toMatchObject({
    code: "KEY_UNKNOWN",
  });
  await ready.close();
  const alone = await open(K2);
  for (const { contact, heard } of all)
    expect((await alone.views.session(ACCOUNT, contact))?.session).toEqual({ heard });
});
