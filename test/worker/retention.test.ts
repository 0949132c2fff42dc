import { afterAll, beforeAll, expect, test } from "vitest";
import { typingMs } from "../../src/channels/index.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { issue, rig } from "./rig.ts";

const DAY = 86_400_000;

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

test.each(["embedded", "redis"] as const)(
  "on the %s store a silent chat goes after 90 days, a note five whole years after its own, a wish to hear no more never",
  async (store) => {
    const [silent, again, stopped] = ["5511987670001", "5511987670002", "5511987670003"] as const;
    const it = await rig(store === "redis" ? { redisUrl: redis.url } : {});
    const later = async (days: number) => {
      it.clock.moveTo(it.clock.now() + days * DAY);
      await it.worker.drain();
    };
    try {
      await it.says(silent, "oi");
      await it.says(again, "oi");
      await it.says(stopped, "não quero mais receber mensagens");
      await it.worker.drain();
      await it.asks(silent, issue());
      await it.worker.drain();
      const [old, talker, no] = [
        await it.contact(silent),
        await it.contact(again),
        await it.contact(stopped),
      ];
      await later(89);
      await it.says(again, "oi de novo");
      await it.worker.drain();
      expect(await it.store.session("demo", old)).not.toBeNull();
      await later(2);
      expect(await it.store.session("demo", old)).toBeNull();
      expect(await it.store.journal("demo", old, 10)).toEqual([]);
      expect(await it.store.session("demo", talker)).not.toBeNull();
      expect(await it.store.session("demo", no)).not.toBeNull();

      const notes = async () => (await it.worker.invoices.list("demo", { limit: 5 })).items.length;
      await later(4 * 365 + 200);
      expect(await notes()).toBe(1);
      await later(200);
      expect(await notes()).toBe(0);
      expect(await it.store.session("demo", no)).not.toBeNull();
    } finally {
      await it.close();
    }
  },
);

test("somebody is seen typing for as long as the words are, and never for more than a second and a half", () => {
  expect(typingMs({ text: "Sim" })).toBeLessThan(100);
  expect(typingMs({ text: "a".repeat(40) })).toBe(720);
  expect(typingMs({ text: "a".repeat(4_000) })).toBe(1_500);
});
