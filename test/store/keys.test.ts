/** Key-encryption keys over their lives: rotated under load, counted, taken out, destroyed; and what an old copy still tells. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { SqlFile } from "../../src/store/embedded/file/sql-file.ts";
import { openStore, type Claimed, type Store } from "../../src/store/index.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { accept, ACCOUNT, claimAll, commitOf, message, newContact, sleep } from "./contract.ts";
import { logBytes, openable } from "./log-bytes.ts";

const key = (kid: string, byte: number) => `${kid}:${Buffer.alloc(32, byte).toString("base64")}`;
const [K1, K2, K3] = [key("k1", 7), key("k2", 9), key("k3", 11)];
/** How long a process counts as running here, ms. */
const SPAN_MS = 150;
const SECRET = "preciso da nota do conserto";

let server: TestRedis;
let database = 0;
let folder: string;
const opened: { close(): Promise<unknown> }[] = [];

beforeAll(async () => {
  server = await startRedis({ args: ["--databases", "50"] });
  folder = mkdtempSync(path.join(os.tmpdir(), "prosa-keys-"));
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Where = { readonly redisUrl: string } | { readonly dataDir: string };

async function open(where: Where, keys: string): Promise<Store> {
  const store = await openStore({ ...where, keys, limits: { keyHolderMs: SPAN_MS } });
  opened.push(store);
  return store;
}
async function until(met: () => Promise<boolean>, ms = 5_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await met())) {
    if (Date.now() > deadline) throw new Error("it did not happen in time");
    await sleep(10);
  }
}

async function claim(store: Store, contact: string): Promise<Claimed> {
  const found = (await claimAll(store)).find((claimed) => claimed.contact === contact);
  if (!found) throw new Error("the contact was expected to be ready");
  return found;
}

/** Everything a conversation leaves: session, mail, dead letter, effect, journal. */
async function conversation(store: Store, phone: string): Promise<string> {
  const contact = await store.contacts.identify(ACCOUNT, [`phone:${phone}`]);
  await accept(store, contact, SECRET, "first");
  const claimed = await claim(store, contact);
  const effects = [message(`${contact}:1:0`, { payload: { text: SECRET, to: phone } })];
  const session = { said: SECRET };
  await store.mail.commit([commitOf(claimed, { effects, session, journal: [{ said: SECRET }] })]);
  await accept(store, contact, SECRET, "second");
  await store.deadLetters.add({ ...(await claim(store, contact)), reason: SECRET });
  await accept(store, contact, SECRET, "third");
  return contact;
}

describe.each([
  ["Redis", () => ({ redisUrl: `${server.url}/${++database}` })],
  ["the embedded store", () => ({ dataDir: mkdtempSync(path.join(folder, "db-")) })],
] as const)("Data keys in %s", (_name, place) => {
  test("are counted by the entry that wraps them, wrapped anew on demand, and then need the old entry no more", async () => {
    const where = place();
    const before = await open(where, K1);
    const people = [await newContact(before), await newContact(before), await newContact(before)];
    for (const contact of people) await accept(before, contact, SECRET);
    for (const claimed of await claimAll(before)) await before.mail.commit([commitOf(claimed)]);
    for (const contact of people) await accept(before, contact, SECRET);
    await before.documents.put("accounts", "demo", { name: "Demo" });
    expect(await before.census()).toEqual({
      active: "k1",
      entries: [{ entry: "k1", keys: 5, given: true, inUse: true }],
      damaged: 0,
      rewrapped: 0,
    });
    await before.close();

    const rotated = await open(where, `${K2},${K1}`);
    await until(async () => (await rotated.census()).active === "k2");
    const counted = await rotated.census();
    expect(counted.entries.find(({ entry }) => entry === "k1")?.keys).toBeGreaterThan(2);
    const done = await rotated.census({ rewrap: true });
    expect(done.rewrapped).toBeGreaterThan(2);
    expect(done.entries).toEqual([
      { entry: "k2", keys: 5, given: true, inUse: true },
      { entry: "k1", keys: 0, given: true, inUse: false },
    ]);
    await rotated.close();

    const alone = await open(where, K2);
    expect(await claimAll(alone)).toHaveLength(3);
    expect(await alone.documents.get("accounts", "demo")).toMatchObject({
      value: { name: "Demo" },
    });
    await alone.close();

    // An entry that was taken out too early is told by name, with what it still wraps.
    const early = await open(where, `${K3},${K2}`);
    await until(async () => (await early.census()).active === "k3");
    await sleep(SPAN_MS);
    await early.close();
    const lacking = await open(where, K3);
    const missing = (await lacking.census({ rewrap: true })).entries;
    expect(missing).toContainEqual({ entry: "k2", keys: 4, given: false, inUse: false });
    const missed: string[] = [];
    const off = lacking.onKeyMissing((entry) => missed.push(entry));
    const [person = ""] = people;
    await expect(lacking.views.session(ACCOUNT, person)).rejects.toMatchObject({
      code: "KEY_UNKNOWN",
    });
    expect(missed).toEqual(["k2"]);
    await expect(accept(lacking, person, SECRET, "late")).rejects.toMatchObject({
      code: "KEY_UNKNOWN",
    });
    await expect(lacking.documents.get("accounts", "demo")).rejects.toMatchObject({
      code: "KEY_UNKNOWN",
    });
    expect(missed).toEqual(["k2", "k2", "k2"]);
    off();
    await expect(lacking.views.session(ACCOUNT, person)).rejects.toThrow();
    expect(missed).toHaveLength(3);
  });
});

