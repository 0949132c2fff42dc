/** What 429 turned away keeps its place: whenever that is written down and whoever ends its pause, nothing said later leaves first. */
import { Redis } from "ioredis";
import { afterEach, describe, expect, test } from "vitest";
import type { SendOutcome, Store } from "../../../src/store/index.ts";
import { startRedis, type TestRedis } from "../../support/redis.ts";
import { until } from "../../sandbox/stage.ts";
import { bubble, CUSTOMER, rig, type Rig } from "../rig.ts";
import { type StepName, type Steps, withSteps } from "../../../src/store/port/with-steps.ts";

let it: Rig;
let redis: TestRedis | undefined;
afterEach(async () => {
  await it.close();
  await redis?.stop();
  redis = undefined;
});

const PLAN = "plan:demo";
const HOUR_MS = 3_600_000;

async function opened(name: string): Promise<void> {
  if (name === "Redis") redis = await startRedis();
  it = await rig(redis ? { redisUrl: redis.url } : {});
}

/** The store as a process has it that takes this step in its own time. */
function storeWith<K extends StepName>(step: K, own: Steps[K]): Store {
  return withSteps(it.store, { [step]: own });
}

const refuse = (times: number) =>
  it.fault({ route: "message.sendText", effect: { kind: "status", status: 429 }, times });

/** Begins the one message that is due, and ends it so. */
async function put(outcome: SendOutcome): Promise<void> {
  const [begun, more] = await it.store.effects.begin({
    ...{ limit: 9, leaseMs: 5_000, paused: [], offsetMs: 0 },
  });
  if (!begun || more) throw new Error("exactly one message was expected to be due");
  await it.store.effects.end([{ ...begun, outcome }]);
}

const gaveUp = () =>
  it.events.filter((event) => event.type === "alarm" && event.code === "send.failed").length;

const rests = async () =>
  (await it.store.views.effects({ account: "demo", limit: 9 })).map(
    ({ state, reason, attempt }) => `${state} ${reason} ${attempt}`,
  );

/** The time its scope was told to wait for is over. */
const timeOver = () => it.store.scopes.pause(PLAN, "rate_limited", { until: Date.now() - 1 });

