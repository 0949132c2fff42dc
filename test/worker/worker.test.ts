import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { Alarms } from "../../src/worker/alarms/alarms.ts";
import { Budget } from "../../src/worker/alarms/budget.ts";
import { bubble, CUSTOMER, issue, rig, type Rig } from "./rig.ts";

let it: Rig;
afterEach(() => it.close());

const quiet = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

describe("stopping", () => {
  test("waits for a note on its way and writes its end", async () => {
    it = await rig({ timeoutMs: 5_000 });
    await it.fault({ route: "invoicing.nfseEnvio", effect: { kind: "slow", ms: 600 }, times: 1 });
    await it.asks(CUSTOMER, issue());
    await it.worker.start();
    while ((await it.store.views.effects({ state: "inflight", limit: 1 })).length === 0)
      await pause(5);

    await it.worker.stop(5_000);

    expect(await it.store.views.effects({ limit: 5 })).toEqual([]);
    expect((await it.worker.invoices.list("demo", { limit: 1 })).items[0]?.state).toBe(
      "autorizada",
    );
  });

  test("takes nothing new", async () => {
    it = await rig();
    await it.worker.start();
    await it.worker.stop();
    await it.asks(CUSTOMER, bubble(CUSTOMER, "um"));
    await pause(100);

    expect(await it.received(CUSTOMER)).toEqual([]);
  });
});

test("two workers on one store answer each message once", async () => {
  it = await rig();
  const second = it.again();
  await Promise.all([it.worker.start(), second.start()]);
  const phones = Array.from({ length: 10 }, (_, index) => `551198765200${index}`);
  for (const phone of phones) await it.says(phone, "oi");

  await Promise.all([it.worker.drain(), second.drain()]);
  await second.stop();

  for (const phone of phones) expect(await it.received(phone), phone).toHaveLength(1);
});

describe("alarms", () => {
  test("go to the receiver once for the same subject", async () => {
    it = await rig();
    const bodies: unknown[] = [];
    const server = createServer((request, response) => {
      let text = "";
      request.on("data", (part) => (text += part));
      request.on("end", () => {
        bodies.push(JSON.parse(text));
        response.end();
      });
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const { port } = server.address() as AddressInfo;
    const alarms = new Alarms({
      ...{ log: quiet, emit: () => undefined, now: () => 1_000 },
      url: `http://127.0.0.1:${port}/`,
    });
    const alarm = { code: "scope.paused", message: "Paused.", account: "demo" };

    alarms.raise({ ...alarm, subject: "a" });
    alarms.raise({ ...alarm, subject: "a" });
    alarms.raise({ ...alarm, subject: "b" });
    await alarms.settle();
    await new Promise((closed) => server.close(closed));

    expect(bodies).toEqual([
      { at: 1_000, ...alarm, subject: "a" },
      { at: 1_000, ...alarm, subject: "b" },
    ]);
  });
});

test("the plan's usage is counted over restarts and told at 80 and 95 percent", async () => {
  it = await rig();
  const told: string[] = [];
  const alarms = new Alarms({
    ...{ log: quiet, now: () => 1, counted: () => undefined },
    emit: (event) => void (event.type === "alarm" && told.push(event.subject ?? "")),
  });
  const now = () => Date.parse("2026-11-21T12:00:00Z");
  // An answer that does not tell the gateway's own counter.
  const lost = { kind: "unknown", reason: "timeout", ms: 1 } as const;
  const first = new Budget(it.store, alarms, now);
  for (let calls = 0; calls < 790; calls++) first.count("demo", "message.sendText", lost);
  await first.flush();

  const second = new Budget(it.store, alarms, now);
  second.count("demo", "message.sendText", lost);
  await second.flush();
  for (let calls = 0; calls < 160; calls++) second.count("demo", "message.sendText", lost);

  expect(told).toEqual(["2026-11 0.8", "2026-11 0.95"]);
});

test("calls are counted once, however many write the sums down at the same time", async () => {
  it = await rig();
  const alarms = new Alarms({ log: quiet, now: () => 1, counted: () => undefined, emit: () => {} });
  const budget = new Budget(it.store, alarms, () => Date.parse("2026-11-21T12:00:00Z"));
  const lost = { kind: "unknown", reason: "timeout", ms: 1 } as const;
  for (let calls = 0; calls < 10; calls++) budget.count("demo", "message.sendText", lost);

  await Promise.all([budget.flush(), budget.usage("demo"), budget.flush()]);

  const { plan } = await budget.usage("demo");
  expect(plan.used).toBe(10);
});
