import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Issuer, Service } from "../../../../src/plugins/invoicing/fiscal/issuer.ts";
import { NFSE_PROBLEMS } from "../../../../src/plugins/invoicing/fiscal/nfse-problem.ts";
import {
  nfseDados,
  type NfseInput,
  type NfseMapping,
} from "../../../../src/plugins/invoicing/fiscal/nfse-map.ts";
import type { NfseDados } from "../../../../src/gateway/index.ts";

const issuer = Issuer.parse({
  emitente_id: "6f1f7d3e-0000-4000-8000-000000000001",
  cnpj: "11222333000181",
  razao: "Estúdio Exemplo Ltda",
  town: "3550308",
  uf: "SP",
  regime: "simples",
  regime_apuracao: "1",
  percentual_simples: 6,
  default: true,
});
const service = Service.parse({
  id: "corte",
  name: "Corte de cabelo",
  codigo: "060101",
  codigo_interno: "CORTE",
  codigo_tributacao_municipio: "001",
  codigo_nbs: "1.2602.10.00",
});
const address = {
  logradouro: "Avenida Paulista",
  numero: "1000",
  bairro: "Bela Vista",
  codigo_municipio: "3550308",
  uf: "SP",
  cep: "01310100",
};
const input: NfseInput = {
  issuer,
  service,
  taker: { document: "52998224725", name: "Maria Souza", address },
  cents: 15050,
  description: "Corte de cabelo “feminino” ✂️",
  competence: "2026-11",
  now: Date.parse("2026-11-21T13:00:00.500Z"),
  codigoAleatorio: "12345678",
  cIntContrib: "A1b2C3d4E5f6G7h8I9j0",
};

function codes(mapping: NfseMapping): string[] {
  return mapping.ok ? [] : mapping.problems.map((problem) => problem.code);
}

function dados(change: Partial<NfseInput>): NfseDados {
  const mapping = nfseDados({ ...input, ...change });
  if (!mapping.ok) throw new Error(`refused: ${codes(mapping).join()}`);
  return mapping.dados;
}

test("a whole note of a Simples company to a person", () => {
  const item = {
    codigo: "060101",
    codigo_interno: "CORTE",
    cIntContrib: "A1b2C3d4E5f6G7h8I9j0",
    codigo_nbs: "126021000",
    discriminacao: 'Corte de cabelo "feminino"',
    valor_servicos: 150.5,
  };
  expect(dados({})).toEqual({
    status: "1",
    natureza_operacao: "1",
    regime_apuracao: "1",
    data_emissao: "2026-11-21T09:58:30-03:00",
    data_competencia: "2026-11-21T00:00:00-03:00",
    codigo_aleatorio: "12345678",
    nacional: true,
    tomador: { cpf: "52998224725", razao_social: "Maria Souza", endereco: address },
    servico: {
      ...item,
      codigo_tributacao_municipio: "001",
      codigo_municipio: "3550308",
      endereco_local_prestacao: { codigo_municipio_prestacao: "3550308" },
      tributos_municipais: { iss_retido: false },
      tributos_totais: { percentual_tributos_simples_nacional: 6 },
      itens: [item],
    },
  });
});

