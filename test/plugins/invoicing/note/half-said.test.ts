/** An answer or a notice that says both that something failed and which key the note has. */
import { afterEach, describe, expect, test } from "vitest";
import type { Gateway, RouteId } from "../../../../src/gateway/index.ts";
import { revOf } from "../../../../src/plugins/invoicing/note/invoice.ts";
import { CUSTOMER, issue, ISSUER, OTHER, rig, textOf, type Rig } from "../../../worker/rig.ts";

let it: Rig;
afterEach(() => it.close());

const ENVIO = "invoicing.nfseEnvio";
const record = async () => {
  const [one] = (await it.worker.invoices.list("demo", { limit: 1 })).items;
  if (!one) throw new Error("there is no record");
  return one;
};
const outcomes = async (phone: string) =>
  (await it.journal(phone))
    .filter((line) => (line["mail"]?.["kind"] as unknown) === "result")
    .map((line) => (line["mail"]?.["result"] as unknown as { outcome: string }).outcome);
const sent = async () =>
  (await it.list("requests")).filter((row) => textOf(row["route"]) === ENVIO).length;

/** A worker whose gateway calls issued notes this instead. */
function hearing(status: string) {
  const real = it.gateway.call as (...args: unknown[]) => Promise<{ kind: string; data?: object }>;
  const call = async (route: RouteId, ...rest: unknown[]) => {
    const outcome = await real(route, ...rest);
    if (route !== ENVIO || outcome.kind !== "ok") return outcome;
    return { ...outcome, data: { ...outcome.data, status } };
  };
  const gateway = { ...it.gateway, call: call as unknown as Gateway["call"] };
  return it.again({ gatewayFor: () => gateway });
}

describe("a note whose key comes with word of a failure", () => {
  test("is uncertain with that key, its sale stays, and a person proves it", async () => {
    it = await rig();
    const worker = hearing("erro_envio_email");
    await it.asks(CUSTOMER, issue());
    await worker.drain();
    const note = await record();
    const key = textOf((await it.list("invoices"))[0]?.["chave"]);
    expect(note).toMatchObject({ state: "incerta", key });
    expect(await outcomes(CUSTOMER)).toEqual(["held"]);

    await it.asks(OTHER, issue());
    await worker.drain();
    expect(await outcomes(OTHER)).toEqual(["rejected"]);
    expect(await sent()).toBe(1);

    const word = { actor: "ana", reason: "está no portal", rev: revOf(note) };
    const said = { ...word, decision: "issued", key } as const;
    expect(await worker.settling.decide("demo", note.id, said)).toMatchObject({ ok: true });
    expect(await record()).toMatchObject({ state: "autorizada", key });
  });

  test("is looked up when a notice says so, and is what the authority says", async () => {
    it = await rig();
    await it.fault({ route: ENVIO, effect: { kind: "accepted_then_lost" }, times: 1 });
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    const { token } = await record();
    const chave = textOf((await it.list("invoices"))[0]?.["chave"]);
    const erros = [{ codigo: "E0202", mensagem: "Tomador é o prestador" }];

    const notice = { status: "erro_pdf", emitente_id: ISSUER, cIntContrib: token, chave, erros };
    expect(await it.worker.settling.fromWebhook("demo", notice)).toBe("settled");

    expect(await record()).toMatchObject({ state: "autorizada", key: chave });
    // Told once more of a note that stands, it takes nothing back.
    expect(await it.worker.settling.fromWebhook("demo", notice)).toBe("known");
  });
});
