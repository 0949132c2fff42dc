import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DEMO_ISSUER_ID } from "../../../src/sandbox/index.ts";
import { pfx, type PfxOptions } from "../certificates.ts";
import { submit } from "../notes.ts";
import { FIRST, rowsOf, SECOND, stage, textOf, type Headers, type Stage } from "../stage.ts";

let now: Stage;
beforeAll(async () => {
  now = await stage();
});
afterAll(() => now.close());
beforeEach(async () => {
  await now.http("POST", "/sandbox/reset", {});
});

const DAY_MS = 86_400_000;
const DEMO_CNPJ = "11222333000181";
const GOOD = {
  razao: "Outra Empresa Ltda",
  cnpj: "11444777000161",
  cnae: "6209100",
  crt: 3,
  telefone: "1130000000",
  email: "fiscal@outra.example",
  municipio: "sao paulo",
  cmun: "3550308",
  uf: "SP",
  cep: "01310100",
  webhook_url: "https://outra.example/notas",
};
const register = (fields: object = {}, as: Headers = FIRST) =>
  now.call("invoicing.emitentesCadastro", { ...GOOD, ...fields }, { as });
const update = (fields: object) => now.call("invoicing.emitentesAtualiza", fields);
const listed = async (body: object = {}, as: Headers = FIRST) =>
  rowsOf((await now.call("invoicing.emitentesLista", body, { as })).body["data"]);

describe("registering", () => {
  test("gives an id under which the issuer is listed, alone or among all", async () => {
    const emitente = textOf((await register()).body["data"]?.["emitente_id"]);
    expect(emitente).toMatch(/^[0-9a-f-]{36}$/);
    expect(await listed({ emitente })).toMatchObject([{ ...GOOD, emitente_id: emitente }]);
    expect(await listed({ emitente: emitente.toUpperCase() })).toHaveLength(1);
    expect((await listed()).map((row) => row["emitente_id"])).toEqual([DEMO_ISSUER_ID, emitente]);
    expect(await listed({ emitente: "00000000-0000-4000-8000-000000000000" })).toEqual([]);
  });

  test("takes an alphanumeric CNPJ", async () => {
    expect((await register({ cnpj: "12ABC34501DE35" })).body["error"]).toBe(false);
  });

  test.each<[string, object]>([
    ["cnpj", { cnpj: "11444777000162" }],
    ["cnpj", { cnpj: "12ABC345O1DE35" }],
    ["razao", { razao: "  " }],
    ["cnae", { cnae: "0409100" }],
    ["cmun", { cmun: "3599999" }],
    ["cmun", { uf: "RJ" }],
    ["cmun", { municipio: "Campinas" }],
    ["cep", { cep: "20040002" }],
    ["telefone", { telefone: "30000000" }],
    ["email", { email: "fiscal@outra" }],
  ])(
    "is a business failure that names %s for %j, charged and without effect",
    async (campo, fields) => {
      const { status, body } = await register(fields);
      expect(status).toBe(200);
      expect(body).toMatchObject({ error: true, codigo: "emitente_invalido" });
      expect(Object.keys(body["errors"] as object)).toEqual([campo]);
      expect(await listed()).toHaveLength(1);
      const ledger = rowsOf((await now.http("GET", "/sandbox/ledger")).body);
      expect(ledger[0]).toMatchObject({ tipo: "emitentes-cadastro", price: 19 });
    },
  );

  test.each<[string, object]>([
    ["cnpj", { cnpj: "11.444.777/0001-61" }],
    ["cnae", { cnae: "62" }],
    ["uf", { uf: "sp" }],
    ["crt", { crt: 5 }],
    ["webhook_url", { webhook_url: "ftp://outra.example" }],
    ["razao", { razao: undefined }],
    ["documentos", { documentos: { nfse: "sim" } }],
  ])("is a 422 that names %s for %j: it is not even of the form", async (campo, fields) => {
    const { status, body } = await register(fields);
    expect(status).toBe(422);
    expect(Object.keys(body["errors"] as object).join()).toContain(campo);
  });

  test("is refused for a CNPJ the caller has, and open to another caller", async () => {
    expect((await register({ cnpj: DEMO_CNPJ })).body["codigo"]).toBe("emitente_duplicado");
    const theirs = await register({ cnpj: DEMO_CNPJ }, SECOND);
    expect(theirs.body["error"]).toBe(false);
    expect(await listed({}, SECOND)).toHaveLength(1);
  });
});

