/** The amount of a sentence about a note beside other numbers, by the rules alone: what is learnt may only add to it. */
import { describe, expect, test } from "vitest";
import { byRules } from "../../../../src/plugins/invoicing/sentence/invoice.ts";

const context = { now: Date.parse("2026-11-21T12:00:00-03:00"), zone: "America/Sao_Paulo" };

function read(text: string): number | undefined {
  return byRules(text, context).found.value;
}

describe("the one amount that is marked", () => {
  test.each([
    ["R$ 530 da instalação da caixa d'água de 1000 litros, tomadora Ana Lima", 53_000],
    ["nota serviço de calagem 7 ha, Ana Lima, R$ 1.050,00, linha sete", 105_000],
    ["Nota pra Ana Lima; retífica do motor do trator Ford 6610; R$ 8.900,00", 890_000],
    ["desmontagem e montagem de 2 armários, 280,00, p/ Ana Lima", 28_000],
    ["faxina na cobertura 1201, Ana Lima, R$ 600, nota", 60_000],
    ["conserto do portão // Ana Lima // 430,00 // nota", 43_000],
    ["jardinagem, 2x na semana, 600 reais, nota pra Ana Lima", 60_000],
    ["nota pra Ana Lima, inst. de câmera, R$ 1.480 em 3x", 148_000],
    ["(1) Ana Lima (2) nota de aplicação de soro (3) 95 reais", 9_500],
    ["limpeza da caixa d'água, R$ 240,00, garantia de 1 ano, nota pra Ana Lima", 24_000],
    ["sobre a consulta, consegue me mandar nota de R$ 600? Ana Lima", 60_000],
  ])("is it, whatever else is counted or named: %s", (text, cents) => {
    expect(read(text)).toBe(cents);
  });

  test.each([
    ["nota da portaria remota, R$ 2.190,00/mês, Ana Lima", 219_000],
    ["nota do personal, 3x na semana, 600 reais o mês, Ana Lima", 60_000],
  ])("is it for a month: %s", (text, cents) => {
    expect(read(text)).toBe(cents);
  });

  test.each([
    "nota pra Ana Lima, tradução; quantidade de laudas: 4; valor por lauda: R$ 90,00",
    "faturar 45 horas de desenvolvimento, hora a 120 reais, Ana Lima",
    "nota da hora técnica: 6h, valor R$ 190/h, Ana Lima",
    "licença de software, 59,90 por mês por usuário, 12 usuários, nota pra Ana Lima",
    "2 cortes de 50 reais pra Ana Lima",
    "nota pra Ana Lima, R$ 315 de material, mão de obra 700",
    "nota pra Ana Lima, cuidado noturno, 220 reais a noite, 3 noites",
    "nota pra Ana Lima, visita R$ 90, peças 14.000",
    "foi R$ 600? a nota é pra Ana Lima, 2 consultas",
  ])("is the price of one, a part or a question: %s", (text) => {
    expect(read(text)).toBeUndefined();
  });
});

describe("the amount that is all of it", () => {
  test.each([
    ["projeto 6.000,00 + deslocamento 350,00, total 6.350,00, nota pra Ana Lima", 635_000],
    ["800 de entrada e 800 no fim, total 1.600, troca do piso, nota pra Ana Lima", 160_000],
    ["total R$ 1.015,00 (material 315 + mão de obra 700), nota pra Ana Lima", 101_500],
    ["3 aplicações a R$ 150, ficou 450 no total, nota pra Ana Lima", 45_000],
    ["nota pra Ana Lima, comissão 10% sobre 14.000, total da nota 1.400,00", 140_000],
  ])("is the one that the others come to: %s", (text, cents) => {
    expect(read(text)).toBe(cents);
  });

  test.each([
    "projeto 6.000,00 + deslocamento 350,00, total 6.150,00, nota pra Ana Lima",
    "nota pra Ana Lima, pago agora 800 reais de um total de 4.000",
    "o total foi 6.400 mas essa nota é só da metade, Ana Lima, decoração",
  ])("is nobody's to know where they do not, or a share is asked for: %s", (text) => {
    expect(read(text)).toBeUndefined();
  });
});

describe("what is said beside the amount", () => {
  test.each([
    ["a conta deu 845 com desconto já, troca de bico, nota pra Ana Lima", 84_500],
    ["nota no valor cheio, R$ 950, sem desconto, poda, Ana Lima", 95_000],
    ["nota pra Ana Lima, o valor é R$ 1.925,00 e não R$ 1.952,00, inspeção", 192_500],
    ["tomador: Ana Lima; serviço: corte de cabelo; valor: 50; dia: 16", 5_000],
  ])("changes nothing: %s", (text, cents) => {
    expect(read(text)).toBe(cents);
  });

  test.each(["nota de 950 com desconto pra Ana Lima", "nota de 300, não sei se com desconto, Ana"])(
    "makes it doubtful: %s",
    (text) => {
      expect(read(text)).toBeUndefined();
    },
  );
});
