import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { revOf } from "../../../../../src/plugins/invoicing/note/invoice.ts";
import {
  ACCOUNT,
  CUSTOMER,
  issue,
  ISSUER,
  OTHER,
  rig,
  textOf,
  type Rig,
} from "../../../../worker/rig.ts";
import { withSteps } from "../../../../../src/store/port/with-steps.ts";

let it: Rig;
afterEach(() => it.close());

/** Results that came back to a contact, in order. */
async function results(phone: string) {
  const lines = await it.journal(phone);
  return lines
    .filter((line) => (line["mail"]?.["kind"] as unknown) === "result")
    .map((line) => line["mail"]?.["result"] as unknown as Result);
}
interface Result {
  readonly outcome: string;
  readonly out: Readonly<Record<string, unknown>>;
}

const sent = async () =>
  (await it.list("requests")).filter((row) => textOf(row["route"]) === "invoicing.nfseEnvio");
const records = async () => (await it.worker.invoices.list("demo", { limit: 50 })).items;

describe("invoice.issue", () => {
  test("issues one note with the right dados and tells its number, key and link", async () => {
    it = await rig();
    await it.asks(CUSTOMER, issue());

    await it.worker.drain();

    const [invoice, ...more] = await it.list("invoices");
    expect(more).toEqual([]);
    expect(invoice).toMatchObject({ status: "autorizada", emitente_id: ISSUER });
    expect(invoice?.["dados"]).toMatchObject({
      tomador: { cpf: "52998224725", razao_social: "Marina Lopes" },
      servico: { valor_servicos: 150, codigo: "060101" },
    });
    const [result] = await results(CUSTOMER);
    expect(result?.outcome).toBe("done");
    expect(result?.out).toMatchObject({ number: invoice?.["numero"], key: invoice?.["chave"] });
    const [record] = await records();
    expect(record).toMatchObject({ state: "autorizada", cents: 15_000, key: invoice?.["chave"] });
    expect(record?.history.map(({ state }) => state)).toEqual([
      "pendente",
      "enviando",
      "autorizada",
    ]);
  });

  test("several services are one note of their sum, known again whatever their order", async () => {
    const { services } = ACCOUNT;
    const beard = { ...services[0], id: "beard", name: "Barba", codigo_interno: "BARBA" };
    it = await rig({ account: { services: [...services, beard] } });
    const items = [
      { service: "haircut", value: 10_000, description: "Corte feminino" },
      { service: "beard", value: 5_000, description: "Barba" },
    ];
    const alone = { service: null, value: null, description: null };
    await it.asks(CUSTOMER, issue({ ...alone, items }));
    await it.worker.drain();
    await it.asks(OTHER, issue({ ...alone, items: items.toReversed() }));
    await it.worker.drain();

    expect(await sent()).toHaveLength(1);
    const [invoice] = await it.list("invoices");
    expect(invoice?.["dados"]).toMatchObject({
      servico: {
        ...{ valor_servicos: 150, discriminacao: "Corte feminino; Barba" },
        itens: [
          { codigo_interno: "CORTE", discriminacao: "Corte feminino", valor_servicos: 100 },
          { codigo_interno: "BARBA", discriminacao: "Barba", valor_servicos: 50 },
        ],
      },
    });
    const [record] = await records();
    expect(record).toMatchObject({
      ...{ state: "autorizada", cents: 15_000, service: "Corte de cabelo, Barba" },
      description: "Corte feminino; Barba",
    });
    expect(await results(OTHER)).toMatchObject([
      { outcome: "rejected", out: { code: "blocked_duplicate" } },
    ]);
  });

  test("the ceiling of a note holds for the sum of its services, and the list is named", async () => {
    it = await rig({ account: { policy: { ceiling: 15_000 } } });
    const one = { service: "haircut", value: 8_000, description: "Corte" };
    const alone = { service: null, value: null, description: null };
    await it.asks(CUSTOMER, issue({ ...alone, items: [one, one] }));
    await it.worker.drain();

    expect(await sent()).toEqual([]);
    expect(await results(CUSTOMER)).toMatchObject([
      { outcome: "rejected", out: { code: "over_ceiling", slots: ["items"] } },
    ]);
  });

  test("is never sent again when its answer is lost, and says so", async () => {
    it = await rig();
    await it.fault({ route: "invoicing.nfseEnvio", effect: { kind: "accepted_then_lost" } });
    const [effect = ""] = await it.asks(CUSTOMER, issue());

    await it.worker.drain();
    it.clock.moveTo(it.clock.now() + 3_600_000);
    await it.worker.drain();

    expect(await sent()).toHaveLength(1);
    expect((await results(CUSTOMER)).map(({ outcome }) => outcome)).toEqual(["held"]);
    expect((await records())[0]?.state).toBe("incerta");
    const [held] = await it.store.views.effects({ state: "held", limit: 10 });
    expect(held?.id).toBe(effect);
    expect(it.events.some((event) => event.type === "alarm")).toBe(true);
  });

  test("that was refused tells which answer to change, and a corrected one is issued", async () => {
    it = await rig();
    await it.asks(CUSTOMER, issue({ document: "11222333000181" }));
    await it.worker.drain();
    const [refused] = await results(CUSTOMER);

    await it.asks(CUSTOMER, issue());
    await it.worker.drain();

    expect(refused).toMatchObject({
      outcome: "rejected",
      out: { fixable: "customer", slots: ["document"] },
    });
    expect(await it.list("invoices")).toHaveLength(1);
  });

  test("refused by the town frees its key, so that the same request may come again", async () => {
    it = await rig();
    await it.fault({
      route: "invoicing.nfseEnvio",
      effect: { kind: "business_error", message: "E0206 - CPF do tomador inválido" },
      times: 1,
    });
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();

    expect((await results(CUSTOMER)).map(({ outcome }) => outcome)).toEqual(["rejected", "done"]);
    expect((await records()).map(({ state }) => state).sort()).toEqual(["autorizada", "rejeitada"]);
  });

  test("asked for by two contacts is issued once; the second learns the number", async () => {
    it = await rig();
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    await it.asks(OTHER, issue());

    await it.worker.drain();

    const invoices = await it.list("invoices");
    expect(invoices).toHaveLength(1);
    expect((await results(OTHER))[0]).toMatchObject({
      outcome: "rejected",
      out: { code: "blocked_duplicate", fixable: "nobody", number: invoices[0]?.["numero"] },
    });
  });

  test("asked for by two contacts at once is issued once", async () => {
    it = await rig();
    await it.asks(CUSTOMER, issue());
    await it.asks(OTHER, issue());

    await it.worker.drain();

    expect(await it.list("invoices")).toHaveLength(1);
    const all = [...(await results(CUSTOMER)), ...(await results(OTHER))];
    expect(all.map(({ outcome }) => outcome).sort()).toEqual(["done", "rejected"]);
  });

  test("is issued again for the same sale only when a person saw the warning", async () => {
    it = await rig();
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    await it.asks(CUSTOMER, issue({ again: true }));

    await it.worker.drain();

    expect(await it.list("invoices")).toHaveLength(2);
  });

  test("with the business's own id of the sale is issued once for good", async () => {
    it = await rig();
    const asked: unknown[] = [];
    const settleKey: typeof it.store.keys.settle = (account, key, owner, ttlMs) => {
      asked.push(ttlMs);
      return it.store.keys.settle(account, key, owner, ttlMs);
    };
    const store = withSteps(it.store, (name) => (name === "keys.settle" ? settleKey : undefined));
    const worker = it.again({ store });
    for (const sale of ["pedido-7", null, "pedido-7"]) {
      await it.asks(CUSTOMER, issue({ sale }));
      await worker.drain();
    }

    expect(asked).toEqual([undefined, 24 * 3_600_000]);
    const outcomes = (await results(CUSTOMER)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["done", "done", "rejected"]);
    expect(await sent()).toHaveLength(2);
  });

  test("refused on a later day's attempt does not stay in the queue", async () => {
    it = await rig({ account: { policy: { dailyCeiling: 15_000 } } });
    const { worker } = it;
    const store = withSteps(it.store, (name) => {
      return name === "effects.confirm" ? async () => false : undefined;
    });
    await it.asks(CUSTOMER, issue());
    // Its key, record and bytes are written; no replica confirms them, so nothing leaves.
    await it.again({ store }).drain();
    expect((await records())[0]?.state).toBe("pendente");
    it.clock.moveTo(it.clock.now() + 24 * 3_600_000);
    await it.asks(OTHER, issue({ value: 10_000 }));
    await it.asks(CUSTOMER, issue({ value: 1 }));
    await worker.drain();

    const states = (await records()).map(({ state }) => state);
    expect(states.filter((state) => state === "pendente")).toEqual([]);
  });

  test("above the account's ceilings is not sent", async () => {
    it = await rig({ account: { policy: { ceiling: 20_000, dailyCeiling: 30_000 } } });
    await it.asks(CUSTOMER, issue({ value: 20_001 }));
    await it.worker.drain();
    await it.asks(CUSTOMER, issue({ value: 19_000 }));
    await it.worker.drain();
    await it.asks(CUSTOMER, issue({ value: 12_000 }));
    await it.worker.drain();

    expect((await results(CUSTOMER)).map(({ out }) => out["code"] ?? "issued")).toEqual([
      "over_ceiling",
      "issued",
      "over_day",
    ]);
    expect(await sent()).toHaveLength(1);
  });
});

