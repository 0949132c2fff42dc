/** Which note a notice is about when it names several: by chance, or because somebody wants it so. */
import { afterEach, describe, expect, test } from "vitest";
import { nfeKey } from "../../../../../src/gateway/index.ts";
import type { Invoice } from "../../../../../src/plugins/invoicing/note/invoice.ts";
import { CUSTOMER, issue, ISSUER, OTHER, rig, type Rig } from "../../../../worker/rig.ts";

let it: Rig;
afterEach(() => it.close());

/** The gateway's own id of the first note. */
const NAME = "1234";
const NO = [{ codigo: "E0202", mensagem: "Tomador é o prestador" }];
const refusal = { evento: "nfse.rejeitada", status: "rejeitada", emitente_id: ISSUER, erros: NO };
const tell = (more: object) => it.worker.settling.fromWebhook("demo", { ...refusal, ...more });
const alarms = () =>
  it.events.filter((event) => event.type === "alarm" && event.code === "invoice.unproven");

/** Two notes whose answers were lost; `one` has a name at the gateway. */
async function two() {
  it = await rig();
  const asked = [
    [CUSTOMER, issue()],
    [OTHER, issue({ value: 9_900, document: "11144477735" })],
  ] as const;
  for (const [phone, note] of asked) {
    const effect = { kind: "accepted_then_lost" };
    await it.fault({ route: "invoicing.nfseEnvio", effect, times: 1 });
    await it.asks(phone, note);
    await it.worker.drain();
  }
  await change(15_000, { names: [NAME] });
  return { one: await noteOf(15_000), other: await noteOf(9_900) };
}
async function noteOf(cents: number): Promise<Invoice> {
  const { items } = await it.worker.invoices.list("demo", { limit: 5 });
  const found = items.find((note) => note.cents === cents);
  if (!found) throw new Error("there is no such record");
  return found;
}
async function change(cents: number, facts: Partial<Invoice>): Promise<void> {
  const { id } = await noteOf(cents);
  await it.worker.invoices.change("demo", id, (now) => ({ ...now, ...facts }));
}
const states = async () => [(await noteOf(15_000)).state, (await noteOf(9_900)).state];

describe("a notice", () => {
  test("with one note's token and another's name settles neither: a person looks", async () => {
    const { other } = await two();

    expect(await tell({ id: NAME, cIntContrib: other.token })).toBe("unproven");

    expect(await states()).toEqual(["incerta", "incerta"]);
    expect(alarms()).toMatchObject([{ subject: other.id }]);
  });

  test("with one note's key and another's name settles neither", async () => {
    await two();
    const key = nfeKey({
      ...{ place: "35", emitted: "2026-11", issuer: "11222333000181", model: "55", series: 1 },
      ...{ number: 5, emission: 1, code: "12345678" },
    });
    await change(9_900, { key });

    expect(await tell({ id: NAME, chave: key })).toBe("unproven");

    expect(await states()).toEqual(["incerta", "incerta"]);
    expect(alarms()).toMatchObject([{ subject: (await noteOf(9_900)).id }]);
  });

  test("with a name that two notes have settles neither", async () => {
    await two();
    await change(9_900, { names: [NAME] });

    expect(await tell({ id: NAME })).toBe("unproven");

    expect(await states()).toEqual(["incerta", "incerta"]);
  });

  test("with a name that two notes have is about the one whose token it has, too", async () => {
    const { other } = await two();
    await change(9_900, { names: [NAME] });

    expect(await tell({ id: NAME, cIntContrib: other.token })).toBe("settled");

    expect(await states()).toEqual(["incerta", "rejeitada"]);
  });

  test("with the token, the name and the code of one note is about that one", async () => {
    const { one } = await two();
    const names = { id: NAME, cIntContrib: one.token, codigo_aleatorio: one.code };

    expect(await tell(names)).toBe("settled");

    expect(await states()).toEqual(["rejeitada", "incerta"]);
    expect(alarms()).toEqual([]);
  });
});
