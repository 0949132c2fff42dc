import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readAccessKey } from "../../../src/gateway/index.ts";
import { REJECTIONS } from "../../../src/plugins/invoicing/fiscal/rejection-table.ts";
import { DEMO_ISSUER_ID, MAGIC_AMOUNTS } from "../../../src/sandbox/index.ts";
import { pfx } from "../certificates.ts";
import { goodNote, submit } from "../notes.ts";
import { stage, until, type Stage, rowsOf, textOf } from "../stage.ts";

let now: Stage;
beforeAll(async () => {
  now = await stage();
});
afterAll(() => now.close());
beforeEach(async () => {
  await now.http("POST", "/sandbox/reset", {});
  now.bot.told.length = 0;
});

const DAY_MS = 86_400_000;
const invoices = async () => rowsOf((await now.http("GET", "/sandbox/invoices")).body);
/** The emission without its offset. */
const stamp = (note: { readonly [key: string]: unknown }) =>
  textOf(note["data_emissao"]).replace(/-03:00$/, "");
const claims = () => now.bot.of("invoicing").map((one) => one.body);

/** Registers a company of the given regime, with a certificate, and gives its id. */
async function company(crt: number, cnpj = "11444777000161"): Promise<string> {
  const made = await now.call("invoicing.emitentesCadastro", {
    razao: "Outra Empresa",
    cnpj,
    crt,
    cmun: "3550308",
    uf: "SP",
    documentos: { nfe: false, nfce: false, nfse: true },
  });
  const emitente_id = textOf(made.body["data"]?.["emitente_id"]);
  const at = await now.now();
  const certificado = pfx({ cnpj, password: "senha", from: at - DAY_MS, until: at + DAY_MS });
  const uploaded = await now.call("invoicing.certificadoUpload", {
    dados: { emitente_id, senha: "senha", certificado },
  });
  expect(uploaded.body["error"]).toBe(false);
  return emitente_id;
}

/** What a company of the normal regime must not send. */
const asOther: Parameters<typeof submit>[1] = (note) => {
  delete note["regime_apuracao"];
  delete note.servico["tributos_totais"];
};

describe("a note that is right", () => {
  test("is authorised at once with number, key, code and link, and stands in the list", async () => {
    const { body, status } = await submit(now);
    expect(status).toBe(200);
    const data = body["data"];
    expect(data).toMatchObject({ status: "autorizada" });
    const key = readAccessKey(textOf(data?.["chave"]));
    expect(key).toMatchObject({ ok: true, key: { kind: "nfse", issuer: "11222333000181" } });
    expect(data?.["codigo_verificacao"]).toMatch(/^[0-9A-F]{8}$/);
    const page = await now.http("GET", new URL(textOf(data?.["link"])).pathname);
    expect(page.status).toBe(200);
    expect(page.text).toContain("R$");
    const rows = await invoices();
    expect(rows).toMatchObject([
      {
        chave: data?.["chave"],
        numero: data?.["numero"],
        status: "autorizada",
        emitente_id: DEMO_ISSUER_ID,
        dados: { servico: { valor_servicos: 150.5 } },
      },
    ]);
    expect(Object.keys(rows[0] ?? {})).toEqual([
      "id",
      "chave",
      "numero",
      "status",
      "emitente_id",
      "dados",
      "at",
    ]);
  });

  test("outside the national issuer it has a key of 44 positions", async () => {
    const { body } = await submit(now, (note) => {
      note["nacional"] = false;
    });
    expect(body["data"]?.["chave"]).toHaveLength(44);
    expect(readAccessKey(textOf(body["data"]?.["chave"])).ok).toBe(true);
  });

  test("is found by its key and its issuer only", async () => {
    const { body } = await submit(now);
    const chave = body["data"]?.["chave"];
    const found = await now.call("invoicing.nfseConsulta", { emitente_id: DEMO_ISSUER_ID, chave });
    expect(found.body["data"]).toMatchObject({ status: "autorizada", chave });
    const other = await company(3);
    const foreign = await now.call("invoicing.nfseConsulta", { emitente_id: other, chave });
    expect(foreign.body).toMatchObject({ error: true, codigo: "NOT_FOUND" });
  });

  test("numbers run per issuer", async () => {
    const [first, second] = [await submit(now), await submit(now)].map((answer) =>
      Number(answer.body["data"]?.["numero"]),
    );
    expect(second).toBe((first ?? 0) + 1);
    const emitente = await company(3);
    const other = await submit(now, asOther, { emitente });
    expect(Number(other.body["data"]?.["numero"])).toBe(first);
  });

  test("sent twice it is issued twice, unless the gateway is told to be idempotent", async () => {
    const at = await now.now();
    const body = { emitente_id: DEMO_ISSUER_ID, dados: goodNote(at) };
    const send = async () => (await now.call("invoicing.nfseEnvio", body)).body["data"]?.["chave"];
    expect(await send()).not.toBe(await send());
    await now.http("PUT", "/sandbox/invoicing", { idempotent: true });
    expect(await send()).toBe(await send());
    expect(await invoices()).toHaveLength(2);
  });

  test("with the number of another declaration is refused with E0014 where numbers are unique", async () => {
    await now.http("PUT", "/sandbox/invoicing", { unique: true });
    expect((await submit(now)).body["error"]).toBe(false);
    expect((await submit(now, undefined, { cents: 20_000 })).body["codigo"]).toBe("E0014");
    const fresh = await submit(now, (note) => (note["codigo_aleatorio"] = "48210378"));
    expect(fresh.body["error"]).toBe(false);
    expect((await invoices()).map((row) => row["status"])).toEqual([
      "autorizada",
      "rejeitada",
      "autorizada",
    ]);
  });

  test("is answered, not refused, when the very same comes again and the gateway is idempotent too", async () => {
    await now.http("PUT", "/sandbox/invoicing", { unique: true, idempotent: true });
    const body = { emitente_id: DEMO_ISSUER_ID, dados: goodNote(await now.now()) };
    const send = async () => (await now.call("invoicing.nfseEnvio", body)).body["data"]?.["chave"];
    expect(await send()).toBe(await send());
    expect((await submit(now, undefined, { cents: 20_000 })).body["codigo"]).toBe("E0014");
    expect(await invoices()).toHaveLength(2);
  });

  test("gives its number free when it is refused", async () => {
    await now.http("PUT", "/sandbox/invoicing", { unique: true });
    await submit(now, (note) => (note.tomador["cpf"] = "52998224724"));
    expect((await submit(now)).body["error"]).toBe(false);
  });
});