describe("a worker that dies", () => {
  test("after the freeze leaves a note that is uncertain, not one that is sent twice", async () => {
    it = await rig({ timeoutMs: 300 });
    const [effect = ""] = await it.asks(CUSTOMER, issue());
    // What a killed process leaves: begun and frozen, the answer never written.
    await it.fault({ route: "invoicing.nfseEnvio", effect: { kind: "timeout" }, times: 1 });
    const [begun] = await it.store.effects.begin({
      ...{ limit: 1, leaseMs: 1, paused: [], offsetMs: 0 },
    });
    const payload = begun?.payload as { work: object };
    const frozen = { route: "invoicing.nfseEnvio", bytes: "{}", at: 1 };
    await it.store.effects.amend({
      ...{ id: effect, account: "demo", contact: begun?.contact ?? "", token: begun?.token ?? "" },
      payload: { ...payload, work: { ...payload.work, frozen } },
    });

    await it.worker.start();
    await waitFor(
      async () => (await it.store.views.effects({ state: "held", limit: 1 })).length === 1,
    );

    expect(await sent()).toHaveLength(0);
  });

  test("while its call is under way keeps the sale for longer than a claim lives", async () => {
    it = await rig({ timeoutMs: 3_000 });
    await it.fault({ route: "invoicing.nfseEnvio", effect: { kind: "timeout" }, times: 1 });
    await it.asks(CUSTOMER, issue());
    const dies = it.again();
    const drained = dies.drain();
    await waitFor(async () => (await sent()).length === 1);
    const [first] = await records();
    if (first?.state !== "enviando") throw new Error("the note is not on its way");
    // Nobody worked for a day: the claim is over, and nobody judged the note yet.
    await it.store.keys.free("demo", first.businessKey, first.effect);
    await it.asks(OTHER, issue());
    await it.worker.drain();
    await drained;
    await dies.stop(0);

    expect((await results(OTHER))[0]?.out["code"]).toBe("blocked_duplicate");
    expect(await sent()).toHaveLength(1);
    expect((await records()).map(({ state }) => state)).toContain("incerta");
  });

  test("before the freeze loses nothing: the note is issued once", async () => {
    it = await rig();
    await it.asks(CUSTOMER, issue());
    await it.store.effects.begin({ limit: 1, leaseMs: 1, paused: [], offsetMs: 0 });

    await it.worker.start();
    await waitFor(async () => (await it.list("invoices")).length === 1);
    await it.worker.drain();

    expect(await sent()).toHaveLength(1);
    expect((await results(CUSTOMER)).map(({ outcome }) => outcome)).toEqual(["done"]);
  });
});

