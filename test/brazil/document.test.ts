import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bareDocument,
  documentType,
  formatCnpj,
  formatCpf,
  isCnpj,
  isCpf,
  maskDocument,
} from "../../src/brazil/index.ts";
import { modulo11 } from "../../src/brazil/document.ts";

describe("CPF", () => {
  test.each(["52998224725", "11144477735", "12345678909", "40442820135", "10975384600"])(
    "accepts the published fixture %s",
    (value) => expect(isCpf(value)).toBe(true),
  );

  test.each(["52998224724", "5299822472", "529982247255", "529.982.247-25", "abc52998224725", ""])(
    "refuses %s",
    (value) => expect(isCpf(value)).toBe(false),
  );

  test("refuses every repeated digit, though the arithmetic passes", () => {
    for (let digit = 0; digit <= 9; digit += 1) expect(isCpf(String(digit).repeat(11))).toBe(false);
  });

  test("agrees with the arithmetic worked out here on any nine digits", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{9}$/), (body) => {
        fc.pre(new Set(body).size > 1);
        const digit = (text: string): number => {
          let sum = 0;
          for (let at = 0; at < text.length; at += 1)
            sum += Number(text[at]) * (text.length + 1 - at);
          return sum % 11 < 2 ? 0 : 11 - (sum % 11);
        };
        const first = digit(body);
        const second = digit(`${body}${first}`);
        expect(isCpf(`${body}${first}${second}`)).toBe(true);
        expect(isCpf(`${body}${first}${(second + 1) % 10}`)).toBe(false);
      }),
    );
  });
});

describe("CNPJ", () => {
  test.each([
    "00000000000191",
    "11222333000181",
    "11444777000161",
    "12ABC34501DE35",
    "00000000E08G12",
    "YWRSC40Z000103",
    "0X0J92JY000196",
  ])("accepts the published fixture %s", (value) => expect(isCnpj(value)).toBe(true));

  test.each([
    "12ABC345O1DE35",
    "12abc34501de35",
    "00000000000000",
    "AAAAAAAAAAAA00",
    "1122233300018",
    "x11222333000181",
    "11222333000182",
  ])("refuses %s", (value) => expect(isCnpj(value)).toBe(false));

  test("agrees with the arithmetic of the technical note on any twelve letters and digits", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9A-Z]{12}$/), (body) => {
        fc.pre(new Set(body).size > 1);
        const first = modulo11(body, 9);
        const second = modulo11(`${body}${first}`, 9);
        expect(isCnpj(`${body}${first}${second}`)).toBe(true);
        expect(isCnpj(`${body}${first}${(second + 1) % 10}`)).toBe(false);
      }),
    );
  });
});

describe("document forms", () => {
  test("normalising keeps letters and drops marks only", () => {
    expect(bareDocument(" 12.abc.345/01de-35 ")).toBe("12ABC34501DE35");
  });

  test("the type follows the check digits, not the length alone", () => {
    expect(documentType("52998224725")).toBe("cpf");
    expect(documentType("12ABC34501DE35")).toBe("cnpj");
    expect(documentType("11987654321")).toBeNull();
  });

  test("marks and masks", () => {
    expect(formatCpf("52998224725")).toBe("529.982.247-25");
    expect(formatCnpj("12ABC34501DE35")).toBe("12.ABC.345/01DE-35");
    expect(maskDocument("529.982.247-25")).toBe("***.982.247-**");
    expect(maskDocument("11222333000181")).toBe("**.222.333/0001-**");
    expect(maskDocument("11222333000181")).toBe("**.222.333/0001-**");
    expect(maskDocument("whatever this is")).not.toContain("whatever");
  });
});
