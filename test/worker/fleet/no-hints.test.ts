/** Hints are a courtesy: with every one of them lost, work that another process left in the store is found by looking. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore } from "../../../src/store/index.ts";
import { until } from "../../support/prosa.ts";
import { startRedis, type TestRedis } from "../../support/redis.ts";
import { bubble, CUSTOMER, inbound, KEYS, OTHER, rig } from "../rig.ts";
import { withSteps } from "../../../src/store/port/with-steps.ts";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis({ args: [] });
});
afterAll(() => redis.stop());

test("all hints lost: mail that another process took is answered, its effects leave, and what is not due yet comes in its time", async () => {
  const it = await rig({ redisUrl: redis.url });
  const ingress = await openStore({ redisUrl: redis.url, keys: KEYS });
  // Nobody subscribes, and nobody tells it of its own work either.
  const deaf = withSteps(it.store, (method) =>
    method === "onWake" ? () => () => undefined : undefined,
  );
  const worker = it.again({ store: deaf });
  try {
    await worker.start();
    for (const [at, phone] of [CUSTOMER, OTHER].entries()) {
      const contact = await ingress.contacts.identify("demo", [`phone:${phone}`]);
      const mail = inbound(phone, "oi", `m${at}`, it.clock.now());
      await ingress.mail.accept([{ account: "demo", contact, event: `m${at}`, mail }]);
    }
    for (const phone of [CUSTOMER, OTHER])
      await until("an answer", async () => (await it.received(phone)).length > 0);

    await it.asks(CUSTOMER, bubble(CUSTOMER, "de outro processo"));
    await until("a bubble", async () =>
      (await it.received(CUSTOMER)).includes("de outro processo"),
    );
    const contact = await it.contact(OTHER);
    const before = (await ingress.views.backlog()).counters.applied;
    const notBefore = it.clock.now() + 300;
    const mail = inbound(OTHER, "mais tarde", "later", it.clock.now());
    await ingress.mail.accept([{ account: "demo", contact, event: "later", mail, notBefore }]);
    await until(
      "the late one",
      async () => (await ingress.views.backlog()).counters.applied > before,
    );
    expect((await ingress.views.backlog()).counters).toMatchObject({ queued: 0, dead: 0 });
  } finally {
    await worker.stop(1_000);
    await ingress.close();
    await it.close();
  }
});
