import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { Loop } from "../../src/worker/loop.ts";

const FAR_MS = 60_000;

test("a ring during a round makes another round", async () => {
  let rounds = 0;
  const loop: Loop = new Loop({
    round: async () => {
      rounds++;
      if (rounds === 1) loop.ring();
      return false;
    },
    idleMs: () => FAR_MS,
    failed: () => undefined,
  });

  loop.start();
  await pause(30);
  await loop.stop();

  expect(rounds).toBe(2);
});

test("a round that throws is told and tried again", async () => {
  const errors: unknown[] = [];
  let rounds = 0;
  const loop = new Loop({
    round: async () => {
      if (++rounds === 1) throw new Error("store away");
      return false;
    },
    idleMs: () => FAR_MS,
    failed: (error) => errors.push(error),
  });

  loop.start();
  await pause(400);
  await loop.stop();

  expect(errors).toHaveLength(1);
  expect(rounds).toBe(2);
});

test("stopping waits for the round that is being done", async () => {
  let ended = false;
  const loop = new Loop({
    round: async () => {
      await pause(50);
      ended = true;
      return true;
    },
    idleMs: () => FAR_MS,
    failed: () => undefined,
  });

  loop.start();
  await loop.stop();

  expect(ended).toBe(true);
});
