/** Businesses and customers as the fuzz of `dados` draws them: each answer is written in a way that may be misread. */
import type { Account } from "../../src/engine/index.ts";
import type { Dice } from "../support/dice.ts";
import { model } from "../support/plugins.ts";

const ISSUER_CNPJ = "11222333000181";
const DOCUMENTS = [
  ["52998224725", "529.982.247-25"],
  ["11144477735", "cpf 111.444.777-35"],
  ["12345678909", "é 12345678909"],
  ["11444777000161", "11.444.777/0001-61"],
  ["12ABC34501DE35", "12.abc.345/01de-35"],
  ["00000000E08G12", "cnpj 00.000.000/E08G-12"],
  // What only the mapping refuses: often enough that many conversations come back from it.
  [ISSUER_CNPJ, "11.222.333/0001-81"],
  [ISSUER_CNPJ, "cnpj 11222333000181"],
] as const;
const NAMES = [
  ...[
    "Maria Souza",
    "José D’Ávila 🎉",
    "ACME “Filmes” & Cia – ME",
    "João  da   Silva",
    "Łukasz Żółć",
  ],
  ...[
    "Ana\u00a0Lima",
    "Zoë\u200b Nuñez",
    "Ana 名前 Lima",
    "n\u0303onã Õe",
    "Padaria do Zé™ Ltda…",
    "MARIA DE LOURDES",
  ],
  `Associação ${"dos Amigos ".repeat(14)}`,
] as const;
const WORDS = [
  ...[
    "corte de cabelo",
    "Consultoria – “fase 2” 🚀",
    "serviço\nem duas linhas",
    "3 sessões de foto (50 % à vista)",
  ],
  ...[
    "aula de inglês; nível B2 €",
    "conserto d’água",
    `laudo ${"muito detalhado ".repeat(70)}`,
    "•revisão •pintura",
  ],
] as const;
/** Town, its code, a postal code of it. */
const TOWNS = [
  ...[
    ["São Paulo/SP", "01310-100"],
    ["rio de janeiro - rj", "20040020"],
    ["Belo Horizonte, MG", "30.130-010"],
  ],
  ...[
    ["Brasília/DF", "70040-010"],
    ["Luziânia/GO", "72800-000"],
    ["Manaus/AM", "69005-010"],
    ["Boa Vista/RR", "69301-000"],
  ],
  ...[
    ["Porto Velho/RO", "76801-000"],
    ["Bom Jesus/PI", "64900-000"],
    ["Bom Princípio do Piauí/PI", "64225-000"],
  ],
  ...[
    ["Santa Bárbara d'Oeste/SP", "13450-000"],
    ["Cuiabá/MT", "78005-000"],
    ["SAO LUIS/MA", "65010-000"],
  ],
] as const satisfies readonly (readonly string[])[];
const STREETS = [
  ...[
    "Rua das Flores, 123",
    "Av. 9 de Julho 1000 ap 42",
    "Rua 15, 200",
    "Praça da Sé s/n",
    "Rua “Zé” 🏠, 7 fundos",
  ],
  ...[
    "Quadra 104 Sul, Alameda 2, lote 5",
    "Rodovia BR 101 km 20, 5",
    `Rua ${"Visconde ".repeat(16)}, 12 bloco B`,
  ],
] as const;
const ZONES = [
  "America/Sao_Paulo",
  "America/Manaus",
  "America/Rio_Branco",
  "America/Noronha",
] as const;

export interface Wish {
  cents: number;
  document: string;
  /** `YYYY-MM`. */
  month: string;
  name: string;
  description: string;
  address: string;
  service: string;
}

