/**
 * A real Cluster in which a primary dies whose replica had stopped copying: what stood there is forgotten, and its replica takes
 * over. What waits in the partitions of the others has lost its keys and records, and may not leave before a person lets go.
 */
import { Redis } from "ioredis";
import { afterEach, describe, expect, test } from "vitest";
import { type Begun, type ContactId, openStore, type Store } from "../../src/store/index.ts";
import { slotOf } from "../../src/store/redis/failover/witness-keys.ts";
import { startCluster, type TestCluster } from "../support/cluster.ts";
import { ACCOUNT, beginAll, message, newContact, sleep, withEffects } from "./contract.ts";

const KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;
const SLOTS = 16_384;
const PRIMARIES = 3;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function until(what: string, met: () => Promise<boolean>, ms = 20_000): Promise<void> {
  for (const end = Date.now() + ms; !(await met().catch(() => false)); await sleep(20))
    if (Date.now() > end) throw new Error(`${what}: did not happen in time`);
}
function raw(url: string | undefined): Redis {
  const redis = new Redis(url ?? "");
  redis.on("error", () => undefined);
  closing.push(() => redis.disconnect());
  return redis;
}
/** As `startCluster` shares them out. */
const primaryOf = (tag: string) => Math.floor(slotOf(tag) / Math.ceil(SLOTS / PRIMARIES));
const partitionOf = (contact: ContactId, partitions: number) =>
  `p${String(Number.parseInt(contact.slice(0, 4), 16) % partitions).padStart(2, "0")}`;

/** A fiscal effect that waits in a partition of this primary. */
async function waiting(store: Store, partitions: number, at: number, id: string): Promise<void> {
  let contact = await newContact(store);
  while (primaryOf(partitionOf(contact, partitions)) !== at) contact = await newContact(store);
  const of = { class: "fiscal", scope: "credits:acme", ordered: false, payload: {} };
  await withEffects(store, [message(`${contact}:1:${id}`, of)], contact);
}

/** A business key on this primary, claimed after its replica stopped to copy. */
async function claimedAlone(store: Store, cluster: TestCluster, at: number): Promise<string> {
  const replica = raw(cluster.replicas[at]?.url);
  const primary = raw(cluster.primaries[at]?.url);
  await replica.config("SET", "masterauth", "wrong");
  await primary.call("CLIENT", "KILL", "TYPE", "replica");
  await until("a broken link", async () =>
    (await replica.info("replication")).includes("master_link_status:down"),
  );
  const keys = () => primary.keys("prosa:{iss:*}");
  for (let number = 0; ; number += 1) {
    await store.keys.claim(ACCOUNT, `sale ${number}`, "first");
    if ((await keys()).length > 0) return `sale ${number}`;
    await store.keys.free(ACCOUNT, `sale ${number}`, "first");
  }
}

async function dies(cluster: TestCluster, at: number): Promise<void> {
  const replica = raw(cluster.replicas[at]?.url);
  cluster.primaries[at]?.process?.kill("SIGKILL");
  await until("a promotion", async () =>
    (await replica.info("replication")).includes("role:master"),
  );
}

const fiscal = (store: Store) => beginAll(store, { classes: ["fiscal"] });
const holds = async (store: Store) => [...(await store.scopes.pauses()).keys()].sort();

describe.each([
  { partitions: 16, what: "with partitions of its own" },
  { partitions: 1, what: "that holds no partition" },
])("a primary $what", ({ partitions }) => {
  test("takes keys with it when it dies: nothing fiscal leaves before a person lets go", async () => {
    const cluster = await startCluster({ primaries: PRIMARIES, replicas: 1 });
    closing.push(() => cluster.stop());
    const open = async () => {
      const store = await openStore({ redisUrl: cluster.url, keys: KEYS, partitions });
      closing.push(() => store.close());
      return store;
    };
    const store = await open();
    expect(await store.info()).toMatchObject({ durability: "D1" });
    const home = primaryOf("p00");
    const victim = (home + 1) % PRIMARIES;
    await waiting(store, partitions, home, "begun");
    let begun: readonly Begun[] = [];
    await until("the first effect", async () => (begun = await fiscal(store)).length > 0);
    expect(await store.effects.confirm("fiscal")).toBe(true);
    await store.scopes.pause("hold:destructive", "audit");
    // Everything that was noted has reached the replicas.
    await sleep(500);
    await fiscal(store);

    const key = await claimedAlone(store, cluster, victim);
    await waiting(store, partitions, home, "waits");
    await dies(cluster, victim);
    const left: Begun[] = [];
    await until("the hold", async () => {
      left.push(...(await fiscal(store)));
      return (await holds(store)).length === 3;
    });
    expect(await holds(store)).toEqual(["hold:costly", "hold:destructive", "hold:fiscal"]);
    // Beside what a person held there.
    const classes = async () => {
      const others = Array.from(
        { length: partitions },
        (_, at) => `p${String(at).padStart(2, "0")}`,
      );
      const promoted = raw(cluster.replicas[victim]?.url);
      const held = others
        .filter((tag) => primaryOf(tag) === victim)
        .map((tag) => promoted.hget(`prosa:{${tag}}:count`, "hold"));
      return (await Promise.all(held)).map((hold) => hold?.split(" ").sort().join(" "));
    };
    // One that did not take it at once, promoted a moment ago, takes it at the next look; until then nothing leaves there either.
    await until("the hold in each of its partitions", async () => {
      left.push(...(await fiscal(store)));
      return (await classes()).every((held) => held === "costly destructive fiscal");
    });
    expect(left).toEqual([]);
    // The sale is anybody's again, so neither what was on its way nor what waits may be sent.
    const second = async () => (await store.keys.claim(ACCOUNT, key, "second")).ok;
    await until("another owner of the sale", second);
    expect(await store.effects.confirm("fiscal")).toBe(false);
    expect(await store.effects.confirm()).toBe(true);
    const later = await open();
    for (let round = 0; round < 5; round += 1)
      for (const one of [store, later]) expect(await fiscal(one)).toEqual([]);
    expect(await later.effects.confirm("fiscal")).toBe(false);

    for (const hold of await holds(store)) await later.scopes.resume(hold);
    expect(await store.effects.confirm("fiscal")).toBe(true);
    await until("the effect that waited", async () => (await fiscal(later)).length === 1);
    expect(begun).toHaveLength(1);
    expect(await holds(store)).toEqual([]);
  });
});

test("names the slot of a tag as Redis does", async () => {
  const cluster = await startCluster({ primaries: 3 });
  closing.push(() => cluster.stop());
  const redis = raw(cluster.url.split(",")[0]);
  for (const tag of ["p00", "p15", "p123", "123456789"])
    expect(slotOf(tag), tag).toBe(Number(await redis.call("CLUSTER", "KEYSLOT", `{${tag}}`)));
});