describe("a note that is wrong is refused with its code in a 200", () => {
  test.each<[string, string, Parameters<typeof submit>[1]]>([
    ["E0206", "CPF", (n) => (n.tomador["cpf"] = "52998224724")],
    ["E0206", "CPF of equal digits", (n) => (n.tomador["cpf"] = "11111111111")],
    ["E0207", "CPF not in the register", (n) => (n.tomador["cpf"] = "40532176871")],
    [
      "E0188",
      "CNPJ",
      (n) => {
        delete n.tomador["cpf"];
        n.tomador["cnpj"] = "11222333000182";
      },
    ],
    [
      "E0202",
      "taker is the issuer",
      (n) => {
        delete n.tomador["cpf"];
        n.tomador["cnpj"] = "11222333000181";
      },
    ],
    ["E1235", "both documents", (n) => (n.tomador["cnpj"] = "12ABC34501DE35")],
    ["E1235", "no name", (n) => delete n.tomador["razao_social"]],
    ["E1235", "an emoji in the name", (n) => (n.tomador["razao_social"] = "Marina 🙂")],
    ["E1235", "smart quotes", (n) => (n.servico["discriminacao"] = "Corte “especial”")],
    ["E1235", "outer blanks", (n) => (n.servico["discriminacao"] = " Corte ")],
    ["E1235", "no description", (n) => delete n.servico["discriminacao"]],
    ["E1235", "a bad NBS code", (n) => (n.servico["codigo_nbs"] = "1.2602")],
    ["E1235", "thirds of a cent", (n) => (n.servico["valor_servicos"] = 150.505)],
    ["E1235", "a time without offset", (n) => (n["data_emissao"] = stamp(n))],
    ["E1235", "no service", (n) => delete (n as { servico?: unknown }).servico],
    ["E0427", "nothing to pay", (n) => (n.servico["valor_servicos"] = 0)],
    ["E0427", "less than nothing", (n) => (n.servico["valor_servicos"] = -5)],
    ["E0427", "items that do not add up", (n) => (n.servico["valor_servicos"] = 151)],
    ["E0008", "an emission tomorrow", (n) => (n["data_emissao"] = "2099-01-01T00:00:00-03:00")],
    [
      "E0015",
      "a service after the emission",
      (n) => (n["data_competencia"] = "2099-01-01T00:00:00-03:00"),
    ],
    ["E0247", "a broken e-mail", (n) => (n.tomador["email"] = "marina@")],
    ["E0238", "town and UF", (n) => ((n.tomador["endereco"] as { uf: string }).uf = "RJ")],
    ["E0240", "CEP and UF", (n) => ((n.tomador["endereco"] as { cep: string }).cep = "20040002")],
    ["E0238", "a town of no state", (n) => (n.servico["codigo_municipio"] = "3599999")],
    ["E0712", "no Simples percentage", (n) => delete n.servico["tributos_totais"]],
    ["E0166", "no Simples regime", (n) => delete n["regime_apuracao"]],
    [
      "E0237",
      "retention without address",
      (n) => {
        n.servico["tributos_municipais"] = { iss_retido: true };
        delete n.tomador["endereco"];
      },
    ],
    [
      "E0204",
      "retention without taker",
      (n) => {
        n.servico["tributos_municipais"] = { iss_retido: true };
        delete (n as { tomador?: unknown }).tomador;
      },
    ],
  ])("%s: %s", async (code, _what, change) => {
    const { body, status } = await submit(now, change);
    expect(status).toBe(200);
    expect(body["error"]).toBe(true);
    expect(body["codigo"]).toBe(code);
    expect(body["message"]).toMatch(new RegExp(`^${code} - `));
    expect(body).not.toHaveProperty("data");
    expect(await invoices()).toMatchObject([{ status: "rejeitada", chave: null, numero: null }]);
  });

  test.each([...MAGIC_AMOUNTS].filter(([, outcome]) => outcome.kind === "rejected"))(
    "%i cents give their magic rejection",
    async (cents, outcome) => {
      const { body } = await submit(now, undefined, { cents });
      expect(body["codigo"]).toBe(outcome.kind === "rejected" ? outcome.code : "");
    },
  );

  test("every code that people are told about can be had from the sandbox", async () => {
    const computed = [
      ...["E0206", "E0188", "E0207", "E0190", "E0202", "E0204", "E0237", "E0238", "E0240"],
      ...["E0247", "E0008", "E0015", "E0037", "E0162", "E0166", "E0427", "E0583", "E0710"],
      ...["E0712", "E0716", "E1235"],
    ];
    const magic = [...MAGIC_AMOUNTS.values()].map((one) => (one.kind === "late" ? "" : one.code));
    // The same as another row of the table, or no rejection of a note.
    const spelled = ["E010", "CERTIFICADO_VENCIDO", "402"];
    const told = REJECTIONS.flatMap((row) => [...row.codes, ...(row.townCodes ?? [])]);
    const missing = told.filter((code) => ![...computed, ...magic, ...spelled].includes(code));
    expect(missing).toEqual([]);
  });

  test("an issuer that may not issue is refused with E0037", async () => {
    const documentos = { nfe: false, nfce: false, nfse: false };
    await now.call("invoicing.emitentesAtualiza", { emitente_id: DEMO_ISSUER_ID, documentos });
    expect((await submit(now)).body["codigo"]).toBe("E0037");
  });

  test("texts of refusals hold no document and no name", async () => {
    const { text } = await submit(now, (note) => (note.tomador["cpf"] = "52998224724"));
    expect(text).not.toContain("52998224724");
    expect(text).not.toContain("Marina");
  });

  test("what a regime forbids is refused: a MEI withholds nothing and has no Simples fields", async () => {
    const emitente = await company(4);
    const { body } = await submit(
      now,
      (note) => (note.servico["tributos_municipais"] = { iss_retido: true }),
      { emitente },
    );
    const codes = rowsOf(body["erros"]).map((row) => row["codigo"]);
    expect(codes).toEqual(expect.arrayContaining(["E0583", "E0162", "E0710"]));
  });

  test("an alphanumeric CNPJ is a document like any other", async () => {
    const { body } = await submit(now, (note) => {
      delete note.tomador["cpf"];
      note.tomador["cnpj"] = "12ABC34501DE35";
    });
    expect(body["data"]?.["status"]).toBe("autorizada");
  });

  test("no dados at all is a 422, and an unknown issuer a business failure", async () => {
    const none = await now.call("invoicing.nfseEnvio", { emitente_id: DEMO_ISSUER_ID });
    expect(none.status).toBe(422);
    const emitente = "00000000-0000-4000-8000-000000000000";
    const { body } = await submit(now, undefined, { emitente });
    expect(body).toMatchObject({ error: true, codigo: "emitente_nao_encontrado" });
    expect(await invoices()).toHaveLength(0);
  });
});