describe("several services in one note", () => {
  const beard = { ...service, id: "barba", name: "Barba", codigo_interno: "BARBA" };
  const items = [
    { service, cents: 10, description: "Corte" },
    { service: beard, cents: 20, description: "Barba" },
    { service: beard, cents: 5_069, description: "Barba e bigode" },
  ];

  test("each is an item with its own words and value, and their sum to the cent is the note's", () => {
    const { servico } = dados({ items, cents: 5_099, description: "Corte; Barba" });
    expect(servico).toMatchObject({ discriminacao: "Corte; Barba", valor_servicos: 50.99 });
    expect(
      servico.itens.map((item) => [item.codigo_interno, item.discriminacao, item.valor_servicos]),
    ).toEqual([
      ["CORTE", "Corte", 0.1],
      ["BARBA", "Barba", 0.2],
      ["BARBA", "Barba e bigode", 50.69],
    ]);
    expect(new Set(servico.itens.map((item) => item.cIntContrib))).toEqual(
      new Set([servico.cIntContrib]),
    );
  });

  test.each<[string, object]>([
    ["items-sum", { cents: 5_098 }],
    [
      "items-mixed",
      { items: [...items, { ...items[0], service: { ...service, codigo: "170101" } }] },
    ],
    ["items-mixed", { items: [{ ...items[0], service: { ...service, iss_retido: true } }] }],
    [
      "items-mixed",
      { items: [{ ...items[0], service: { ...service, codigo_tributacao_municipio: "002" } }] },
    ],
    ["item-value", { items: [...items, { ...items[0], cents: 0 }] }],
    ["item-value", { items: [...items, { ...items[0], cents: 0.5 }], cents: 5_099.5 }],
    ["item-description", { items: [...items, { ...items[0], cents: 1, description: " 😀 " }] }],
    ["item-description", { items: [{ ...items[0], cents: 5_099, description: "a".repeat(1001) }] }],
    [
      "items-many",
      { items: Array.from({ length: 51 }, () => ({ ...items[0], cents: 1 })), cents: 51 },
    ],
  ])("%s is refused, and the list is what has to change", (code, change) => {
    const mapping = nfseDados({ ...input, items, cents: 5_099, ...change });
    expect(codes(mapping)).toContain(code);
    expect(mapping.ok ? [] : mapping.problems.map(({ slot }) => slot)).toContain("items");
  });
});

describe("the taker", () => {
  test("a company goes in the field that the deployment names", () => {
    const taker = { document: "12ABC34501DE35", name: "Exemplo SA", address };
    expect(dados({ taker }).tomador).toMatchObject({ cnpj: "12ABC34501DE35" });
    const other = dados({ taker, profile: { takerCnpj: "cpf" } }).tomador;
    expect(other).toMatchObject({ cpf: "12ABC34501DE35" });
    expect(other).not.toHaveProperty("cnpj");
  });

  test("the complement is joined to the street, for the layout has no field for it", () => {
    const taker = {
      ...input.taker,
      document: "52998224725",
      name: "Ana",
      address: { ...address, complemento: "ap 4" },
    };
    expect(dados({ taker }).tomador?.endereco?.logradouro).toBe("Avenida Paulista, ap 4");
  });

  test.each<[string, NfseInput["taker"]]>([
    ["document-invalid", { document: "52998224724", name: "Ana" }],
    ["taker-is-issuer", { document: "11222333000181", name: "Ana" }],
    ["name-missing", { document: "52998224725", name: " 😀 " }],
    ["name-too-long", { document: "52998224725", name: "a".repeat(151) }],
    ["address-incomplete", { document: "52998224725", name: "Ana", address: { cep: "01310100" } }],
    [
      "address-incomplete",
      { document: "52998224725", name: "Ana", address: { ...address, bairro: "😀" } },
    ],
    [
      "address-town",
      {
        document: "52998224725",
        name: "Ana",
        address: { ...address, codigo_municipio: "3304557" },
      },
    ],
    [
      "address-cep",
      { document: "52998224725", name: "Ana", address: { ...address, cep: "20040002" } },
    ],
    [
      "address-too-long",
      { document: "52998224725", name: "Ana", address: { ...address, numero: "12345678901" } },
    ],
  ])("%s", (code, taker) => {
    const { taker: _, ...rest } = input;
    expect(codes(nfseDados(taker ? { ...rest, taker } : rest))).toEqual([code]);
  });

  test("withheld ISS needs document and address", () => {
    const withheld = { ...service, iss_retido: true };
    const { taker: _, ...anonymous } = input;
    expect(nfseDados(anonymous).ok).toBe(true);
    expect(codes(nfseDados({ ...anonymous, service: withheld }))).toEqual(["document-required"]);
    expect(
      codes(
        nfseDados({ ...input, service: withheld, taker: { document: "52998224725", name: "Ana" } }),
      ),
    ).toEqual(["address-required"]);
  });
});

