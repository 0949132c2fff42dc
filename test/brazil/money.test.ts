import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatBrl } from "../../src/brazil/index.ts";
import { brlInWords } from "../understanding/brl-in-words.ts";

describe("money", () => {
  test.each([
    [0, "R$ 0,00"],
    [5, "R$ 0,05"],
    [123456, "R$ 1.234,56"],
    [150000000, "R$ 1.500.000,00"],
    [-100, "-R$ 1,00"],
  ])("%i cents read %s, with a plain space", (cents, text) => expect(formatBrl(cents)).toBe(text));

  test("any amount agrees with Intl but for the kind of space", () => {
    const intl = new Intl.NumberFormat("pt-BR", { style: "currency", currency: "BRL" });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (cents) => {
        expect(formatBrl(cents)).toBe(intl.format(cents / 100).replaceAll("\u00a0", " "));
      }),
    );
  });

  test("fractions of a cent are a programming error", () => {
    expect(() => formatBrl(0.5)).toThrow(TypeError);
  });

  test.each([
    [100, "um real"],
    [1, "um centavo"],
    [120010, "mil e duzentos reais e dez centavos"],
    [125000, "mil duzentos e cinquenta reais"],
    [10000, "cem reais"],
    [10150, "cento e um reais e cinquenta centavos"],
    [100_000_000, "um milhão de reais"],
    [
      234_567_890,
      "dois milhões trezentos e quarenta e cinco mil seiscentos e setenta e oito reais e noventa centavos",
    ],
  ])("%i cents in words", (cents, words) => expect(brlInWords(cents)).toBe(words));
});
