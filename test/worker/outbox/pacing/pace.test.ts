import fc from "fast-check";
import { expect, test } from "vitest";
import { Pace } from "../../../../src/worker/outbox/pacing/pacing.ts";

const LIMIT = { perSecond: 10, burst: 5 };
const DEVICE = "plan:demo";

/** How many of a device leave in one round of its queue. */
function drained(pace: Pace, now: number): number {
  const count = pace.round(now).get(DEVICE) ?? 0;
  let left = 0;
  for (let index = 0; index < count; index++) if (pace.takeQueued(DEVICE, LIMIT, now)) left++;
  return left;
}

test("a burst leaves at once, and what comes after it waits", () => {
  const pace = new Pace();
  const took = Array.from({ length: 7 }, () => pace.take(DEVICE, LIMIT, 1_000));

  expect(took).toEqual([true, true, true, true, true, false, false]);
  expect(pace.queued).toEqual([DEVICE]);
  expect(pace.nextMs(1_000)).toBe(100);
  expect(pace.take("plan:other", LIMIT, 1_000)).toBe(true);
});

test("what is new passes nobody who waits, however full the bucket is again", () => {
  const pace = new Pace();
  for (let index = 0; index < 6; index++) pace.take(DEVICE, LIMIT, 0);

  expect(pace.take(DEVICE, LIMIT, 10_000)).toBe(false);
  expect(pace.round(10_000).get(DEVICE)).toBe(5);
  pace.ease(DEVICE);

  expect(pace.take(DEVICE, LIMIT, 10_000)).toBe(true);
  expect(pace.nextMs(10_000)).toBeUndefined();
});

test("in no stretch of time leaves more than the burst and the pace allow, and a queue gets all of it", () => {
  const asks = fc.array(fc.record({ after: fc.integer({ min: 0, max: 400 }), count: fc.nat(20) }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(asks, (steps) => {
      const pace = new Pace();
      const sent: number[] = [];
      let now = 0;
      let waiting = 0;
      const until = (end: number) => {
        for (; now < end; now++) {
          const count = drained(pace, now);
          for (let index = 0; index < count; index++) {
            if (waiting > 0) sent.push(now);
            waiting = Math.max(0, waiting - 1);
          }
          if (waiting === 0) pace.ease(DEVICE);
        }
      };
      for (const { after, count } of steps) {
        until(now + after);
        for (let index = 0; index < count; index++)
          if (pace.take(DEVICE, LIMIT, now)) sent.push(now);
          else waiting++;
      }
      const rest = waiting;
      const from = now;
      until(now + 150 * rest + 500);

      sent.forEach((first, index) => {
        const last = sent[index + LIMIT.burst + LIMIT.perSecond];
        if (last !== undefined) expect(last - first).toBeGreaterThanOrEqual(999);
      });
      expect(waiting).toBe(0);
      if (rest > 0) expect((sent.at(-1) ?? 0) - from).toBeLessThanOrEqual(rest * 100 + 200);
    }),
    { numRuns: 40 },
  );
});

test("a clock that jumps back neither gives tokens nor closes a queue for as long as it jumped", () => {
  const pace = new Pace();
  for (let index = 0; index < 6; index++) pace.take(DEVICE, LIMIT, 3_600_000);

  expect(drained(pace, 0)).toBe(0);
  expect(drained(pace, 100)).toBe(1);
  expect(drained(pace, 200)).toBe(1);
});

test("where there is no room for all, each device has its round in turn", () => {
  const pace = new Pace();
  const devices = ["plan:a", "plan:b", "plan:c"];
  for (const device of devices) for (let n = 0; n < 6; n++) pace.take(device, LIMIT, 0);
  const rounds = [1_000, 1_000, 1_000, 2_000].map((now) => [...pace.round(now, 4)]);

  expect(rounds).toEqual([[["plan:a", 4]], [["plan:b", 4]], [["plan:c", 4]], [["plan:a", 4]]]);
});

test("a thousand devices more than are remembered leave no queue behind that never opens", () => {
  const pace = new Pace();
  for (let device = 0; device < 3_000; device++)
    for (let index = 0; index < 6; index++) pace.take(`plan:a${device}`, LIMIT, 0);

  expect(pace.round(60_000).size).toBeLessThanOrEqual(2_000);
  expect(pace.queued.length).toBeLessThanOrEqual(2_000);
});
