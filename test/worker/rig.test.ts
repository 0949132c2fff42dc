import { expect, test } from "vitest";
import { bubble, CUSTOMER, OTHER, rig } from "./rig.ts";

test("effects put in by hand while the worker has others in hand stand in the outbox once", async () => {
  const it = await rig();
  for (let n = 0; n < 12; n++) {
    // Somebody else waits, so the store does not give the contact to who puts mail in.
    await it.says(CUSTOMER, "oi");
    const working = it.worker.drain();
    for (let step = 0; step < n; step++) await Promise.resolve();
    await it.asks(OTHER, bubble(OTHER, `n${n}`));
    await working;
  }
  await it.worker.drain();

  expect(await it.received(OTHER)).toEqual(Array.from({ length: 12 }, (_, n) => `n${n}`));
  await it.close();
});
