import { expect, test } from "vitest";
import { VirtualClock } from "../../src/worker/clock.ts";

test("runs in real time until it is moved, and goes back only when it is set back", () => {
  let system = 1_000;
  const clock = new VirtualClock(() => system);
  system = 1_500;
  expect(clock.now()).toBe(1_500);

  clock.moveTo(10_000);
  system = 1_600;
  expect(clock.now()).toBe(10_100);
  expect(clock.offsetMs).toBe(8_500);

  clock.moveTo(5_000);
  expect(clock.now()).toBe(10_100);

  clock.moveTo(500, true);
  expect([clock.now(), clock.offsetMs]).toEqual([500, -1_100]);
});

test("tells who listens that it was moved, and not when nothing changed", () => {
  const clock = new VirtualClock(() => 0);
  let moves = 0;
  const off = clock.onMove(() => moves++);

  clock.moveTo(100);
  clock.moveTo(50);
  off();
  clock.moveTo(200);

  expect(moves).toBe(1);
});

test("follows the store's clock when this machine's is wrong", async () => {
  const clock = new VirtualClock(() => 3_600_000);

  await clock.sync({ now: async () => 1_000 });

  expect(clock.now()).toBe(1_000);
  clock.moveTo(5_000);
  expect(clock.shared()).toBe(1_000);
});
