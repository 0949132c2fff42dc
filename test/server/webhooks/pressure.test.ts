import { expect, test } from "vitest";
import { until } from "../../sandbox/stage.ts";
import { watchPressure } from "../../../src/server/webhooks/overload.ts";

test("a loop that comes late is told within two seconds, and again when it is well", async () => {
  const pressure = watchPressure({ eventLoopDelayMs: 100, heapShare: 0.99 });
  const busy = setInterval(() => {
    for (const end = performance.now() + 300; performance.now() < end;);
  }, 1);
  await until(async () => pressure.isHigh() || undefined);
  clearInterval(busy);
  await until(async () => !pressure.isHigh() || undefined);
  expect(pressure.isHigh()).toBe(false);
  pressure.stop();
});

test("a heap above its share is told", async () => {
  const pressure = watchPressure({ eventLoopDelayMs: 60_000, heapShare: 0.000_1 });
  await until(async () => pressure.isHigh() || undefined);
  expect(pressure.isHigh()).toBe(true);
  pressure.stop();
});
