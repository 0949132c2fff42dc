import { expect, test } from "vitest";
import { VirtualClock } from "../../../src/worker/clock.ts";
import { JUMP_MS, StoreProbe, SLOW_MS } from "../../../src/worker/fleet/store-probe.ts";

/** A store whose clock and pace are set by hand, and whoever watches it. */
function watched() {
  const it = {
    steady: 0,
    /** The store's clock is so far ahead of the steady one. */
    ahead: 1_000_000,
    takes: 1,
    fails: false,
    evicts: undefined as string | undefined,
    evicted: 7,
    alarms: [] as string[],
    warnings: 0,
  };
  const store = {
    async now() {
      it.steady += it.takes;
      if (it.fails) throw new Error("away");
      return it.steady + it.ahead;
    },
    info: async () => ({
      ...({ kind: "redis", version: "7", durability: "D1", sentence: "" } as const),
      evicted: it.evicted,
      ...(it.evicts === undefined ? {} : { evicts: it.evicts }),
    }),
  };
  const clock = new VirtualClock(() => it.steady);
  const storeProbe = new StoreProbe({
    ...{ store, clock, steady: () => it.steady },
    alarms: { raise: ({ code }) => void it.alarms.push(code) },
    log: { warn: () => void (it.warnings += 1) },
  });
  const beat = async (): Promise<void> => {
    it.steady += 1_000;
    await storeProbe.beat();
  };
  return { it, clock, storeProbe, beat };
}

test("a store that answers in time and whose clock goes as clocks go raises nothing", async () => {
  const { it, beat } = watched();
  for (let at = 0; at < 5; at += 1) {
    it.ahead += 200;
    await beat();
  }
  expect(it.alarms).toEqual([]);
});

test("a store that throws keys away, or may, is told while it runs", async () => {
  const { it, beat } = watched();
  const minute = async (): Promise<void> => {
    for (let at = 0; at < 60; at += 1) await beat();
  };
  await minute();
  expect(it.alarms).toEqual([]);
  it.evicted += 2;
  await minute();
  expect(it.alarms).toEqual(["store.evicts"]);
  it.evicts = "allkeys-lru";
  await minute();
  expect(it.alarms).toEqual(["store.evicts", "store.evicts"]);
});

test("a store that takes a second to answer, or fails after so long, is told as slow", async () => {
  const { it, beat } = watched();
  it.takes = SLOW_MS;
  await beat();
  expect(it.alarms).toEqual(["store.slow"]);
  it.fails = true;
  await beat();
  expect(it.alarms).toEqual(["store.slow", "store.slow"]);
  it.takes = 1;
  await beat();
  // Away is not slow; and it is said once, however long it lasts.
  expect(it.alarms).toHaveLength(2);
  expect(it.warnings).toBe(1);
});

test.each([
  ["back by an hour", -3_600_000],
  ["forward by an hour", 3_600_000],
])("a store's clock that jumps %s is told once, and followed within a second", async (_, by) => {
  const { it, clock, beat } = watched();
  await beat();
  it.ahead += by;
  await beat();
  expect(it.alarms).toEqual(["clock.jumped"]);
  expect(Math.abs(clock.now() - (it.steady + it.ahead))).toBeLessThan(JUMP_MS / 1_000);
  await beat();
  expect(it.alarms).toHaveLength(1);
});

test("an answer that was long on its way moves no clock that is right within that time", async () => {
  const { it, clock, beat } = watched();
  await beat();
  it.takes = 900;
  await beat();
  expect(Math.abs(clock.now() - (it.steady + it.ahead))).toBeLessThanOrEqual(1);
});
