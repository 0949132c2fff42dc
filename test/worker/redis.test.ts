import { afterAll, beforeAll, expect, test } from "vitest";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { bubble, CUSTOMER, issue, OTHER, rig } from "./rig.ts";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

test("on Redis, too: order, one note for two contacts, a lost answer held, a retry in its turn", async () => {
  const it = await rig({ redisUrl: redis.url });
  try {
    for (let index = 0; index < 20; index++) await it.says(CUSTOMER, `mensagem ${index}`);
    await it.worker.drain();
    const applied = (await it.journal(CUSTOMER)).flatMap((line) => {
      const text = line["mail"]?.["event"]?.["content"]?.["text"];
      return text === undefined ? [] : [text as unknown];
    });
    expect(applied).toEqual(Array.from({ length: 20 }, (_, index) => `mensagem ${index}`));

    await it.asks(CUSTOMER, issue());
    await it.asks(OTHER, issue());
    await it.worker.drain();
    expect(await it.list("invoices")).toHaveLength(1);

    const lost = { kind: "accepted_then_lost" };
    await it.fault({ route: "invoicing.nfseEnvio", effect: lost, times: 1 });
    await it.asks(CUSTOMER, issue({ value: 7_700 }));
    await it.worker.drain();
    const held = await it.store.views.effects({ state: "held", limit: 5 });
    expect(held).toHaveLength(1);
    const { items } = await it.worker.invoices.list("demo", { limit: 9 });
    expect(items.map(({ state }) => state).sort()).toEqual(["autorizada", "incerta"]);

    await it.fault({ route: "invoicing.nfseEnvio", effect: { kind: "no_balance" }, times: 1 });
    await it.asks(OTHER, issue({ value: 8_800 }));
    await it.worker.drain();
    await it.worker.scopes.resume("credits:demo");
    await it.worker.drain();
    expect(await it.list("invoices")).toHaveLength(3);

    await it.fault({
      route: "message.sendText",
      effect: { kind: "status", status: 500 },
      times: 1,
    });
    const before = (await it.received(OTHER)).length;
    await it.asks(OTHER, bubble(OTHER, "um"), bubble(OTHER, "dois"));
    await it.worker.drain();
    it.clock.moveTo(it.clock.now() + 120_000);
    await it.worker.drain();
    expect((await it.received(OTHER)).slice(before)).toEqual(["um", "dois"]);
  } finally {
    await it.close();
  }
});
