/** A business's issuers on a real store and a real sandbox: registered once, paid once, kept before anybody is told. */
import { afterEach, expect, test } from "vitest";
import { createActions } from "../../../../src/app/operator/actions.ts";
import {
  CUSTOMER,
  ISSUER,
  OPERATOR,
  OTHER,
  rig,
  textOf,
  WAITER,
  type Asked,
  type Rig,
} from "../../../worker/rig.ts";

let it: Rig;
afterEach(() => it.close());

const CNPJ = "11444777000161";
const ADDRESS = {
  ...{ logradouro: "Rua das Flores", numero: "123", bairro: "Centro" },
  ...{ codigo_municipio: "3509502", uf: "SP", cep: "13010000" },
};
const COMPANY = {
  ...{
    cnpj: CNPJ,
    name: "Padaria São João Ltda “1”",
    trade: null,
    regime: "simples",
    percent: 6.5,
  },
  ...{ cnae: "1091102", im: "123.456-7", address: ADDRESS, phone: "551130001000" },
  email: "contato@padaria.example",
};
const call = (name: string, kind: "costly" | "replace" | "read", input: object): Asked =>
  ({ type: "call", class: kind, name, waiter: WAITER, input }) as Asked;
const register = (input: object = {}) =>
  call("issuer.register", "costly", { ...COMPANY, ...input });

const calls = async (route: string) =>
  (await it.list("requests")).filter((row) => textOf(row["route"] ?? "") === `invoicing.${route}`);
const issuers = async () => (await stored())?.issuers ?? [];
const stored = async () => {
  const row = await it.store.documents.get("accounts", "demo");
  return row?.value as { issuers: { cnpj: string }[]; invoicingToken?: string } | undefined;
};
/** Results that flows were told, in order. */
async function results(phone = OPERATOR) {
  const lines = await it.journal(phone);
  return lines.flatMap((line) => {
    const mail = line["mail"] as { kind?: string; result?: unknown } | undefined;
    return mail?.kind === "result" ? [mail.result] : [];
  });
}
const open = async (options: Parameters<typeof rig>[0] = {}) => {
  it = await rig({ kept: true, ...options });
  await it.contact(OPERATOR);
};

test("a company is registered, paid for once, and stands in the account before the flow hears of it", async () => {
  await open();
  await it.asks(OPERATOR, register());
  await it.worker.drain();

  const kept = (await issuers())[1] as { emitente_id?: string } | undefined;
  expect(kept?.emitente_id).toBeDefined();
  expect(await results()).toMatchObject([
    { outcome: "done", out: { adopted: false, issuer: kept?.emitente_id } },
  ]);
  const [body, ...more] = await calls("emitentesCadastro");
  expect(more).toEqual([]);
  const token = (await stored())?.invoicingToken;
  expect(body?.["body"]).toMatchObject({
    ...{ razao: 'Padaria São João Ltda "1"', cnpj: CNPJ, cnae: "1091102", crt: 1, im: "1234567" },
    ...{
      telefone: "1130001000",
      municipio: "Campinas",
      cmun: "3509502",
      uf: "SP",
      cep: "13010000",
    },
    documentos: { nfe: false, nfce: false, nfse: true },
    webhook_url: `https://bot.example.org/webhooks/invoicing/${token}`,
  });
  expect(await issuers()).toMatchObject([
    { emitente_id: ISSUER, default: true },
    {
      ...{ cnpj: CNPJ, town: "3509502", uf: "SP", regime: "simples", regime_apuracao: "1" },
      ...{ percentual_simples: 6.5, default: false },
    },
  ]);

  // Once more, by whoever: nothing is sent.
  await it.asks(OPERATOR, register());
  await it.worker.drain();
  expect((await results()).at(-1)).toMatchObject({ outcome: "rejected", out: { code: "known" } });
  expect(await calls("emitentesCadastro")).toHaveLength(1);
});

test("without balance the person is told, nothing was paid, and after the top-up it is one call", async () => {
  await open();
  const broke = { kind: "no_balance" };
  await it.fault({ route: "invoicing.emitentesCadastro", effect: broke, times: 1 });
  await it.asks(OPERATOR, register());
  await it.worker.drain();
  const none = { outcome: "failed", out: { reason: "no_balance" } };
  expect(await results()).toMatchObject([none]);
  expect(await it.store.views.effects({ limit: 9 })).toEqual([]);
  expect(
    [...(await it.store.scopes.pauses())].map(([scope, { reason }]) => [scope, reason]),
  ).toEqual([["credits:demo", "no_balance"]]);
  // What the house does on the way to the gateway says so, too, instead of waiting in silence.
  await it.asks(OPERATOR, call("issuer.list", "read", {}));
  await it.asks(OPERATOR, call("issuer.update", "replace", { phone: "551130002000" }));
  await it.worker.drain();
  expect(await results()).toMatchObject([none, none, none]);
  expect(await calls("emitentesAtualiza")).toEqual([]);

  await it.worker.scopes.resume("credits:demo");
  await it.asks(OPERATOR, register());
  await it.worker.drain();
  expect((await results()).at(-1)).toMatchObject({ outcome: "done" });
  expect((await issuers()).filter(({ cnpj }) => cnpj === CNPJ)).toHaveLength(1);
});