/** Any regime, address rule, kind of service and zone that the settings allow. */
export function business(dice: Dice): Account {
  const regime = dice.pick(["simples", "simples_excesso", "normal", "mei"] as const);
  const isSimples = regime.startsWith("simples");
  const zone = dice.pick(ZONES);
  const code = { codigo_tributacao_municipio: "001", codigo_nbs: "1.2602.10.00" };
  return model.schema.parse({
    id: "demo",
    name: "Estúdio Aurora",
    zone: dice.chance(0.9) ? zone : "America/Sao_Paulo",
    issuers: [
      {
        emitente_id: "6f1f7d3e-0000-4000-8000-000000000001",
        ...{
          cnpj: ISSUER_CNPJ,
          razao: "Estúdio Aurora Ltda",
          town: "3550308",
          uf: "SP",
          regime,
          zone,
        },
        nacional: dice.chance(0.7),
        ...(isSimples ? { regime_apuracao: dice.pick(["1", "2", "3"]) } : {}),
        ...(isSimples ? { percentual_simples: dice.between(0, 1_999) / 100 } : {}),
      },
    ],
    services: [
      {
        id: "haircut",
        name: "Corte de cabelo",
        codigo: "060101",
        codigo_interno: "CORTE",
        ...code,
      },
      // Its ISS is due where the taker is.
      { id: "staff", name: "Mão de obra", codigo: "17.05", codigo_interno: "MO", ...code },
      {
        ...{ id: "held", name: "Vigilância", codigo: "110201", codigo_interno: "VIG", ...code },
        iss_retido: regime !== "mei",
      },
    ],
    operators: [{ name: "Operador", alias: "phone:5511900000001", address: "5511900000001" }],
    policy: {
      approval: dice.chance(0.1),
      address: dice.pick(["never", "companies", "always"]),
      ceiling: dice.chance(0.2) ? 20_000 : 5_000_000,
    },
  });
}

export function wishOf(dice: Dice, month: string): Wish {
  const [town, cep] = dice.pick(TOWNS);
  const wrong = dice.chance(0.1) ? dice.pick(TOWNS)[1] : cep;
  return {
    cents: dice.chance(0.1) ? dice.between(1, 99) : dice.between(100, 500_000),
    document: dice.pick(DOCUMENTS)[0],
    month: dice.chance(0.6) ? month : before(month, dice.between(1, 5)),
    name: dice.pick(NAMES),
    description: dice.pick(WORDS),
    address: `${dice.pick(STREETS)}, ${dice.pick(["Centro", "Jardim “Novo” 😀", "Vila Ré"])}, ${town}, ${wrong}`,
    service: dice.pick(["1", "2", "3"]),
  };
}

export function before(month: string, months: number): string {
  const [year = 0, one = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, one - 1 - months, 15)).toISOString().slice(0, 7);
}

const PLAIN = {
  name: "Maria Souza",
  description: "servico prestado",
  address: "Rua das Flores, 123, Centro, São Paulo/SP, 01310-100",
} as const;

/** What the person writes for a question, the n-th time it is asked; plainer from the second time on. */
export function answerTo(slot: string, wish: Wish, tries: number, dice: Dice): string {
  const brl = (wish.cents / 100).toFixed(2).replace(".", ",");
  const [year = "", month = ""] = wish.month.split("-");
  switch (slot) {
    case "service":
      return wish.service;
    case "document": {
      const written = DOCUMENTS.find(([bare]) => bare === wish.document)?.[1] ?? wish.document;
      return tries === 0 ? written : wish.document;
    }
    case "value": {
      const grouped = brl.replace(/\B(?=(\d{3})+,)/g, ".");
      if (tries > 0) return brl;
      return dice.pick([brl, `R$ ${grouped}`, `foi ${brl} reais`, `${grouped} 👍`, `R$${brl}`]);
    }
    case "competence":
      return tries > 0
        ? `${month}/${year}`
        : dice.pick([`${month}/${year}`, `ref. ${month}/${year}`]);
    case "name":
    case "description":
    case "address":
      // Refused twice, or by the authority's rules: a plain one.
      return tries === 0 ? wish[slot] : PLAIN[slot];
    default:
      return "1";
  }
}
