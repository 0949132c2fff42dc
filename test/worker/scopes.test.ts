import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { bubble, CUSTOMER, rig, textOf, type Rig } from "./rig.ts";

let it: Rig;
let redis: TestRedis | undefined;
afterEach(async () => {
  await it.close();
  await redis?.stop();
  redis = undefined;
});

const PLAN = "plan:demo";
const reason = async () => (await it.store.pauses()).get(PLAN)?.reason;
const calls = async (route: string) =>
  (await it.list("requests")).filter((row) => textOf(row["route"] ?? "") === route);
/** One try by hand of everything that is due; long enough for the first free probe. */
const PROBE_MS = 3_500;

test("a refused credential is probed for free, and the message goes on only after a restart", async () => {
  it = await rig();
  const effect = { kind: "status", status: 401 };
  await it.fault({ route: "message.sendText", effect, times: 1 });
  await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
  await it.worker.start();
  await pause(PROBE_MS);

  expect(await reason()).toBe("unauthorized");
  expect(await calls("jobs.list")).toHaveLength(1);
  expect(await calls("message.sendText")).toHaveLength(1);
  expect(await calls("instance.connectionState")).toEqual([]);

  await it.worker.stop();
  const second = it.again();
  await second.start();
  await pause(PROBE_MS);
  await second.drain();
  await second.stop();

  expect(await reason()).toBeUndefined();
  expect(await it.received(CUSTOMER)).toEqual(["um"]);
});

test("what was refused is not called again by a worker that has not read of the pause", async () => {
  redis = await startRedis();
  it = await rig({ redisUrl: redis.url });
  await it.fault({ route: "message.sendText", effect: { kind: "no_balance" } });
  for (let index = 0; index < 8; index++) {
    const phone = `551198765200${index}`;
    await it.asks(phone, bubble(phone, "oi"));
  }
  const other = it.again();
  // Both have just read that nothing is paused.
  await Promise.all([it.worker.start(), other.start()]);
  await pause(PROBE_MS);
  await other.stop(0);

  expect(await reason()).toBe("no_balance");
  const wishes = (await calls("message.sendText")).map(({ body }) => JSON.stringify(body));
  expect(wishes.length).toBeGreaterThan(0);
  expect(wishes).toEqual([...new Set(wishes)]);
});

test("a person's pause is ended by no machine", async () => {
  it = await rig();
  await it.store.pause(PLAN, "manutenção");

  await it.worker.scopes.pause(PLAN, "rate_limited", Date.now() - 1);
  await it.worker.scopes.opened(PLAN);
  await it.worker.drain();

  expect(await reason()).toBe("manutenção");
});

test("an empty balance is not made good by a phone that connects or a limit that passes", async () => {
  it = await rig();
  await it.worker.scopes.pause(PLAN, "no_balance");

  await it.worker.scopes.pause(PLAN, "rate_limited", Date.now() - 1);
  await it.worker.scopes.opened(PLAN);
  await it.worker.drain();

  expect(await reason()).toBe("no_balance");
});

test("a rate limit ends when its time is over", async () => {
  it = await rig();
  await it.worker.scopes.pause(PLAN, "rate_limited", Date.now() + 200);
  await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
  await it.worker.drain();
  expect(await it.received(CUSTOMER)).toEqual([]);

  await pause(250);
  await it.worker.drain();

  expect(await it.received(CUSTOMER)).toEqual(["um"]);
});

test("a pause is one alarm and one event, however many effects run into it", async () => {
  it = await rig();
  await it.fault({ route: "message.sendText", effect: { kind: "no_balance" } });
  for (let index = 0; index < 5; index++) {
    const phone = `551198765100${index}`;
    await it.asks(phone, bubble(phone, "oi"));
  }

  await it.worker.drain();

  expect(it.events.filter((event) => event.type === "pause")).toHaveLength(1);
  expect(it.events.filter((event) => event.type === "alarm")).toHaveLength(1);
});

test("effects of a class on hold wait until a person releases it", async () => {
  it = await rig();
  await it.store.pause("hold:message", "fail-over");
  await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
  await it.worker.drain();
  expect(await it.received(CUSTOMER)).toEqual([]);

  await it.worker.scopes.resume("hold:message");
  await it.worker.drain();

  expect(await it.received(CUSTOMER)).toEqual(["um"]);
});

test("a hold of the store itself is told by one alarm, whoever sees it, and not again after a restart", async () => {
  it = await rig();
  await it.store.pause("hold:fiscal", "failover");
  await it.store.pause("hold:costly", "what a person wrote");
  const alarms = () => it.events.filter(({ type }) => type === "alarm");
  await it.worker.scopes.round(true);
  await it.again().scopes.round(true);
  expect(alarms()).toMatchObject([{ code: "failover.detected" }]);
  expect(JSON.stringify(alarms())).toContain("fiscal calls wait until a person releases");

  await it.store.resume("hold:fiscal");
  await it.worker.scopes.round(true);
  await new Promise((done) => setTimeout(done, 2));
  await it.store.pause("hold:fiscal", "restored");
  await it.worker.scopes.round(true);
  expect(alarms()).toHaveLength(2);
});
