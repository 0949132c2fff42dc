import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Heartbeat } from "../../../../src/worker/loop.ts";
import { WorkerRegistry } from "../../../../src/worker/fleet/worker-registry.ts";
import { systemRandom } from "../../../../src/worker/index.ts";
import { entryOf } from "../../../../src/worker/outbox/entry.ts";
import { Pacing } from "../../../../src/worker/outbox/pacing/pacing.ts";
import { type Body, until } from "../../../sandbox/stage.ts";
import { startRedis, type TestRedis } from "../../../support/redis.ts";
import {
  type Asked,
  bubble,
  CUSTOMER,
  library,
  OPERATOR,
  OTHER,
  rig,
  textOf,
  WAITER,
  type Rig,
} from "../../rig.ts";

let it: Rig;
let redis: TestRedis | undefined;
afterEach(async () => {
  await it.close();
  await redis?.stop();
  redis = undefined;
});

const SEND = "message.sendText";
const PACE = { perSecond: 10, burst: 4, unaskedPerMinute: 6 };
const phone = (index: number) => `55119876600${String(index).padStart(2, "0")}`;
const sends = async (): Promise<Body[]> =>
  (await it.list("requests")).filter((row) => textOf(row["route"]) === SEND);
const times = async () => (await sends()).map((row) => Date.parse(textOf(row["at"])));
/** Everybody wrote, more than a day ago; then the business tells them something. */
const tellsAfterADay = async (...phones: string[]) => {
  for (const one of phones) await it.says(one, "oi");
  await it.worker.drain();
  it.clock.moveTo(it.clock.now() + 25 * 3_600_000);
  for (const [index, one] of phones.entries()) {
    const contact = await it.contact(one);
    const mail = { kind: "notice", key: "news", vars: {} };
    await it.store.mail.accept([{ account: "demo", contact, event: `n${index}`, mail }]);
  }
};
/** Times of those that wait for one, the next one first. */
const slots = async () => {
  const waiting = await it.store.views.effects({ state: "pending", limit: 100 });
  const work = waiting.map(({ payload }) => entryOf(payload).work);
  return work.flatMap(({ slot }) => slot ?? []).sort((a, b) => a - b);
};
/** Those for whom something waits, whoever waits longest first. */
const waiting = async (phones: readonly string[]) => {
  const slot = async (one: string) => {
    const some = { contact: await it.contact(one), state: "pending", limit: 5 } as const;
    const [effect] = await it.store.views.effects(some);
    return effect ? (entryOf(effect.payload).work.slot ?? 0) : 0;
  };
  const all = await Promise.all(phones.map(async (one) => ({ one, at: await slot(one) })));
  return all.sort((a, b) => b.at - a.at).map(({ one }) => one);
};
const told = async () =>
  (await it.list("messages")).filter((row) => textOf(row["text"]).includes("[news]"));
test("of twenty contacts who write at once leaves no more than the pace of the one device, and everybody is answered in turn", async () => {
  it = await rig({ account: { pace: PACE } });
  const everybody = Array.from({ length: 20 }, (_, index) => phone(index));
  for (const one of everybody) await it.says(one, "oi");
  const began = Date.now();
  await it.worker.start();
  await it.worker.drain();

  const at = await times();
  expect(at).toHaveLength(20);
  // What is beyond the burst takes its time, however slow this machine is.
  expect(Math.max(...at) - began).toBeGreaterThanOrEqual(1_500);
  for (const one of everybody) expect(await it.received(one)).toHaveLength(1);
});

test("no attempt is spent by waiting, nothing is called a possible duplicate, and a contact's messages stay in order", async () => {
  it = await rig({ account: { pace: { ...PACE, burst: 1 } } });
  await it.asks(CUSTOMER, ...["um", "dois", "três"].map((text) => bubble(CUSTOMER, text)));
  await it.asks(OTHER, ...["a", "b", "c"].map((text) => bubble(OTHER, text)));
  await it.worker.drain();

  expect(await it.received(CUSTOMER)).toEqual(["um", "dois", "três"]);
  expect(await it.received(OTHER)).toEqual(["a", "b", "c"]);
  const lines = [...(await it.journal(CUSTOMER)), ...(await it.journal(OTHER))];
  const ends = lines.filter((line) => textOf(line["type"]) === "effect");
  expect(ends.map((line) => line["attempt"] as unknown)).toEqual([1, 1, 1, 1, 1, 1]);
  expect(ends.filter((line) => line["possibleDuplicate"])).toEqual([]);
});

