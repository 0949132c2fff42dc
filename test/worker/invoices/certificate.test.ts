/** A certificate on its way: nowhere but in its own call, and no longer than that. */
import { afterEach, expect, test } from "vitest";
import { CUSTOMER, ISSUER, rig, textOf, WAITER, type Asked, type Rig } from "../rig.ts";

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
  expect(await it.store.effects({ limit: 10 })).toEqual([]);

  await it.worker.scopes.resume("credits:demo");
  const effect = { kind: "business_error", message: "senha canary-senha inválida" };
  await it.fault({ route, effect, times: 1 });
  await it.asks(CUSTOMER, upload);
  await it.worker.drain();

  expect(await it.store.effects({ limit: 10 })).toEqual([]);
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
  expect(await it.store.effects({ limit: 10 })).toEqual([]);
  expect(await told()).toContain("expired");
});
