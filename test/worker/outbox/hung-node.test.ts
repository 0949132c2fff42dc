/** A node of a Cluster that answers nothing: what goes by it waits, and nobody else does. */
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Store } from "../../../src/store/port/port.ts";
import { systemRandom } from "../../../src/worker/index.ts";
import { passGate } from "../../../src/worker/outbox/sending/send-gate.ts";
import { moment, EffectLease, Leases } from "../../../src/worker/fleet/effect-lease.ts";
import { Heartbeat } from "../../../src/worker/loop.ts";
import { Pacing } from "../../../src/worker/outbox/pacing/pacing.ts";
import { until } from "../../sandbox/stage.ts";
import { type Asked, bubble, CUSTOMER, OTHER, rig, type Rig } from "../rig.ts";
import { type Steps, withSteps } from "../../../src/store/port/with-steps.ts";

const THIRD = "5511987650003";
/** Well below the time of one command. */
const SOON_MS = 1_000;

let it: Rig;
let hung: string;
/** The node answers again. */
let answers = () => {};
let silence: Promise<void>;
beforeEach(async () => {
  it = await rig();
  hung = await it.contact(CUSTOMER);
  silence = new Promise((done) => (answers = done));
});
afterEach(async () => {
  answers();
  await it.close();
});

/** The store with one step that waits for the node, as a Cluster of which one node hangs. */
function withNode(step: Steps): Store {
  return withSteps(it.store, step);
}
const effectsOf = async (phone: string) =>
  it.store.views.effects({ contact: await it.contact(phone), limit: 5 });

test("an end that cannot be written keeps no other one waiting, nor the places of those", async () => {
  const endSend: Store["effects"]["end"] = (ends) =>
    Promise.all(
      ends.map(async (one) => {
        if (one.contact === hung) await silence;
        const [answer = "stale"] = await it.store.effects.end([one]);
        return answer;
      }),
    );
  const worker = it.again({ store: withNode({ "effects.end": endSend }), concurrency: 2 });
  await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
  await it.asks(OTHER, bubble(OTHER, "dois"));
  await worker.start();
  await until(async () => (await it.received(OTHER)).length === 1 || undefined);
  await until(async () => (await it.received(CUSTOMER)).length === 1 || undefined);
  await pause(SOON_MS / 2);
  expect(await effectsOf(OTHER)).toEqual([]);

  await it.asks(THIRD, bubble(THIRD, "três"));
  worker.wake();
  await pause(SOON_MS);
  expect(await it.received(THIRD)).toEqual(["três"]);
  expect(await effectsOf(THIRD)).toEqual([]);
  expect(await effectsOf(CUSTOMER)).toMatchObject([{ state: "inflight" }]);

  answers();
  await until(async () => (await effectsOf(CUSTOMER)).length === 0 || undefined);
  await worker.stop(1_000);
});

test("an end whose node fails is tried again by itself", async () => {
  let tries = 0;
  const written: string[] = [];
  const endSend: Store["effects"]["end"] = async (ends) => {
    if (ends.some(({ contact }) => contact === hung) && ++tries < 3) throw new Error("away");
    written.push(...ends.map(({ contact }) => contact));
    return it.store.effects.end(ends);
  };
  const worker = it.again({ store: withNode({ "effects.end": endSend }) });
  await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
  await it.asks(OTHER, bubble(OTHER, "dois"));
  await worker.drain();
  expect(await effectsOf(CUSTOMER)).toEqual([]);
  expect(written).toEqual([await it.contact(OTHER), hung]);
  await worker.stop(1_000);
});

test.each(["hangs", "fails"])(
  "a lease whose node %s keeps no other from being renewed",
  async (how) => {
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
    await it.asks(OTHER, bubble(OTHER, "dois"));
    const renew: Store["effects"]["renew"] = (items, leaseMs) =>
      Promise.all(
        items.map(async (one) => {
          if (one.contact === hung) await silence;
          if (one.contact === hung && how === "fails") throw new Error("away");
          const [ours] = await it.store.effects.renew([one], leaseMs);
          return ours;
        }),
      );
    if (how === "fails") answers();
    const told: unknown[] = [];
    const quiet = () => undefined;
    const log = {
      debug: quiet,
      info: quiet,
      warn: quiet,
      error: (line: unknown) => told.push(line),
    };
    const store = withNode({ "effects.renew": renew });
    const leases = new Leases({ store, log, clock: it.clock }, new Heartbeat());
    const some = { limit: 5, leaseMs: 6_000, paused: [], offsetMs: 0 };
    const held = (await it.store.effects.begin(some)).map((begun) => {
      // The hung one's is long enough to see that nothing ends it.
      const ms = begun.contact === hung ? 60_000 : 300;
      return { ...begun, lease: new EffectLease(it.clock, moment(it.clock), ms) };
    });
    for (const one of held) leases.hold(one);
    const renewed = leases.renew();
    await pause(SOON_MS / 2);

    expect(held).toHaveLength(2);
    expect(held.map(({ lease }) => lease.isHeld())).toEqual([true, true]);
    answers();
    await renewed;
    expect(told).toHaveLength(how === "fails" ? 1 : 0);
    leases.stop();
  },
);

test("what cannot be given its time, or given back, keeps nobody else here", async () => {
  await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
  await it.asks(OTHER, bubble(OTHER, "dois"));
  await it.asks(THIRD, { ...bubble(THIRD, "três"), channel: "sms" } as Asked);
  const some = { limit: 5, leaseMs: 6_000, paused: [], offsetMs: 0 };
  const slot = it.clock.now() - 600_000;
  const begun = (await it.store.effects.begin(some)).map((one) => {
    const payload = one.payload as { work: object };
    const work = { ...payload.work, unasked: true, slot };
    return one.contact === hung ? { ...one, payload: { ...payload, work } } : one;
  });
  expect(begun).toHaveLength(3);
  const told: unknown[] = [];
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: (line: unknown) => told.push(line) };
  const account = { ...it.account, pace: { perSecond: 10, burst: 10, unaskedPerMinute: 6 } };
  const pacing = new Pacing(it.clock, systemRandom, { count: 1 });
  // The next time of its device is later than now, so it is written with the message.
  pacing.placeOf(account, "plan:demo", { at: it.clock.now(), unasked: true });
  const away = () => Promise.reject(new Error("away"));
  const context = {
    store: withNode({ "effects.amend": away, "effects.end": away }),
    scopes: { round: async () => undefined, isPaused: (scope: string) => scope.endsWith(":sms") },
    accounts: { get: async () => account, ids: async () => ["demo"] },
    ...{ clock: it.clock, pacing, log },
  };

  const leaves = await passGate(context as never, begun);
  expect(leaves.map(({ contact }) => contact)).toEqual([await it.contact(OTHER)]);
  expect(told).toHaveLength(2);
});
