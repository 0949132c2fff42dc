import { beforeEach, describe, expect, test } from "vitest";
import { Queue } from "../../../src/worker/outbox/queue/queue.ts";

const HOUR_MS = 3_600_000;

let now: number;
let queue: Queue;
beforeEach(() => {
  now = 1_000;
  queue = new Queue(() => now);
});

describe("a route that said it has no queue", () => {
  test("is believed for an hour, then asked again", () => {
    queue.refuse("a", "message.sendText");
    now += HOUR_MS - 1;
    expect(queue.isRefused("a", "message.sendText")).toBe(true);
    now += 1;
    expect(queue.isRefused("a", "message.sendText")).toBe(false);
  });

  test("says nothing of another route or account", () => {
    queue.refuse("a", "message.sendText");
    expect(queue.isRefused("a", "message.sendMedia")).toBe(false);
    expect(queue.isRefused("b", "message.sendText")).toBe(false);
  });
});

describe("sends may rest, wherever they were enqueued,", () => {
  test("of an account that is set to the queue, and for ten minutes after", () => {
    expect(queue.mayRest("a")).toBe(false);
    queue.uses("a");
    now += 10 * 60_000 - 1;
    expect(queue.mayRest("a")).toBe(true);
    now += 1;
    expect(queue.mayRest("a")).toBe(false);
  });

  test("of an account of which one is known to", () => {
    queue.enqueued("a");
    now += HOUR_MS;
    expect(queue.mayRest("a")).toBe(true);
  });
});

describe("accounts with resting sends", () => {
  test("are those that the store told, and those that were taken in while it was read", () => {
    queue.enqueued("gone");
    const before = queue.resting;
    queue.enqueued("since");
    queue.found(new Set(["told"]), before);
    expect([...queue.resting].sort()).toEqual(["since", "told"]);
  });
});