describe("value, description, codes", () => {
  test.each<[string, Partial<NfseInput>]>([
    ["value-not-positive", { cents: 0 }],
    ["value-not-positive", { cents: -1 }],
    ["value-not-cents", { cents: 10.5 }],
    ["value-not-cents", { cents: Number.NaN }],
    ["value-too-large", { cents: 100_000_000_000 }],
    ["description-missing", { description: "✂️ \n" }],
    ["description-too-long", { description: "a".repeat(1001) }],
    ["place-unknown", { place: "9999999" }],
    ["code-malformed", { codigoAleatorio: "1234567" }],
    ["code-malformed", { cIntContrib: "a-b" }],
    ["code-malformed", { service: { ...service, codigo_interno: "😀" } }],
  ])("%s", (code, change) => expect(codes(nfseDados({ ...input, ...change }))).toEqual([code]));

  test("every problem is told at once, in the language asked", () => {
    const mapping = nfseDados({ ...input, cents: 0, description: "", locale: "en" });
    expect(mapping).toEqual({
      ok: false,
      problems: [
        { code: "value-not-positive", slot: "value", text: NFSE_PROBLEMS["value-not-positive"].en },
        {
          code: "description-missing",
          slot: "description",
          text: NFSE_PROBLEMS["description-missing"].en,
        },
      ],
    });
  });

  test("the one item carries the whole value, and no amount gets a third decimal", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999_999 }), (cents) => {
        const { servico } = dados({ cents });
        expect(servico.itens.map((item) => item.valor_servicos)).toEqual([servico.valor_servicos]);
        expect(JSON.stringify(servico.valor_servicos)).toMatch(/^\d+(?:\.\d{1,2})?$/);
        expect(Math.round(servico.valor_servicos * 100)).toBe(cents);
      }),
    );
  });
});

describe("dates", () => {
  test("an earlier month is told by its last day, a day by itself", () => {
    expect(dados({ competence: "2026-10" }).data_competencia).toBe("2026-10-31T00:00:00-03:00");
    expect(dados({ competence: "2026-11-05" }).data_competencia).toBe("2026-11-05T00:00:00-03:00");
  });

  test.each(["2026-12", "2026-11-22"])("%s has not come yet", (competence) => {
    expect(codes(nfseDados({ ...input, competence }))).toEqual(["competence-future"]);
  });

  test.each(["", "ontem", "2026-02-30", "2026-13", "1999-01"])(
    "%j is no competence",
    (competence) => {
      expect(codes(nfseDados({ ...input, competence }))).toEqual(["competence-invalid"]);
    },
  );

  test("the zone is the issuer's, not the server's", () => {
    const acre = { ...issuer, town: "1200401", uf: "AC" as const, zone: "America/Rio_Branco" };
    expect(dados({ issuer: acre }).data_emissao).toBe("2026-11-21T07:58:30-05:00");
  });

  test("in the first seconds of a month the note is not dated back into the month before", () => {
    const mapped = dados({ now: Date.parse("2026-12-01T03:00:20Z"), competence: "2026-12" });
    expect(mapped.data_emissao).toBe("2026-12-01T00:00:00-03:00");
    expect(mapped.data_competencia).toBe("2026-12-01T00:00:00-03:00");
  });

  test.each([
    ["America/Santiago", "2026-09-06", "2026-09-06T01:00:00-03:00"],
    ["America/Rio_Branco", "2026-09", "2026-09-06T00:00:00-05:00"],
    ["America/Noronha", "2026-08", "2026-08-31T00:00:00-02:00"],
  ])("in %s the competence %s begins with its day's first moment", (zone, competence, begins) => {
    const now = Date.parse("2026-09-06T15:00:00Z");
    const mapped = dados({ now, issuer: { ...issuer, zone }, competence });
    expect(mapped.data_competencia).toBe(begins);
  });

  test.each([
    ["America/Rio_Branco", "2027-01-01T04:59:59Z", "2026-12-31T00:00:00-05:00"],
    ["America/Rio_Branco", "2027-01-01T05:00:00Z", "2027-01-01T00:00:00-05:00"],
    ["America/Noronha", "2027-01-01T02:00:00Z", "2027-01-01T00:00:00-02:00"],
    ["America/Sao_Paulo", "2028-03-01T02:59:59Z", "2028-02-29T00:00:00-03:00"],
  ])("at a turn of year or month in %s, at %s, the month is that of the place", (zone, at, day) => {
    const mapped = dados({
      ...{ now: Date.parse(at), issuer: { ...issuer, zone }, competence: day.slice(0, 7) },
    });
    expect(mapped.data_competencia).toBe(day);
    expect(Date.parse(mapped.data_emissao)).toBeLessThanOrEqual(Date.parse(at));
    expect(mapped.data_emissao >= day).toBe(true);
  });

  test("emission is never in the future and never before the competence", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.parse("2026-01-01"), max: Date.parse("2027-01-01") }),
        fc.constantFrom("America/Sao_Paulo", "America/Noronha", "America/Rio_Branco"),
        fc.integer({ min: 0, max: 40 }),
        (now, zone, back) => {
          const day = new Date(now - back * 86_400_000 - 6 * 3_600_000).toISOString().slice(0, 10);
          const mapped = dados({ now, issuer: { ...issuer, zone }, competence: day });
          expect(Date.parse(mapped.data_emissao)).toBeLessThanOrEqual(now);
          expect(Date.parse(mapped.data_emissao)).toBeGreaterThan(now - 120_000);
          expect(Date.parse(mapped.data_competencia)).toBeLessThanOrEqual(
            Date.parse(mapped.data_emissao),
          );
        },
      ),
    );
  });
});

