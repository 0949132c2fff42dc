/** How many effects one process has in hand: all for who is alone, a quarter more for who holds little. */
import { beforeEach, describe, expect, test } from "vitest";
import { WorkerPool } from "../../../../src/worker/outbox/sending/worker-pool.ts";

const SIZE = 16;
const SPARE = 4;

let now = 0;
let pool: WorkerPool;
beforeEach(() => {
  now = 1_000;
  pool = new WorkerPool(["message"], SIZE, () => now);
});

function enter(count: number, scope: string): void {
  for (let n = 0; n < count; n++) pool.enter(scope);
}

test("a scope that is alone has all the room there is", () => {
  enter(SIZE - 1, "hung");
  expect(pool.room()).toEqual({ limit: 1, full: [] });
  expect(pool.hasRoom).toBe(true);
  expect(pool.turnedAway).toBe(false);
});

describe("room that one scope has taken", () => {
  beforeEach(() => enter(SIZE, "hung"));

  test("is a quarter more for the others, and no more for itself", () => {
    expect(pool.room()).toEqual({ limit: SPARE, full: ["hung"] });
    expect(pool.hasRoom).toBe(false);
    expect(pool.turnedAway).toBe(true);
  });

  test("is looked past again only after a while", () => {
    pool.room();
    expect(pool.room().limit).toBe(0);
    expect(pool.nextMs).toBe(100);
    now += 100;
    expect(pool.nextMs).toBe(0);
    expect(pool.room().limit).toBe(SPARE);
  });

  test("is looked past at once where the clock was set back", () => {
    pool.room();
    now -= 500;
    expect(pool.room().limit).toBe(SPARE);
  });

  test("counts those who are in the quarter", () => {
    enter(1, "other");
    expect(pool.room()).toEqual({ limit: SPARE - 1, full: ["hung"] });
    now += 100;
    enter(SPARE - 1, "other");
    // Looked at again and again, a loop would never sleep.
    expect(pool.room().limit).toBe(0);
    expect(pool.nextMs).toBeUndefined();
  });

  test("is room of all again as soon as one has ended", () => {
    enter(1, "other");
    pool.left("hung");
    expect(pool.room()).toEqual({ limit: SPARE, full: ["hung"] });
    pool.left("hung");
    expect(pool.room()).toEqual({ limit: 1, full: [] });
    expect(pool.nextMs).toBeUndefined();
  });
});

test("many who hold little each are not looked past: nobody hangs", () => {
  for (let n = 0; n < SIZE; n++) pool.enter(`device${n}`);
  expect(pool.room()).toEqual({ limit: 0, full: [] });
  expect(pool.nextMs).toBeUndefined();
});

test("a scope of which nothing is in hand leaves nothing behind", () => {
  enter(SPARE, "one");
  for (let n = 0; n < SPARE; n++) pool.left("one");
  enter(SIZE, "two");
  expect(pool.room().full).toEqual(["two"]);
});

test("so little room has no quarter", () => {
  pool = new WorkerPool(["message"], 2, () => now);
  enter(2, "hung");
  expect(pool.room().limit).toBe(0);
});
