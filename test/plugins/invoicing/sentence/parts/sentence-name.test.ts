/** Who receives the note, as the rules alone read it: labels, roles, who signs, companies. Texts with many more: test/corpus. */
import { expect, test } from "vitest";
import { byRules } from "../../../../../src/plugins/invoicing/sentence/invoice.ts";
import { candidatesOf } from "../../../../../src/plugins/invoicing/sentence/learned/candidates.ts";
import type { Tagged } from "../../../../../src/plugins/invoicing/sentence/learned/tagger.ts";
import { tokensOf } from "../../../../../src/plugins/invoicing/sentence/learned/tokens.ts";

const context = { now: Date.parse("2026-11-21T12:00:00-03:00"), zone: "America/Sao_Paulo" };

function named(text: string): string | undefined {
  return byRules(text, context).found.name;
}

test.each([
  ["Sacado Hospital São Camilo. Inscrito sob 11.222.333/0001-81. R$ 90,00", "Hospital São Camilo"],
  ["Serviço: mergulho. Aluno: Davi Reis. Pagante: Regina Reis, R$ 90,00", "Regina Reis"],
  ["valor 330\ncli rosemeri stüpp\ncpf 529.982.247-25\nbox de vidro", "Rosemeri Stüpp"],
  ["lavagem do bau, 95 reais, emp Rodosul Cargas 11.222.333/0001-81, nota", "Rodosul Cargas"],
  [
    "nota. Faturar para: Sindicato da Alimentação – CNPJ 11.222.333/0001-81. R$ 90,00",
    "Sindicato da Alimentação",
  ],
  ["nota de 90 reais, show de voz, quem paga é a Maré Alta Ltda", "Maré Alta Ltda"],
  ["nota de 90 reais, curativo, quem paga é a filha Mônica Serrano", "Mônica Serrano"],
  ["nota: dj casamento, 90 reais, noivo Thiago Perrone 529.982.247-25", "Thiago Perrone"],
  [
    "nota de 90 reais pro cnpj 11222333000181 que é da Lanches Tropical Eireli",
    "Lanches Tropical Eireli",
  ],
  ["NFS-e da aula prestada ao Centro Horizonte Ltda, R$ 90,00", "Centro Horizonte Ltda"],
  ["R$ 90,00. Nota. Empresa Supergás Norte Ltda. 11.222.333/0001-81", "Supergás Norte Ltda"],
  ["Tomador Serviço Autônomo de Água; R$ 90,00; nota", "Serviço Autônomo de Água"],
])("behind a label in other words: %s", (text, name) => {
  expect(named(text)).toBe(name);
});

test.each([
  ["nota de 90 reais em nome do pai Jorge Alencar", "Jorge Alencar"],
  ["nota de 90 reais no nome da mae katia lorenzoni", "Katia Lorenzoni"],
  ["nota de 90 reais pra noiva Elisa Bertolini", "Elisa Bertolini"],
  ["nota de 90 reais pra proprietaria dona Eulália Fontoura", "Eulália Fontoura"],
  ["nota de 90 reais pro morador Fausto Amaral", "Fausto Amaral"],
  ["nota de 90 reais em nome do Arq. Leonel Fraga", "Leonel Fraga"],
])("a role before a name is none of it: %s", (text, name) => {
  expect(named(text)).toBe(name);
});

test.each([
  ["nota no nome dela, 90 reais, escova", undefined],
  ["nota no nome da mãe mesmo, 90 reais, escova", undefined],
  ["nota p/ Mário Lúcio ou esposa, 90 reais", undefined],
  ["nota em nome do Edson Vieira e da Márcia Vieira, 90 reais", undefined],
  ["o cliente tá aqui na frente, nota de 90 reais da escova", undefined],
  ["não é pra Carla, é pro irmão dela, nota de 90 reais", undefined],
  ["nota pra Pousada Manacá e não pra Pousada Ipê, 90 reais", "Pousada Manacá"],
  ["nota de R$ 55 pro Alan Duque e o serviço é cópia de chave", "Alan Duque"],
  ["nota pra agência: Motor Criativo Ltda, 90 reais", "Motor Criativo Ltda"],
  ["nota pra Silva e Filhos Ltda, 90 reais", "Silva e Filhos Ltda"],
  ["nota p/ Abílio Nogueira cirurgia de fimose 90 reais", "Abílio Nogueira"],
])("where a name begins and ends, and what is none: %s", (text, name) => {
  expect(named(text)).toBe(name);
});

