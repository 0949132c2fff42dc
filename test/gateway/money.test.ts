import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseThousandths } from "../../src/gateway/index.ts";

/** The amount as the gateway would write it. Two decimals are kept to amounts of whole cents; others get three. */
function written(thousandths: number, separator: "," | ".", decimals: 2 | 3, grouped: boolean) {
  const size = Math.abs(thousandths);
  const whole = String(Math.trunc(size / 1_000));
  const rest = String(size % 1_000).padStart(3, "0");
  const shown = decimals === 2 && rest.endsWith("0") ? rest.slice(0, 2) : rest;
  const mark = separator === "," ? "." : ",";
  const digits = grouped ? whole.replaceAll(/\B(?=(?:\d{3})+$)/g, mark) : whole;
  return `${thousandths < 0 ? "-" : ""}${digits}${separator}${shown}`;
}

describe("money strings of the gateway", () => {
  test.each([
    ["0,08", 80],
    ["0,080", 80],
    ["250,700", 250_700],
    ["250.70", 250_700],
    ["1.234,56", 1_234_560],
    ["1,234.567", 1_234_567],
    ["1.234", 1_234],
    ["1,234", 1_234],
    ["12.345.678,90", 12_345_678_900],
    ["19", 19_000],
    ["R$ 12,90", 12_900],
    ["-R$ 12,90", -12_900],
    ["R$ -0,50", -500],
    ["-0,00", 0],
    [" 0,50 ", 500],
    [12.9, 12_900],
  ])("%j is %d thousandths", (text, thousandths) => {
    expect(parseThousandths(text)).toBe(thousandths);
  });

  test.each([
    "",
    ",",
    "1,",
    ",50",
    "1,5",
    "1,2345",
    "1.234.567",
    "1,23.45",
    "12.34,56",
    "1.2345,67",
    "1,234,56",
    "--1,00",
    "-R$ -1,00",
    "1e3",
    "R$",
    "um real",
    "9999999999999,00",
    Number.NaN,
    Number.POSITIVE_INFINITY,
    null,
    undefined,
    true,
    {},
  ])("%j is no amount", (text) => {
    expect(parseThousandths(text)).toBeNull();
  });

  const amounts = fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 });

  test("every amount survives every way the gateway writes it", () => {
    fc.assert(
      fc.property(
        amounts,
        fc.constantFrom("," as const, "." as const),
        fc.constantFrom(2 as const, 3 as const),
        fc.boolean(),
        (amount, separator, decimals, grouped) => {
          const text = written(amount, separator, decimals, grouped);
          expect(parseThousandths(text)).toBe(amount);
          expect(parseThousandths(`R$ ${text}`)).toBe(amount);
        },
      ),
    );
  });

  test("what is read is always an exact integer or nothing", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-R$ 0-9.,]{0,25}$/)), (text) => {
        const read = parseThousandths(text);
        expect(read === null || Number.isSafeInteger(read)).toBe(true);
      }),
    );
  });
});