describe.each(["the embedded store", "Redis"])("on %s", (name) => {
  test("a refusal that is written down when another process has ended its pause lets nothing overtake", async () => {
    await opened(name);
    const other = it.again();
    const store = storeWith("effects.end", async (ends) => {
      const isRefused = ends.some(({ outcome }) => outcome.kind === "held");
      if (!isRefused) return it.store.effects.end(ends);
      await timeOver();
      await other.scopes.round(true);
      // Nor is it this one's own news any more: when it is written down nobody has a reason to look.
      await slow.scopes.round(true);
      expect([...(await it.store.scopes.pauses()).keys()]).toEqual([]);
      const said = await it.store.effects.end(ends);
      // The other one takes all it can before anybody has seen what rests.
      await other.drain();
      return said;
    });
    await refuse(1);
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um", "t1"));
    await it.asks(CUSTOMER, bubble(CUSTOMER, "dois", "t2"));
    const slow = it.again({ store });
    await slow.drain();

    expect(await it.received(CUSTOMER)).toEqual(["um", "dois"]);
  });

  test("a process that has not heard of the pause answers behind what rests", async () => {
    await opened(name);
    const before = await it.store.scopes.pauses();
    const other = it.again({ store: storeWith("scopes.pauses", async () => before) });
    await refuse(1);
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
    await it.worker.drain();
    await it.store.scopes.pause(PLAN, "rate_limited", { until: Date.now() + HOUR_MS });
    await it.says(CUSTOMER, "oi");
    await other.drain();
    expect(await it.received(CUSTOMER)).toEqual([]);

    await timeOver();
    await it.worker.drain();
    expect(await it.received(CUSTOMER)).toEqual(["um", expect.stringContaining("[")]);
  });

  test("what was given up after five goes lets the next one leave, and no other process sends it again", async () => {
    await opened(name);
    await refuse(6);
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um", "t1"));
    await it.worker.drain();
    for (let goes = 0; goes < 5; goes++) {
      expect(gaveUp()).toBe(0);
      await timeOver();
      await it.worker.drain();
    }
    await it.asks(CUSTOMER, bubble(CUSTOMER, "dois", "t2"));
    await timeOver();
    await it.worker.drain();
    expect(gaveUp()).toBe(1);
    expect(await it.received(CUSTOMER)).toEqual(["dois"]);

    await timeOver();
    await it.again().drain();
    expect(gaveUp()).toBe(1);
    expect(await it.received(CUSTOMER)).toEqual(["dois"]);
    expect(await rests()).toEqual(["held rate_limited 1"]);
  });

  test("what rested when the account began to leave that to a person is a failed send, and the next one leaves", async () => {
    await opened(name);
    await refuse(1);
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um", "t1"));
    await it.worker.drain();
    await it.asks(CUSTOMER, bubble(CUSTOMER, "dois", "t2"));
    const account = { ...it.account, onRateLimit: "hold" as const };
    const accounts = { get: async () => account, ids: async () => [account.id] };
    // Its pause ended while nobody ran, and the next one that comes has the new account.
    await it.store.scopes.resume(PLAN);
    const next = it.again({ accounts });
    await next.start();
    await until(async () => (await it.received(CUSTOMER)).length > 0 || undefined);
    await next.stop(1_000);

    expect(await it.received(CUSTOMER)).toEqual(["dois"]);
    expect(await rests()).toEqual(["held rate_limited 1"]);
    expect(gaveUp()).toBe(1);
  });

  test("what an older build let rest without a place goes in its order, also where no pause holds it back", async () => {
    await opened(name);
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um", "t1"));
    await it.asks(CUSTOMER, bubble(CUSTOMER, "dois", "t2"));
    for (const _ of ["um", "dois"]) await put({ kind: "held", reason: "rate_limited" });
    const other = it.again();
    const store = storeWith("effects.resolve", async (decision) => {
      const said = await it.store.effects.resolve(decision);
      // The other one takes all it can as soon as it may.
      await other.drain();
      return said;
    });
    await it.again({ store }).scopes.rested(PLAN);
    await other.drain();

    expect(await it.received(CUSTOMER)).toEqual(["um", "dois"]);
  });

  test("what a person sends again goes first, and what a person drops lets the next one leave", async () => {
    await opened(name);
    for (const action of ["resend", "finish"] as const) {
      await refuse(1);
      const [id = ""] = await it.asks(CUSTOMER, bubble(CUSTOMER, `um ${action}`, "t1"));
      await it.asks(CUSTOMER, bubble(CUSTOMER, `dois ${action}`, "t2"));
      await it.worker.drain();
      const contact = await it.contact(CUSTOMER);
      // Ended by somebody's hand past every process: nobody here lets go what rests.
      await it.store.scopes.resume(PLAN);
      expect(await it.store.effects.resolve({ id, account: "demo", contact, action })).toBe(true);
      await it.again().drain();
    }
    expect(await it.received(CUSTOMER)).toEqual(["um resend", "dois resend", "dois finish"]);
  });
});

test("one that cannot be read any more keeps nobody waiting", async () => {
  await opened("Redis");
  await refuse(1);
  await it.asks(CUSTOMER, bubble(CUSTOMER, "um", "t1"));
  await it.worker.drain();
  const raw = new Redis(redis?.url ?? "");
  for (const key of await raw.keys("prosa:*:e:*")) await raw.hset(key, "sealed", "garbage");
  raw.disconnect();
  await it.asks(CUSTOMER, bubble(CUSTOMER, "dois", "t2"));
  await timeOver();
  await it.worker.start();
  await until(async () => (await it.received(CUSTOMER)).length > 0 || undefined);
  await it.worker.stop(1_000);

  expect(await it.received(CUSTOMER)).toEqual(["dois"]);
  expect(await rests()).toEqual(["held unreadable 1"]);
});
