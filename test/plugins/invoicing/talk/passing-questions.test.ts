/** What people ask a business in passing. */
import { describe, expect, test } from "vitest";
import { aside } from "../../../../src/plugins/invoicing/talk/reader.ts";
import { understand } from "../../../support/understand.ts";

describe("an aside", () => {
  test.each([
    "quanto custa o corte?",
    "oi, qual o endereço de vocês?",
    "onde fica o salão?",
    "vocês aceitam pix?",
    "posso marcar um horário amanhã?",
    "tem estacionamento?",
    "how much is a haircut?",
  ])("only the business can answer: %s", (text) => {
    expect(aside(text)).toBe("business");
  });

  test.each([
    "manda no email maria@example.com",
    "manda a nota por e-mail",
    "quero receber no meu email",
    "segunda via por email",
    "send it to my email",
  ])("by e-mail: %s", (text) => {
    expect(aside(text)).toBe("email");
  });

  test.each([
    "quanto custa a nota?",
    "posso agendar a nota?",
    "qual o valor da nota?",
    "vocês aceitam pix",
    "Maria Souza",
    "maria@example.com",
    "manutenção de e-mail e servidor",
    "quero nota",
    "150 reais",
    "qual o CPF?",
  ])("is none: %s", (text) => {
    expect(aside(text)).toBeUndefined();
  });
});

describe("a plus among works", () => {
  const now = {
    now: Date.UTC(2026, 10, 21, 13),
    zone: "America/Sao_Paulo",
    locale: "pt-BR",
  } as const;

  test.each([
    ["v10 + vermífugo R$ 165", 16_500],
    ["corte + barba, 90 reais", 9_000],
  ])("is no sum: %s", (text, value) => {
    expect(understand("money", text, now)).toMatchObject({ ok: true, value });
  });

  test.each(["100 + 50", "corte 50 + barba R$ 40", "cem + corte R$ 50", "sinal + resto 200 reais"])(
    "beside an amount is asked about: %s",
    (text) => {
      expect(understand("money", text, now)).toMatchObject({ ok: false, hint: "expression" });
    },
  );

  test.each([
    ["nota v10 + vermífugo R$ 165 pra Ana Lima cpf 529.982.247-25", 16_500],
    ["nota de R$ 90 + 10 de gorjeta pra Ana Lima", undefined],
    ["nota 100 + 65 pra Ana Lima", undefined],
  ])("in a sentence: %s", (text, value) => {
    const read = understand("invoice", text, now);
    expect(read.ok && read.value.value).toBe(value);
  });
});
