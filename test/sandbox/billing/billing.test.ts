import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { routes, type RouteId } from "../../../src/gateway/index.ts";
import { DEMO_ISSUER_ID } from "../../../src/sandbox/index.ts";
import { submit } from "../notes.ts";
import { CUSTOMER, FIRST, rowsOf, SECOND, stage, textOf, type Stage } from "../stage.ts";

let now: Stage;
beforeAll(async () => {
  now = await stage();
});
afterAll(() => now.close());
beforeEach(async () => {
  await now.http("POST", "/sandbox/reset", {});
});

const text = { number: CUSTOMER, text: "oi" };
const lookUp = { emitente_id: DEMO_ISSUER_ID, chave: "1".repeat(44) };
const put = (settings: object) => now.http("PUT", "/sandbox/billing", settings);
const ledger = async (query = "") =>
  rowsOf((await now.http("GET", `/sandbox/ledger${query}`)).body);

describe("extra charges", () => {
  beforeEach(() =>
    put({
      extra: [
        { route: "message.sendText", name: "Entrega prioritária", price: 0.3 },
        { tipo: "nfse-consulta", name: "Consulta avançada", price: 0.25 },
        { tipo: "nfse-consulta", name: "Arquivo PDF", price: 0.1 },
      ],
    }),
  );

  test("are listed with their prices and a total, and come off the purse on top of the operation", async () => {
    const { body } = await now.call("invoicing.nfseConsulta", lookUp);
    expect(body).toMatchObject({
      tax: "0,500",
      balance: "249,850",
      extra_charges: {
        services: [
          { name: "Consulta avançada", price: "0,250" },
          { name: "Arquivo PDF", price: "0,100" },
        ],
        total: "0,350",
      },
    });
    expect(await ledger()).toMatchObject([{ price: 0.85, balance: 249.85 }]);
  });

  test("are charged on calls of a plan too, route id by route id", async () => {
    const { body } = await now.call("message.sendText", text);
    expect(body["extra_charges"]?.["total"]).toBe("0,300");
    await now.http("POST", "/api/v2/msgengine/message/sendText/queue", text, { ...FIRST });
    expect(await ledger()).toMatchObject([
      { scope: "plan:sandbox-device", route: "message.sendText", price: 0.3, balance: 250.4 },
      { scope: "plan:sandbox-device", route: "message.sendTextQueue", price: 0, balance: 250.4 },
    ]);
  });

  test("are not there on other calls", async () => {
    const { body } = await now.call("invoicing.emitentesLista", {});
    expect(body).not.toHaveProperty("extra_charges");
    expect((await now.call("instance.connectionState")).body).not.toHaveProperty("extra_charges");
  });

  test("that cannot be paid refuse the call when billing is enforced", async () => {
    await put({ enforce: true, balance: 0.8 });
    expect((await now.call("invoicing.nfseConsulta", lookUp)).status).toBe(402);
    await put({ balance: 0.85 });
    expect((await now.call("invoicing.nfseConsulta", lookUp)).status).toBe(200);
    expect((await now.call("message.sendText", text)).status).toBe(402);
  });

  test("of a route that is none are refused", async () => {
    const answer = await put({ extra: [{ route: "message.nothing", name: "x", price: 1 }] });
    expect(answer.status).toBe(422);
  });
});

describe("money", () => {
  test.each([
    ["comma-2", "250,20", "0,50"],
    ["dot-2", "250.20", "0.50"],
    ["comma-3", "250,200", "0,500"],
    ["dot-3", "250.200", "0.500"],
  ])("is written as %s everywhere when told so", async (money, balance, tax) => {
    await put({ money });
    const { body } = await now.call("invoicing.nfseConsulta", lookUp);
    expect([body["balance"], body["tax"]]).toEqual([balance, tax]);
  });
});

describe("what a call costs", () => {
  test("is owed for a caller's error of any kind, but not for what the gateway could not do", async () => {
    const target = "/api/v2/msgengine/message/sendText";
    await now.call("message.sendText", { number: CUSTOMER });
    await now.http("POST", target, "{", { ...FIRST });
    await now.call("message.sendText", { ...text, number: "5500999990000" });
    expect(await ledger()).toHaveLength(3);
    await now.http("POST", "/sandbox/faults", { effect: { kind: "status", status: 502 } });
    await now.call("message.sendText", text);
    expect(await ledger()).toHaveLength(3);
  });

  test("is nothing where nobody is admitted and nothing is selected", async () => {
    await now.call("message.sendText", text, { as: {} });
    await now.http("POST", "/api/v2/consulta/emissao-notas/credits", { tipo: "nfe" }, { ...FIRST });
    await now.http("POST", "/api/v2/consulta/emissao-notas/credits", "{", { ...FIRST });
    expect(await ledger()).toHaveLength(0);
  });
});