test("whoever came first leaves first, and who comes later passes nobody who waits", async () => {
  it = await rig({ account: { pace: { ...PACE, perSecond: 20, burst: 1 } } });
  for (let index = 0; index < 8; index++) {
    await it.asks(phone(index), bubble(phone(index), `nº ${index}`));
    it.clock.moveTo(it.clock.now() + 10);
  }
  await it.worker.start();
  await it.says(OTHER, "oi");
  await it.worker.drain();

  const texts = (await it.list("messages")).map((row) => textOf(row["text"]));
  // Which one goes first is chance: before it nobody waited.
  expect(texts.slice(1, -1)).toEqual([...texts.slice(1, -1)].sort());
  expect(texts.at(-1)).not.toMatch(/^nº/);
  expect(texts).toHaveLength(9);
});

describe.each(["the embedded store", "Redis"])("on %s", (name) => {
  beforeEach(async () => {
    if (name === "Redis") redis = await startRedis();
  });

  test("who writes while something unasked waits for its time is answered within seconds, in order", async () => {
    it = await rig({
      account: { pace: { perSecond: 50, burst: 200, unaskedPerMinute: 6 } },
      ...(redis ? { redisUrl: redis.url } : {}),
    });
    const many = Array.from({ length: 40 }, (_, index) => phone(index));
    await tellsAfterADay(...many);
    await it.worker.drain();
    const [last = ""] = await waiting(many);
    const end = (await slots()).at(-1) ?? 0;
    const wrote = it.clock.now();
    expect(end - wrote).toBeGreaterThan(180_000);
    const before = (await told()).length;

    await it.says(last, "oi, preciso da nota");
    await it.worker.drain();
    it.clock.moveTo(wrote + 16_000);
    await it.worker.drain();

    expect((await it.received(last)).slice(1)).toEqual([
      expect.stringContaining("[news]"),
      expect.not.stringContaining("[news]"),
    ]);
    // Theirs, and one or two whose time it was.
    expect((await told()).length - before).toBeLessThanOrEqual(5);
  });

  test("what is no message does not wait behind the messages of its device, in neither pool", async () => {
    it = await rig({
      account: { pace: { ...PACE, perSecond: 2, burst: 1 } },
      ...(redis ? { redisUrl: redis.url } : {}),
    });
    for (let index = 0; index < 30; index++)
      await it.asks(phone(index), bubble(phone(index), `nº ${index}`));
    await it.worker.start();
    await until(async () => ((await sends()).length > 0 ? true : undefined));
    const call = (some: object) => ({ type: "call", waiter: WAITER, ...some }) as unknown as Asked;
    await it.asks(
      CUSTOMER,
      call({ class: "replace", name: "chat.updateProfileName", input: { name: "Loja" } }),
      call({
        ...{ class: "costly", name: "group.create" },
        input: { subject: "Clientes", participants: [CUSTOMER] },
      }),
    );
    it.worker.wake();
    const others = async () =>
      (await it.list("requests")).map((row) => textOf(row["route"])).filter((one) => one !== SEND);
    await expect.poll(others, { timeout: 10_000 }).toHaveLength(2);
    expect((await others()).sort()).toEqual(["chat.updateProfileName", "group.create"]);
    expect((await sends()).length).toBeLessThan(30);
  });
});

test("of a contact with much to hear each message waits its turn anew: others are heard between", async () => {
  it = await rig({ account: { pace: { ...PACE, perSecond: 20, burst: 1 } } });
  const long = Array.from({ length: 12 }, (_, index) => `muito ${10 + index}`);
  for (const [index, text] of long.entries())
    await it.asks(CUSTOMER, bubble(CUSTOMER, text, `t${index}`));
  it.clock.moveTo(it.clock.now() + 10);
  for (const index of [1, 2, 3])
    await it.asks(phone(index), bubble(phone(index), `pouco ${index}`));
  await it.worker.start();
  await it.worker.drain();

  const texts = (await it.list("messages")).map((row) => textOf(row["text"]));
  expect(texts.filter((text) => text.startsWith("muito"))).toEqual(long);
  // One of the many, perhaps the one that found the bucket empty, then each of the few.
  expect(Math.max(...[1, 2, 3].map((index) => texts.indexOf(`pouco ${index}`)))).toBeLessThan(6);
});

test("several workers share the pace of one, as many as say that they are there", async () => {
  it = await rig({ account: { pace: { ...PACE, burst: 9 } } });
  const log = { warn: () => undefined };
  const workers = [1, 2, 3].map(
    () => new WorkerRegistry({ store: it.store, log, library, effects: [] }, () => it.clock.real()),
  );
  for (const workerRegistry of [...workers, ...workers]) await workerRegistry.say();
  const takes = () => {
    const pacing = new Pacing(it.clock, systemRandom, workers[0] as WorkerRegistry);
    return Array.from({ length: 9 }, () => pacing.admits(it.account, "plan:demo"));
  };

  expect(workers.map(({ count }) => count)).toEqual([3, 3, 3]);
  expect(takes().filter(Boolean)).toHaveLength(3);
  for (const workerRegistry of workers.slice(1)) await workerRegistry.stop();
  await workers[0]?.say();
  expect(takes().filter(Boolean)).toHaveLength(9);
});

