import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  accounted,
  createGateway,
  expectedPrice,
  NO_CALLS,
  routes,
  type Accounting,
  type Gateway,
  type GatewayOptions,
} from "../../src/gateway/index.ts";
import { Fault } from "../../src/base/index.ts";
import { json, startRemote, type Remote } from "./remote.ts";

const issuer = "6f1f7d3e-0000-4000-8000-000000000001";
const number = "5511900000002";
let remote: Remote;
let books: Accounting;
let gateways: Gateway[] = [];
beforeAll(async () => {
  remote = await startRemote();
});
afterAll(async () => {
  for (const gateway of gateways) await gateway.close();
  await remote.close();
});
beforeEach(() => {
  books = NO_CALLS;
  remote.received.length = 0;
});

function gatewayWith(options: Partial<GatewayOptions> = {}): Gateway {
  const gateway = createGateway({
    baseUrl: remote.baseUrl,
    token: "canary-token",
    deviceToken: "canary-device",
    timeoutMs: 2_000,
    onCall: (call) => (books = accounted(books, call)),
    ...options,
  });
  gateways = [...gateways, gateway];
  return gateway;
}
const sent = () => JSON.parse(remote.received.at(-1)?.body.toString() ?? "null") as unknown;

describe("the books of an account", () => {
  test("hold what each answer told, whichever way it went and however it was written", async () => {
    const gateway = gatewayWith();
    remote.behave(
      json({
        error: false,
        message: "ok",
        balance: "1.250,70",
        tax: "0,500",
        extra_charges: {
          total: "0.25",
          items: [
            { nome: "PDF", preco: "0,15" },
            { nome: "XML", preco: 0.1 },
          ],
        },
        data: [],
      }),
    );
    await gateway.invoicing.emitentesLista({});
    expect(books).toMatchObject({
      balance: 1_250_700,
      charged: 500,
      estimated: 0,
      extra: 250,
      extras: [
        { name: "PDF", price: 150 },
        { name: "XML", price: 100 },
      ],
    });
    remote.behave(
      json({
        error: true,
        message: "CNPJ não encontrado",
        balance: "1250.200",
        tax: "0.500",
        extra_charges: { PDF: "0,05", total: "0,05" },
      }),
    );
    await gateway.invoicing.nfseConsulta({ emitente_id: issuer, chave: "3".repeat(44) });
    remote.behave(json({ message: "inválido", balance: "1.249,70", tax: "0,50" }, 422));
    await gateway.invoicing.nfseConsulta({ emitente_id: issuer, chave: "3".repeat(44) });
    expect(books).toMatchObject({
      calls: { ok: 1, business_error: 1, refused: 1, not_sent: 0, unknown: 0 },
      balance: 1_249_700,
      charged: 1_500,
      estimated: 0,
      extra: 300,
      extras: [
        { name: "PDF", price: 200 },
        { name: "XML", price: 100 },
      ],
    });
  });

  test("expect the contract's price where an answer tells none, and nothing for what is not charged", async () => {
    const gateway = gatewayWith();
    const body = { emitente_id: issuer, chave: "3".repeat(44) };
    remote.behave(json({ error: false, data: {} }));
    await gateway.invoicing.nfseConsulta(body);
    expect(books).toMatchObject({ charged: 500, estimated: 500 });
    remote.behave(json({ message: "sem saldo" }, 402));
    await gateway.invoicing.nfseConsulta(body);
    remote.behave(json({ error: false, response: { key: { id: "M" } } }));
    await gateway.message.sendText({ number, text: "oi" });
    expect(books).toMatchObject({ charged: 500, estimated: 500 });
    remote.behave(json({ message: "inválido" }, 400));
    await gateway.invoicing.nfseConsulta(body);
    expect(books).toMatchObject({ charged: 1_000, estimated: 1_000, unsure: 0 });
    remote.behave(json({}, 502));
    await gateway.invoicing.nfseConsulta(body);
    expect(books).toMatchObject({ charged: 1_000, unsure: 500 });
    await gatewayWith({ baseUrl: "http://127.0.0.1:1/api/v2" }).invoicing.nfseConsulta(body);
    expect(books).toMatchObject({
      charged: 1_000,
      unsure: 500,
      calls: { ok: 2, refused: 2, unknown: 1, not_sent: 1 },
    });
  });

  test("keep the usage of plan and credits apart, also from numbers written as text", async () => {
    const gateway = gatewayWith();
    const plan = { api_limit: 1000, api_limit_used: "37", api_limit_for: "request" };
    remote.behave(json({ error: false, response: {}, ...plan }));
    await gateway.message.sendText({ number, text: "oi" });
    remote.behave(
      json({
        error: false,
        data: [],
        api_limit: "999000",
        api_limit_used: 4,
        api_limit_for: "credit",
      }),
    );
    await gateway.invoicing.emitentesLista({});
    remote.behave(json({ error: true, message: "não", ...plan, api_limit_used: 38 }));
    await gateway.message.sendText({ number, text: "oi" });
    const testBase = { api_limit: 5, api_limit_used: 1, api_limit_for: "homolog" };
    remote.behave(json({ error: false, data: [], ...testBase }));
    await gateway.invoicing.emitentesLista({});
    expect(books.credits).toMatchObject({ max: 999_000, used: 4 });
    remote.behave(json({ error: false, response: {}, api_limit: null, api_limit_used: [] }));
    await gateway.message.sendText({ number, text: "oi" });
    expect(books).toMatchObject({
      plan: { max: 1_000, used: 38, for: "request" },
      credits: { max: 999_000, used: 4, for: "credit" },
    });
  });

  test.each([
    ["a list", [{ name: "PDF", price: "1,00" }, { name: "XML", value: 2 }, "noise", null], 3_000],
    ["prices by name", { PDF: "1,00", XML: { price: "2.00" } }, 3_000],
    ["a total alone", { total: "3,000" }, 3_000],
    ["a total that differs", { PDF: "1,00", total: "3,00" }, 3_000],
  ])("extra charges are read from %s", async (_, extra_charges, total) => {
    remote.behave(json({ error: false, tax: "0,50", extra_charges, data: [] }));
    await gatewayWith().invoicing.emitentesLista({});
    expect(books.extra).toBe(total);
  });

  test.each([
    ["a text", "grátis"],
    ["null", null],
    ["nonsense amounts", { PDF: "um real", total: "1e3" }],
    ["nothing", {}],
  ])("extra charges of %s are none", async (_, extra_charges) => {
    remote.behave(json({ error: false, tax: "abc", balance: {}, extra_charges, data: [] }));
    await gatewayWith().invoicing.emitentesLista({});
    expect(books).toMatchObject({ extra: 0, extras: [], charged: 0 });
    expect(books.balance).toBeUndefined();
  });

  test("extra services without end stay bounded, and no name shows a token or becomes a prototype", async () => {
    const gateway = gatewayWith();
    for (let turn = 0; turn < 12; turn += 1) {
      const extra_charges = Object.fromEntries(
        Array.from({ length: 30 }, (_, index) => [`s ${turn} ${index}`, "0,01"]),
      );
      const body = JSON.stringify({ error: false, data: [], extra_charges }).replace(
        '"s 0 0"',
        '"__proto__":"9,00","canary-token"',
      );
      remote.behave(json(body));
      await gateway.invoicing.emitentesLista({});
    }
    expect(books.extras.length).toBeLessThanOrEqual(101);
    expect(books.extra).toBe(12 * 30 * 10);
    expect(JSON.stringify(books)).not.toContain("canary-token");
    expect(({} as Record<string, unknown>)["price"]).toBeUndefined();
  });

  test("every route has an expected price: the contract's, the base price of invoicing, or nothing", () => {
    expect(expectedPrice("invoicing.emitentesCadastro")).toBe(19_000);
    expect(expectedPrice("invoicing.nfseEnvio")).toBe(0);
    expect(expectedPrice("invoicing.certificadoUpload")).toBe(500);
    for (const route of routes.filter((entry) => entry.billing !== "credits"))
      expect(expectedPrice(route.id)).toBe(0);
  });
});