test("a lost answer is held, found in the list, kept, and never asked for again", async () => {
  await open();
  await it.fault({
    route: "invoicing.emitentesCadastro",
    effect: { kind: "accepted_then_lost" },
    times: 1,
  });
  await it.worker.start();
  await it.asks(OPERATOR, register());
  await expect
    .poll(async () => (await it.store.views.effects({ limit: 9 }))[0]?.state)
    .toBe("held");
  // Meanwhile nobody else begins it.
  await it.asks(OPERATOR, register());
  await expect
    .poll(async () => (await results()).at(-1))
    .toMatchObject({ outcome: "rejected", out: { code: "under_way" } });

  it.clock.moveTo(it.clock.now() + 6 * 60_000);
  await it.worker.stop(1_000);
  const second = it.again();
  await second.start();
  await expect.poll(async () => (await issuers()).length, { timeout: 20_000 }).toBe(2);
  await expect.poll(async () => (await results()).at(-1)).toMatchObject({ outcome: "done" });
  await second.stop(1_000);
  expect(await calls("emitentesCadastro")).toHaveLength(1);
}, 60_000);

test("one that a person gave up may be asked for again, and is not paid for a second time where it had been made", async () => {
  await open();
  const effect = { kind: "accepted_then_lost" };
  await it.fault({ route: "invoicing.emitentesCadastro", effect, times: 1 });
  await it.asks(OPERATOR, register());
  await it.worker.drain();
  const [held] = await it.store.views.effects({ state: "held", limit: 5 });
  const { account, contact, id, rev } = held ?? { account: "", contact: "", id: "", rev: 0 };
  const { store, worker, clock } = it;
  const none = {} as never;
  const parts = { store, worker, clock, library: none, layouter: none, works: true };
  const by = { actor: "ana", reason: "ninguém sabe", rev };
  const discard = createActions(parts).decideEffect({ account, contact, id }, "discard", by);
  expect(await discard).toEqual({ ok: true });
  await it.worker.drain();

  await it.asks(OPERATOR, register());
  await it.worker.drain();
  // Found in the gateway's list; here the installation's credentials do not say whose it is.
  expect((await results()).at(-1)).toMatchObject({ outcome: "rejected", out: { code: "exists" } });
  expect(await calls("emitentesCadastro")).toHaveLength(1);
});

test("a definite no frees the company for another try", async () => {
  await open();
  await it.asks(OPERATOR, register({ cnae: "0000000" }));
  await it.worker.drain();
  expect(await results()).toMatchObject([
    { outcome: "rejected", out: { text: "CNAE do emitente inexistente." } },
  ]);
  await it.asks(OPERATOR, register());
  await it.worker.drain();
  expect((await results()).at(-1)).toMatchObject({ outcome: "done" });
  expect(await issuers()).toHaveLength(2);
});

test("what the gateway has already is taken over for nothing, under credentials of the account's own only", async () => {
  await open({ account: { issuers: [] } });
  await it.asks(OPERATOR, register({ cnpj: "11222333000181" }));
  await it.worker.drain();
  expect(await results()).toMatchObject([{ outcome: "rejected", out: { code: "exists" } }]);
  expect(await issuers()).toEqual([]);
  await it.close();

  await open({ account: { issuers: [], gateway: { token: "sandbox-token" } } });
  await it.asks(OPERATOR, register({ cnpj: "11222333000181" }));
  await it.worker.drain();
  expect(await results()).toMatchObject([{ outcome: "done", out: { adopted: true } }]);
  expect(await issuers()).toMatchObject([{ emitente_id: ISSUER, default: true }]);
  expect(await calls("emitentesCadastro")).toEqual([]);
});

test("another business's company, and a wish of somebody who is no operator, are refused unpaid", async () => {
  await open({ others: [{ id: "other", issuers: [{ ...ISSUER_OF_OTHER }] }] });
  await it.asks(OPERATOR, register({ cnpj: ISSUER_OF_OTHER.cnpj }));
  await it.asks(CUSTOMER, register());
  await it.asks(OTHER, call("issuer.list", "read", {}));
  await it.worker.drain();

  expect(await results()).toMatchObject([{ outcome: "rejected", out: { code: "elsewhere" } }]);
  expect(await results(CUSTOMER)).toMatchObject([
    { outcome: "rejected", out: { code: "not_operator" } },
  ]);
  expect(await results(OTHER)).toMatchObject([{ out: { code: "not_operator" } }]);
  expect(await calls("emitentesCadastro")).toEqual([]);
});
const ISSUER_OF_OTHER = {
  ...{ emitente_id: "6f1f7d3e-0000-4000-8000-00000000000a", cnpj: CNPJ, razao: "Outra Ltda" },
  ...{ town: "3550308", uf: "SP", regime: "simples" },
};