describe("A rotation of PROSA_KEYS under load", () => {
  test("restarts process by process with nothing unreadable to the old ones, and nothing lost", async () => {
    const where = { redisUrl: `${server.url}/${++database}` };
    const failures: unknown[] = [];
    const accepted: string[] = [];
    let going = true;

    /** A process: makes new people, writes to all of them, applies what is ready. */
    async function run(keys: string): Promise<() => Promise<void>> {
      const store = await openStore({ ...where, keys, limits: { keyHolderMs: SPAN_MS } });
      let mine = true;
      const loop = async () => {
        while (going && mine) {
          const contact = await newContact(store);
          await accept(store, contact, "hello");
          accepted.push(contact);
          const older = accepted[Math.floor(accepted.length / 2)] ?? contact;
          await accept(store, older, "again");
          await store.documents.put("notes", contact, { said: SECRET });
          for (const claimed of await claimAll(store, 1_000)) {
            const session = { heard: claimed.mail.length };
            await store.mail.commit([commitOf(claimed, { session })]);
          }
          await store.views.session(ACCOUNT, older);
        }
      };
      const ended = loop().catch((error: unknown) => failures.push(error));
      return async () => {
        mine = false;
        await ended;
        await store.close();
      };
    }

    let processes = [await run(K1), await run(K1)];
    await sleep(150);
    for (let index = 0; index < 2; index += 1) {
      await processes[index]?.();
      processes[index] = await run(`${K2},${K1}`);
      // Longer than a process counts as running: the new one would wrap with its new entry by now if it were alone.
      await sleep(2 * SPAN_MS);
      expect(failures).toEqual([]);
    }
    await sleep(SPAN_MS);
    going = false;
    for (const end of processes) await end();
    processes = [];
    expect(failures).toEqual([]);

    const last = await open(where, `${K2},${K1}`);
    await until(async () => (await last.census({ rewrap: true })).active === "k2");
    const { entries } = await last.census({ rewrap: true });
    expect(entries).toMatchObject([
      { entry: "k2", given: true, inUse: true },
      { entry: "k1", keys: 0, inUse: false },
    ]);
    await last.close();
    const alone = await open(where, K2);
    await sleep(1_000);
    for (const claimed of await claimAll(alone)) await alone.mail.commit([commitOf(claimed)]);
    expect(accepted.length).toBeGreaterThan(20);
    for (const contact of accepted)
      expect(await alone.views.session(ACCOUNT, contact)).toMatchObject({ contact, queued: 0 });
    const { counters } = await alone.views.backlog();
    expect(counters).toMatchObject({ dead: 0, queued: 0, accepted: counters.applied });
  });

  test("uses the new entry only once no process runs without it, and then refuses one that lacks it", async () => {
    const where = { redisUrl: `${server.url}/${++database}` };
    const old = await open(where, K1);
    const ready = await open(where, `${K2},${K1}`);
    await sleep(2 * SPAN_MS);
    expect((await ready.census()).active).toBe("k1");
    await old.close();
    await until(async () => (await ready.census()).active === "k2");
    await expect(openStore({ ...where, keys: K1 })).rejects.toMatchObject({ code: "KEY_UNKNOWN" });
    // One that has both, in the old order, does not turn it back while the other runs.
    const behind = await open(where, `${K1},${K2}`);
    await sleep(2 * SPAN_MS);
    expect((await behind.census()).active).toBe("k2");
  });
});

