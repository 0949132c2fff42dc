/** What 429 turned away goes again, whatever rests beside it and however its scope's pause ended. */
import { afterEach, expect, test } from "vitest";
import { remindOf } from "../../../../src/worker/outbox/pacing/releases.ts";
import { type Asked, bubble, CUSTOMER, OTHER, rig, type Rig } from "../../rig.ts";
import { startRedis, type TestRedis } from "../../../support/redis.ts";
import { until } from "../../../sandbox/stage.ts";
import { effects } from "../../../support/plugins.ts";
import { withSteps } from "../../../../src/store/port/with-steps.ts";

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
  await it.store.scopes.pause(PLAN, "rate_limited", { until: Date.now() - 1 });
  await it.worker.drain();
}

test("a message goes again however many calls and failed sends rest before it", async () => {
  it = await rig();
  const call = { type: "call", class: "replace", name: "profile.name", input: {} } as const;
  const many = Array.from({ length: 1_001 }, () => call as unknown as Asked);
  await it.asks(OTHER, ...many);
  for (;;) {
    const some = { limit: 500, leaseMs: 5_000, paused: [], offsetMs: 0 };
    const begun = await it.store.effects.begin(some);
    if (begun.length === 0) break;
    await it.store.effects.end(
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
  await it.store.scopes.resume(PLAN);
  await it.worker.drain();

  expect(await it.received(CUSTOMER)).toEqual(["um", "dois"]);
});

test("a stronger reason that took the place of the limit lets them go once both are over, whichever ends first", async () => {
  it = await rig();
  await turnedAway(bubble(CUSTOMER, "um"));
  await it.worker.scopes.pause(PLAN, "instance_not_open");
  await it.worker.scopes.opened(PLAN);
  await it.worker.drain();
  expect(await it.received(CUSTOMER)).toEqual([]);
  await timeOver();
  expect(await it.received(CUSTOMER)).toEqual(["um"]);

  const effect = { kind: "status", status: 429 };
  await it.fault({ route: "message.sendText", effect, times: 1 });
  await it.asks(CUSTOMER, bubble(CUSTOMER, "dois"));
  await it.worker.drain();
  await it.store.scopes.pause(PLAN, "rate_limited", { until: Date.now() - 1 });
  await it.worker.scopes.pause(PLAN, "instance_not_open");
  await it.worker.drain();
  expect(await it.received(CUSTOMER)).toEqual(["um"]);
  await it.worker.scopes.opened(PLAN);
  await it.worker.drain();
  expect(await it.received(CUSTOMER)).toEqual(["um", "dois"]);
});

test("a reminder of what rests shortens no limit that came meanwhile", async () => {
  it = await rig();
  await turnedAway(bubble(CUSTOMER, "um"));
  await it.store.scopes.resume(PLAN);
  const [rests] = await it.store.views.effects({ account: "demo", limit: 5 });
  if (!rests) throw new Error("nothing rests");
  const accounts = { get: async () => it.account, ids: async () => ["demo"] };
  // Whoever reminds has not heard of it yet.
  const scopes = { isPaused: () => false } as unknown as typeof it.worker.scopes;
  const context = { store: it.store, clock: it.clock, accounts, scopes, effects };
  const until = Date.now() + 3_600_000;
  await it.worker.scopes.pause(PLAN, "rate_limited", until);
  await remindOf(context, rests);
  expect((await it.store.scopes.pauses()).get(PLAN)).toMatchObject({ until });

  await it.store.scopes.resume(PLAN);
  await remindOf(context, rests);
  await it.worker.drain();
  expect(await it.received(CUSTOMER)).toEqual(["um"]);
});

test("a pause that ended while nobody ran is no end of what it held, and what is given up is so once", async () => {
  it = await rig();
  await turnedAway(bubble(CUSTOMER, "um"));
  await it.store.scopes.resume(PLAN);
  const next = it.again();
  await next.start();
  await until(async () => (await it.received(CUSTOMER)).length === 1 || undefined);
  await next.stop();

  await turnedAwayTo(OTHER);
  await it.store.scopes.resume(PLAN);
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
  expect([...(await it.store.scopes.pauses()).keys()]).toEqual([]);
});

async function turnedAwayTo(phone: string): Promise<void> {
  const effect = { kind: "status", status: 429 };
  await it.fault({ route: "message.sendText", effect, times: 1 });
  await it.asks(phone, bubble(phone, "tarde"));
  await it.worker.drain();
}

test.each(["the embedded store", "Redis"])(
  "of two workers that saw one pause end, the slower one ends no new pause and lets go nothing twice, on %s",
  async (name) => {
    if (name === "Redis") redis = await startRedis();
    it = await rig(redis ? { redisUrl: redis.url } : {});
    await turnedAway(bubble(CUSTOMER, "um"));
    await it.store.scopes.pause(PLAN, "rate_limited", { until: Date.now() - 1 });
    // The slower one has found what to let go, and stands still before it does.
    let goOn = () => {};
    const still = new Promise<void>((done) => (goOn = done));
    let stands = () => {};
    const isStanding = new Promise<void>((done) => (stands = done));
    const answers: boolean[] = [];
    const store = withSteps(it.store, {
      "effects.resolve": async (input) => {
        stands();
        await still;
        const done = await it.store.effects.resolve(input);
        answers.push(done);
        return done;
      },
    });
    const slow = it.again({ store }).scopes.round(true);
    await isStanding;
    // The other one lets it go, and it is turned away once more, for an hour.
    const effect = { kind: "status", status: 429 };
    await it.fault({ route: "message.sendText", effect, times: 1 });
    await it.worker.scopes.round(true);
    await it.worker.drain();
    const until = Date.now() + 3_600_000;
    await it.store.scopes.pause(PLAN, "rate_limited", { until });
    goOn();
    await slow;

    expect(answers).toEqual([false]);
    expect((await it.store.scopes.pauses()).get(PLAN)).toMatchObject({ until });
    const rests = await it.store.views.effects({ account: "demo", limit: 5 });
    expect(rests.map(({ state, reason }) => [state, reason])).toEqual([["held", "rate_limited"]]);
  },
);

test.each(["the embedded store", "Redis"])(
  "a message whose refusal is written down only when its pause is over goes again within seconds, on %s",
  async (name) => {
    if (name === "Redis") redis = await startRedis();
    it = await rig(redis ? { redisUrl: redis.url } : {});
    const slow: typeof it.store.effects.end = async (ends) => {
      const isRefused = ends.some(({ outcome }) => outcome.kind === "held");
      if (isRefused) {
        await it.store.scopes.pause(PLAN, "rate_limited", { until: Date.now() - 1 });
        await until(async () => !(await it.store.scopes.pauses()).has(PLAN) || undefined);
      }
      return it.store.effects.end(ends);
    };
    const store = withSteps(it.store, (name) => (name === "effects.end" ? slow : undefined));
    const effect = { kind: "status", status: 429 };
    await it.fault({ route: "message.sendText", effect, times: 1 });
    const worker = it.again({ store });
    await worker.start();
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
    // House is kept once a minute: what is let go by that comes after this test is over.
    await until(async () => (await it.received(CUSTOMER)).length === 1 || undefined);
    await worker.stop(1_000);

    expect(await it.received(CUSTOMER)).toEqual(["um"]);
  },
);
