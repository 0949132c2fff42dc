import { describe, expect, test } from "vitest";
import type { Understood } from "../support/understand.ts";
import { fuzz, impossible } from "../corpus/random-texts.ts";

describe("made-up texts", () => {
  test("none throws, none takes long, and nothing impossible is taken", () => {
    // test/corpus/fuzz.ts asks 100,000.
    const { texts, problems } = fuzz(600, 20_261_121);
    expect(texts).toBe(600);
    expect(problems).toEqual([]);
  });

  test("an impossible answer would be seen", () => {
    const taken = (kind: string, value: unknown): Understood =>
      ({ kind, ok: true, value, echo: "x" }) as unknown as Understood;
    for (const answer of [
      taken("money", -1),
      taken("money", Number.NaN),
      taken("cpf", "52998224724"),
      taken("cnpj", "11222333000180"),
      taken("document", "52998224724"),
      taken("date", "2026-11-22"),
      taken("month", "2026-12"),
      taken("invoice", { value: 0 }),
      taken("invoice", { document: "52998224724" }),
      taken("invoice", { name: "" }),
    ])
      expect(impossible(answer), JSON.stringify(answer)).not.toBeNull();
    expect(impossible(taken("money", 100))).toBeNull();
  });
});
