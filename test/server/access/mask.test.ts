import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { masked, maskText } from "../../../src/server/index.ts";

describe("people's numbers are hidden by their look", () => {
  test.each([
    ["529.982.247-25", "***.***.***-25"],
    ["52998224725", "*********25"],
    ["11.222.333/0001-81", "**.***.***/****-81"],
    ["11222333000181", "************81"],
    ["12ABC34501DE35", "************35"],
    ["phone:5511987650001", "phone:*********0001"],
    ["5511987650001@s.whatsapp.net", "*********0001@s.whatsapp.net"],
    ["(11) 98765-0001", "(**) *****-0001"],
    ["marina.lopes@example.org", "m***@example.org"],
    ["CPF 529.982.247-25, fone 5511987650001.", "CPF ***.***.***-25, fone *********0001."],
  ])("%s", (text, expected) => {
    expect(maskText(text)).toBe(expected);
  });

  test.each([
    "R$ 1.500,00",
    "2026-11-21",
    "01310-100",
    "6f1f7d3e-0000-4000-8000-000000000001",
    "3a1f0c9d2b7e4a5566f13a1f0c9d2b7e",
    "3".repeat(44),
    "3".repeat(50),
    "menu.ask",
    "CONSULTORIA",
  ])("%s stays", (text) => {
    expect(maskText(text)).toBe(text);
  });

  test("no CPF and no Brazilian mobile survives, wherever it stands", () => {
    const digits = fc.stringMatching(/^\d{11}$/);
    const around = fc.constantFrom("", " ", "(", "doc: ", "\n", ",", "“");
    fc.assert(
      fc.property(digits, around, around, (number, before, after) => {
        for (const value of [number, `55${number}`])
          expect(maskText(`${before}${value}${after}`)).not.toContain(value);
      }),
    );
  });

  test("numbers of JSON and keys are hidden, times and small numbers stay", () => {
    const at = Date.UTC(2026, 10, 21);
    const value = {
      ...{ cpf: 52998224725, phone: 5511987650001, other: [11222333000181, 1130000000] },
      ...{ at, cents: 123_456, lat: -23.5505199, rev: 12, big: 4_102_444_799_999, id: "a" },
      ...{ document: 191_000_102, cnpj: 1_222_333_000_181 },
      ...{ "52998224725": 1, "529.982.247-25": { "marina@example.org": true } },
      ...{ "5511987650001": 1, "5521987650001": 2, "2026-11-21": 3 },
    };
    expect(masked(value)).toEqual({
      ...{ cpf: "*********25", phone: "*********0001", other: ["************81", "******0000"] },
      ...{ at, cents: 123_456, lat: -23.5505199, rev: 12, big: 4_102_444_799_999, id: "a" },
      ...{ document: "*******02", cnpj: "*********0181" },
      ...{ "*********25": 1, "***.***.***-25": { "m***@example.org": true } },
      ...{ "*********0001": 1, "*********0001 (2)": 2, "2026-11-21": 3 },
    });
    expect(masked(value, true)).toEqual(value);
  });

  test("secrets go even when all is revealed, and numbers of JSON are left alone", () => {
    const value = {
      senha: "abc",
      hmac: { secrets: ["x"] },
      at: 5_511_987_650_001,
      ok: [true, null],
    };
    expect(masked(value, true)).toEqual({
      senha: "[secret]",
      hmac: { secrets: "[secret]" },
      at: 5_511_987_650_001,
      ok: [true, null],
    });
  });

  test("any JSON comes back as JSON, however deep", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void JSON.stringify(masked(value as never))));
    let deep: unknown = "52998224725";
    for (let level = 0; level < 5_000; level++) deep = [deep];
    expect(JSON.stringify(masked(deep as never))).not.toContain("52998224725");
  });
});
