/** A certificate that was checked: sent once, forgotten, and watched until it ends. */
import { afterEach, expect, test } from "vitest";
import { pfx } from "../../../sandbox/certificates.ts";
import {
  ISSUER,
  OPERATOR,
  rig,
  textOf,
  WAITER,
  type Asked,
  type Rig,
} from "../../../worker/rig.ts";

let it: Rig;
afterEach(() => it.close());

const DAY = 86_400_000;
const PASSWORD = "Canário#2026";

async function checked(until: number): Promise<string> {
  it = await rig({
    kept: true,
    account: { alerts: { phones: false, report: "off", reportAt: "00:00" } },
  });
  return brought(await it.contact(OPERATOR), until);
}

async function brought(contact: string, until = 300 * DAY): Promise<string> {
  const options = { cnpj: "11222333000181", password: PASSWORD, from: it.clock.now() - DAY };
  const file = Buffer.from(pfx({ ...options, until: it.clock.now() + until }), "base64");
  const of = { account: it.account, contact, issuer: ISSUER };
  const given = await it.worker.certificates.check(of, file, PASSWORD);
  if (!given.ok) throw new Error(given.reason);
  return given.ticket;
}

const upload = (ticket: string): Asked => ({
  type: "call",
  class: "replace",
  name: "certificate.upload",
  waiter: WAITER,
  input: { ticket },
});
const calls = async () =>
  (await it.list("requests")).filter(
    (row) => textOf(row["route"] ?? "") === "invoicing.certificadoUpload",
  );
const issuer = async () =>
  (
    (await it.store.documents.get("accounts", "demo"))?.value["issuers"] as {
      certificate_until?: string;
    }[]
  )[0];

test("it is uploaded once, its last day is kept, and neither file nor password stays", async () => {
  const ticket = await checked(300 * DAY);
  await it.asks(OPERATOR, upload(ticket));
  await it.worker.drain();
  expect(await calls()).toHaveLength(1);
  expect((await issuer())?.certificate_until).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect((await it.store.documents.list("certificates")).items).toEqual([]);
  expect(JSON.stringify([await it.journal(OPERATOR), it.events])).not.toContain(PASSWORD);

  // The ticket is used up; another's is nobody's.
  await it.asks(OPERATOR, upload(ticket));
  await it.worker.drain();
  expect(await calls()).toHaveLength(1);
});

test("it is theirs under every name they have and had", async () => {
  const lid = "lid:7700990001";
  // Known by the younger name alone when the page was opened; the phone is older, and wins.
  it = await rig({
    kept: true,
    account: {
      ...{ alerts: { phones: false, report: "off" } },
      operators: [{ name: "Operador", alias: lid, address: OPERATOR }],
    },
  });
  await it.says(OPERATOR, "oi");
  await it.worker.drain();
  const older = await it.contact(OPERATOR);
  const younger = await it.store.contacts.identify("demo", [lid]);
  const ticket = await brought(younger);
  await it.asks(OPERATOR, upload(ticket));
  expect(await it.store.contacts.identify("demo", [lid, `phone:${OPERATOR}`])).toBe(older);
  await it.worker.drain();
  expect(await calls()).toHaveLength(1);
});

test("a refusal drops it, and its words go nowhere", async () => {
  const ticket = await checked(300 * DAY);
  const effect = { kind: "business_error", message: `senha ${PASSWORD} inválida` };
  await it.fault({ route: "invoicing.certificadoUpload", effect, times: 1 });
  await it.asks(OPERATOR, upload(ticket));
  await it.worker.drain();
  expect((await it.store.documents.list("certificates")).items).toEqual([]);
  expect((await issuer())?.certificate_until).toBeUndefined();
  expect(JSON.stringify([await it.journal(OPERATOR), it.events])).not.toContain(PASSWORD);
});

test("its end is told 30, 7 and 1 day before and when it is over, once each", async () => {
  const ticket = await checked(40 * DAY);
  await it.asks(OPERATOR, upload(ticket));
  await it.worker.drain();
  const told = () =>
    it.events.flatMap((event) =>
      event.type === "alarm" && event.code.startsWith("certificate.")
        ? [`${event.code} ${JSON.stringify(event.vars?.["days"])}`]
        : [],
    );
  for (let day = 0; day < 43; day++) {
    it.clock.moveTo(it.clock.now() + DAY);
    await it.worker.drain();
  }
  expect(told()).toEqual([
    ...["certificate.expiring 30", "certificate.expiring 7", "certificate.expiring 1"],
    "certificate.expired -1",
  ]);
});
