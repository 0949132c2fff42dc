/** What was said before a number and a linked id proved to be one person was said by the bot, and by nobody else. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startRedis, type TestRedis } from "../../support/redis.ts";
import { bubble, CUSTOMER, rig } from "../rig.ts";

const LID = "lid:77700011122233";
const WORDS = "Seu pedido está pronto.";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

test.each(["embedded", "redis"] as const)(
  "on the %s store a bubble to a former name of a person silences nobody, heard late or pulled back",
  async (store) => {
    const it = await rig(store === "redis" ? { redisUrl: redis.url } : {});
    try {
      // Known by the linked id alone since before, then by the number; the older one is who stays.
      const older = await it.store.contacts.identify("demo", [LID]);
      const mail = { kind: "tick", due: 0 };
      await it.store.mail.accept([{ account: "demo", contact: older, event: "t", mail }]);
      await it.worker.drain();
      await it.says(CUSTOMER, "oi");
      await it.worker.drain();
      await it.asks(CUSTOMER, bubble(CUSTOMER, WORDS));
      await it.worker.drain();
      expect(await it.received(CUSTOMER)).toContain(WORDS);
      const person = await it.store.contacts.identify("demo", [`phone:${CUSTOMER}`, LID]);
      expect(person).toBe(older);
      await it.worker.drain();

      const at = it.clock.now();
      const own = { messageId: "ABC", text: WORDS, at };
      // Another process, which sent none of it, and the one that did.
      for (const { echoes } of [it.again(), it.worker]) {
        expect(await echoes.whose("demo", person, own)).toBe("ours");
        expect(await echoes.isOurs("demo", person, own)).toBe(true);
        const other = { ...own, messageId: "DEF", text: "Já te atendo" };
        expect(await echoes.whose("demo", person, other)).toBe("human");
        expect(await echoes.isOurs("demo", person, other)).toBe(false);
      }
    } finally {
      await it.close();
    }
  },
);
