/** Two businesses in one store, with the same customer and names alike: neither sees anything of the other. */
import { afterEach, expect, test } from "vitest";
import { library as flows } from "../flow-words.ts";
import { revOf } from "../../../src/plugins/invoicing/note/invoice.ts";
import { CUSTOMER, issue, OPERATOR, rig, type Rig } from "../rig.ts";
import { tomorrowNoon } from "../../support/days.ts";

let it: Rig;
afterEach(() => it.close());

const THEIRS = "5511900000099";
/** Ids that begin alike, on either side of `demo` in every order. */
const SECOND = {
  ...{ id: "demo-2", name: "Oficina" },
  operators: [{ name: "Beto", alias: `phone:${THEIRS}`, address: THEIRS }],
  alerts: { phones: true, report: "daily", reportAt: "07:00" },
};
const OURS = { alerts: { phones: true, report: "daily", reportAt: "07:00" } };

async function both(): Promise<void> {
  const dem = { ...SECOND, id: "dem", operators: [], alerts: { phones: false, report: "off" } };
  it = await rig({ library: flows, account: OURS, others: [SECOND, dem] });
}

test("one customer of both is two contacts, each with its own words", async () => {
  await both();
  const [ours, theirs] = [
    await it.store.contacts.identify("demo", [`phone:${CUSTOMER}`]),
    await it.store.contacts.identify("demo-2", [`phone:${CUSTOMER}`]),
  ];
  expect(ours).not.toBe(theirs);
  await it.says(CUSTOMER, "segredo da aurora");
  await it.worker.drain();

  const own = await it.store.views.sessions({ account: "demo-2", limit: 9 });
  expect(own.items).toEqual([]);
  expect(await it.store.views.session("demo-2", ours)).toBeNull();
  expect(JSON.stringify(await it.store.views.journal("demo-2", theirs, 9))).not.toContain(
    "segredo",
  );
  expect(JSON.stringify(await it.store.views.journal("demo-2", ours, 9))).not.toContain("segredo");
});

test("the same sale in both is two notes, and each counts, lists and settles its own", async () => {
  await both();
  await it.asksIn("demo", CUSTOMER, issue());
  await it.asksIn("demo-2", CUSTOMER, issue());
  await it.worker.drain();

  const listed = async (account: string) =>
    (await it.worker.invoices.list(account, { limit: 9 })).items;
  expect(await it.list("invoices")).toHaveLength(2);
  const [[ours], [theirs]] = [await listed("demo"), await listed("demo-2")];
  for (const account of ["demo", "demo-2"]) expect(await listed(account)).toHaveLength(1);
  expect(await listed("dem")).toEqual([]);
  expect(ours?.id).not.toBe(theirs?.id);
  expect(await it.worker.invoices.get("demo", theirs?.id ?? "")).toBeNull();
  const rev = theirs ? revOf(theirs) : 0;
  const decision = { decision: "abandon", actor: "ana", reason: "x", rev } as const;
  expect(await it.worker.settling.decide("demo", theirs?.id ?? "", decision)).toEqual({
    ...{ ok: false, why: "unknown" },
  });
  const { issued } = await it.worker.reconciliation(it.account);
  expect(issued).toEqual({ count: 1, cents: 15_000 });
});

test("an alarm and a report reach the phones of the business they are about, and no other", async () => {
  await both();
  const effect = { kind: "accepted_then_lost" };
  await it.fault({ route: "invoicing.nfseEnvio", effect, times: 1 });
  await it.asksIn("demo-2", CUSTOMER, issue({ value: 7_700 }));
  await it.worker.drain();
  it.worker.alarms.raise({ code: "send.failed", account: "demo-2", message: "x" });
  it.clock.moveTo(tomorrowNoon(it.clock.now()));
  await it.worker.drain();

  const theirs = (await it.received(THEIRS)).join("\n");
  expect(theirs).toMatch(/não consegui entregar: 1/);
  expect(theirs).toMatch(/sem confirmação: 1/);
  const ours = await it.received(OPERATOR);
  expect(ours).toHaveLength(1);
  expect(ours[0]).toMatch(/Nenhuma nota emitida/);
  expect(ours[0]).not.toMatch(/confirmação/);
  expect((await it.worker.pager.of("demo")).codes).toEqual({});
});
