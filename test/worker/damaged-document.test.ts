/** A document whose bytes were changed is its own trouble: all others are looked through, told of and let go as ever. */
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { CUSTOMER, issue, OTHER, rig, textOf, type Rig } from "./rig.ts";

const HOUR = 3_600_000;
const ROUTE = "invoicing.nfseEnvio";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

/** Two businesses, each with a note whose answer was lost; the record of the other's is changed then. */
async function scene(other: string, place: number): Promise<{ it: Rig; damaged: string }> {
  const url = `${redis.url}/${place}`;
  const it = await rig({ redisUrl: url, account: { alerts: {} }, others: [{ id: other }] });
  await it.fault({ route: ROUTE, effect: { kind: "accepted_then_lost" }, times: 2 });
  await it.asksIn(other, OTHER, issue());
  await it.worker.drain();
  await it.asks(CUSTOMER, issue());
  await it.worker.drain();
  const [note] = (await it.worker.invoices.list(other, { limit: 1 })).items;
  if (note?.state !== "incerta") throw new Error("there is no uncertain note");
  const damaged = `${other}.${note.id}`;
  const raw = new Redis(url);
  await raw.hset("prosa:{d:invoices}:docs", damaged, "9|garbage");
  await raw.quit();
  return { it, damaged };
}

const alarms = (it: Rig, code: string) =>
  it.events.flatMap((event) => (event.type === "alarm" && event.code === code ? [event] : []));

// Lists of one account end in the next one's records, so who stands before and who stands behind are two cases.
test.each([
  ["before", "another", 1],
  ["behind", "zebra", 2],
] as const)(
  "a changed record of a business %s in the list keeps no other's notes from being told of and settled",
  async (_where, other, place) => {
    const { it, damaged } = await scene(other, place);
    try {
      it.clock.moveTo(it.clock.now() + 2 * HOUR);
      await it.worker.drain();
      it.clock.moveTo(it.clock.now() + 24 * HOUR);
      await it.worker.drain();

      // Of the changed one nobody can say that it has an end, so people are told of it, too.
      const stuck = alarms(it, "invoice.stuck").map(({ account }) => account);
      expect(new Set(stuck)).toEqual(new Set(["demo", other]));
      const report = await it.worker.reconciliation(it.account);
      expect(report.open.counts).toEqual({ incerta: 1 });
      expect(alarms(it, "document.damaged").map(({ subject }) => subject)).toContain(
        `invoices ${damaged}`,
      );

      // The issuer's notice about the one that can be read settles it.
      const [mine] = (await it.worker.invoices.list("demo", { limit: 1 })).items;
      const issued = (await it.list("invoices")).find((row) =>
        JSON.stringify(row).includes(mine?.token ?? "none"),
      );
      const chave = textOf(issued?.["chave"]);
      const numero = textOf(issued?.["numero"]);
      const notice = { status: "autorizada", chave, numero, token: mine?.token ?? "" };
      expect(await it.worker.settling.fromWebhook("demo", notice)).toBe("settled");
    } finally {
      await it.close();
    }
  },
);
