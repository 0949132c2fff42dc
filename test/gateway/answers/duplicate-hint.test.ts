/** A refusal that may mean that the note exists: wherever its gateway or its town says so, it is no definite no. */
import { describe, expect, test } from "vitest";
import { classifyCall, routeOf } from "../../../src/gateway/index.ts";
import { readAnswer } from "../../../src/gateway/answers/envelope.ts";

const ENVIO = "invoicing.nfseEnvio";

function read(body: object | string | Buffer, status: number, headers: object = {}) {
  const isText = typeof body === "string" || Buffer.isBuffer(body);
  const bytes = Buffer.from(isText ? (body as string) : JSON.stringify(body));
  const { response: schema, envelope, payload: places } = routeOf(ENVIO);
  return readAnswer(
    { status, headers: { "content-type": "application/json", ...headers }, body: bytes },
    { schema, envelope, places, redact: (text) => text.replaceAll("E0014", "***"), ms: 1, now: 0 },
  );
}
const HTML = { "content-type": "text/html" };
const hold = { kind: "held", reason: "duplicate_hint" };
const lost = { kind: "held", reason: "unreadable" };

describe.each([200, 400, 422])("a refusal of a note by %i", (status) => {
  test.each([
    ["its message", { message: "E0014 - DPS existente" }],
    ["its code", { message: "Rejeitada", code: "E0014" }],
    ["a list of errors", { errors: [{ codigo: "E0014", mensagem: "Conjunto repetido" }] }],
    ["the town's list", { erros: [{ codigo: "X1" }, { mensagem: "Nota já emitida" }] }],
    ["its payload's list", { data: { erros: [{ codigo: "E0014", mensagem: "" }] } }],
    ["its payload", { data: { codigo: "E0014" } }],
    ["some other place", { detalhe: { retorno: [{ Mensagens: ["RPS já informado"] }] } }],
    ["the name of what is so", { message: "Rejeitada", possivel_duplicada: true }],
    ["the end of a long text", { message: `${"x".repeat(20_000)} - já existe uma NFS-e` }],
    ["letters and their marks apart", { message: "Nota j\u0061\u0301 emitida" }],
  ])("with the hint in %s is held", (_place, said) => {
    const body = { error: true, message: "Nota rejeitada", ...said };

    expect(classifyCall(ENVIO, read(body, status))).toEqual(hold);
    expect(classifyCall("message.sendText", read(body, status))).toEqual({ kind: "failed" });
  });

  test.each([
    { message: "Rejeitada", errors: [{ codigo: "E0206", mensagem: "CPF inválido" }] },
    { message: "Rejeitada", data: { codigo: "E0427", mensagem: "O valor é zero" } },
    { message: "Rejeitada", duplicada: false, balance: 12.5 },
    { message: "The given data was invalid.", errors: { "dados.itens": ["É obrigatório."] } },
  ])("without a hint is a definite no: %j", (body) => {
    expect(classifyCall(ENVIO, read({ error: true, ...body }, status))).toEqual({ kind: "failed" });
  });
});

describe("a refusal of a note by a 4xx that is no JSON", () => {
  test.each([
    ["a page", "<h1>Erro</h1><p>Nota <b>já</b> emitida</p>"],
    ["a page with entities", "<p>RPS j&aacute; informado</p>"],
    ["a text", "E0014"],
    ["JSON with another name", String.raw`{"mensagem":"NFS-e j\u00e1 emitida"}`],
  ])("with the hint in %s is held", (_name, body) => {
    expect(classifyCall(ENVIO, read(body, 422, HTML))).toEqual(hold);
  });

  test("with the hint in another alphabet is held", () => {
    const page = Buffer.from("<p>Nota já emitida</p>", "latin1");

    expect(classifyCall(ENVIO, read(page, 422, HTML))).toEqual(hold);
  });

  test.each([
    ["JSON that breaks off", `{"error":true,"message":"Nota rejei`, {}],
    ["JSON that breaks off after the hint", `{"error":true,"message":"Nota já emitida`, {}],
    ["JSON in another alphabet", Buffer.from(`{"message":"Inválida"}`, "latin1"), {}],
    ["fewer bytes than announced", "<h1>Unproc", { ...HTML, "content-length": "900" }],
    ["none of the bytes announced", "", { "content-length": "90000" }],
  ])("is held where its words were lost: %s", (name, body, headers) => {
    const decision = name.endsWith("hint") ? hold : lost;

    expect(classifyCall(ENVIO, read(body, 422, headers))).toEqual(decision);
    expect(classifyCall("message.sendText", read(body, 422, headers))).toEqual({ kind: "failed" });
  });

  test.each([
    ["a proxy's page", "<h1>404 Not Found</h1>", HTML],
    ["no words at all", "", {}],
  ])("is a definite no where that is all there is: %s", (_name, body, headers) => {
    const length = { "content-length": String(body.length) };

    expect(classifyCall(ENVIO, read(body, 404, { ...headers, ...length }))).toEqual({
      kind: "failed",
    });
  });
});

test.each([401, 402, 403, 429])(
  "%i says nothing about the note, whatever words it has",
  (status) => {
    for (const body of [{ message: "E0014 - já emitida" }, `{"message":"cut`])
      expect(classifyCall(ENVIO, read(body, status)).kind).toBe("pause");
  },
);

describe("the words of a refusal", () => {
  test.each([
    [{ errors: [{ codigo: "E0206", mensagem: "CPF inválido" }, { mensagem: "E mais" }] }],
    [{ erros: [{ codigo: "E0206", message: "CPF inválido; E mais" }] }],
    [{ data: { erros: [{ codigo: "E0206", mensagem: "CPF inválido; E mais" }] } }],
    [{ data: { codigo: "E0206", mensagem: "CPF inválido; E mais" } }],
    [{ codigo: "E0206", mensagem: "CPF inválido; E mais" }],
  ])("are told with their code, wherever they stand: %j", (said) => {
    for (const status of [200, 422])
      expect(read({ error: true, message: "Rejeitada", ...said }, status)).toMatchObject({
        message: "Rejeitada; CPF inválido; E mais",
        code: "E0206",
      });
  });

  test("are masked and cut, and a bare number is no code", () => {
    const errors = [{ codigo: 422, mensagem: `E0014 ${"x".repeat(900)}` }];
    const outcome = read({ error: true, errors }, 422);

    expect(outcome).not.toHaveProperty("code");
    expect(outcome).toMatchObject({ message: `*** ${"x".repeat(496)}` });
  });
});
