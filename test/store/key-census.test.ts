/** A count of data keys meets one whose bytes changed: it is its own trouble, and keeps none of the others. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { SqlFile } from "../../src/store/embedded/file/sql-file.ts";
import { openStore, type Store } from "../../src/store/index.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { accept, ACCOUNT, newContact, sleep } from "./contract.ts";

const key = (kid: string, byte: number) => `${kid}:${Buffer.alloc(32, byte).toString("base64")}`;
const [K1, K2] = [key("key-1", 7), key("key-2", 9)];
/** How long a process counts as running here, ms. */
const SPAN_MS = 150;

let server: TestRedis;
let folder: string;
const opened: Store[] = [];
beforeAll(async () => {
  server = await startRedis();
  folder = mkdtempSync(path.join(os.tmpdir(), "prosa-census-"));
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Where = { readonly redisUrl: string } | { readonly dataDir: string };
/** Changes a contact's wrapped key where it is stored. */
type Change = (contact: string, change: (wrapped: string) => string) => Promise<void>;

async function open(where: Where, keys: string): Promise<Store> {
  const store = await openStore({ ...where, keys, limits: { keyHolderMs: SPAN_MS } });
  opened.push(store);
  return store;
}

/** With the new entry in force. */
async function rotated(where: Where): Promise<Store> {
  const store = await open(where, `${K2},${K1}`);
  for (const end = Date.now() + 5_000; (await store.census()).active !== "key-2"; await sleep(10))
    if (Date.now() > end) throw new Error("the new entry was not taken up");
  return store;
}

const inRedis = () => {
  const change: Change = async (contact, changed) => {
    const redis = new Redis(server.url);
    const [facts = ""] = await redis.keys(`prosa:*:s:${contact}`);
    await redis.hset(facts, "k", changed((await redis.hget(facts, "k")) ?? ""));
    await redis.quit();
  };
  return { where: { redisUrl: server.url }, change };
};
const inFile = () => {
  const dataDir = mkdtempSync(path.join(folder, "db-"));
  const change: Change = async (contact, changed) => {
    const file = new SqlFile(dataDir, "");
    const row = file.get<{ dkey: string }>("SELECT dkey FROM contact WHERE id = ?", contact);
    const dkey = changed(row?.dkey ?? "");
    await file.commit(() => file.run("UPDATE contact SET dkey = ? WHERE id = ?", dkey, contact));
    file.close();
  };
  return { where: { dataDir }, change };
};

/** Another letter near the end. */
function bent(wrapped: string): string {
  const at = wrapped.length - 10;
  return `${wrapped.slice(0, at)}${wrapped[at] === "A" ? "B" : "A"}${wrapped.slice(at + 1)}`;
}

describe.each([
  ["Redis", inRedis],
  ["the embedded store", inFile],
] as const)("Among the wrapped keys of %s", (_name, place) => {
  test("one that was changed is counted apart, and all others are wrapped anew", async () => {
    const { where, change } = place();
    const before = await open(where, K1);
    const people: string[] = [];
    for (let n = 0; n < 20; n++) people.push(await newContact(before));
    for (const contact of people) await accept(before, contact, "hello");
    const { entries, damaged } = await before.census();
    const all = entries.reduce((sum, { keys }) => sum + keys, 0);
    expect(damaged).toBe(0);
    await before.close();
    const [lost = "", renamed = ""] = [people[7], people[8]];
    let whole = "";
    await change(lost, (wrapped) => bent((whole = wrapped)));
    await change(renamed, (wrapped) => wrapped.replace(/^key-1/, "key-9"));

    const store = await rotated(where);
    const shown = await store.census();
    expect(shown).toMatchObject({ damaged: 1, rewrapped: 0 });
    expect(shown.entries).toContainEqual(
      expect.objectContaining({ entry: "key-9", keys: 1, given: false }),
    );
    const done = await store.census({ rewrap: true });
    expect(done.damaged).toBe(1);
    expect(done.rewrapped).toBeGreaterThan(people.length - 2);
    expect(done.entries).toEqual([
      { entry: "key-2", keys: all - 1, given: true, inUse: true },
      { entry: "key-1", keys: 0, given: true, inUse: false },
    ]);
    // It was left as it was; put right, it opens again.
    await store.close();
    await change(lost, (wrapped) => {
      expect(wrapped).toBe(bent(whole));
      return whole;
    });
    const alone = await open(where, `${K2},${K1}`);
    expect(await alone.census()).toMatchObject({ damaged: 0 });
    for (const contact of people)
      await expect(alone.views.session(ACCOUNT, contact)).resolves.toBeDefined();
  });
});