test.each([
  ["nota de 90 reais, poda, CNPJ 11.222.333/0001-81. Abs, Otacílio Prado", undefined],
  ["nota de 90 reais, poda. Atenciosamente, Neide Lima", undefined],
  ["Oi Bia Lima, nota da poda, 90 reais, Creche Sementinha", "Creche Sementinha"],
])("who writes and who is written to receives nothing: %s", (text, name) => {
  expect(named(text)).toBe(name);
});

test.each([
  [
    "- Cliente: Assoc. Benef. Lar dos Velhinhos\n- nota\n- R$ 90,00",
    "Assoc. Benef. Lar dos Velhinhos",
  ],
  ["design\ncerv. artesanal tropeira\n11.222.333/0001-81\nR$ 90", "Cerv. Artesanal Tropeira"],
  ["agência lumen\ncnpj 11222333000181\nvídeo\ntotal 90", "Agência Lumen"],
  [
    "nota da roçada, prefeitura de lagoa bonita, 11222333000181, 90 reais",
    "Prefeitura de Lagoa Bonita",
  ],
  ["90 reais, nota pra 11222333000181 rapidão transportes ltda", "Rapidão Transportes LTDA"],
  ["revisao da hidraulica, iolanda freitas, 52998224725, 90 reais", "Iolanda Freitas"],
  ["nota pra dra. helena paiva odonto ltda, 90 reais", "Dra. Helena Paiva Odonto LTDA"],
  ["nota pra Prefeitura de Três Arroios, 90 reais, capina", "Prefeitura de Três Arroios"],
  ["nota pra Studio 54, 90 reais", "Studio 54"],
  ["My company is Redwood Consulting Ltda, nota de 90 reais", "Redwood Consulting Ltda"],
  ["pintura da grade // Studio Lume Fotografia // 90 reais // nota", "Studio Lume Fotografia"],
])("a company is read whole: %s", (text, name) => {
  expect(named(text)).toBe(name);
});

test.each([
  "cnpj 11222333000181 restaurante sabor do sertão coifa limpa 90 reais",
  "vidraçaria troca do vidro da portaria 90,00 cnpj 11222333000181, nota",
  "limpeza da caixa, casa da praia, 11222333000181, 90 reais",
])("small letters that nothing ends are no company: %s", (text) => {
  expect(named(text)).toBeUndefined();
});

/** What is offered as a name where the chain holds these words, and no others, for one. */
function offered(line: string, words: string): readonly string[] {
  const tokens = tokensOf({ line, parts: [] });
  const at = line.indexOf(words);
  const first = tokens.findIndex(({ start }) => start === at);
  const last = tokens.findLastIndex(({ start }) => start < at + words.length);
  const by: Tagged = {
    spans: [],
    asked: 0,
    amounts: [],
    likelihoodOfTag: (token) => (token >= first && token <= last ? 1 : 0),
    likelihoodOf: (_, from, to) => (from === first && to === last ? 1 : 0),
    likelihoodByNet: () => 0,
    dayOdds: () => 0,
    likelihoodOfNone: () => 0,
  };
  return candidatesOf("name", undefined, { tokens, by, line, text: line }).map(({ text }) => text);
}

test.each([
  ["arte, cerv. artesanal tropeira, nota", "artesanal tropeira", ["Cerv. Artesanal Tropeira"]],
  [
    "nota: dra. helena paiva odonto ltda",
    "helena paiva odonto ltda",
    ["Dra. Helena Paiva Odonto LTDA"],
  ],
  [
    "placa, consultório odontológico dr. Heitor Vilas",
    "Heitor Vilas",
    ["consultório odontológico dr. Heitor Vilas"],
  ],
  ["faxina no consultório da dra. Denise Rangel", "Denise Rangel", ["Denise Rangel"]],
  ["bonés, time Estrela da Várzea Futebol Clube", "Várzea Futebol Clube", []],
  ["nota para Mrs. Helen Stone", "Mrs. Helen Stone", []],
  ["nota para Mrs. Helen Stone", "Helen Stone", ["Helen Stone"]],
  ["nota da poda, 90 reais. Abs, Otacílio", "Otacílio", []],
  ["nota pra Pousada Manacá e não pra Pousada Ipê", "Pousada Ipê", []],
])("what may be a name is offered whole, or not at all: %s", (line, words, names) => {
  expect(offered(line, words)).toEqual(names);
});
