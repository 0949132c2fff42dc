import { describe, expect, test } from "vitest";
import {
  description,
  freeText,
  pickOption,
  similarOptions,
  splitStreet,
} from "../../src/understanding/index.ts";
import { business, isKind, KINDS, personOrCompany, understand } from "../support/understand.ts";

const context = { now: Date.parse("2026-11-21T12:00:00-03:00"), zone: "America/Sao_Paulo" };

describe("the shape of an answer", () => {
  test("a value comes with its echo", () => {
    expect(understand("money", "1.234,56", context)).toEqual({
      kind: "money",
      ok: true,
      value: 123456,
      echo: "R$ 1.234,56",
    });
    expect(understand("date", "ontem", { ...context, locale: "en" })).toMatchObject({
      echo: "20 November 2026",
    });
    expect(understand("city", "campinas", context)).toMatchObject({ echo: "Campinas/SP" });
  });

  test("a doubt comes with proposals that carry their own echo, and their kind when it is another", () => {
    expect(understand("document", "11987654321", context)).toEqual({
      kind: "document",
      ok: false,
      reason: "ambiguous",
      hint: "cpf-or-phone",
      options: [{ value: "5511987654321", echo: "(11) 98765-4321", kind: "phone" }],
    });
  });

  test("nothing comes without keys that say nothing", () => {
    expect(understand("money", "oi", context)).toEqual({
      kind: "money",
      ok: false,
      reason: "absent",
    });
  });

  test("a story longer than any answer is not read", () => {
    expect(understand("money", `150 ${"reais ".repeat(500)}`, context)).toMatchObject({
      reason: "absent",
      hint: "too-long",
    });
  });

  test("all seventeen kinds are there, by name", () => {
    expect([...KINDS].sort().join(" ")).toBe(
      "cep city cnpj command cpf date datetime document email invoice money month period phone time uf yesno",
    );
    expect(isKind("money")).toBe(true);
    expect(isKind("toString")).toBe(false);
  });

  test("the day is the account's: one instant, two days", () => {
    const now = Date.parse("2026-11-21T02:30:00Z");
    expect(understand("date", "hoje", { now, zone: "America/Noronha" })).toMatchObject({
      value: "2026-11-21",
    });
    expect(understand("date", "hoje", { now, zone: "America/Rio_Branco" })).toMatchObject({
      value: "2026-11-20",
    });
  });
});

describe("names", () => {
  test.each([
    ["  maria   da  silva ", "Maria da Silva"],
    ["Maria da SILVA", "Maria da SILVA"],
    ["MARIA SOUZA", "MARIA SOUZA"],
    ["meu nome é joão d'ávila", "João D'Ávila"],
    ["padaria do zé ltda", "Padaria do Zé LTDA"],
    ["razão social: ACME S.A.", "ACME S.A."],
    ["João Silva.", "João Silva"],
    ["em nome de Ana Beatriz 😀", "Ana Beatriz"],
    ["ana-clara", "Ana-Clara"],
    ["Sou Mais Eu Cosméticos", "Sou Mais Eu Cosméticos"],
    ["sou a Ana Lima", "Ana Lima"],
  ])("%j is %j", (text, name) => {
    expect(personOrCompany(text)).toBe(name);
  });

  test.each(["", "👍", "a", "não", "sim", "123", "maria@gmail.com"])("%j is no name", (text) => {
    expect(personOrCompany(text)).toBeNull();
  });
});

describe("free text", () => {
  test.each([
    ["  corte de cabelo\n e barba 💈 ", "Corte de cabelo e barba"],
    ["a descrição é consultoria “fiscal”", 'Consultoria "fiscal"'],
    ["referente a aula de inglês", "Aula de inglês"],
    ["2 cortes", "2 cortes"],
    ["123456", "123456"],
    ["ok", "Ok"],
    ["descrição: corte feminino", "Corte feminino"],
    ["Serviço: corte feminino", "Corte feminino"],
    ["o serviço foi remarcado para o mês que vem", "O serviço foi remarcado para o mês que vem"],
    ["o serviço não foi feito", "O serviço não foi feito"],
    ["foi um engano", "Foi um engano"],
  ])("%j is %j", (text, out) => expect(freeText(text)).toBe(out));

  test.each(["", "👍", "...", " - "])("%j says nothing", (text) =>
    expect(freeText(text)).toBeNull(),
  );

  test.each([
    "123456",
    "1.500,00",
    "sim",
    "ok.",
    "👍",
    "EMITIR",
    "Emitir nota",
    "pode emitir",
    "Issue",
  ])("%j describes nothing", (text) => expect(description(text, business)).toBeNull());

  test("a description may hold such a word", () =>
    expect(description("emitir laudo técnico")).toBe("Emitir laudo técnico"));

  test.each([
    ["foi corte mesmo", "Corte"],
    ["Foi só uma consultoria", "Consultoria"],
    ["foi pintura da sala mesmo.", "Pintura da sala"],
    ["a reunião mesmo", "A reunião"],
    ["foi remarcado", "Foi remarcado"],
    ["foi feito o mesmo", "Foi feito o mesmo"],
    ["corte do mesmo", "Corte do mesmo"],
  ])("what was done is told by %j as %j", (text, done) => expect(description(text)).toBe(done));

  test("what describes something is tidied as ever", () =>
    expect(description("a descrição é 2 cortes")).toBe("2 cortes"));
});