describe("an open note", () => {
  const lost = async () => {
    it = await rig();
    const effect = { kind: "accepted_then_lost" };
    await it.fault({ route: "invoicing.nfseEnvio", effect, times: 1 });
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    const [invoice] = await it.list("invoices");
    return { key: textOf(invoice?.["chave"]), number: textOf(invoice?.["numero"]) };
  };
  const decide = async (decision: object) => {
    const [record] = await records();
    const rev = record ? revOf(record) : 0;
    const of = { actor: "ana", reason: "conferido no portal", rev, ...decision };
    return it.worker.settling.decide("demo", record?.id ?? "", of as never);
  };

  test("is settled by the issuer's notice after one lookup", async () => {
    const { key, number } = await lost();
    const [record] = await records();

    const settled = await it.worker.settling.fromWebhook("demo", {
      ...{ evento: "nfse.autorizada", status: "autorizada", emitente_id: ISSUER },
      ...{ chave: key, numero: number, valor_servicos: 150 },
      data_emissao: new Date(record?.sentAt ?? 0).toISOString(),
    });
    await it.worker.drain();

    expect(settled).toBe("settled");
    expect((await results(CUSTOMER)).map(({ outcome }) => outcome)).toEqual(["held", "done"]);
    expect((await records())[0]).toMatchObject({ state: "autorizada", number });
    expect(await it.store.views.effects({ limit: 10 })).toEqual([]);
  });

  test("is not settled by a notice with a key that cannot be ours", async () => {
    await lost();
    const [record] = await records();

    const settled = await it.worker.settling.fromWebhook("demo", {
      ...{ status: "autorizada", emitente_id: ISSUER, valor_servicos: 150 },
      chave: "21113002200574753000100000000000146726037032711025",
      data_emissao: new Date(record?.sentAt ?? 0).toISOString(),
    });

    expect(settled).toBe("unproven");
    expect((await records())[0]?.state).toBe("incerta");
  });

  test("is settled by a person who has the key, and not by a wrong one", async () => {
    const { key } = await lost();

    expect(await decide({ decision: "issued", key: `${key.slice(0, -1)}x` })).toMatchObject({
      ok: false,
      why: "key-mismatch",
    });
    expect(await decide({ decision: "issued", key })).toMatchObject({ ok: true });
    await it.worker.drain();

    expect((await results(CUSTOMER)).map(({ outcome }) => outcome)).toEqual(["held", "done"]);
    expect((await records())[0]?.history.at(-1)).toMatchObject({ by: "ana" });
  });

  test("that a person says was not issued is sent again with the same bytes", async () => {
    await lost();
    const before = await sent();
    expect(await decide({ decision: "not_issued" })).toMatchObject({ ok: true });
    await it.worker.drain();

    const after = await sent();
    expect(after).toHaveLength(before.length + 1);
    expect(after[1]?.["body"]).toEqual(after[0]?.["body"]);
    expect((await results(CUSTOMER)).map(({ outcome }) => outcome)).toEqual(["held", "done"]);
  });

  test("that the gateway turned away unread waits, and a person lets it go once", async () => {
    it = await rig();
    const effect = { kind: "status", status: 429 };
    await it.fault({ route: "invoicing.nfseEnvio", effect, times: 1 });
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    await it.worker.scopes.resume("credits:demo");

    expect(await decide({ decision: "issued", key: "1" })).toMatchObject({ ok: false });
    expect(await decide({ decision: "not_issued" })).toMatchObject({ ok: true });
    await it.worker.drain();

    expect((await records())[0]?.state).toBe("autorizada");
    expect(await it.list("invoices")).toHaveLength(1);
  });

  test("is not sent again when the sale was issued meanwhile, and leaves the queue", async () => {
    await lost();
    const [first] = await records();
    if (!first) throw new Error("there is no record");
    // A day later the claim is over.
    await it.store.keys.free("demo", first.businessKey, first.effect);
    expect(await it.store.keys.claim("demo", first.businessKey, "another")).toEqual({ ok: true });
    expect(await decide({ decision: "not_issued" })).toMatchObject({ ok: true });
    await it.worker.drain();

    expect(await sent()).toHaveLength(1);
    const told = await results(CUSTOMER);
    expect(told.map(({ outcome }) => outcome)).toEqual(["held", "rejected"]);
    expect(told[1]?.out["code"]).toBe("blocked_duplicate");
    expect((await records())[0]).toMatchObject({ state: "rejeitada" });
  });

  test("keeps its sale for longer than a claim lives, until somebody says that there is none", async () => {
    await lost();
    const [first] = await records();
    if (!first) throw new Error("there is no record");
    await it.store.keys.free("demo", first.businessKey, first.effect);
    await it.asks(OTHER, issue());
    await it.worker.drain();

    expect(await sent()).toHaveLength(1);
    expect((await results(OTHER))[0]?.out["code"]).toBe("blocked_duplicate");
    // Given up it may exist still; only a person who looked it up says that there is none.
    expect(await decide({ decision: "abandon" })).toMatchObject({ ok: true });
    await it.asks(OTHER, issue());
    await it.worker.drain();
    expect((await results(OTHER))[1]?.out["code"]).toBe("blocked_duplicate");
    expect(await sent()).toHaveLength(1);
    expect(await decide({ decision: "not_issued" })).toMatchObject({ ok: true });
    await it.asks(OTHER, issue());
    await it.worker.drain();
    expect((await results(OTHER))[2]?.outcome).toBe("done");
  });

  test("of somebody who was erased is not promised to be sent again, and may be given up", async () => {
    await lost();
    await it.store.contacts.erase("demo", await it.contact(CUSTOMER));

    expect(await decide({ decision: "not_issued" })).toEqual({ ok: false, why: "gone" });
    expect((await records())[0]?.state).toBe("incerta");
    expect(await decide({ decision: "abandon" })).toMatchObject({ ok: true });
    await it.worker.drain();
    expect(await sent()).toHaveLength(1);
    // Looked up and not found, its sale is issued anew for somebody else.
    expect(await decide({ decision: "not_issued" })).toMatchObject({ ok: true });
    await it.asks(OTHER, issue());
    await it.worker.drain();
    expect((await results(OTHER))[0]?.outcome).toBe("done");
  });

  test("that a person gives up ends as failed and is never sent", async () => {
    await lost();
    await decide({ decision: "abandon" });
    await it.worker.drain();

    const told = await results(CUSTOMER);
    expect(told.map(({ outcome }) => outcome)).toEqual(["held", "failed"]);
    expect(told[1]?.out["text"]).toContain("Ela pode ter sido emitida");
    expect(await sent()).toHaveLength(1);
    expect(await decide({ decision: "abandon" })).toEqual({ ok: false, why: "not-open" });
    // It may exist: the sale is not free.
    await it.asks(OTHER, issue());
    await it.worker.drain();
    expect((await results(OTHER))[0]?.out["code"]).toBe("blocked_duplicate");
  });

  test("that a person has sent again and that nobody pays for then goes with the same bytes, still", async () => {
    await lost();
    const effect = { kind: "no_balance" };
    await it.fault({ route: "invoicing.nfseEnvio", effect, times: 1 });
    expect(await decide({ decision: "not_issued" })).toMatchObject({ ok: true });
    await it.worker.drain();
    await it.worker.scopes.resume("credits:demo");
    await it.worker.drain();

    const [first, ...again] = (await sent()).map(({ body }) => body);
    expect(again).toEqual([first, first]);
  });

  test("that a person has sent again and that was turned away unread then may have been issued, still", async () => {
    await lost();
    const effect = { kind: "status", status: 429 };
    await it.fault({ route: "invoicing.nfseEnvio", effect, times: 1 });
    expect(await decide({ decision: "not_issued" })).toMatchObject({ ok: true });
    await it.worker.drain();
    await it.worker.scopes.resume("credits:demo");

    expect(await decide({ decision: "abandon" })).toMatchObject({ ok: true });
    await it.worker.drain();
    expect((await results(CUSTOMER)).at(-1)?.out["text"]).toContain("Ela pode ter sido emitida");
    await it.asks(OTHER, issue());
    await it.worker.drain();
    expect((await results(OTHER))[0]?.out["code"]).toBe("blocked_duplicate");
  });

  test("that never left and is given up was not issued, and its sale is free", async () => {
    it = await rig();
    const effect = { kind: "status", status: 429 };
    await it.fault({ route: "invoicing.nfseEnvio", effect, times: 1 });
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    await it.worker.scopes.resume("credits:demo");
    expect(await decide({ decision: "abandon" })).toMatchObject({ ok: true });
    await it.worker.drain();
    await it.asks(OTHER, issue());
    await it.worker.drain();

    expect((await results(CUSTOMER)).at(-1)?.out["text"]).toContain("não foi emitida");
    expect((await results(OTHER))[0]?.outcome).toBe("done");
    expect(await it.list("invoices")).toHaveLength(1);
  });

  test("that was given up while it waited for balance leaves its sale free, also a named one", async () => {
    it = await rig();
    const route = "invoicing.nfseEnvio";
    await it.fault({ route, effect: { kind: "no_balance" }, times: 1 });
    await it.asks(CUSTOMER, issue({ sale: "order 7" }));
    await it.worker.drain();
    expect((await records())[0]?.state).toBe("pendente");
    expect(await decide({ decision: "abandon" })).toMatchObject({ ok: true });
    await it.worker.scopes.resume("credits:demo");
    await it.worker.drain();
    expect(await it.store.views.effects({ limit: 5 })).toEqual([]);

    await it.asks(OTHER, issue({ sale: "order 7" }));
    await it.worker.drain();
    expect((await results(OTHER))[0]?.outcome).toBe("done");
    expect(await it.list("invoices")).toHaveLength(1);
  });

  test("being processed keeps its sale for longer than a claim lives", async () => {
    it = await rig();
    await it.stage.http("PUT", "/sandbox/invoicing", { mode: "async", delay_ms: 600_000 });
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    const [first] = await records();
    if (first?.state !== "processando") throw new Error("the note is not being processed");
    await it.store.keys.free("demo", first.businessKey, first.effect);
    await it.asks(OTHER, issue());
    await it.worker.drain();

    expect(await sent()).toHaveLength(1);
    expect((await results(OTHER))[0]?.out["code"]).toBe("blocked_duplicate");
  });

  test("being processed is settled by the notice that names it", async () => {
    it = await rig();
    await it.stage.http("PUT", "/sandbox/invoicing", { mode: "async", delay_ms: 100 });
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    expect((await records())[0]?.state).toBe("processando");
    await waitFor(async () => textOf((await it.list("invoices"))[0]?.["status"]) === "autorizada");
    const [invoice] = await it.list("invoices");

    const settled = await it.worker.settling.fromWebhook("demo", {
      ...{ evento: "nfse.autorizada", status: "autorizada", emitente_id: ISSUER },
      ...{ id: textOf(invoice?.["id"]), chave: textOf(invoice?.["chave"]) },
    });
    await it.worker.drain();

    expect(settled).toBe("settled");
    expect((await results(CUSTOMER)).map(({ outcome }) => outcome)).toEqual(["held", "done"]);
  });
});

/** Waits at most 15 s. */
async function waitFor(look: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 15_000;
  while (!(await look())) {
    if (Date.now() > end) throw new Error("what was waited for did not happen in 15 s");
    await new Promise((wake) => setTimeout(wake, 50));
  }
}

test("a process that slept on the way to the request asks anew whether the note is still its own", async () => {
  it = await rig();
  const fiscalMs = 1_000;
  let slept = 0;
  let begun = 0;
  const store = withSteps(it.store, (method) => {
    if (method === "effects.amend")
      return async (input: Parameters<typeof it.store.effects.amend>[0]) => {
        const done = await it.store.effects.amend(input);
        if ((slept += 1) === 1) await pause(fiscalMs / 2 + 50);
        return done;
      };
    if (method !== "effects.begin") return undefined;
    return async (options: Parameters<typeof it.store.effects.begin>[0]) => {
      const taken = await it.store.effects.begin(options);
      begun += taken.filter((one) => one.class === "fiscal").length;
      return taken;
    };
  });
  const worker = it.again({ store, timeouts: { callMs: 2_000, fiscalMs } });
  await it.asks(CUSTOMER, issue());
  await worker.drain();
  expect(begun).toBe(2);
  expect(await it.list("invoices")).toHaveLength(1);
});