describe("async mode", () => {
  test("answers processando without a key, settles by the virtual clock and tells the issuer's URL", async () => {
    await now.http("PUT", "/sandbox/invoicing", { mode: "async", delay_ms: 600_000 });
    const { body } = await submit(now);
    expect(body["data"]).toMatchObject({ status: "processando" });
    expect(body["data"]).not.toHaveProperty("chave");
    expect(claims()).toHaveLength(0);
    await now.http("POST", "/sandbox/clock", { advance: "10m" });
    const [row] = await invoices();
    expect(row?.["status"]).toBe("autorizada");
    expect(claims()).toMatchObject([
      {
        evento: "nfse.autorizada",
        protocolo: body["data"]?.["protocolo"],
        chave: row?.["chave"],
        emitente_id: DEMO_ISSUER_ID,
      },
    ]);
  });

  test("tells a refusal too", async () => {
    await now.http("PUT", "/sandbox/invoicing", { mode: "async", delay_ms: 60_000 });
    await submit(now, (note) => (note.tomador["cpf"] = "52998224724"));
    await now.http("POST", "/sandbox/clock", { advance: "1m" });
    expect(claims()).toMatchObject([{ evento: "nfse.rejeitada", erros: [{ codigo: "E0206" }] }]);
  });

  test("can keep its result to itself", async () => {
    await now.http("PUT", "/sandbox/invoicing", {
      mode: "async",
      delay_ms: 60_000,
      webhook: false,
    });
    await submit(now);
    await now.http("POST", "/sandbox/clock", { advance: "1m" });
    expect((await invoices())[0]?.["status"]).toBe("autorizada");
    expect(claims()).toHaveLength(0);
  });

  test("in sync mode results are posted when asked for", async () => {
    await submit(now);
    await now.http("PUT", "/sandbox/invoicing", { webhook: true });
    const { body } = await submit(now);
    await until(() => claims().length === 1);
    expect(claims()[0]?.["chave"]).toBe(body["data"]?.["chave"]);
  });

  test("posts its result again after a 5xx, with the same bytes", async () => {
    now.bot.statuses.push(503);
    await now.http("PUT", "/sandbox/invoicing", { mode: "async", delay_ms: 60_000 });
    await submit(now);
    await now.http("POST", "/sandbox/clock", { advance: "1m" });
    await until(() => claims().length === 2);
    const [first, second] = now.bot.of("invoicing");
    expect(second?.raw).toBe(first?.raw);
    const own = await now.http("GET", "/sandbox/webhooks?caller=sandbox");
    expect(rowsOf(own.body)).toMatchObject([{ channel: "invoicing" }]);
    expect((await now.http("GET", "/sandbox/webhooks?caller=sandbox-2")).body).toEqual([]);
  });

  test("has nothing to be looked up while it is processing, nor when it was refused", async () => {
    await now.http("PUT", "/sandbox/invoicing", { mode: "async", delay_ms: 60_000 });
    const { data } = (await submit(now)).body;
    const chave = textOf(data?.["protocolo"]).padEnd(44, "0");
    const found = await now.call("invoicing.nfseConsulta", { emitente_id: DEMO_ISSUER_ID, chave });
    expect(found.body).toMatchObject({ error: true, codigo: "NOT_FOUND" });
    await now.http("POST", "/sandbox/clock", { advance: "1m" });
    const key = (await invoices())[0]?.["chave"];
    const later = await now.call("invoicing.nfseConsulta", {
      emitente_id: DEMO_ISSUER_ID,
      chave: key,
    });
    expect(later.body["data"]).toMatchObject({
      status: "autorizada",
      protocolo: data?.["protocolo"],
    });
  });

  test("an amount of the magic table is settled late even in sync mode", async () => {
    const { body } = await submit(now, undefined, { cents: 667_030 });
    expect(body["data"]?.["status"]).toBe("processando");
    await now.http("POST", "/sandbox/clock", { advance: "30s" });
    expect((await invoices())[0]?.["status"]).toBe("autorizada");
  });
});