describe("a plan", () => {
  test("is used up call by call, refuses with 402 in its envelope, and begins anew with the month", async () => {
    await put({ enforce: true, quota: 2 });
    expect((await now.call("message.sendText", text)).body).toMatchObject({
      api_limit: 2,
      api_limit_for: "request",
      api_limit_used: 1,
    });
    await now.call("message.sendText", text);
    const refused = await now.call("message.sendText", text);
    expect(refused.status).toBe(402);
    expect(refused.body).toMatchObject({
      error: true,
      message: "Limite de requisições do plano atingido.",
      api_limit: 2,
      api_limit_used: 2,
    });
    expect((await now.call("message.sendTextQueue", text)).status).toBe(402);
    await now.http("POST", "/sandbox/clock", { advance: "32d" });
    expect((await now.call("message.sendText", text)).body["api_limit_used"]).toBe(1);
  });

  test("of 1,000 calls takes 1,000 of 1,100 sends of one caller at once, and all of another's", async () => {
    await put({ enforce: true });
    const answers = await Promise.all([
      ...Array.from({ length: 1_100 }, () => now.call("message.sendText", text)),
      ...Array.from({ length: 20 }, () => now.call("message.sendText", text, { as: SECOND })),
    ]);
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 402)).toHaveLength(100);
    expect(statuses.slice(1_100).every((status) => status === 200)).toBe(true);
    const used = answers.slice(0, 1_100).map((answer) => Number(answer.body["api_limit_used"]));
    expect(Math.max(...used)).toBe(1_000);
    expect(await ledger("?caller=sandbox")).toHaveLength(1_000);
    expect((await now.http("GET", "/sandbox/messages?caller=sandbox-2")).body).toHaveLength(20);
  });

  test("has nothing to do with the credits of the same caller", async () => {
    await put({ enforce: true, quota: 0, balance: 1 });
    expect((await now.call("message.sendText", text)).status).toBe(402);
    expect((await now.call("invoicing.nfseConsulta", lookUp)).status).toBe(200);
    await put({ quota: 10, balance: 0 });
    expect((await now.call("message.sendText", text)).status).toBe(200);
    const refused = await now.call("invoicing.nfseConsulta", lookUp);
    expect(refused.status).toBe(402);
    expect(refused.body).toMatchObject({ error: true, message: "Saldo insuficiente." });
  });
});

describe("callers", () => {
  test("have ledgers, purses and lists of their own", async () => {
    await now.call("message.sendText", text);
    await now.call("message.sendTextQueue", text, { as: SECOND });
    await now.call("invoicing.nfseConsulta", lookUp, { as: SECOND });
    expect(await ledger()).toHaveLength(3);
    expect(await ledger("?caller=sandbox")).toHaveLength(1);
    expect(await ledger("?caller=sandbox-device-2")).toMatchObject([
      { scope: "plan:sandbox-device-2" },
      { scope: "credits:sandbox-2", balance: 250.2 },
    ]);
    const mine = (await now.http("GET", "/sandbox/billing")).body;
    const theirs = (await now.http("GET", "/sandbox/billing?caller=sandbox-2")).body;
    expect([mine["balance"], theirs["balance"]]).toEqual([250.7, 250.2]);
    await now.http("POST", "/sandbox/clock", { advance: "1s" });
    for (const [list, all, first] of [
      ["messages", 2, 1],
      ["requests", 3, 1],
      ["jobs", 1, 0],
      ["issuers", 1, 1],
    ] as const) {
      expect((await now.http("GET", `/sandbox/${list}`)).body).toHaveLength(all);
      expect((await now.http("GET", `/sandbox/${list}?caller=sandbox`)).body).toHaveLength(first);
    }
    expect((await now.http("GET", "/sandbox/webhooks?caller=sandbox-2")).body).toEqual([]);
    expect((await now.http("GET", "/sandbox/ledger?caller=nobody")).status).toBe(422);
  });
});