describe("street lines", () => {
  test.each([
    [
      "Rua das Flores 123 ap 4",
      { logradouro: "Rua das Flores", numero: "123", complemento: "ap 4" },
    ],
    ["Rua das Flores, 123", { logradouro: "Rua das Flores", numero: "123" }],
    [
      "Av. Paulista, nº 1000 - sala 12",
      { logradouro: "Av. Paulista", numero: "1000", complemento: "sala 12" },
    ],
    ["Rua 7 de Setembro 45", { logradouro: "Rua 7 de Setembro", numero: "45" }],
    ["Rua 15, 200", { logradouro: "Rua 15", numero: "200" }],
    ["Rua Sem Saída s/n", { logradouro: "Rua Sem Saída", numero: "S/N" }],
    [
      "Estrada Velha, sem número, km 3",
      { logradouro: "Estrada Velha", numero: "S/N", complemento: "km 3" },
    ],
    ["Rua A 12-b fundos", { logradouro: "Rua A", numero: "12B", complemento: "fundos" }],
    ["Avenida Brasil", { logradouro: "Avenida Brasil" }],
  ])("%j is split", (text, parts) => expect(splitStreet(text)).toEqual(parts));

  test("a number alone is no street", () => expect(splitStreet("123")).toBeNull());
});

describe("picking an option", () => {
  const options = [
    { id: "cut", label: "Corte de cabelo", aliases: ["cabelo", "corte"] },
    { id: "beard", label: "Barba" },
    { id: "both", label: "Corte + barba", aliases: ["combo"] },
  ];

  test.each([
    ["1", "cut"],
    ["2️⃣", "beard"],
    ["opção 2", "beard"],
    ["quero a primeira", "cut"],
    ["o segundo, por favor", "beard"],
    ["três", "both"],
    ["última", "both"],
    ["BARBA", "beard"],
    ["barb", "beard"],
    ["corte", "cut"],
    ["combo", "both"],
    ["beard", "beard"],
    ["quero fazer a barba", "beard"],
    ["corte + barba", "both"],
  ])("%j means %s", (text, id) => {
    expect(pickOption(text, options)).toMatchObject({ type: "match", option: { id } });
  });

  test("what fits several is given back as several", () => {
    expect(pickOption("cort", options)).toMatchObject({
      type: "ambiguous",
      options: [{ id: "cut" }, { id: "both" }],
    });
  });

  test.each(["4", "não", "x", "", "não quero a barba", "massagem", "1000"])(
    "%j means none",
    (text) => {
      expect(pickOption(text, options)).toEqual({ type: "none" });
    },
  );
});

describe("proposing an option", () => {
  const services = [
    { id: "cut", label: "Corte de cabelo masculino" },
    { id: "air", label: "Manutenção de ar-condicionado" },
    { id: "photo", label: "Fotografia de eventos" },
    { id: "consult", label: "Consultoria financeira" },
  ];
  const ids = (text: string) => similarOptions(text, services).map(({ id }) => id);

  test.each([
    ["cortte de cabello", ["cut"]],
    ["cabelereiro", ["cut"]],
    ["haircut", ["cut"]],
    ["conserto do ar", ["air"]],
    ["reparo no split", ["air"]],
    ["fotografía de enventos", ["photo"]],
    ["assessoria", ["consult"]],
  ])("for %j", (text, found) => expect(ids(text)).toEqual(found));

  test.each([
    "aula de inglês",
    "não é corte",
    "corte e consultoria",
    "sim",
    "150",
    "conserto de geladeira",
    "contabilidade financeira",
    "x".repeat(200),
  ])("none for %j", (text) => expect(ids(text)).toEqual([]));
});