test("a worker that comes is counted by the one that is there within a second", async () => {
  it = await rig();
  const log = { warn: () => undefined };
  const [first, second] = [1, 2].map(
    () => new WorkerRegistry({ store: it.store, log, library, effects: [] }, () => it.clock.real()),
  );
  const heartbeat = new Heartbeat();
  if (!first || !second) throw new Error("two workers are needed");
  for (const workerRegistry of [first, second]) {
    await workerRegistry.say();
    heartbeat.add(workerRegistry);
  }
  const began = performance.now();
  await until(() => first.count === 2 || undefined);

  // Its next word would be after five.
  expect(performance.now() - began).toBeLessThan(3_000);
  for (const workerRegistry of [first, second]) {
    heartbeat.remove(workerRegistry);
    await workerRegistry.stop();
  }
});

test("messages nobody asked for leave one after the other, apart; an answer and the business's own people do not wait", async () => {
  it = await rig({ account: { pace: PACE } });
  await tellsAfterADay(phone(1), phone(2), phone(3), OPERATOR);
  await it.worker.drain();
  const early = (await told()).length;
  await it.says(OTHER, "oi");
  await it.worker.drain();

  // The operator's, and the first of the others.
  expect(early).toBe(2);
  expect((await it.received(OPERATOR)).at(-1)).toContain("[news]");
  expect(await it.received(OTHER)).toHaveLength(1);
  const apart = (await slots()).map((slot) => slot - it.clock.now());
  expect(apart).toHaveLength(2);
  expect((apart[1] ?? 0) - (apart[0] ?? 0)).toBeGreaterThanOrEqual(5_000);

  it.clock.moveTo(it.clock.now() + 31_000);
  await it.worker.drain();
  expect(await told()).toHaveLength(4);
});

test("unasked ones whose time is further away than anything is let wait leave no sooner for it", async () => {
  it = await rig({ account: { pace: { ...PACE, unaskedPerMinute: 0.1 } } });
  await tellsAfterADay(...Array.from({ length: 8 }, (_, index) => phone(index)));
  await it.worker.drain();
  const counts = [(await told()).length];
  // Seven of the longest distances. A longer step would miss times, which are drawn again then.
  for (let step = 0; step < 127; step++) {
    it.clock.moveTo(it.clock.now() + 50_000);
    await it.worker.drain();
    counts.push((await told()).length);
  }

  expect(counts[0]).toBe(1);
  // Half of the even distance is the least of any two.
  counts.slice(5).forEach((count, at) => {
    expect(count - (counts[at] ?? 0)).toBeLessThanOrEqual(1);
  });
  expect(counts.at(-1)).toBe(8);
  // Its time was always to be then: nobody is told that it comes late.
  const texts = (await told()).map((row) => textOf(row["text"]));
  expect(new Set(texts).size).toBe(1);
});

test("devices that have much to say are heard alike, whichever began first", async () => {
  const pace = { ...PACE, perSecond: 5, burst: 1 };
  const devices = Array.from({ length: 12 }, (_, index) => `device-${10 + index}`);
  it = await rig({ others: devices.map((id) => ({ id, pace })) });
  for (const device of devices) {
    for (let n = 0; n < 12; n++) await it.asksIn(device, phone(n), bubble(phone(n), device));
    it.clock.moveTo(it.clock.now() + 10);
  }
  const count = (texts: string[]) =>
    devices.map((device) => texts.filter((text) => text === device).length);
  await it.worker.start();
  const counts = await until(async () => {
    const all = count((await sends()).map(({ body }) => textOf((body as Body)["text"])));
    return Math.max(...all) >= 7 ? all : null;
  });

  expect(Math.min(...counts)).toBeGreaterThanOrEqual(4);
});

test("unasked ones that an outage made late are drawn apart again, and not for ever", async () => {
  it = await rig({ account: { pace: PACE } });
  await tellsAfterADay(phone(1), phone(2), phone(3));
  await it.store.scopes.pause("plan:demo", "by hand");
  await it.worker.drain();
  it.clock.moveTo(it.clock.now() + 600_000);
  await it.worker.scopes.resume("plan:demo");
  await it.worker.drain();
  const first = (await told()).length;

  it.clock.moveTo(it.clock.now() + 31_000);
  await it.worker.drain();

  expect(first).toBe(1);
  expect(await told()).toHaveLength(3);
});