describe("regimes", () => {
  const { regime_apuracao: _a, percentual_simples: _p, ...bare } = issuer;

  test("a MEI sends no Simples fields and may not have ISS withheld", () => {
    const mei = { ...bare, regime: "mei" as const };
    const mapped = dados({ issuer: mei });
    expect(mapped).not.toHaveProperty("regime_apuracao");
    expect(mapped.servico).not.toHaveProperty("tributos_totais");
    expect(
      codes(nfseDados({ ...input, issuer: mei, service: { ...service, iss_retido: true } })),
    ).toEqual(["mei-retention"]);
    expect(codes(nfseDados({ ...input, issuer: { ...issuer, regime: "mei" } }))).toEqual([
      "simples-only-fields",
    ]);
  });

  test("Simples needs its assessment regime and its percentage, above the sub-limit too", () => {
    for (const regime of ["simples", "simples_excesso"] as const)
      expect(codes(nfseDados({ ...input, issuer: { ...bare, regime } }))).toEqual([
        "simples-regime-missing",
        "simples-percent-missing",
      ]);
  });

  test("the normal regime sends neither", () => {
    expect(dados({ issuer: { ...bare, regime: "normal" } }).servico).not.toHaveProperty(
      "tributos_totais",
    );
  });
});

describe("an account's settings", () => {
  const raw = {
    emitente_id: issuer.emitente_id,
    cnpj: issuer.cnpj,
    razao: "A",
    town: "3550308",
    uf: "SP",
    regime: "mei",
  };

  test("defaults are the ones of a small national issuer", () => {
    expect(Issuer.parse(raw)).toMatchObject({
      natureza_operacao: "1",
      nacional: true,
      zone: "America/Sao_Paulo",
    });
  });

  test.each([
    { cnpj: "11222333000182" },
    { town: "3550309" },
    { uf: "RJ" },
    { zone: "Mars/Base" },
    { percentual_simples: 6.123 },
    { regime_apuracao: "4" },
  ])("%j is refused", (change) =>
    expect(Issuer.safeParse({ ...raw, ...change }).success).toBe(false),
  );

  test("codes stay text, with their leading zero", () => {
    expect(service.codigo).toBe("060101");
    expect(Service.safeParse({ ...service, codigo: "6" }).success).toBe(false);
    expect(Service.safeParse({ ...service, codigo_nbs: "123" }).success).toBe(false);
  });
});
