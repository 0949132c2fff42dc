/** How many effects one process has in hand: all for who is alone, a quarter more for who holds little. */
import { beforeEach, describe, expect, test } from "vitest";
import { Lane } from "../../../../src/worker/outbox/sending/worker-pool.ts";

const SIZE = 16;
const SPARE = 4;

let now = 0;
let lane: Lane;
beforeEach(() => {
  now = 1_000;
  lane = new Lane(["message"], SIZE, () => now);
});

function enter(count: number, scope: string): void {
  for (let n = 0; n < count; n++) lane.enter(scope);
}

test("a scope that is alone has all the room there is", () => {
  enter(SIZE - 1, "hung");
  expect(lane.room()).toEqual({ limit: 1, full: [] });
  expect(lane.hasRoom).toBe(true);
  expect(lane.turnedAway).toBe(false);
});

describe("room that one scope has taken", () => {
  beforeEach(() => enter(SIZE, "hung"));

  test("is a quarter more for the others, and no more for itself", () => {
    expect(lane.room()).toEqual({ limit: SPARE, full: ["hung"] });
    expect(lane.hasRoom).toBe(false);
    expect(lane.turnedAway).toBe(true);
  });

  test("is looked past again only after a while", () => {
    lane.room();
    expect(lane.room().limit).toBe(0);
    expect(lane.nextMs).toBe(100);
    now += 100;
    expect(lane.nextMs).toBe(0);
    expect(lane.room().limit).toBe(SPARE);
  });

  test("is looked past at once where the clock was set back", () => {
    lane.room();
    now -= 500;
    expect(lane.room().limit).toBe(SPARE);
  });

  test("counts those who are in the quarter", () => {
    enter(1, "other");
    expect(lane.room()).toEqual({ limit: SPARE - 1, full: ["hung"] });
    now += 100;
    enter(SPARE - 1, "other");
    // Looked at again and again, a loop would never sleep.
    expect(lane.room().limit).toBe(0);
    expect(lane.nextMs).toBeUndefined();
  });

  test("is room of all again as soon as one has ended", () => {
    enter(1, "other");
    lane.left("hung");
    expect(lane.room()).toEqual({ limit: SPARE, full: ["hung"] });
    lane.left("hung");
    expect(lane.room()).toEqual({ limit: 1, full: [] });
    expect(lane.nextMs).toBeUndefined();
  });
});

test("many who hold little each are not looked past: nobody hangs", () => {
  for (let n = 0; n < SIZE; n++) lane.enter(`device${n}`);
  expect(lane.room()).toEqual({ limit: 0, full: [] });
  expect(lane.nextMs).toBeUndefined();
});

test("a scope of which nothing is in hand leaves nothing behind", () => {
  enter(SPARE, "one");
  for (let n = 0; n < SPARE; n++) lane.left("one");
  enter(SIZE, "two");
  expect(lane.room().full).toEqual(["two"]);
});

test("so little room has no quarter", () => {
  lane = new Lane(["message"], 2, () => now);
  enter(2, "hung");
  expect(lane.room().limit).toBe(0);
});
