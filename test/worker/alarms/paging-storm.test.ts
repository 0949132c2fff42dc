/** What alarms on phones may cost when the phones themselves, or the store, are the trouble. */
import { afterEach, expect, test } from "vitest";
import type { Store } from "../../../src/store/index.ts";
import { library as flows } from "../flow-words.ts";
import { bubble, CUSTOMER, OPERATOR, rig, type Rig } from "../rig.ts";
import { withSteps } from "../../../src/store/port/with-steps.ts";

let it: Rig;
afterEach(() => it.close());

const HOUR = 3_600_000;
const PHONES = { alerts: { phones: true, report: "off" } };

test("an alarm that does not reach a phone is no reason for another one", async () => {
  it = await rig({ library: flows, account: PHONES });
  const refusal = (status: number, times?: number) =>
    it.fault({ route: "message.sendText", effect: { kind: "status", status }, times });
  await refusal(400, 1);
  await refusal(422);
  await it.asks(CUSTOMER, bubble(CUSTOMER, "oi"));
  await it.worker.drain();
  for (let hour = 0; hour < 4; hour++) {
    it.clock.moveTo(it.clock.now() + 1.1 * HOUR);
    // Each a process of its own: nobody remembers that it told of this lately.
    await it.again().drain();
  }

  const bubbles = (await it.list("requests")).filter(
    ({ body }) => (body as { number?: string } | undefined)?.number === OPERATOR,
  );
  expect(bubbles).toHaveLength(1);
});

test("alarms that the store did not take are kept, also beside newer ones", async () => {
  it = await rig({ library: flows, account: PHONES });
  let isAway = true;
  const store: Store = withSteps(it.store, {
    "documents.put": async (...args) => {
      if (isAway && args[0] === "pages") {
        isAway = false;
        worker.alarms.raise({ code: "event.parked", account: "demo", subject: "2", message: "" });
        throw new Error("the store is away");
      }
      return it.store.documents.put(...args);
    },
  });
  const worker = it.again({ store });
  worker.alarms.raise({ code: "send.failed", account: "demo", subject: "1", message: "" });
  await expect(worker.pager.stored()).rejects.toThrow("away");
  await worker.pager.stored();

  const { codes } = await worker.pager.of("demo");
  expect(Object.keys(codes).sort()).toEqual(["event.parked", "send.failed"]);
});
