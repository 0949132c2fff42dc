/** What strangers and senders that repeat themselves can do to a note by the issuer's webhook: nothing, and cheaply. */
import { afterEach, describe, expect, test } from "vitest";
import { nfeKey } from "../../../../../src/gateway/index.ts";
import { revOf } from "../../../../../src/plugins/invoicing/note/invoice.ts";
import { withSteps } from "../../../../../src/store/port/with-steps.ts";
import { until } from "../../../../sandbox/stage.ts";
import { CUSTOMER, issue, ISSUER, OTHER, rig, textOf, type Rig } from "../../../../worker/rig.ts";

let it: Rig;
afterEach(() => it.close());

const records = async () => (await it.worker.invoices.list("demo", { limit: 50 })).items;
const record = async (cents: number) => (await records()).find((one) => one.cents === cents);
const requests = async (route: string) =>
  (await it.list("requests")).filter((row) => textOf(row["route"]) === route);
const lookups = () => requests("invoicing.nfseConsulta");
const alarms = (code: string) =>
  it.events.filter((event) => event.type === "alarm" && event.code === code);
const outcomes = async (phone: string) =>
  (await it.journal(phone))
    .filter((line) => (line["mail"]?.["kind"] as unknown) === "result")
    .map((line) => (line["mail"]?.["result"] as unknown as { outcome: string }).outcome);
const noticed = async (phone: string) =>
  (await it.journal(phone)).flatMap(({ mail }) =>
    (mail?.["kind"] as unknown) === "notice" ? [mail?.["key"] as unknown] : [],
  );
const tell = (body: object) => it.worker.settling.fromWebhook("demo", body as never);

/** A note whose answer was lost; what the authority has of it. */
async function lost(value = 15_000) {
  it ??= await rig();
  await it.fault({
    route: "invoicing.nfseEnvio",
    effect: { kind: "accepted_then_lost" },
    times: 1,
  });
  await it.asks(CUSTOMER, issue({ value }));
  await it.worker.drain();
  const mine = await record(value);
  const note = (await it.list("invoices")).at(-1);
  return {
    key: textOf(note?.["chave"]),
    id: mine?.id ?? "",
    token: mine?.token ?? "",
    sentAt: mine?.sentAt ?? 0,
    rev: mine ? revOf(mine) : 0,
  };
}

/** What a stranger can say who knows the issuer and has seen the customer's receipt. */
const claim = (sentAt: number, chave: string, value = 150) => ({
  ...{ evento: "nfse.autorizada", status: "autorizada", emitente_id: ISSUER, chave },
  ...{ valor_servicos: value, data_emissao: new Date(sentAt).toISOString() },
});

/** A key of this issuer and month with a right check digit, of no note there is. */
const madeUp = (sentAt: number, number: number) =>
  nfeKey({
    ...{ place: "35", emitted: new Date(sentAt).toISOString().slice(0, 7) },
    ...{ issuer: "11222333000181", model: "55", series: 1, number, emission: 1 },
    code: "12345678",
  });

