import { describe, expect, test } from "vitest";
import { likelyAmount } from "../../src/plugins/invoicing/talk/wanted-note.ts";
import { noteWish } from "../../src/plugins/invoicing/talk/note-wish.ts";
import { understand } from "../support/understand.ts";

const context = {
  now: Date.parse("2026-11-21T12:00:00-03:00"),
  zone: "America/Sao_Paulo",
  locale: "pt-BR",
} as const;

describe("a number that tells which note is meant", () => {
  test.each([
    "a nota fiscal 89 já chegou?",
    "a nota 12 tá com valor errado",
    "mesmo valor da nota 12",
    "igual à nf 350",
    "cadê a nota 12?",
    "a nota 10.001 já foi paga",
    "invoice 45 has a wrong value",
    "same as invoice 12",
  ])("is no amount and none is proposed: %s", (text) => {
    expect(understand("money", text, context)).toMatchObject({ ok: false, reason: "absent" });
    expect(likelyAmount(text, context)).toBeUndefined();
  });

  test.each([
    ["a nota 12 foi de 350", [35000]],
    ["nf 12 veio errada, é 480", [48000]],
    ["350 igual a nota 12", [35000]],
  ])("leaves an amount beside it a proposal: %s", (text, values) => {
    expect(understand("money", text, context)).toMatchObject({
      ok: false,
      reason: "ambiguous",
      options: values.map((value) => ({ value })),
    });
  });

  test.each([
    ["nota 350 reais", 35000],
    ["a nota é de 350", 35000],
    ["nota nº 12 valor 300", 30000],
  ])("is told from an amount: %s", (text, value) => {
    expect(understand("money", text, context)).toMatchObject({ ok: true, value });
  });

  test.each([
    "faz outra nota, mesmo valor da nota 12, pra Maria Souza 529.982.247-25",
    "nota igual à nota 350 pra Maria Souza 529.982.247-25",
  ])("is no value of a note that is asked for in one sentence: %s", (text) => {
    expect(understand("invoice", text, context)).toMatchObject({
      ok: true,
      value: { name: "Maria Souza", document: "52998224725" },
    });
    expect(understand("invoice", text, context)).not.toHaveProperty("value.value");
  });
});

describe("a note that was cancelled elsewhere is found", () => {
  test.each([
    ["quem cancelou a 10001 foi o contador, direto na prefeitura", { number: "10001" }],
    ["cancelei no emissor nacional a NFS-e 10.001", { number: "10001" }],
    ["é a 10001", { number: "10001" }],
    ["a nota da Joana já foi cancelada no portal", { name: "Joana" }],
    ["cancelei a nota da Joana Prado no portal", { name: "Joana Prado" }],
    ["cancelaram a nota da Padaria Central pela prefeitura", { name: "Padaria Central" }],
    ["cancela a nota da Tássia Foiani", { name: "Tássia Foiani" }],
  ])("%s", (text, wish) => {
    expect(noteWish(text, context)).toEqual(wish);
  });
});
