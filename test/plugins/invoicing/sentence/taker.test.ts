/** What a sentence says of whom a note is for: a document that is offered, a name that is somebody else's. */
import { describe, expect, test } from "vitest";
import {
  offeredDocument,
  isSameName,
} from "../../../../src/plugins/invoicing/talk/changed-taker.ts";

describe("a document is offered", () => {
  test.each([
    ["nota de 170 pra Mario cpf 111.111.111-11", "111.111.111-11"],
    ["nota de 170 pra Mario, CPF: 529.982.247-2", "529.982.247-2"],
    ["nota de 170 pra Mario, o cpf dele é 529982247", "529982247"],
    ["nota de 170 pra Mario 52998224726, corte", "52998224726"],
    ["nota de 170 pra Loja cnpj 11.222.333/0001-82", "11.222.333/0001-82"],
    ["170 pra Mario 529 982 247 26", "529 982 247 26"],
  ])("in %j", (text, raw) => {
    expect(offeredDocument(text)).toBe(raw);
  });

  test.each([
    "nota de 170 pra Mario Lima",
    "nota de 170 pra Mario, mesmo cpf",
    "nota de 170 pra Mario, sem cpf, 12/10/2026",
    "nota de 170 pra Mario, mesmo cpf 12/10/2026",
    "nota sem cpf 150 reais pra Mario",
    "nota de 170 pra Mario, tel 11987654321",
    "nota de 170 pra Mario 11 98765-4321",
    "nota de R$ 170 12/10/2026 pra Mario",
    "nota de 170 pra Mario, pedido 123456",
    "nota de 170 pra Mario 52998224725",
  ])("by nothing in %j", (text) => {
    expect(offeredDocument(text)).toBeUndefined();
  });
});

describe("two names", () => {
  test.each([
    ["Maria Souza", "Mario Souza"],
    ["Mario Souza", "Mário de Souza"],
    ["Maria Souza", "Maria Clara Souza Lima"],
    ["Maria Souza", "Maria"],
    ["Maria Souza", "Maria S."],
    ["Maria Sousa", "maria souza"],
  ])("can be one person's: %s, %s", (one, other) => {
    expect(isSameName(one, other)).toBe(true);
    expect(isSameName(other, one)).toBe(true);
  });

  test.each([
    ["Maria Souza", "Mario"],
    ["Maria Souza", "Mario Lima"],
    ["Maria Souza", "Maria Lima"],
    ["Maria Souza", "João Souza"],
    ["Maria Souza", "Souza Lima Ltda"],
    ["Padaria da Vila", "Salão da Praça"],
  ])("are two people's: %s, %s", (one, other) => {
    expect(isSameName(one, other)).toBe(false);
    expect(isSameName(other, one)).toBe(false);
  });
});
