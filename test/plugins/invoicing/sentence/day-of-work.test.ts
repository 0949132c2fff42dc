/** What the rules alone make of a day in a sentence about a note. Texts with many more: test/corpus. */
import { describe, expect, test } from "vitest";
import { byRules } from "../../../../src/plugins/invoicing/sentence/invoice.ts";

/** A Saturday. */
const context = { now: Date.parse("2026-11-21T12:00:00-03:00"), zone: "America/Sao_Paulo" };

function read(text: string): unknown {
  return byRules(text, context).found;
}

describe("no day of the work", () => {
  test.each([
    "nota de R$ 200,00 pra Ana Lima, faxina, rua 7 de setembro 415",
    "nota de R$ 200,00 pra Ana Lima, faxina, av. Quinze de Novembro, 80",
    "Nome: Ana Lima\nValor: R$ 200,00\nServiço: faxina\nVencimento: 15/10",
    "Nome: Ana Lima\nValor: R$ 200,00\nServiço: faxina\nValidade: 15/10",
    "faxina | R$ 200,00 | Ana Lima | 12/11 pago",
    "nota de R$ 200,00 pra Ana Lima, faxina, conforme proposta aprovada em 03/10",
    "faxina, 3/3, R$ 200,00, nota pra Ana Lima",
    "faxina, 2/6, R$ 200,00, nota pra Ana Lima",
    "nota de R$ 200,00 pra Ana Lima, faxina, corre que ela viaja hj",
    "nota de R$ 200,00 pra Ana Lima, faxina pro evento 12/12",
    "nota de R$ 200,00 pra Ana Lima, faxina, segunda terça e quinta",
    "quero nota da faxina, paguei R$ 200,00 na sexta, Ana Lima",
    "preciso pra ontem da nota de R$ 200,00 pra Ana Lima, faxina",
    "nota hj: R$ 200,00, faxina, Ana Lima",
    "Hoje mesmo: NF R$ 200,00, faxina, Ana Lima",
    "preciso ainda hoje da nota de R$ 200,00 pra Ana Lima, faxina",
    "troca da válvula de 1 1/2, R$ 200,00, nota pra Ana Lima",
    "please issue an invoice of 200 reais for Ana Lima, cleaning, due 30 Nov",
    "faxina da sala 10/11, R$ 200,00, nota pra Ana Lima",
    "1/2 diária de faxina, R$ 200,00, nota pra Ana Lima",
    "motor de 1/2 cv, R$ 200,00, nota pra Ana Lima",
    "segunda visita, faxina, R$ 200,00, nota pra Ana Lima",
    "R$ 200,00, faxina, nota pra Padaria Sábado & Cia",
    "faxina, R$ 200,00, Ana Lima, todo dia 5, nota",
    "nota igual à de 12/10: R$ 200,00, faxina, Ana Lima",
    "a última nota foi em 30/10, agora R$ 200,00, faxina, Ana Lima",
    "nota de R$ 200,00 pra Ana Lima, faxina, contrato de 05/11/2026",
    "recebi hoje R$ 200,00 da Ana Lima, faxina, tira a nota",
    "ontem conversei com a Ana Lima, nota de R$ 200,00, faxina",
    "R$ 200,00, faxina, Ana Lima, cliente desde 02/04/2026, nota",
    "nota de R$ 200,00 pra Ana Lima, limpeza de 17/11 pra 18/11",
    "emite hoje se der: nota pra Ana Lima, R$ 200,00, faxina",
    "NF hj: R$ 200,00, faxina, Ana Lima, hj sem falta",
    "R$ 200,00, faxina, Ana Lima, precisa que saia hoje a nota",
    "R$ 200,00, faxina, Ana Lima, da turma de terça, quer nota",
    "nota de R$ 200,00 pra Ana Lima, conserto, encomendado em 02/10",
    "p/ emissão hj: Ana Lima, faxina, R$ 200,00",
    "nota de R$ 200,00 pra Ana Lima, locação de brinquedos para o dia 12",
    "vou limpar dia 20 a casa da Ana Lima, já quer a nota, R$ 200,00, faxina",
  ])("is the name of a street, a payment, a share or a day to come: %s", (text) => {
    expect(read(text)).toMatchObject({ value: 20_000 });
    expect(read(text)).not.toHaveProperty("date");
  });

  test.each(["", ", 20"])("nor is the number of its house an amount: nota … %s", (number) => {
    expect(read(`nota pra Ana Lima, faxina, rua 7 de setembro${number}`)).not.toHaveProperty(
      "value",
    );
  });
});

describe("a day of the work", () => {
  test.each([
    ["faxina / Ana Lima / R$ 200,00 / 08.11", "2026-11-08"],
    ["faxina // 200,00 // 11/11 // Ana Lima", "2026-11-11"],
    ["cliente: Ana Lima\nserviço: faxina\nvalor: 200,00\ndia: 16", "2026-11-16"],
    ["faxina 21/10 200 reais, nota pra Ana Lima", "2026-10-21"],
    ["nota pra Ana Lima faxina feita em 06/11 200,00", "2026-11-06"],
    ["nota de 200 reais pra Ana Lima, faxina, domingo não deu então fiz ontem", "2026-11-20"],
    ["nota de 200 reais pra Ana Lima, faxina, foi hoje mesmo", "2026-11-21"],
    ["nota de 200 reais pra Ana Lima, faxina, quinta agora que passou", "2026-11-19"],
    [
      "hi, please make the invoice for Ana Lima, cleaning, 200 reais, done on 03/11/2026",
      "2026-11-03",
    ],
    ["nota de 200 reais pra Ana Lima, faxina, 3/11", "2026-11-03"],
    ["nota de 200 reais pra Ana Lima, faxina na segunda", "2026-11-16"],
    ["nota de 200 reais pra Ana Lima, faxina do casamento dia 14/11", "2026-11-14"],
    ["nota de 200 reais pra Ana Lima, faxina a noite toda ontem", "2026-11-20"],
    ["recebi a visita da faxineira ontem, nota de 200 reais pra Ana Lima", "2026-11-20"],
    ["nota de 200 reais pra Ana Lima, faxina, hoje", "2026-11-21"],
  ])("is read: %s", (text, date) => {
    expect(read(text)).toMatchObject({ value: 20_000, date });
  });

  test("has its year where it is as well month first", () => {
    const text = "please make the invoice for Ana Lima, cleaning, 200 reais, done on 03/11/2025";
    expect(read(text)).not.toHaveProperty("date");
  });
});