describe("updating", () => {
  test("changes what is given and keeps the rest, certificate included", async () => {
    const { body } = await update({ emitente_id: DEMO_ISSUER_ID, nome: "Aurora Nova" });
    expect(body["data"]).toMatchObject({ nome: "Aurora Nova", razao: "Estúdio Aurora Ltda" });
    expect(body["data"]?.["certificado_validade"]).not.toBeNull();
  });

  test("is refused as a registration would be, and changes nothing then", async () => {
    await register();
    const taken = await update({ emitente_id: DEMO_ISSUER_ID, cnpj: GOOD.cnpj });
    expect(taken.body["codigo"]).toBe("emitente_duplicado");
    const wrong = await update({ emitente_id: DEMO_ISSUER_ID, nome: "x", cep: "20040002" });
    expect(wrong.body["codigo"]).toBe("emitente_invalido");
    expect((await listed())[0]).toMatchObject({ cnpj: DEMO_CNPJ, nome: "Estúdio Aurora" });
  });

  test("to another company leaves the certificate behind", async () => {
    await update({ emitente_id: DEMO_ISSUER_ID, cnpj: GOOD.cnpj });
    expect((await submit(now)).body["codigo"]).toBe("E0715");
  });

  test("of nobody's issuer is a business failure", async () => {
    const { body } = await update({ emitente_id: "00000000-0000-4000-8000-000000000000" });
    expect(body).toMatchObject({ error: true, codigo: "emitente_nao_encontrado" });
  });
});

describe("a certificate", () => {
  const upload = async (certificado: string, senha = "senha", emitente_id = DEMO_ISSUER_ID) =>
    (await now.call("invoicing.certificadoUpload", { dados: { emitente_id, senha, certificado } }))
      .body;
  const valid = async (change: Partial<PfxOptions> = {}): Promise<PfxOptions> => {
    const at = await now.now();
    const dates = { from: at - DAY_MS, until: at + DAY_MS };
    return { cnpj: DEMO_CNPJ, password: "senha", ...dates, ...change };
  };

  const forms = (["legacy", "modern"] as const).flatMap((form) =>
    (["name", "alternative"] as const).map((place) => [form, place] as const),
  );

  test.each(forms)("in the %s form, its CNPJ in the %s, is read", async (form, place) => {
    const options = await valid({ form, in: place });
    const { data, error } = await upload(pfx(options));
    expect(error).toBe(false);
    const day = new Date(options.until).toISOString().slice(0, 10);
    expect(data).toEqual({ emitente_id: DEMO_ISSUER_ID, validade: day });
    expect((await listed())[0]?.["certificado_validade"]).toBe(day);
  });

  test.each(forms)(
    "in the %s form, CNPJ in the %s, is refused for its password",
    async (form, place) => {
      const body = await upload(pfx(await valid({ form, in: place })), "errada");
      expect(body).toMatchObject({ error: true, message: "Senha do certificado incorreta." });
    },
  );

  test.each(["legacy", "modern"] as const)(
    "in the %s form may have accents in its password",
    async (form) => {
      const password = "São João 1º";
      const file = pfx(await valid({ form, password }));
      expect((await upload(file, password))["error"]).toBe(false);
      expect((await upload(file, "Sao Joao 1o"))["message"]).toMatch(/Senha/);
    },
  );

  test("of a branch with letters serves its head office, and the other way round", async () => {
    const made = await register({ cnpj: "00000000E08G12" });
    const id = textOf(made.body["data"]?.["emitente_id"]);
    const file = pfx(await valid({ cnpj: "00000000000191", in: "alternative" }));
    expect((await upload(file, "senha", id))["error"]).toBe(false);
  });

  test.each<[string, RegExp, Partial<PfxOptions>]>([
    ["is over", /vencido/, { from: 0, until: DAY_MS }],
    ["has not begun", /ainda não/, { from: 4e12, until: 4.1e12 }],
    ["is of another company", /outro CNPJ/, { cnpj: "11444777000161" }],
    [
      "is of another company by its alternative name",
      /outro CNPJ/,
      { cnpj: "11444777000161", in: "alternative" },
    ],
    ["has a CNPJ that is none", /não é de uma empresa/, { cnpj: "11222333000182" }],
    ["is of a person", /não é de uma empresa/, { cnpj: "52998224725" }],
    ["asks for a billion rounds of work", /ilegível/, { rounds: 1_000_000_000 }],
  ])("that %s is a business failure and changes nothing", async (_what, message, change) => {
    const before = (await listed())[0]?.["certificado_validade"];
    const body = await upload(pfx(await valid(change)));
    expect(body["error"]).toBe(true);
    expect(body["message"]).toMatch(message);
    expect((await listed())[0]?.["certificado_validade"]).toBe(before);
  });

  test.each(["AAAA", "QUJDREVGRw==", "MIIKFAIBAzCC", "A".repeat(200_000), "A".repeat(200_004)])(
    "that is garbage (%#) is a business failure",
    async (certificado) => {
      expect((await upload(certificado))["message"]).toMatch(/ilegível/);
    },
  );

  test("of nobody's issuer is a business failure; without password or file it is a 422", async () => {
    const file = pfx(await valid());
    const other = await upload(file, "senha", "00000000-0000-4000-8000-000000000000");
    expect(other["codigo"]).toBe("emitente_nao_encontrado");
    for (const dados of [{ emitente_id: DEMO_ISSUER_ID }, "x"])
      expect((await now.call("invoicing.certificadoUpload", { dados })).status).toBe(422);
  });

  test("that ends while the clock runs stops its issuer", async () => {
    await upload(pfx(await valid()));
    await now.http("POST", "/sandbox/clock", { advance: "2d" });
    expect((await submit(now)).body["codigo"]).toBe("E0716");
  });
});
