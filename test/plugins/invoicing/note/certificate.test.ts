/** A certificate on its way: nowhere but in its own call, and no longer than that. */
import { afterEach, expect, test } from "vitest";
import { until } from "../../../support/prosa.ts";
import { FaultProxy } from "../../../support/proxy.ts";
import {
  CUSTOMER,
  ISSUER,
  rig,
  textOf,
  WAITER,
  type Asked,
  type Rig,
} from "../../../worker/rig.ts";

let it: Rig;
afterEach(() => it.close());

const upload: Asked = {
  ...{ type: "call", class: "replace", name: "invoicing.certificadoUpload", waiter: WAITER },
  input: { dados: { emitente_id: ISSUER, senha: "canary-senha", certificado: "MIIKFAIBAzCC" } },
};
const calls = async () =>
  (await it.list("requests")).filter(
    (row) => textOf(row["route"] ?? "") === "invoicing.certificadoUpload",
  );
const told = async () => JSON.stringify([await it.journal(CUSTOMER), it.events]);

test("one that the gateway turned away is not kept for a person, whatever the answer", async () => {
  it = await rig();
  const route = "invoicing.certificadoUpload";
  await it.fault({ route, effect: { kind: "status", status: 429 }, times: 1 });
  await it.asks(CUSTOMER, upload);
  await it.worker.drain();
  expect(await it.store.views.effects({ limit: 10 })).toEqual([]);

  await it.worker.scopes.resume("credits:demo");
  const effect = { kind: "business_error", message: "senha canary-senha inválida" };
  await it.fault({ route, effect, times: 1 });
  await it.asks(CUSTOMER, upload);
  await it.worker.drain();

  expect(await it.store.views.effects({ limit: 10 })).toEqual([]);
  expect(await calls()).toHaveLength(2);
  expect(await told()).not.toContain("canary-senha");
});

test("one that waited for a day is asked for again instead of being sent", async () => {
  it = await rig();
  await it.worker.scopes.pause("credits:demo", "unreachable");
  await it.asks(CUSTOMER, upload);
  it.clock.moveTo(it.clock.now() + 25 * 3_600_000);
  await it.worker.drain();
  await it.worker.scopes.resume("credits:demo");
  await it.worker.drain();

  expect(await calls()).toEqual([]);
  expect(await it.store.views.effects({ limit: 10 })).toEqual([]);
  expect(await told()).toContain("expired");
});

test("an upload that breaks off in the middle is repeated whole, and leaves nothing behind", async () => {
  const line = await FaultProxy.open(1);
  try {
    it = await rig({ gatewayUrl: `http://127.0.0.1:${line.port}/api/v2` });
    line.aim(Number(new URL(it.stage.sandbox.gatewayUrl()).port));
    await line.set({ kind: "tear", bytes: 16_384 });
    const certificado = "MIIKFAIBAzCC".repeat(8_000);
    await it.asks(CUSTOMER, {
      ...upload,
      input: { dados: { emitente_id: ISSUER, senha: "canary-senha", certificado } },
    });
    await it.worker.start();
    await until("the first break", () => line.torn > 0);
    await line.set({ kind: "none" });
    await until("the end", async () => (await it.store.views.effects({ limit: 10 })).length === 0);

    // What broke off is not in the gateway's book, and a body with its end missing is no 200.
    const [whole, ...more] = await calls();
    expect(more).toEqual([]);
    expect(whole).toMatchObject({ status: 200 });
    expect(await told()).not.toMatch(/canary-senha|MIIKFAIBAzCC/);
  } finally {
    await line.close();
  }
});
