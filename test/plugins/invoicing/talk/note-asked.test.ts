/** What a conversation begins with where a sentence holds nothing that is certain. */
import { describe, expect, test } from "vitest";
import { addressBlock } from "../../../../src/understanding/index.ts";
import { noteAsked } from "../../../../src/plugins/invoicing/talk/note-asked.ts";
import { otherTaker } from "../../../../src/plugins/invoicing/talk/changed-taker.ts";

describe("a note asked for in few words", () => {
  test.each([
    ["nota 65 corte", "corte"],
    ["nota 150 joana corte", "corte"],
    ["oi, nota corte de cabelo 80 maria prado", "corte de cabelo"],
    ["NF 80 Pedro barba", "barba"],
    ["faz nota 150 joana", ""],
    ["nota pra joana", ""],
  ])("begins one: %s", (text, work) => {
    expect(noteAsked(text)).toEqual({ how: "terse", work });
  });

  test.each([
    "nota 12",
    "nota 12 por favor",
    "nota 12 da joana",
    "nota 12 joana",
    "nota da joana",
    "nota 150 joana não chegou",
    "cadê a nota 65 do corte",
    "nota 65 corte?",
    "nota 10 pro corte",
    "segunda via da nota 65 corte",
    "nota 150 link",
    "corte 65",
    "preciso da nota",
  ])("begins none: %s", (text) => {
    expect(noteAsked(text)).toBeUndefined();
  });
});

describe("several notes at once", () => {
  test.each([
    "preciso de duas notas, uma de 100 e outra de 200",
    "preciso de 2 notas: uma pra mim e uma pra minha esposa",
    "faz três notas pra mim",
    "nota de 150 pra maria cpf 529.982.247-25 e outra de 200 pra joao",
    "i need two invoices",
  ])("are heard: %s", (text) => {
    expect(noteAsked(text)).toEqual({ how: "several" });
  });

  test.each(["não preciso de duas notas", "quero ver as duas notas", "cadê as duas notas?"])(
    "of notes that there are, none is begun: %s",
    (text) => {
      expect(noteAsked(text)).toBeUndefined();
    },
  );
});

describe("a note for another day", () => {
  test.each([
    "amanhã faz a nota",
    "oi, amanhã você faz a nota pra mim?",
    "amanhã eu quero a nota",
    "depois eu peço a nota",
    "faz a nota semana que vem",
    "emite a nota da Joana na segunda que vem",
    "tomorrow I want the invoice",
  ])("is not begun now: %s", (text) => {
    expect(noteAsked(text)).toEqual({ how: "later" });
  });

  test.each([
    "preciso da nota pra amanhã",
    "preciso da nota até amanhã",
    "depois do corte quero a nota",
    "amanhã viajo, preciso da nota hoje",
    "amanhã é tarde, quero a nota agora",
    "segunda via da nota",
  ])("is wanted now, or something else: %s", (text) => {
    expect(noteAsked(text)?.how).not.toBe("later");
  });
});

describe("who receives a note, after all", () => {
  test.each([
    ["na verdade é pra outra empresa", ""],
    ["não, é pra minha esposa", ""],
    ["não é pra mim, é pra minha esposa", ""],
    ["põe no nome da minha mãe", ""],
    ["o cliente é outro", ""],
    ["quero mudar o cliente", ""],
    ["it's for my wife", ""],
    ["na verdade é pra outra pessoa, cpf 529.982.247-25", "cpf 529.982.247-25"],
    ["a nota é pra minha empresa: Sol Ltda", "Sol Ltda"],
  ])("is another: %s", (text, rest) => {
    expect(otherTaker(text)).toEqual({ rest });
  });

  test.each([
    "corte pra minha esposa",
    "consultoria para outra empresa do grupo",
    "o valor é outro",
    "é pra hoje",
    "é pra mim mesmo",
    "Maria Souza",
    "outra coisa",
    "a empresa é a Sol Ltda",
  ])("is not spoken of: %s", (text) => {
    expect(otherTaker(text)).toBeUndefined();
  });
});

describe("an address among the lines of a form", () => {
  test.each([
    [
      "Razão Social: Sol Ltda\nEndereço: Rua das Acácias, 45, sala 3\nBairro: Jardim América\nCidade: Campinas - SP\nCEP: 13010-002\nValor: 100",
      "Rua das Acácias, 45, sala 3, Jardim América, Campinas - SP, 13010-002",
    ],
    [
      "CEP: 01310-100\nUF: SP\nCidade: São Paulo\nBairro: Centro\nNúmero: 123\nRua: das Flores",
      "Rua das Flores, 123, Centro, São Paulo/SP, 01310-100",
    ],
    [
      "Nome: Ana\nEndereço: Rua A, 1 - Bairro: Centro - Cidade: Santos - UF: SP - CEP: 11010-000",
      "Rua A, 1, Centro, Santos/SP, 11010-000",
    ],
  ])("is put in the order of an address: %j", (text, line) => {
    expect(addressBlock(text)).toBe(line);
  });

  test.each([
    "Rua das Flores, 123, Centro, São Paulo/SP, 01310-100",
    "Nome: Ana\nValor: 100",
    "Nome: Ana\nBairro: Centro\nCEP: 13010-002",
    "Endereço: Rua A, 1\nEndereço: Rua B, 2\nCEP: 13010-002",
  ])("is none where its street is not labelled, or told twice: %j", (text) => {
    expect(addressBlock(text)).toBeUndefined();
  });
});