describe("A notice of the issuer's webhook", () => {
  test("with the key of another note of the same issuer does not settle this one", async () => {
    it = await rig();
    await it.asks(OTHER, issue({ value: 9_900, document: "11144477735" }));
    await it.worker.drain();
    const [other] = await it.list("invoices");
    // Made by hand at the authority: no record of ours has its key.
    const foreign = textOf(other?.["chave"]);
    const mine = await record(9_900);
    await it.worker.invoices.change("demo", mine?.id ?? "", ({ key: _key, ...rest }) => rest);
    const { sentAt, token } = await lost();

    expect(await tell(claim(sentAt, foreign))).toBe("unproven");
    expect(await tell({ ...claim(sentAt, foreign), cIntContrib: token })).toBe("unproven");

    expect(await record(15_000)).toMatchObject({ state: "incerta" });
    expect(alarms("invoice.unproven")).toHaveLength(1);
    expect(await outcomes(CUSTOMER)).toEqual(["held"]);
  });

  test("with made-up keys causes two lookups of a note at most, however many are posted", async () => {
    it = await rig();
    const { sentAt, key } = await lost();
    const flood = Array.from({ length: 60 }, (_, n) => claim(sentAt, madeUp(sentAt, 900 + n)));

    const answers = await Promise.all(flood.map((body) => tell(body)));

    expect(new Set(answers)).toEqual(new Set(["unproven"]));
    expect(await lookups()).toHaveLength(2);
    expect(alarms("invoice.unproven")).toHaveLength(1);
    // The true one comes too late to be believed without a name of ours; with one it still is.
    expect(await tell(claim(sentAt, key))).toBe("unproven");
    const { token } = (await record(15_000)) ?? { token: "" };
    expect(await tell({ ...claim(sentAt, key), cIntContrib: token })).toBe("settled");
    expect(await lookups()).toHaveLength(3);
  });

  test("told again and again is looked up once and its result told once", async () => {
    it = await rig();
    const { sentAt, key } = await lost();
    for (let n = 0; n < 5; n++) await tell(claim(sentAt, madeUp(sentAt, 77)));
    expect(await lookups()).toHaveLength(1);

    const told = [];
    for (let n = 0; n < 5; n++) told.push(await tell(claim(sentAt, key)));
    await it.worker.drain();

    expect(told).toEqual(["settled", "known", "known", "known", "known"]);
    expect(await lookups()).toHaveLength(2);
    expect(await outcomes(CUSTOMER)).toEqual(["held", "done"]);
  });

  test("that comes before our own answer settles the note, and the answer changes nothing", async () => {
    it = await rig({ timeoutMs: 5_000 });
    await it.fault({ route: "invoicing.nfseEnvio", effect: { kind: "slow", ms: 700 }, times: 1 });
    await it.asks(CUSTOMER, issue());
    const working = it.worker.drain();
    await until(async () => (await it.list("invoices")).length === 1);
    const [note] = await it.list("invoices");
    const { token = "" } = (await record(15_000)) ?? {};
    expect(await record(15_000)).toMatchObject({ state: "enviando" });

    expect(await tell({ ...claim(it.clock.now(), textOf(note?.["chave"])), token })).toBe(
      "settled",
    );
    await working;
    await it.worker.drain();

    expect(await record(15_000)).toMatchObject({ state: "autorizada", key: note?.["chave"] });
    expect(await requests("invoicing.nfseEnvio")).toHaveLength(1);
    expect(await outcomes(CUSTOMER)).toEqual(["done"]);
    expect(alarms("invoice.contradicted")).toEqual([]);
  });

  test("after a person gave the note up makes it issued, and is told to a person, too", async () => {
    it = await rig();
    const { sentAt, key, id, token, rev } = await lost();
    await it.worker.settling.decide("demo", id, {
      ...{ rev, decision: "abandon", actor: "ana", reason: "cliente desistiu" },
    });
    await it.worker.drain();

    expect(await tell({ ...claim(sentAt, madeUp(sentAt, 5)), token })).toBe("unproven");
    expect(await tell({ ...claim(sentAt, key), token })).toBe("settled");
    expect(await tell({ ...claim(sentAt, key), token })).toBe("known");
    await it.worker.drain();

    expect(await record(15_000)).toMatchObject({ state: "autorizada", key });
    expect(alarms("invoice.contradicted")).toHaveLength(1);
    expect(await outcomes(CUSTOMER)).toEqual(["held", "failed"]);
    expect(await noticed(CUSTOMER)).toEqual(["note-exists"]);
  });

  test("after a refusal makes it issued, takes its sale, and tells who asked for it", async () => {
    it = await rig();
    const { sentAt, key, token } = await lost();
    await tell({ token, status: "rejeitada", erros: [{ codigo: "E43", mensagem: "Recusada" }] });
    await it.worker.drain();
    expect(await record(15_000)).toMatchObject({ state: "rejeitada" });

    expect(await tell({ ...claim(sentAt, key), token })).toBe("settled");
    expect(await tell({ token, status: "processando" })).toBe("known");
    await it.worker.drain();

    const note = await record(15_000);
    expect(note).toMatchObject({ state: "autorizada", key });
    expect(note?.reason).toBeUndefined();
    expect(alarms("invoice.contradicted")).toHaveLength(1);
    expect(await noticed(CUSTOMER)).toEqual(["note-exists"]);
    await it.asks(OTHER, issue());
    await it.worker.drain();
    expect(await requests("invoicing.nfseEnvio")).toHaveLength(1);
  });

  test.each([
    [{ status: "rejeitada", erros: ["Erro interno do servidor"] }],
    [{ status: "rejeitada", erros: [{ Codigo: "E999", Descricao: "Falha" }] }],
    [{ error: true, message: "Internal error" }],
  ])("of the authority's own crash leaves a note that was taken in open: %j", async (said) => {
    it = await rig();
    await it.stage.http("PUT", "/sandbox/invoicing", { mode: "async", delay_ms: 600_000 });
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    const { token = "", state } = (await record(15_000)) ?? {};
    expect(state).toBe("processando");

    expect(await tell({ token, ...said })).toBe("unproven");

    expect(await record(15_000)).toMatchObject({ state: "incerta" });
    expect(alarms("invoice.uncertain")).toHaveLength(1);
    expect(alarms("invoice.unproven")).toEqual([]);
  });

  test("of such a crash is told to a person although somebody has the note sent again meanwhile", async () => {
    it = await rig();
    await it.stage.http("PUT", "/sandbox/invoicing", { mode: "async", delay_ms: 600_000 });
    await it.asks(CUSTOMER, issue());
    await it.worker.drain();
    const { id = "", token = "" } = (await record(15_000)) ?? {};
    const said = { decision: "not_issued", actor: "ana", reason: "não consta no portal" } as const;
    const store = withSteps(it.store, {
      "keys.hold": async (...of) => {
        const seen = await record(15_000);
        if (seen?.state === "processando")
          await it.worker.settling.decide("demo", id, { ...said, rev: revOf(seen) });
        return it.store.keys.hold(...of);
      },
    });
    const notice = { token, status: "rejeitada", erros: ["Erro interno do servidor"] };

    expect(await it.again({ store }).settling.fromWebhook("demo", notice)).toBe("unproven");

    expect(await record(15_000)).toMatchObject({ state: "pendente" });
    expect(alarms("invoice.unproven")).toHaveLength(1);
  });

  test("whose lookup meets a crash is to be posted again, and proves it then", async () => {
    it = await rig();
    const { sentAt, key, token } = await lost();
    const effect = { kind: "business_error", message: "Internal server error" };
    await it.fault({ route: "invoicing.nfseConsulta", effect, times: 1 });
    await expect(tell({ ...claim(sentAt, key), token })).rejects.toThrow(/could not be looked up/);
    expect(await tell({ ...claim(sentAt, key), token })).toBe("settled");
    expect(await record(15_000)).toMatchObject({ state: "autorizada", key });
  });

  test("after a person said that it was not issued stops the second sending", async () => {
    it = await rig();
    const { sentAt, key, id, token, rev } = await lost();
    await it.worker.scopes.pause("credits:demo", "unreachable");
    await it.worker.settling.decide("demo", id, {
      ...{ rev, decision: "not_issued", actor: "ana", reason: "não achei no portal" },
    });

    expect(await tell({ ...claim(sentAt, key), token })).toBe("settled");
    await it.worker.scopes.resume("credits:demo");
    await it.worker.drain();

    expect(await requests("invoicing.nfseEnvio")).toHaveLength(1);
    expect(await it.list("invoices")).toHaveLength(1);
    expect(await outcomes(CUSTOMER)).toEqual(["held", "done"]);
  });

  test.each([
    ["is on its way", { kind: "slow", ms: 3_000 }, "enviando"],
    ["was lost, too", { kind: "accepted_then_lost" }, "incerta"],
  ])(
    "that refuses it frees no sale whose second request %s: it may be about the first",
    async (_, effect, state) => {
      it = await rig({ timeoutMs: 5_000 });
      const route = "invoicing.nfseEnvio";
      await it.fault({ route, effect: { kind: "reset" }, times: 1 });
      await it.asks(CUSTOMER, issue());
      await it.worker.drain();
      const { id = "", token = "", ...before } = (await record(15_000)) ?? {};
      expect(before).toMatchObject({ state: "incerta" });
      await it.fault({ route, effect, times: 1 });
      await it.worker.settling.decide("demo", id, {
        ...{ rev: revOf(before as never), decision: "not_issued" },
        ...{ actor: "ana", reason: "não achei no portal" },
      });
      const working = it.worker.drain();
      await until(async () => (await it.list("invoices")).length === 1);
      await until(async () => (await record(15_000))?.state === state);

      const errors = [{ codigo: "E0204", mensagem: "CPF do tomador inválido" }];
      const told = { evento: "nfse.rejeitada", status: "rejeitada", emitente_id: ISSUER };
      expect(await tell({ ...told, erros: errors, token })).toBe("unproven");
      await it.asks(OTHER, issue());
      await it.worker.drain();
      await working;

      expect(await outcomes(OTHER)).toEqual(["rejected"]);
      expect(await it.list("invoices")).toHaveLength(1);
      expect(alarms("invoice.unproven")).toHaveLength(1);
    },
  );

  test("that cannot be looked up for want of an answer is to be posted again, and then believed", async () => {
    it = await rig();
    const { sentAt, key } = await lost();
    const effect = { kind: "reset" };
    await it.fault({ route: "invoicing.nfseConsulta", effect, times: 1 });

    await expect(tell(claim(sentAt, key))).rejects.toMatchObject({ code: "GATEWAY_NOT_SENT" });
    expect(await record(15_000)).toMatchObject({ state: "incerta" });
    expect(await tell(claim(sentAt, key))).toBe("settled");
  });

  test("about a note nobody here knows is counted for the day, and asks nobody anything", async () => {
    it = await rig();
    const now = it.clock.now();
    const posts = Array.from({ length: 30 }, (_, n) => tell(claim(now, madeUp(now, n + 1), 1)));

    expect(new Set(await Promise.all(posts))).toEqual(new Set(["unmatched"]));
    await tell({ evento: "x" });

    expect((await it.worker.reconciliation(it.account)).unmatched).toBe(30);
    expect(await lookups()).toEqual([]);
  });
});
