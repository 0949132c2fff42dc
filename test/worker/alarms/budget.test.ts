/** What calls use and cost, counted by the worker against the sandbox's own books. */
import { afterEach, expect, test } from "vitest";
import { bubble, CUSTOMER, issue, rig, textOf, type Asked, type Rig } from "../rig.ts";

let it: Rig;
afterEach(() => it.close());

const billing = (change: object) => it.stage.http("PUT", "/sandbox/billing", change);
const alarms = () =>
  it.events.flatMap((event) =>
    event.type === "alarm" ? [`${event.code} ${event.subject ?? ""}`.trim()] : [],
  );
const month = () => new Date(it.clock.now()).toISOString().slice(0, 7);
const sms: Asked = {
  ...{ type: "call", class: "message", name: "sms.send" },
  input: { number: CUSTOMER, message: "oi" },
};

test("plan and credits are told as the gateway counts them, every engine and SMS in the plan", async () => {
  it = await rig();
  await it.asks(CUSTOMER, bubble(CUSTOMER, "um"), sms, issue());
  await it.worker.drain();
  const ledger = await it.list("ledger");

  const usage = await it.worker.usage("demo");

  const plan = ledger.filter((row) => textOf(row["scope"]).startsWith("plan:"));
  const credits = ledger.filter((row) => textOf(row["scope"]).startsWith("credits:"));
  expect(usage).toMatchObject({ month: month(), plan: { used: plan.length, told: true } });
  expect(usage.credits.used).toBe(credits.length);
  expect(usage.balance).toBe(credits.at(-1)?.["balance"]);
});

test("extra charges are counted apart, and all of it outlives the process", async () => {
  it = await rig();
  await billing({ extra: [{ name: "Validação", price: 0.25 }] });
  const list: Asked = {
    ...{ type: "call", class: "read", name: "invoicing.nfseConsulta" },
    input: { emitente_id: "6f1f7d3e-0000-4000-8000-000000000001", chave: "1".repeat(44) },
  };
  await it.asks(CUSTOMER, list, list);
  await it.worker.drain();
  const usage = await it.worker.usage("demo");
  expect(usage.extra).toBe(0.5);
  expect(usage.charged).toBe(1);

  const next = await it.again().usage("demo");

  expect(next).toMatchObject({ extra: 0.5, charged: 1, credits: { used: 2 } });
});

test("alarms come at 80 and 95 per cent and for a low balance, each once", async () => {
  it = await rig();
  await billing({ quota: 20, balance: 19.99 });
  await it.asks(CUSTOMER, issue());
  const texts = Array.from({ length: 19 }, (_, index) =>
    bubble(CUSTOMER, `n${index}`, `t${index}`),
  );
  await it.asks(CUSTOMER, ...texts);
  await it.worker.drain();

  expect(
    alarms()
      .filter((one) => one !== "plan.reserve")
      .sort(),
  ).toEqual([`credits.low ${month()}`, `plan.usage ${month()} 0.8`, `plan.usage ${month()} 0.95`]);
});

test("an empty balance stops invoicing alone: nothing probes, and messages go on", async () => {
  it = await rig();
  await billing({ enforce: true, balance: 0 });
  const register: Asked = {
    ...{ type: "call", class: "read", name: "invoicing.nfseConsulta" },
    input: { emitente_id: "6f1f7d3e-0000-4000-8000-000000000001", chave: "1".repeat(44) },
  };
  await it.asks(CUSTOMER, register, bubble(CUSTOMER, "ainda falo"));
  await it.worker.drain();
  it.clock.moveTo(it.clock.now() + 3_600_000);
  await it.worker.drain();

  const pauses = [...(await it.store.scopes.pauses())].map(([scope, { reason }]) => [
    scope,
    reason,
  ]);
  expect(pauses).toEqual([["credits:demo", "no_balance"]]);
  expect(await it.received(CUSTOMER)).toEqual(["ainda falo"]);
  const calls = (await it.list("requests")).map((row) => row["route"] as unknown);
  expect(calls.sort()).toEqual(["invoicing.nfseConsulta", "message.sendText"]);
});
