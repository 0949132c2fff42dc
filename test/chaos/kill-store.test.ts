/**
 * Kill -9, again and again, and nothing is lost, doubled or out of order. The oracle is a session that lists every event it
 * heard: it must be 1, 2, 3 … without a gap, up to at least the last number that was answered for. `CHAOS_SEED` throws the
 * same dice again.
 *
 * These tests cannot prove the fence (a killed process never comes back late); the contract suite does that.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { openStore, type Store, type StoreOptions } from "../../src/store/index.ts";
import { sharedBundle } from "../support/bundle.ts";
import { Dice } from "../support/dice.ts";
import { startRedis } from "../support/redis.ts";
import { ACCOUNT, LEASE_MS, type Task, workOnce } from "./recorder.ts";

const KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));
const seed = Number(process.env["CHAOS_SEED"] ?? Date.now() % 1_000_000);

let program: string;
beforeAll(async () => {
  program = await sharedBundle("test/chaos/recorder.ts");
});

/** A child that is started again whenever it was killed, with what it had been answered for. */
class Victim {
  readonly #options: StoreOptions;
  readonly #work: boolean;
  readonly #acked: Map<string, number>;
  #child: ChildProcess | undefined;

  constructor(options: StoreOptions, work: boolean, contacts: readonly string[]) {
    this.#options = options;
    this.#work = work;
    this.#acked = new Map(contacts.map((contact) => [contact, 0]));
  }

  get acked(): ReadonlyMap<string, number> {
    return this.#acked;
  }

  /** Events answered for, over all its lives. */
  get sum(): number {
    return [...this.#acked.values()].reduce((sum, last) => sum + last, 0);
  }

  start(): void {
    const task: Task = {
      ...{ store: this.#options, work: this.#work, feed: Object.fromEntries(this.#acked) },
    };
    const child = spawn(process.execPath, [program, JSON.stringify(task)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let rest = "";
    child.stdout.on("data", (data: Buffer) => {
      const lines = (rest + data.toString()).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const [contact = "", n = "0"] = line.split(" ");
        this.#acked.set(contact, Math.max(Number(n), this.#acked.get(contact) ?? 0));
      }
    });
    this.#child = child;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) throw new Error("a victim ended by itself");
    // `close`, not `exit`: what it had printed is read by then.
    const closed = new Promise((done) => child.once("close", done));
    child.kill("SIGKILL");
    await closed;
  }
}

/** Nothing got less for so long: then it never will, ms. */
const STUCK_MS = 15_000;

async function drain(store: Store): Promise<void> {
  let least = Infinity;
  for (let since = Date.now(); ;) {
    await workOnce(store);
    const { counters, pendingEffects } = await store.views.backlog();
    const left = counters.queued + pendingEffects;
    if (left === 0 && (await store.views.effects({ limit: 1 })).length === 0) return;
    if (left < least) since = Date.now();
    least = Math.min(least, left);
    if (Date.now() - since > STUCK_MS) throw new Error(`${left} are left and get no less`);
    await sleep(20);
  }
}

/** Every contact heard 1, 2, 3 … up to what was answered for, or the one more that was on its way. */
async function check(store: Store, acked: ReadonlyMap<string, number>): Promise<number> {
  let sum = 0;
  for (const [contact, last] of acked) {
    const view = await store.views.session(ACCOUNT, contact);
    const { heard } = (view?.session ?? { heard: [] }) as { heard: number[] };
    expect(heard).toEqual(heard.map((_, index) => index + 1));
    expect(heard.length).toBeGreaterThanOrEqual(last);
    expect(heard.length).toBeLessThanOrEqual(last + 1);
    sum += heard.length;
  }
  const { counters, ready } = await store.views.backlog();
  expect(counters).toMatchObject({ accepted: sum, applied: sum, dead: 0, queued: 0 });
  expect(ready).toBe(0);
  await sleep(LEASE_MS + 50);
  expect(await store.mail.claim({ owner: "t", contacts: 50, events: 5, leaseMs: 1 })).toEqual([]);
  expect(await store.effects.reap({ limit: 50, leaseMs: 1 })).toEqual([]);
  return sum;
}

/** Events answered for, at least: beside others a busy machine feeds a tenth of what it feeds alone. */
const ENOUGH = 1_000;

test("Redis: 15 killed feeders and workers, and Redis itself killed once, lose and double nothing", async () => {
  process.stdout.write(`CHAOS_SEED=${seed}\n`);
  const dice = new Dice(seed).split("redis");
  const first = await startRedis({ args: [] });
  const options: StoreOptions = { redisUrl: first.url, keys: KEYS, partitions: 4 };
  const store = await openStore(options);
  const contacts: string[] = [];
  for (let index = 0; index < 24; index += 1)
    contacts.push(await store.contacts.identify(ACCOUNT, [`x:${index}`]));
  const feeders = [0, 1].map(
    (of) =>
      new Victim(
        options,
        false,
        contacts.filter((_, index) => index % 2 === of),
      ),
  );
  const victims = [...feeders, ...[0, 1, 2].map(() => new Victim(options, true, []))];
  for (const victim of victims) victim.start();
  await sleep(600);

  let server = first;
  for (let kill = 0; kill < 15; kill += 1) {
    const victim = dice.pick(victims);
    await victim.kill();
    victim.start();
    if (kill === 7) {
      const ended = new Promise((done) => first.process?.once("exit", done));
      first.process?.kill("SIGKILL");
      await ended;
      server = await startRedis({ port: first.port, folder: first.folder ?? "" });
    }
    await sleep(200);
  }
  const fed = () => feeders.reduce((sum, feeder) => sum + feeder.sum, 0);
  while (fed() <= ENOUGH) await sleep(20);
  for (const victim of victims) await victim.kill();

  await drain(store);
  const acked = new Map(feeders.flatMap((feeder) => [...feeder.acked]));
  expect(await check(store, acked)).toBeGreaterThan(ENOUGH);
  await store.close();
  await server.stop();
  await first.stop();
}, 120_000);

test("embedded: one process killed 6 times and started again loses and doubles nothing", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "prosa-chaos-"));
  const options: StoreOptions = { dataDir, keys: KEYS };
  const dice = new Dice(seed).split("embedded");
  const before = await openStore(options);
  const contacts: string[] = [];
  for (let index = 0; index < 12; index += 1)
    contacts.push(await before.contacts.identify(ACCOUNT, [`x:${index}`]));
  await before.close();

  const victim = new Victim(options, true, contacts);
  for (let kill = 0; kill < 6; kill += 1) {
    // At work, and at any moment of it, however long the start took.
    const before = victim.sum;
    victim.start();
    while (victim.sum < before + 25) await sleep(5);
    await sleep(dice.between(0, 150));
    await victim.kill();
  }
  const store = await openStore(options);
  await drain(store);
  expect(await check(store, victim.acked)).toBeGreaterThan(150);
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
}, 120_000);
