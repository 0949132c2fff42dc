/** Redis' clock jumps: what a jump back by an hour leaves in the store is what every score an hour ahead is. */
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore, type Store } from "../../src/store/index.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import {
  accept,
  beginAll,
  claimAll,
  claimOne,
  commitOf,
  message,
  newContact,
  withEffects,
} from "./contract.ts";

const KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;
const HOUR = 3_600_000;

let redis: TestRedis;
let store: Store;
let raw: Redis;
beforeAll(async () => {
  redis = await startRedis();
  store = await openStore({ redisUrl: redis.url, keys: KEYS });
  raw = new Redis(redis.url);
});
afterAll(async () => {
  raw.disconnect();
  await store.close();
  await redis.stop();
});

/** The clock is set back: all times in these sets are that much further ahead. */
async function jumpBack(...sets: readonly ("ready" | "flight")[]): Promise<void> {
  for (const set of sets)
    for (const key of await raw.keys(`prosa:*:${set}`))
      for (const member of await raw.zrange(key, "0", "-1")) await raw.zincrby(key, HOUR, member);
}

test("a clock that jumps back by an hour holds neither what is ready nor what a dead worker leased", async () => {
  const [ready, leased] = [await newContact(store), await newContact(store)];
  await accept(store, leased, "held");
  const held = await claimOne(store);
  await accept(store, ready, "waits");
  await jumpBack("ready");

  // The first looks where it was told of something, the second everywhere.
  const claimed = [...(await claimAll(store)), ...(await claimAll(store))];
  expect(claimed.map(({ contact }) => contact).sort()).toEqual([ready, leased].sort());
  // Whoever held it before is fenced, as after any lease that ended.
  expect(await store.commit([commitOf(held)])).toEqual([{ ok: false, reason: "fenced" }]);
  await store.commit(claimed.map((one) => commitOf(one)));
});

test("… nor a message in flight for longer than its class allows; a fiscal call keeps the longest time a call may have", async () => {
  const contact = await withEffects(store, [
    message("jump-m"),
    message("jump-f", { class: "fiscal", ordered: false }),
  ]);
  expect(await beginAll(store)).toHaveLength(2);
  await jumpBack("flight");
  expect(await store.reap({ limit: 10, leaseMs: 1_000 })).toEqual([]);
  const partition = Number.parseInt(contact.slice(0, 4), 16) % 16;
  const key = `prosa:{p${String(partition).padStart(2, "0")}}:flight`;
  const ahead = async (id: string): Promise<number> =>
    Number(await raw.zscore(key, id)) - (await store.now());
  expect(await ahead("jump-m")).toBeLessThan(11_000);
  expect(await ahead("jump-f")).toBeLessThan(621_000);
  expect(await ahead("jump-f")).toBeGreaterThan(600_000);
});