test("an update sends the whole record with the change over it, and the same bytes again after a lost answer", async () => {
  await open();
  const route = "invoicing.emitentesAtualiza";
  await it.fault({ route, effect: { kind: "status", status: 503 }, times: 1 });
  await it.worker.start();
  await it.asks(
    OPERATOR,
    call("issuer.update", "replace", { phone: "5519988880002", regime: "mei" }),
  );
  await expect
    .poll(async () => (await calls("emitentesAtualiza")).length, { timeout: 20_000 })
    .toBe(1);
  await expect
    .poll(async () => (it.clock.moveTo(it.clock.now() + 61_000), (await results()).length), {
      timeout: 20_000,
    })
    .toBe(1);
  const [first, second] = await calls("emitentesAtualiza");

  expect(second?.["body"]).toEqual(first?.["body"]);
  expect(first?.["body"]).toMatchObject({
    ...{ emitente_id: ISSUER, telefone: "19988880002", crt: 4, razao: "Estúdio Aurora Ltda" },
    ...{ cmun: "3550308", email: "fiscal@aurora.example" },
  });
  expect(textOf((first?.["body"] as { webhook_url?: unknown }).webhook_url)).toMatch(
    /^https:\/\/bot\.example\.org\/webhooks\/invoicing\//,
  );
  expect(await results()).toMatchObject([{ outcome: "done" }]);
  const [issuer] = await issuers();
  expect(issuer).toMatchObject({ regime: "mei" });
  expect(issuer).not.toHaveProperty("regime_apuracao");
  expect((await it.store.documents.list("issuer-updates")).items).toEqual([]);
}, 60_000);

test("a list tells the account's own companies, in the language of who asks", async () => {
  await open();
  await it.asks(OPERATOR, call("issuer.list", "read", {}));
  await it.worker.drain();
  await it.asks(OPERATOR, call("issuer.show", "read", {}));
  await it.worker.drain();
  const [list, card] = await results();

  expect(list).toMatchObject({
    outcome: "done",
    out: {
      count: 1,
      more: 0,
      lines: expect.stringMatching(
        /^\*Estúdio Aurora Ltda\* · 11\.222\.333\/0001-81\nSão Paulo\/SP · certificado até \d\d\/\d\d\/\d{4}$/,
      ) as string,
    },
  });
  expect(card).toMatchObject({
    out: { card: expect.stringContaining("Telefone: (11) 3000-0000") as string },
  });
});

test.each([
  ["mei", "town", true],
  ["simples_excesso", "town", true],
  ["normal", "town", false],
  ["normal", "national", true],
])("of %s that says %s, notes go to the national issuer: %s", async (regime, portal, nacional) => {
  await open();
  await it.asks(OPERATOR, register({ regime, portal }));
  await it.worker.drain();
  expect((await issuers()).find(({ cnpj }) => cnpj === CNPJ)).toMatchObject({ regime, nacional });
});

test("a company that leaves Simples issues where its town has it", async () => {
  await open();
  const change = (regime: string) =>
    it.asks(OPERATOR, call("issuer.update", "replace", { issuer: ISSUER, regime }));
  const nacional = async () =>
    (await issuers()).map((one) => (one as { nacional?: boolean }).nacional);
  await change("normal_town");
  await it.worker.drain();
  expect(await nacional()).toEqual([false]);
  await change("normal");
  await it.worker.drain();
  expect(await nacional()).toEqual([true]);
});

test("a company outside of Simples that moves issues as its new town has it; who says nothing of it as before", async () => {
  await open();
  const change = async (said: object) => {
    await it.asks(OPERATOR, call("issuer.update", "replace", { issuer: ISSUER, ...said }));
    await it.worker.drain();
    return (await issuers()).map((one) => (one as { nacional?: boolean }).nacional);
  };
  // Of Simples nobody has a choice.
  expect(await change({ address: ADDRESS, portal: "town" })).toEqual([true]);
  await change({ regime: "normal" });
  expect(await change({ address: ADDRESS, portal: "town" })).toEqual([false]);
  expect(await change({ phone: "551130002000" })).toEqual([false]);
  await it.asks(OPERATOR, call("issuer.show", "read", { issuer: ISSUER }));
  await it.worker.drain();
  expect((await results()).at(-1)).toMatchObject({ out: { regime: "normal", town: "3509502" } });
});
