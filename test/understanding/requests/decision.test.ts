import { describe, expect, test } from "vitest";
import { consent, decision, isWhole } from "../../../src/understanding/index.ts";
import { business } from "../../support/understand.ts";

describe("a decision on a request", () => {
  test.each([
    ["aprovar", "aprovar", undefined],
    ["Aprovo!", "aprovo", undefined],
    ["pode aprovar o pedido a7, por favor", "aprovar", "A7"],
    ["aprovar 4821", "aprovar", "4821"],
    ["Recusado", "recusado", undefined],
    ["approve B3", "approve", "B3"],
    ["decline", "decline", undefined],
  ])("is heard in %j", (text, word, code) => {
    expect(decision(text, business)).toEqual(code === undefined ? { word } : { word, code });
  });

  test.each([
    "sim",
    "ok",
    "pode emitir",
    "não aprovar",
    "não aprovo",
    "aprovar só amanhã",
    "aprovar ou recusar?",
    "aprovei ontem com a Ana",
    "aprovação de projeto",
    `aprovar ${"por favor ".repeat(20)}`,
  ])("is not heard in %j", (text) => {
    expect(decision(text, business)).toBeNull();
  });
});

describe("a consent", () => {
  test.each([
    ["tá certo, pode emitir", "acts"],
    ["ok, pode emitir", "acts"],
    ["pode emitir a nota", "acts"],
    ["emite", "acts"],
    ["looks good, issue it", "acts"],
    ["sim", "agrees"],
    ["tá certo", "agrees"],
    ["emitir", "agrees"],
    ["não pode emitir", null],
    ["pode emitir amanhã?", null],
    ["emitir nota pra Ana", null],
    ["pode emitir nota de 150 pra Maria", null],
    [`pode emitir ${"por favor ".repeat(20)}`, null],
  ])("%j is %j", (text, is) => {
    expect(consent(text, business)).toBe(is);
  });
});

describe("an option after which nothing can be taken back", () => {
  const approve = { id: "approve", label: "Aprovar", aliases: ["aprovo", "pode", "pode emitir"] };

  test.each([
    "aprovar",
    "1",
    "apro",
    "sim, pode emitir essa nota",
    "Pode emitir, por favor!",
    "ok aprovo o pedido agora, obrigada",
  ])("is chosen by %j", (text) => {
    expect(isWhole(text, approve, business)).toBe(true);
  });

  test.each([
    "aprovar?",
    "aprovo mas o valor é 120",
    "aprovar por 120",
    "aprovar 120 reais",
    "pode emitir amanhã",
    "pode emitir se o CPF for esse",
    "aprovo só o corte",
    "aprovo menos o segundo",
  ])("is not by %j", (text) => {
    expect(isWhole(text, approve, business)).toBe(false);
  });
});