describe("test mode", () => {
  test("a client in test mode writes the flag where a route has it, and a call may say otherwise", async () => {
    const gateway = gatewayWith({ homolog: true });
    remote.behave(json({ error: false, homolog: "true", tax: "0,50", data: [], response: {} }));
    await gateway.invoicing.emitentesLista({});
    expect(sent()).toEqual({ tipo: "emitentes-lista", homolog: true });
    await gateway.sms.send({ number, message: "oi" });
    expect(sent()).toEqual({ number, message: "oi", homolog: true });
    await gateway.message.sendText({ number, text: "oi" });
    expect(sent()).toEqual({ number, text: "oi" });
    await gateway.invoicing.emitentesLista({}, { homolog: false });
    expect(sent()).toEqual({ tipo: "emitentes-lista" });
    await gateway.invoicing.emitentesLista({ homolog: false });
    expect(sent()).toEqual({ tipo: "emitentes-lista", homolog: false });
    await gatewayWith().invoicing.emitentesLista({}, { homolog: true });
    expect(sent()).toEqual({ tipo: "emitentes-lista", homolog: true });
    const bytes = Buffer.from(gateway.exactBytes("invoicing.emitentesLista", {})).toString();
    expect(JSON.parse(bytes)).toEqual({ tipo: "emitentes-lista", homolog: true });
  });

  test("what the test base answered is free in the books, whatever its tax says", async () => {
    remote.behave(
      json({
        error: false,
        homolog: "true",
        tax: "0,50",
        extra_charges: { total: "1,00" },
        data: [],
      }),
    );
    await gatewayWith({ homolog: true }).invoicing.emitentesLista({});
    remote.behave(json({ error: false, homolog: "false", tax: "0,50", data: [] }));
    await gatewayWith({ homolog: true }).invoicing.emitentesLista({});
    expect(books).toMatchObject({ charged: 500, extra: 0, calls: { ok: 2 } });
  });

  test("asking for it where there is none is a mistake and sends nothing", async () => {
    const call = gatewayWith().call("message.sendText", { number, text: "oi" }, { homolog: true });
    await expect(call).rejects.toSatisfy((error) => Fault.is(error, "GATEWAY_BODY"));
    expect(remote.received).toHaveLength(0);
  });

  test("exactly invoicing and SMS have it", () => {
    expect(routes.filter((route) => route.homolog).map((route) => route.id)).toEqual([
      ...routes.filter((route) => route.area === "invoicing").map((route) => route.id),
      "sms.send",
    ]);
  });
});