describe("An old copy of the append-only log", () => {
  test("opens after an erasure with the key of its time, and not once that was rotated out and destroyed", async () => {
    const live = await startRedis();
    try {
      const where = { redisUrl: live.url };
      const store = await open(where, K1);
      const contact = await conversation(store, "5511966660001");
      const other = await conversation(store, "5511966660002");
      const copy = mkdtempSync(path.join(folder, "aof-"));
      cpSync(live.folder ?? "", copy, { recursive: true });
      const copied = logBytes(copy);
      expect(copied.includes(contact)).toBe(true);

      expect(await store.contacts.erase(ACCOUNT, contact)).toBe(true);
      // The key that wrapped its data key still lives: an old copy can be opened. This is what rotation is for.
      expect(openable(copied, K1, contact)).toBe(1);
      // The log in use forgets by itself: it is written anew after an erasure.
      const raw = new Redis(live.url);
      opened.push({ close: async () => raw.disconnect() });
      await until(async () => openable(logBytes(live.folder ?? ""), K1, contact) === 0);
      expect(openable(logBytes(live.folder ?? ""), K1, other)).toBe(1);
      await store.close();

      const rotated = await open(where, `${K2},${K1}`);
      await until(async () => (await rotated.census()).active === "k2");
      const { entries } = await rotated.census({ rewrap: true });
      expect(entries).toContainEqual({ entry: "k1", keys: 0, given: true, inUse: false });
      await rotated.close();

      // K1 is destroyed. The old copy, served by a Redis of its own, with all that is known now:
      const served = await startRedis({ folder: copy });
      opened.push({ close: () => served.stop() });
      const oldRaw = new Redis(served.url);
      opened.push({ close: async () => oldRaw.disconnect() });
      const [facts = ""] = await oldRaw.keys(`prosa:*:s:${contact}`);
      expect(await oldRaw.hget(facts, "k")).toMatch(/^k1:/);
      const known = Buffer.concat([copied, logBytes(live.folder ?? "")]);
      expect(openable(known, K2, contact)).toBe(0);
      await expect(openStore({ redisUrl: served.url, keys: K2 })).rejects.toMatchObject({
        code: "KEY_UNKNOWN",
      });
      // Who was not erased is still there.
      const now = await open(where, K2);
      expect(await now.views.session(ACCOUNT, other)).toMatchObject({ session: { said: SECRET } });
      expect(await now.views.session(ACCOUNT, contact)).toBeNull();
      expect(openable(known, K2, other)).toBe(1);
    } finally {
      for (const one of opened.splice(0).reverse()) await one.close();
      await live.stop();
    }
  });
});

describe("An erased person's file", () => {
  test("of the embedded store holds neither their data key nor their sealed words in any page", async () => {
    const dataDir = mkdtempSync(path.join(folder, "db-"));
    const store = await open({ dataDir }, K1);
    // Enough neighbours that pages split, fill and are freed.
    const people = [];
    for (let n = 0; n < 30; n += 1) people.push(await conversation(store, `55119666700${n + 10}`));
    const erased = people.filter((_, n) => n % 3 === 0);
    const sealed = [];
    for (const contact of erased)
      sealed.push(...(logBytes(dataDir).toString("latin1").match(new RegExp(contact, "g")) ?? []));
    expect(sealed.length).toBeGreaterThan(erased.length);
    for (const contact of erased) await store.contacts.erase(ACCOUNT, contact);
    const bytes = logBytes(dataDir);
    for (const contact of erased)
      expect({
        contact,
        left: bytes.includes(contact),
        keys: openable(bytes, K1, contact),
      }).toEqual({ contact, left: false, keys: 0 });
    expect(openable(bytes, K1, people[1] ?? "")).toBe(1);
  });

  test("of the embedded store holds nothing of them either when the process died before its log was emptied", async () => {
    const dataDir = mkdtempSync(path.join(folder, "db-"));
    const store = await open({ dataDir }, K1);
    const [erased, other] = [
      await conversation(store, "5511966670001"),
      await conversation(store, "5511966670002"),
    ];
    // What is on the disk once the erasure is, and not one step later.
    const dead = mkdtempSync(path.join(folder, "db-"));
    const flush = vi.spyOn(SqlFile.prototype, "flushLog");
    flush.mockImplementationOnce(() => cpSync(dataDir, dead, { recursive: true }));
    expect(await store.contacts.erase(ACCOUNT, erased)).toBe(true);
    flush.mockRestore();
    expect(openable(logBytes(dead), K1, erased)).toBe(1);

    const next = await open({ dataDir: dead }, K1);
    expect(openable(logBytes(dead), K1, erased)).toBe(0);
    expect(await next.views.session(ACCOUNT, erased)).toBeNull();
    expect(await next.views.session(ACCOUNT, other)).toMatchObject({ session: { said: SECRET } });
  });
});
