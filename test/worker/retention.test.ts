import { afterAll, beforeAll, expect, test } from "vitest";
import { typingMs } from "../../src/channels/index.ts";
import { forgetOld } from "../../src/worker/privacy/retention.ts";
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
      await it.says(again, "segredo antigo");
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
      expect(await it.store.views.session("demo", old)).not.toBeNull();
      const said = async (contact: string) =>
        JSON.stringify(await it.store.views.journal("demo", contact, 100));
      expect(await said(talker)).toContain("segredo antigo");
      expect(await said(no)).toContain("mensagens");
      await later(2);
      expect(await it.store.views.session("demo", old)).toBeNull();
      // Of who still writes what is as old goes, too; of who wants to hear no more all goes but that.
      expect(await said(talker)).not.toContain("segredo antigo");
      expect(await said(talker)).toContain("oi de novo");
      await later(2);
      expect(await said(no)).not.toContain("mensagens");
      const bare = (await it.store.views.session("demo", no))?.session as { optOut?: object };
      expect(bare.optOut).toBeDefined();
      expect(bare).not.toHaveProperty("address");
      expect(bare).not.toHaveProperty("lastSeen");
      expect(await it.store.views.journal("demo", old, 10)).toEqual([]);
      expect(await it.store.views.session("demo", talker)).not.toBeNull();
      expect(await it.store.views.session("demo", no)).not.toBeNull();

      const notes = async () => (await it.worker.invoices.list("demo", { limit: 5 })).items.length;
      await later(4 * 365 + 200);
      expect(await notes()).toBe(1);
      await later(200);
      expect(await notes()).toBe(0);
      expect(await it.store.views.session("demo", no)).not.toBeNull();
    } finally {
      await it.close();
    }
  },
);

test.each(["embedded", "redis"] as const)(
  "on the %s store a dead letter goes when it is as old as a conversation may be, and its business is told",
  async (store) => {
    const it = await rig(store === "redis" ? { redisUrl: redis.url } : {});
    const expired = () =>
      it.events.filter((event) => event.type === "alarm" && event.code === "dead.expired");
    try {
      await it.says("5511987670011", "bomba");
      await it.worker.drain();
      const mine = async () =>
        (await it.store.deadLetters.list({ account: "demo", limit: 10 })).items;
      expect(await mine()).toHaveLength(1);
      it.clock.moveTo(it.clock.now() + 89 * DAY);
      await it.worker.drain();
      expect(await mine()).toHaveLength(1);
      expect(expired()).toHaveLength(0);
      it.clock.moveTo(it.clock.now() + 2 * DAY);
      await it.worker.drain();
      expect(await mine()).toEqual([]);
      expect(expired()).toHaveLength(1);
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

test("records whose term is over go in rounds, so that years of them fill no memory", async () => {
  const it = await rig();
  try {
    await it.asks("5511987670021", issue());
    await it.worker.drain();
    const [note] = (await it.worker.invoices.list("demo", { limit: 1 })).items;
    if (!note) throw new Error("there is no record");
    const ids = Array.from({ length: 1_100 }, (_, n) => `n${String(n).padStart(5, "0")}`);
    await Promise.all(
      ids.map((id) => it.store.documents.put("invoices", `demo.${id}`, { ...note, id })),
    );
    it.clock.moveTo(it.clock.now() + 7 * 365 * DAY);
    const accounts = { ids: async () => ["demo"], get: async () => it.account };
    const context = { ...it.worker.context, accounts };
    const rounds: number[] = [];
    for (let round = 0; round < 3; round++) rounds.push(await forgetOld(context));

    // With the conversation, which is as old.
    expect(rounds).toEqual([1_001, 101, 0]);
    expect((await it.worker.invoices.list("demo", { limit: 1 })).items).toEqual([]);
  } finally {
    await it.close();
  }
});

test.each(["embedded", "redis"] as const)(
  "on the %s store what is kept by the day goes when nobody asks about that day any more, each account's own",
  async (store) => {
    const it = await rig(store === "redis" ? { redisUrl: `${redis.url}/7` } : {});
    const ids = async (collection: string, of = "") =>
      (await it.store.documents.list(collection, { limit: 1_000 })).items.flatMap(({ id }) =>
        id.startsWith(of) ? [id] : [],
      );
    try {
      const now = it.clock.now();
      const day = (back: number) => new Date(now - back * DAY).toISOString().slice(0, 10);
      for (const collection of ["ceilings", "daily-counters", "reports"])
        for (const account of ["demo", "demo-2"])
          for (const back of [0, 30, 100, 101, 9 * 366])
            await it.store.documents.put(collection, `${account}.${day(back)}`, { told: "nobody" });
      for (let back = 200; back < 320; back++)
        await it.store.documents.put("ceilings", `demo.${day(back)}`, { notes: {} });
      for (const [id, back] of Object.entries({ young: 5, old: 90 })) {
        const update = { account: "demo", bytes: "{}", at: now - back * DAY };
        await it.store.documents.put("issuer-updates", id, update);
      }
      const accounts = { ids: async () => ["demo"], get: async () => it.account };
      await forgetOld({ ...it.worker.context, accounts });

      for (const collection of ["ceilings", "daily-counters"])
        expect(await ids(collection, "demo.")).toEqual([30, 0].map((back) => `demo.${day(back)}`));
      const reports = [101, 100, 30, 0].map((back) => `demo.${day(back)}`);
      expect(await ids("reports", "demo.")).toEqual(reports);
      expect(await ids("ceilings", "demo-2.")).toHaveLength(5);
      expect(await ids("issuer-updates")).toEqual(["young"]);
    } finally {
      await it.close();
    }
  },
);
