/** What is kept of a note: its record for as long as the law asks for it, and of a request that came to nothing nobody's name. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startRedis, type TestRedis } from "../../../support/redis.ts";
import { CUSTOMER, issue, OPERATOR, OTHER, rig, type Rig } from "../../../worker/rig.ts";
import { forgetPerson } from "../../../../src/worker/privacy/erase.ts";

const DAY = 86_400_000;
/** The sandbox refuses it, with a code of the taker's document. */
const REFUSED_CENTS = 666_206;
const NAME = "Zuleica Abrantes";
const DOCUMENT = "52998224725";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

/** All that stands in these collections, opened. */
async function kept(it: Rig, ...collections: string[]): Promise<string> {
  const pages = await Promise.all(
    collections.map((collection) => it.store.documents.list(collection, { limit: 1_000 })),
  );
  return JSON.stringify(pages.map(({ items }) => items));
}

async function forget(it: Rig, phone: string): Promise<void> {
  expect(await forgetPerson(it.worker.context, "demo", await it.contact(phone))).toBe("done");
}

test.each(["embedded", "redis"] as const)(
  "on the %s store a refused request names nobody once its person is erased, an issued note does",
  async (store) => {
    const it = await rig(store === "redis" ? { redisUrl: `${redis.url}/5` } : {});
    try {
      const words = { name: NAME, description: `portão da ${NAME}` };
      await it.asks(CUSTOMER, issue({ ...words, value: REFUSED_CENTS }));
      await it.asks(OTHER, issue({ document: "11144477735", name: "Marina Lopes" }));
      await it.worker.drain();
      const states = async () =>
        (await it.worker.invoices.list("demo", { limit: 5 })).items.map(({ state }) => state);
      expect((await states()).sort()).toEqual(["autorizada", "rejeitada"]);
      expect(await kept(it, "invoices")).toContain(NAME);
      const lines = async () => (await it.store.documents.list("notes:demo", { limit: 50 })).items;
      const byTaker = async () => (await lines()).filter(({ id }) => id.startsWith("t.")).length;
      expect(await byTaker()).toBe(2);

      await forget(it, CUSTOMER);
      await forget(it, OTHER);
      const left = await kept(it, "invoices", "customers:demo", "notes:demo");
      expect(left).not.toContain("Zuleica");
      expect(left).not.toContain(DOCUMENT);
      expect(left).toContain("Marina Lopes");
      expect(await byTaker()).toBe(1);
      // The day's report counts it all the same.
      const { refused } = await it.worker.reconciliation(it.account);
      expect(refused).toEqual({ count: 1, codes: { E0206: 1 } });
    } finally {
      await it.close();
    }
  },
);

test("with the last note to somebody goes whom it was made out to, and all that led to it", async () => {
  const it = await rig();
  try {
    await it.asks(OPERATOR, issue({ name: NAME }));
    await it.worker.drain();
    const later = async (days: number) => {
      it.clock.moveTo(it.clock.now() + days * DAY);
      await it.worker.drain();
    };
    const { invoices } = it.worker;
    const [first] = (await invoices.list("demo", { limit: 1 })).items;
    if (first?.state !== "autorizada") throw new Error("there is no issued note");
    // Two years later another one; the sandbox has a clock of its own.
    const second = { ...first, id: "later", createdAt: first.createdAt + 2 * 365 * DAY };
    await it.store.documents.put("invoices", "demo.later", second);
    await invoices.customers.remember(second);
    await later(6 * 365 + 60);
    expect((await invoices.list("demo", { limit: 5 })).items).toHaveLength(1);
    expect(await invoices.customers.ofDocument("demo", DOCUMENT)).toMatchObject({ name: NAME });
    await later(3 * 365);
    expect((await invoices.list("demo", { limit: 5 })).items).toHaveLength(0);
    const left = await kept(it, "invoices", "customers:demo", "customer-names:demo", "notes:demo");
    expect(left).toBe("[[],[],[],[]]");
  } finally {
    await it.close();
  }
});
