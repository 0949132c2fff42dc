/** What 429 turned away goes again, whatever rests beside it and however its scope's pause ended. */
import { afterEach, expect, test } from "vitest";
import { type Asked, bubble, CUSTOMER, OTHER, rig, type Rig } from "../rig.ts";
import { startRedis, type TestRedis } from "../../support/redis.ts";
import { until } from "../../sandbox/stage.ts";

let it: Rig;
let redis: TestRedis | undefined;
afterEach(async () => {
  await it.close();
  await redis?.stop();
  redis = undefined;
});

const PLAN = "plan:demo";

async function turnedAway(...asked: Asked[]): Promise<void> {
  const effect = { kind: "status", status: 429 };
  await it.fault({ route: "message.sendText", effect, times: 1 });
  await it.asks(CUSTOMER, ...asked);
  await it.worker.drain();
  expect(await it.received(CUSTOMER)).toEqual([]);
}
/** The time its scope was told to wait for is over. */
async function timeOver(): Promise<void> {
  await it.store.pause(PLAN, "rate_limited", { until: Date.now() - 1 });
  await it.worker.drain();
}

test("a message goes again however many calls and failed sends rest before it", async () => {
  it = await rig();
  const call = { type: "call", class: "replace", name: "profile.name", input: {} } as const;
  const many = Array.from({ length: 1_001 }, () => call as unknown as Asked);
  await it.asks(OTHER, ...many);
  for (;;) {
    const some = { limit: 500, leaseMs: 5_000, paused: [], offsetMs: 0 };
    const begun = await it.store.beginSend(some);
    if (begun.length === 0) break;
    await it.store.endSend(
      begun.map((one) => ({ ...one, outcome: { kind: "held", reason: "decide" } as const })),
    );
  }
  await turnedAway(bubble(CUSTOMER, "um"));
  await timeOver();

  expect(await it.received(CUSTOMER)).toEqual(["um"]);
});

test("a turn of more than ten bubbles leaves in its order", async () => {
  // Redis keeps what was held in one step by name: 10 before 2.
  redis = await startRedis();
  it = await rig({ redisUrl: redis.url });
  const texts = Array.from({ length: 12 }, (_, index) => `bolha ${index + 1}`);
  await turnedAway(...texts.map((text) => bubble(CUSTOMER, text)));
  await timeOver();

  expect(await it.received(CUSTOMER)).toEqual(texts);
});

test("a person who ends the pause lets them go as well", async () => {
  it = await rig();
  await turnedAway(bubble(CUSTOMER, "um"), bubble(CUSTOMER, "dois"));
  await it.store.resume(PLAN);
  await it.worker.drain();

  expect(await it.received(CUSTOMER)).toEqual(["um", "dois"]);
});

test("a stronger reason that took the place of the limit, and is over, lets them go as well", async () => {
  it = await rig();
  await turnedAway(bubble(CUSTOMER, "um"));
  await it.worker.scopes.pause(PLAN, "instance_not_open");
  await it.worker.scopes.opened(PLAN);
  await it.worker.drain();

  expect(await it.received(CUSTOMER)).toEqual(["um"]);
});

test("a pause that ended while nobody ran is no end of what it held, and what is given up is so once", async () => {
  it = await rig();
  await turnedAway(bubble(CUSTOMER, "um"));
  await it.store.resume(PLAN);
  const next = it.again();
  await next.start();
  await until(async () => (await it.received(CUSTOMER)).length === 1 || undefined);
  await next.stop();

  await turnedAwayTo(OTHER);
  await it.store.resume(PLAN);
  it.clock.moveTo(it.clock.now() + 31 * 60_000);
  const gaveUp = () =>
    it.events.filter((event) => event.type === "alarm" && event.code === "send.failed").length;
  for (let round = 0; round < 2; round++) {
    const worker = it.again();
    await worker.start();
    await until(async () => gaveUp() > 0 || undefined);
    await worker.drain();
    await worker.stop();
  }
  expect(gaveUp()).toBe(1);
  expect(await it.received(OTHER)).not.toContain("tarde");
  expect([...(await it.store.pauses()).keys()]).toEqual([]);
});

async function turnedAwayTo(phone: string): Promise<void> {
  const effect = { kind: "status", status: 429 };
  await it.fault({ route: "message.sendText", effect, times: 1 });
  await it.asks(phone, bubble(phone, "tarde"));
  await it.worker.drain();
}