describe("test mode", () => {
  const takes = routes.filter((route) =>
    Object.values(route.variants).some(
      ({ body, example }) =>
        body.safeParse({ ...(example as object), homolog: true }).success &&
        !body.safeParse({ ...(example as object), homolog: "x" }).success,
    ),
  );

  test("is taken by every invoicing operation and by SMS", () => {
    expect(takes.map((route) => route.id).sort()).toEqual(
      ["sms.send", ...routes.filter((r) => r.area === "invoicing").map((r) => r.id)].sort(),
    );
  });

  test.each(takes.map((route) => [route.id, route] as const))(
    "%s answers the same each time, does nothing, costs nothing and needs no money",
    async (id: RouteId, route) => {
      await put({ enforce: true, quota: 0, balance: 0 });
      const state = async () =>
        Promise.all(
          ["messages", "invoices", "issuers", "jobs", "ledger", "webhooks"].map(
            async (list) => (await now.http("GET", `/sandbox/${list}`)).text,
          ),
        );
      const before = await state();
      const ask = () => now.call(id, { ...(route.example.body as object), homolog: true });
      const [first, second] = [await ask(), await ask()];
      expect(first.status).toBe(200);
      expect(first.body).toMatchObject({ error: false, api_limit_for: "homolog" });
      expect(second.text).toBe(first.text);
      expect(await state()).toEqual(before);
    },
  );

  test("in the queue answers a job that ends, and nothing is sent or charged", async () => {
    const { body } = await now.call("message.sendTextQueue", { ...text, homolog: true });
    expect(body["id"]).toMatch(/^[0-9a-f-]{36}$/);
    await now.http("POST", "/sandbox/clock", { advance: "1s" });
    expect((await now.http("GET", "/sandbox/messages")).body).toEqual([]);
    expect((await now.http("GET", "/sandbox/jobs")).body).toMatchObject([
      { id: body["id"], status: "done" },
    ]);
    expect(await ledger()).toHaveLength(0);
  });

  test("still refuses what it would refuse in earnest: a body, a token, a registration", async () => {
    expect((await now.call("sms.send", { homolog: true })).status).toBe(422);
    expect((await now.call("sms.send", { homolog: true }, { as: {} })).status).toBe(401);
    const as = { authorization: "Bearer sandbox-token-cpf" };
    expect((await now.call("invoicing.emitentesLista", { homolog: true }, { as })).status).toBe(
      403,
    );
  });
});

describe("refusals by field", () => {
  test("say in the gateway's language what is wrong, and never the value", async () => {
    const {
      body,
      status,
      text: raw,
    } = await now.call("message.sendPoll", {
      number: "11 98765-0001",
      name: 5,
      selectableCount: 99,
      values: ["só uma"],
    });
    expect(status).toBe(422);
    expect(Object.keys(body["errors"] as object).sort()).toEqual(
      ["name", "number", "selectableCount", "values"].sort(),
    );
    expect(body["errors"]?.["name"]).toEqual(["O campo name deve ser um texto."]);
    expect(textOf(body["message"])).toMatch(/^Os dados fornecidos são inválidos\. O campo /);
    expect(raw).not.toContain("98765");
    const missing = (await now.call("message.sendText", { number: CUSTOMER })).body;
    expect(missing["errors"]).toEqual({ text: ["O campo text é obrigatório."] });
  });

  test.each([
    ["a quote that is none", { quoted: 5 }, "quoted"],
    ["a quote of nothing", { quoted: { key: {} } }, "quoted.key.id"],
    ["a mention that is neither yes nor no", { mentionsEveryOne: "talvez" }, "mentionsEveryOne"],
    [
      "an older mention that is neither",
      { options: { mentions: { everyOne: 1 } } },
      "mentionsEveryOne",
    ],
  ])("%s does not pass for a plain text", async (_what, extra, field) => {
    const { body, status } = await now.call("message.sendText", { ...text, ...extra });
    expect(status).toBe(422);
    expect(Object.keys(body["errors"] as object)).toEqual([field]);
    expect((await now.http("GET", "/sandbox/messages")).body).toEqual([]);
  });

  test("keys that no form of the body has are let through, and a no to mentions", async () => {
    const odd = { ...text, mentionsEveryOne: false, futuro: { a: 1 } };
    expect((await now.call("message.sendText", odd)).status).toBe(200);
  });

  test("tell of the form that the body's words name", async () => {
    const status = { type: "text", content: "oi", allContacts: true };
    const { body } = await now.call("message.sendStatus", {
      ...status,
      backgroundColor: "red",
      font: 9,
    });
    expect(Object.keys(body["errors"] as object).sort()).toEqual(["backgroundColor", "font"]);
  });

  test("a device that only an object's prototype has is unknown", async () => {
    for (const device of ["toString", "__proto__"]) {
      const as = { ...FIRST, devicetoken: device };
      expect((await now.call("message.sendText", text, { as })).status, device).toBe(401);
    }
  });
});

test("notes of one caller are not there for the other, nor are its issuers", async () => {
  const chave = (await submit(now)).body["data"]?.["chave"];
  const ask = (id: RouteId, body: object) => now.call(id, body, { as: SECOND });
  expect((await ask("invoicing.emitentesLista", {})).body["data"]).toEqual([]);
  expect((await ask("invoicing.nfseConsulta", { ...lookUp, chave })).body).toMatchObject({
    error: true,
    codigo: "NOT_FOUND",
  });
  for (const [id, body] of [
    ["invoicing.emitentesAtualiza", { emitente_id: DEMO_ISSUER_ID, nome: "x" }],
    ["invoicing.nfseEnvio", { emitente_id: DEMO_ISSUER_ID, dados: {} }],
  ] as const)
    expect((await ask(id, body)).body["codigo"]).toBe("emitente_nao_encontrado");
  const own = { razao: "Outra", cnpj: "11222333000181" };
  expect((await ask("invoicing.emitentesCadastro", own)).body["error"]).toBe(false);
});