describe("issuers", () => {
  test("the demo issuer is there, with a valid certificate", async () => {
    const { body } = await now.call("invoicing.emitentesLista", { emitente: DEMO_ISSUER_ID });
    expect(body["data"]).toMatchObject([
      { emitente_id: DEMO_ISSUER_ID, cnpj: "11222333000181", cmun: "3550308", uf: "SP", crt: 1 },
    ]);
    expect(body["data"]?.[0]?.["certificado_validade"]).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  test("registering costs 19.00, is refused for a known or wrong CNPJ, and updating keeps the rest", async () => {
    const id = await company(3);
    const ledger = rowsOf((await now.http("GET", "/sandbox/ledger")).body);
    expect(ledger[0]).toMatchObject({ tipo: "emitentes-cadastro", price: 19 });
    for (const cnpj of ["11444777000161", "11444777000162"]) {
      const again = await now.call("invoicing.emitentesCadastro", { razao: "X", cnpj });
      expect(again.body["error"]).toBe(true);
    }
    await now.call("invoicing.emitentesAtualiza", { emitente_id: id, nome: "Nova" });
    const rows = rowsOf((await now.http("GET", "/sandbox/issuers")).body);
    expect(rows.at(-1)).toMatchObject({ emitente_id: id, nome: "Nova", razao: "Outra Empresa" });
  });

  test("without a certificate nothing is issued, and an expired one stops it", async () => {
    const made = await now.call("invoicing.emitentesCadastro", {
      razao: "Sem certificado",
      cnpj: "11444777000161",
      crt: 3,
    });
    const emitente = textOf(made.body["data"]?.["emitente_id"]);
    expect((await submit(now, undefined, { emitente })).body["codigo"]).toBe("E0715");
    await now.http("POST", "/sandbox/clock", { advance: "366d" });
    expect((await submit(now)).body["codigo"]).toBe("E0716");
  });

  test("neither password nor certificate is ever listed", async () => {
    await now.call("invoicing.certificadoUpload", {
      dados: { emitente_id: DEMO_ISSUER_ID, senha: "segredo-1", certificado: "QUJDREVGRw==" },
    });
    const { text } = await now.http("GET", "/sandbox/requests");
    expect(text).not.toContain("segredo-1");
    expect(text).not.toContain("QUJDREVGRw");
  });
});

describe("cancellation", () => {
  const cancel = (chave: unknown, tipo?: string) =>
    now.call("invoicing.cancelamento", {
      emitente_id: DEMO_ISSUER_ID,
      chave,
      motivo: "Emitida com o valor errado",
      ...(tipo === undefined ? {} : { tipo }),
    });

  test("works once, by the tipo that was configured", async () => {
    const chave = (await submit(now)).body["data"]?.["chave"];
    await now.http("PUT", "/sandbox/invoicing", { cancel_tipo: "nfse-cancela" });
    expect((await cancel(chave)).status).toBe(422);
    expect((await cancel(chave, "nfse-cancela")).body["data"]?.["status"]).toBe("cancelada");
    expect((await cancel(chave, "nfse-cancela")).body["codigo"]).toBe("E0840");
    expect((await invoices())[0]?.["status"]).toBe("cancelada");
    const found = await now.call("invoicing.nfseConsulta", { emitente_id: DEMO_ISSUER_ID, chave });
    expect(found.body["data"]).toMatchObject({ status: "cancelada", chave });
  });

  test("tells the issuer's URL when results are told", async () => {
    const chave = (await submit(now)).body["data"]?.["chave"];
    await now.http("PUT", "/sandbox/invoicing", { webhook: true });
    await cancel(chave);
    await until(() => claims().length === 1);
    expect(claims()).toMatchObject([{ evento: "nfse.cancelada", chave }]);
  });

  test("is refused after the town's term, or above its amount, for amounts of the magic table", async () => {
    for (const [cents, code] of [
      [669_022, "E0822"],
      [669_023, "E0823"],
    ] as const) {
      const chave = (await submit(now, undefined, { cents })).body["data"]?.["chave"];
      expect((await cancel(chave)).body["codigo"]).toBe(code);
    }
    expect((await invoices()).map((row) => row["status"])).toEqual(["autorizada", "autorizada"]);
  });

  test("of what is no note of the caller's, or without a reason, is refused", async () => {
    expect((await cancel("1".repeat(44))).body["codigo"]).toBe("NOT_FOUND");
    const chave = (await submit(now)).body["data"]?.["chave"];
    const bare = { emitente_id: DEMO_ISSUER_ID, chave };
    expect((await now.call("invoicing.cancelamento", bare)).status).toBe(422);
  });

  test("can be unknown to the gateway", async () => {
    const chave = (await submit(now)).body["data"]?.["chave"];
    await now.http("PUT", "/sandbox/invoicing", { cancel_tipo: null });
    expect((await cancel(chave)).status).toBe(422);
  });
});
