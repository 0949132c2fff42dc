/** Redis' clock jumps: what a jump back by an hour leaves in the store is what every score an hour ahead is. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Redis } from "ioredis";
import Database from "libsql";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openStore, type Store } from "../../src/store/index.ts";
import type { Begun } from "../../src/store/port/port.ts";
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
  expect(await store.mail.commit([commitOf(held)])).toEqual([{ ok: false, reason: "fenced" }]);
  await store.mail.commit(claimed.map((one) => commitOf(one)));
});

test("… nor a message in flight for longer than its class allows; a fiscal call keeps the longest time a call may have", async () => {
  const contact = await withEffects(store, [
    message("jump-m"),
    message("jump-f", { class: "fiscal", ordered: false }),
  ]);
  expect(await beginAll(store)).toHaveLength(2);
  await jumpBack("flight");
  expect(await store.effects.reap({ limit: 10, leaseMs: 1_000 })).toEqual([]);
  const partition = Number.parseInt(contact.slice(0, 4), 16) % 16;
  const key = `prosa:{p${String(partition).padStart(2, "0")}}:flight`;
  const ahead = async (id: string): Promise<number> =>
    Number(await raw.zscore(key, id)) - (await store.now());
  expect(await ahead("jump-m")).toBeLessThan(11_000);
  expect(await ahead("jump-f")).toBeLessThan(621_000);
  expect(await ahead("jump-f")).toBeGreaterThan(600_000);
});

describe.each(["Redis", "the embedded store"])("a clock that jumps back, in %s,", (which) => {
  let folder: string;
  let own: Store;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "prosa-jump-"));
    own = which === "Redis" ? store : await openStore({ dataDir: folder, keys: KEYS });
  });
  afterAll(async () => {
    if (own !== store) await own.close();
    rmSync(folder, { recursive: true });
  });

  test("lets nobody's mail and nobody's call wait for the hour", async () => {
    const contact = await newContact(own);
    const waiting = await newContact(own);
    const notBefore = (await own.now()) + HOUR;
    const mail = { text: "after a moment" };
    await own.mail.accept([{ account: ACCOUNT, contact: waiting, event: "w", mail, notBefore }]);
    const later = ["jump-a", "jump-b"].map((id) =>
      message(id, { ordered: id === "jump-a", notBefore }),
    );
    await withEffects(own, [...later, message("jump-c", { ordered: false })], contact);

    await own.mail.tick({ offsetMs: 0, limit: 10 });
    const claimed = [...(await claimAll(own)), ...(await claimAll(own))];
    expect(claimed.map((one) => one.contact)).toContain(waiting);
    await own.mail.commit(claimed.map((one) => commitOf(one)));
    const begun = [...(await beginAll(own)), ...(await beginAll(own))];
    expect(begun.map(({ id }) => id).sort()).toEqual(["jump-a", "jump-b", "jump-c"]);
  });

  test("holds nothing by some minutes that waits for its turn alone, nor whoever's turn it was", async () => {
    const ids = ["turn-a", "turn-b", "turn-c"];
    // Of one contact's partition, and none before the other.
    const contact = await newContact(own);
    const wanted = ids.map((id) => message(id, { ordered: false, scope: "plan:jump" }));
    await withEffects(own, wanted, contact);
    const some = { limit: 1, leaseMs: 60_000, paused: [], offsetMs: 0 };
    const first = [...(await own.effects.begin(some)), ...(await own.effects.begin(some))];
    const back = await minutesBack();
    try {
      const rest = [...(await beginAll(own)), ...(await beginAll(own))];
      expect([...first, ...rest].map(({ id }) => id).sort()).toEqual(ids);
    } finally {
      back();
    }
  });

  /** The clock is set back by five minutes; answers what sets it forward again. */
  async function minutesBack(): Promise<() => void> {
    const ms = HOUR / 12;
    if (own !== store) {
      const now = Date.now.bind(Date);
      const clock = vi.spyOn(Date, "now").mockImplementation(() => now() - ms);
      return () => clock.mockRestore();
    }
    for (const key of [...(await raw.keys("prosa:*:b:*")), ...(await raw.keys("prosa:*:buckets"))])
      for (const member of await raw.zrange(key, "0", "-1")) await raw.zincrby(key, ms, member);
    for (const key of await raw.keys("prosa:*:count"))
      if ((await raw.hexists(key, "offered")) === 1) await raw.hincrby(key, "offered", ms);
    return () => undefined;
  }

  test("lets a call that is tried again after it wait for its next attempt", async () => {
    const now = await own.now();
    await withEffects(own, [message("jump-again", { notBefore: now + HOUR })]);
    const [begun] = [...(await beginAll(own)), ...(await beginAll(own))];
    expect(begun?.id).toBe("jump-again");
    const { account, contact, id, token } = begun as Begun;
    const outcome = { kind: "retry", at: now + 60_000 } as const;
    expect(await own.effects.end([{ account, contact, id, token, outcome }])).toEqual(["ok"]);
    expect([...(await beginAll(own)), ...(await beginAll(own))]).toEqual([]);
  });

  test("leaves mail and calls waiting that were told to wait for a moment", async () => {
    const contact = await newContact(own);
    const notBefore = (await own.now()) + 60_000;
    await own.mail.accept([{ account: ACCOUNT, contact, event: "w", mail: {}, notBefore }]);
    await withEffects(own, [message("soon", { notBefore })]);
    expect(await own.mail.tick({ offsetMs: 0, limit: 10 })).toBe(0);
    expect(await beginAll(own)).toEqual([]);
  });
});

