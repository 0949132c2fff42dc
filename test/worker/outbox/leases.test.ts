import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openStore } from "../../../src/store/index.ts";
import type { Worker } from "../../../src/worker/index.ts";
import { startRedis, type TestRedis } from "../../support/redis.ts";
import {
  bubble,
  CUSTOMER,
  KEYS,
  OTHER,
  rig,
  textOf,
  WAITER,
  type Asked,
  type Rig,
} from "../rig.ts";

// Calls here are slower than a lease of 6 s.
vi.setConfig({ testTimeout: 60_000 });

/** Longer than a lease and a round of the reaper, shorter than the call's time-out. */
const SLOW_MS = 9_000;
/** A lease of 6 s, a round of the reaper, the pause before a repeat (≤ 2 s), a round of the outbox; some for a busy machine. */
const TAIL_MS = 12_000;

const ignore = () => undefined;
const quiet = { debug: ignore, info: ignore, warn: ignore };

let redis: TestRedis;
let it: Rig;
let other: Worker;
beforeEach(async () => {
  redis = await startRedis();
  it = await rig({ redisUrl: redis.url, timeoutMs: 20_000 });
  other = it.again();
});
afterEach(async () => {
  await other.stop(0);
  await it.close();
  await redis.stop();
});

const inFlight = async () => (await it.store.views.effects({ state: "inflight", limit: 9 })).length;
const LOGOUT = "instance.logout";
const fault = (kind: "slow" | "timeout", times: number, route = "message.sendText") =>
  it.fault({ route, effect: { kind, ms: SLOW_MS }, times });

const faults = async () =>
  (await it.stage.http("GET", "/sandbox/faults")).body as unknown as readonly unknown[];

test("a call slower than its lease is made once while its worker lives, however it was begun", async () => {
  await fault("slow", 2);
  // One is taken from the outbox, the other is born in flight with its turn.
  await it.asks(OTHER, bubble(OTHER, "um"));
  await it.says(CUSTOMER, "oi");
  await it.worker.start();
  await until("both calls", async () => (await inFlight()) === 2, 5_000);
  await other.start();

  const ms = await until(
    "both ends",
    async () => (await it.store.views.effects({ limit: 9 })).length === 0,
    20_000,
  );
  await pause(2_500);

  expect(ms).toBeGreaterThan(SLOW_MS - 3_000);
  const calls = (await it.list("requests")).map((row) => textOf(row["route"]));
  expect(calls).toEqual(["message.sendText", "message.sendText"]);
  expect(await it.received(OTHER)).toEqual(["um"]);
  expect(await it.received(CUSTOMER)).toHaveLength(1);
});

test("what a lost worker had on its way leaves again within a lease and a little, unless it destroys", async () => {
  await fault("timeout", 1);
  await fault("timeout", 1, LOGOUT);
  await it.asks(OTHER, bubble(OTHER, "um"));
  const logout = { type: "call", class: "destructive", name: LOGOUT, waiter: WAITER, input: {} };
  const [destructive] = await it.asks(CUSTOMER, logout as Asked);
  // A worker that reaches the store no more is as good as killed: it can neither renew nor end.
  const store = await openStore({ redisUrl: redis.url, keys: KEYS });
  const told: unknown[] = [];
  const lost = it.again({ store, log: { ...quiet, error: (fields) => told.push(fields) } });
  try {
    await lost.start();
    // A fault that struck is gone: the gateway has both calls.
    await until("the calls", async () => (await faults()).length === 0, 5_000);
    await store.close();
    await other.start();

    await until("the repeat", async () => (await it.received(OTHER)).length > 0, TAIL_MS);

    expect(await it.received(OTHER)).toEqual(["um"]);
    await until("its end", async () => (await inFlight()) === 1, 5_000);
    expect(await it.store.views.effects({ limit: 9 })).toMatchObject([
      { id: destructive, class: "destructive", state: "inflight", attempt: 1 },
    ]);
    const lines = await it.journal(OTHER);
    expect(lines.find((line) => line["possibleDuplicate"])).toBeDefined();
    expect(told.length).toBeGreaterThan(0);
  } finally {
    // It cannot say good-bye to a store that is closed; its loops end all the same.
    await lost.stop(0).catch(() => undefined);
  }
});

/** How long it took. */
async function until(
  what: string,
  holds: () => Promise<boolean>,
  limitMs: number,
): Promise<number> {
  const from = Date.now();
  while (!(await holds())) {
    if (Date.now() - from > limitMs) throw new Error(`${what}: not in ${limitMs} ms`);
    await pause(50);
  }
  return Date.now() - from;
}
