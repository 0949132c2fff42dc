/** What the store does for one usual message: the steps of its road, in commands of Redis and in sealed values. */
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openStore, type Store } from "../../src/store/index.ts";
import { DataKey } from "../../src/store/sealing/seal.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { ACCOUNT, commitOf, message, newContact, take } from "./contract.ts";

/** The scripts themselves and the clock they read are counted, too. */
const COMMANDS = 25;
/** Mail, session, and the turn's line with its reply. */
const SEALED = 3;
const MESSAGES = 20;
const ROUNDS = 3;

let server: TestRedis;
let store: Store;
let raw: Redis;
beforeAll(async () => {
  server = await startRedis();
  store = await openStore({
    redisUrl: server.url,
    keys: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
  });
  raw = new Redis(server.url);
});
afterAll(async () => {
  raw.disconnect();
  await store.close();
  await server.stop();
});

async function commands(): Promise<number> {
  const all = (await raw.info("commandstats")).matchAll(/cmdstat_(\S+):calls=(\d+)/g);
  return [...all].reduce((sum, [, name, calls]) => sum + (name === "info" ? 0 : Number(calls)), 0);
}

async function answered(contact: string): Promise<void> {
  const { taken } = await take(store, contact, "hello", { found: true });
  const [claimed] = taken;
  if (!claimed) throw new Error("the contact was not leased");
  const id = `${contact}:${claimed.rev + 1}:0`;
  const [done] = await store.mail.commit([
    commitOf(claimed, {
      effects: [message(id, { begin: { leaseMs: 5_000 } })],
      journal: [{ at: 1, effects: [id] }],
      due: Date.now() + 3_600_000,
    }),
  ]);
  const [begun] = done?.ok === true ? done.begun : [];
  if (!begun) throw new Error("the reply was not begun");
  const end = {
    ...begun,
    outcome: { kind: "done" },
    journal: { over: id },
    isPlain: true,
  } as const;
  expect(await store.effects.end([end])).toEqual(["ok"]);
}

test("a message and its reply are few commands and three sealed values", async () => {
  const contact = await newContact(store);
  for (let n = 0; n < MESSAGES; n += 1) await answered(contact);
  const seal = vi.spyOn(DataKey.prototype, "sealText");
  const rounds: { commands: number; sealed: number }[] = [];
  // Of three rounds the best: what the store does by the clock beside them is not the message's.
  for (let round = 0; round < ROUNDS; round += 1) {
    const [before, seals] = [await commands(), seal.mock.calls.length];
    for (let n = 0; n < MESSAGES; n += 1) await answered(contact);
    rounds.push({
      commands: ((await commands()) - before) / MESSAGES,
      sealed: (seal.mock.calls.length - seals) / MESSAGES,
    });
  }
  expect(Math.min(...rounds.map((round) => round.commands))).toBeLessThanOrEqual(COMMANDS);
  expect(Math.min(...rounds.map((round) => round.sealed))).toBe(SEALED);
  const kept = await raw.keys(`prosa:*${contact}*`);
  // Facts with session and journal, and the ids that are remembered: no trace of the reply besides.
  expect(kept.map((key) => key.replace(/^.*\}:(\w):.*$/, "$1")).sort()).toEqual(["i", "s"]);
  expect(await store.views.journal(ACCOUNT, contact, 2)).toHaveLength(2);
});
