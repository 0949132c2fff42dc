/** A note that somebody says was cancelled in the town's own system: proved by a lookup, or handed to people. */
import { afterEach, describe, expect, test } from "vitest";
import { statusOf } from "../../../../src/plugins/invoicing/book/note-view.ts";
import {
  type Asked,
  CUSTOMER,
  issue,
  OPERATOR,
  type Rig,
  rig,
  textOf,
  WAITER,
} from "../../../worker/rig.ts";

let it: Rig;
afterEach(() => it.close());

const lookups = async () =>
  (await it.list("requests")).filter((row) => textOf(row["route"]) === "invoicing.nfseConsulta")
    .length;

async function issued() {
  it = await rig();
  await it.says(OPERATOR, "oi");
  await it.asks(CUSTOMER, issue());
  await it.worker.drain();
  const [note] = (await it.worker.invoices.list("demo", { limit: 1 })).items;
  if (!note) throw new Error("no note was issued");
  return note;
}

const says = (name: string, input: object): Asked =>
  ({ ...{ type: "call", name, class: "replace" }, ...{ waiter: WAITER, input } }) as Asked;

async function told(phone: string, note: string) {
  await it.asks(phone, says("notes.cancelled", { note }));
  await it.worker.drain();
  const lines = await it.journal(phone);
  const last = lines.findLast((line) => (line["mail"]?.["kind"] as unknown) === "result");
  return last?.["mail"]?.["result"] as unknown as { out: Record<string, unknown> };
}

const standing = async (id: string) => {
  const note = await it.worker.invoices.get("demo", id);
  if (!note) throw new Error("the note is gone");
  return statusOf(note);
};

/** As a person does in the town's own system. */
async function cancelledThere(chave: string, emitente_id: unknown) {
  const body = { emitente_id, chave, codigo_motivo: "1", motivo: "O valor saiu errado na nota" };
  await it.gateway.call("invoicing.cancelamento", body, {});
}

describe("notes.cancelled", () => {
  test("is believed when the authority says so, once looked up", async () => {
    const { id, key = "", issuer } = await issued();
    await cancelledThere(key, issuer.emitente_id);

    expect((await told(OPERATOR, id)).out["how"]).toBe("cancelled");
    expect(await standing(id)).toBe("cancelada");
    expect((await told(OPERATOR, id)).out["how"]).toBe("cancelled");
    expect(await lookups()).toBe(1);
  });

  test("changes nothing while the authority calls the note issued", async () => {
    const { id } = await issued();
    expect((await told(OPERATOR, id)).out["how"]).toBe("stands");
    expect(await standing(id)).toBe("autorizada");
  });

  test("is a wish for people when nobody can be asked", async () => {
    const { id } = await issued();
    await it.fault({ route: "invoicing.nfseConsulta", effect: { kind: "reset" }, times: 5 });
    expect((await told(OPERATOR, id)).out["how"]).toBe("told");
    expect(await standing(id)).toBe("cancelando");
  });

  test("of a customer is looked up by nobody but the business", async () => {
    const { id } = await issued();
    expect((await told(CUSTOMER, id)).out["how"]).toBe("told");
    expect(await lookups()).toBe(0);
    expect(await standing(id)).toBe("cancelando");
    expect(JSON.stringify(await it.journal(OPERATOR))).toContain("cancel-told");
  });
});