test("… nor does it hold a call of the embedded store longer than its class allows", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "prosa-jump-"));
  const own = await openStore({ dataDir: folder, keys: KEYS });
  const file = path.join(folder, "prosa.db");
  await withEffects(own, [
    message("jump-m"),
    message("jump-f", { class: "fiscal", ordered: false }),
  ]);
  expect(await beginAll(own, { leaseMs: HOUR })).toHaveLength(2);
  expect(await own.effects.reap({ limit: 10, leaseMs: 1_000 })).toEqual([]);
  const now = await own.now();
  await own.close();
  const database = new Database(file);
  const leases = database.prepare("SELECT id, lease FROM effect ORDER BY id").all() as {
    readonly id: string;
    readonly lease: number;
  }[];
  database.close();
  rmSync(folder, { recursive: true });
  const [fiscal, text] = leases.map(({ lease }) => lease - now);
  expect(text).toBeLessThanOrEqual(10_000);
  expect(fiscal).toBeLessThanOrEqual(620_000);
  expect(fiscal).toBeGreaterThan(600_000);
});

describe("A worker whose own clock is wrong", () => {
  test.each([-9, 9])("by %i days knows an event for as long as Redis does", async (days) => {
    const contact = await newContact(store);
    await accept(store, contact, "hello", "hello");
    const [known = ""] = await raw.keys(`prosa:*:i:${contact}`);
    const ids = await raw.zrange(known, "0", "-1");
    const wrong = Date.now() + days * 24 * HOUR;
    const clock = vi.spyOn(Date, "now").mockReturnValue(wrong);
    try {
      expect(await store.contacts.knew(ACCOUNT, contact, "hello")).toBe(true);
      // Nine days ago for Redis, and for nobody else.
      const [seconds] = await raw.time();
      const at = (Number(seconds) - 9 * 24 * 3_600) * 1_000;
      for (const id of ids) await raw.zadd(known, "XX", String(at), id);
      expect(await store.contacts.knew(ACCOUNT, contact, "hello")).toBe(false);
    } finally {
      clock.mockRestore();
    }
    expect(await store.contacts.knew("another", contact, "hello")).toBe(false);
  });
});
