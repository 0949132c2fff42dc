import { describe, expect, test } from "vitest";
import { likelyAmount } from "../../../../src/plugins/invoicing/talk/wanted-note.ts";

const CONTEXT = {
  now: Date.UTC(2026, 10, 21, 15),
  zone: "America/Sao_Paulo",
  locale: "pt-BR",
} as const;

describe("the one bare number of a terse line", () => {
  test.each([
    ["nota 150 maria souza 52998224725 corte ontem", 15_000],
    ["corte, Ana Lima, 111.444.777-35, 1.200", 120_000],
    ["maria souza 75,50 barba 12/10/2026", 7_550],
    ["nota 65 corte", 6_500],
  ])("is proposed: %j", (text, cents) => {
    expect(likelyAmount(text, CONTEXT)).toBe(cents);
  });

  test.each([
    "nota maria souza corte dia 10",
    "nota 12 maria souza corte 150",
    "maria souza 10 aulas de inglês",
    "consultoria 10/2026 maria souza",
    "consultoria de 2026 maria souza",
    "maria souza 52998224725 corte",
    "Rua das Flores, numero 123",
    "sala 12 do predio azul",
    "corte as 15 h",
    "contrato 4512 da Ana Lima",
  ])("is no amount, or not the only number: %j", (text) => {
    expect(likelyAmount(text, CONTEXT)).toBeUndefined();
  });
});
