/** How far the rules alone read what was done in a sentence about a note. Texts with many more: test/corpus. */
import { describe, expect, test } from "vitest";
import { understand } from "../../../support/understand.ts";
import { byRules } from "../../../../src/plugins/invoicing/sentence/invoice.ts";
import { withBrackets } from "../../../../src/plugins/invoicing/sentence/parts/sentence-bracket.ts";

const context = { now: Date.parse("2026-11-21T12:00:00-03:00"), zone: "America/Sao_Paulo" };

function read(text: string): unknown {
  return byRules(text, context).found;
}

describe("what was done", () => {
  test.each([
    [
      "emitir nota | Ana Lima | Descrição: suporte de TI, visita técnica | R$ 315,00",
      "Suporte de TI, visita técnica",
    ],
    ["150 reais\npodologia, onicocriptose\nAna Lima\n529.982.247-25", "Podologia, onicocriptose"],
  ])("goes on to the end of its part: %s", (text, description) => {
    expect(read(text)).toMatchObject({ description });
  });

  test.each([
    [
      "nota de 170 reais pra Ana Lima, vistoria de entrada do ap 1204",
      "Vistoria de entrada do ap 1204",
    ],
    ["nota de 170 reais pra Ana Lima, pintura do ap 302 bloco B", "Pintura do ap 302 bloco B"],
    ["nota de 170 reais pra Ana Lima, consultoria em ISO 14001", "Consultoria em ISO 14001"],
    ["nota de 170 reais pra Ana Lima, locação de gerador 180 kva", "Locação de gerador 180 kva"],
    ["nota de 170 reais pra Ana Lima, troca de 2 pneus aro 14", "Troca de 2 pneus aro 14"],
    ["nota de 170 reais pra Ana Lima, impressão de 500 panfletos", "Impressão de 500 panfletos"],
  ])("keeps the numbers that name or count it: %s", (text, description) => {
    expect(read(text)).toMatchObject({ value: 17_000, description });
  });

  test.each([
    ["nota de 90 reais pra Ana Lima, referente a aula de reforço dada na terça", "Aula de reforço"],
    ["nota de 90 reais pra Ana Lima, parecer técnico elaborado anteontem", "Parecer técnico"],
    [
      "emite pra Ana Lima, 90 reais, serviço conserto de ar de janela data ontem",
      "Conserto de ar de janela",
    ],
    ["nota de 90 reais do design com henna pfvr, cliente: Ana Lima", "Design com henna"],
    ["nota 90 reais corte infantil mãe: Ana Lima 529.982.247-25", "Corte infantil"],
    [
      "nota pra Ana Lima, 90 reais, o serviço é aluguel de gerador e quem paga é a Bia",
      "Aluguel de gerador",
    ],
    ["need a nota fiscal for Ana Lima: yoga classes in June, 90 reais", "Yoga classes"],
    ["nota de 90 reais pra Ana Lima, serviço: contabilidade de novembro", "Contabilidade"],
  ])("ends before what joins a day, is polite or introduces somebody: %s", (text, description) => {
    expect(read(text)).toMatchObject({ description });
  });

  test.each([
    "Natureza do serviço: dosimetria de ruído",
    "Histórico do serviço: dosimetria de ruído",
    "Histórico – dosimetria de ruído",
    "Prestação: dosimetria de ruído",
    "Escopo: dosimetria de ruído",
    "Trabalho executado: dosimetria de ruído",
    "Razão do pagamento: dosimetria de ruído",
    "A que se refere: dosimetria de ruído",
    "serv. dosimetria de ruído",
  ])("stands behind its label: %s", (part) => {
    const text = `NF R$ 90,00. Cliente: Ana Lima. CPF 529.982.247-25. Turno azul. ${part}`;
    expect(read(text)).toMatchObject({ value: 9000, description: "Dosimetria de ruído" });
  });

  test("stands behind its label in the midst of a part", () => {
    const text = "nota 90,00 cpf 529.982.247-25 Condomínio Beira Rio serv. limpeza da caixa";
    expect(read(text)).toMatchObject({ description: "Limpeza da caixa" });
  });

  test.each([
    [
      "please make the nota for Ana Lima, calibration of 6 pressure gauges, R$ 90",
      "Calibration of 6 pressure gauges",
    ],
    ["hey, nota please: Ana Lima, R$ 90, roof leak repair", "Roof leak repair"],
  ])("is told in another language, word by word: %s", (text, description) => {
    expect(read(text)).toMatchObject({ description });
  });

  test.each([
    "nota de 90 reais pra Ana Lima, mudança q eu carreguei",
    "please make the nota for my cleaning lady's service: 90 reais, my name is Ana Lima",
  ])("holds no word that was not written: %s", (text) => {
    expect(JSON.stringify(read(text))).not.toMatch(/que|serviço/);
  });
});

test.each([
  "troca essa nota de 200 pra mim?",
  "fulano ligou perguntando da nota, retorna pra ele",
  "acho que segura a nota",
])("talk beside a note is no work: %s", (text) => {
  expect(read(text)).not.toHaveProperty("description", expect.stringMatching(/fulano|segura/i));
});

test("stands between single marks of speech", () => {
  const text = "Nota fiscal — Ana Lima — CPF 529.982.247-25 — 'curso de cerâmica' — R$ 90,00";
  expect(read(text)).toMatchObject({ description: "Curso de cerâmica" });
});

test("the number of a line in brackets is none of what was done", () => {
  const text = "(2) 529.982.247-25 (3) aplicação de soro (4) 95 reais";
  expect(withBrackets("Aplicação de soro", text)).toBe("Aplicação de soro");
  expect(withBrackets("Recarga", "recarga (4 un) 95 reais")).toBe("Recarga (4 un)");
});

test("nor does the second opinion offer what joins an amount", () => {
  const got = understand(
    "invoice",
    "nfs pro condomínio ed. ametista 02.100.990/0002-46 ref dedetização e limpeza qto: 720,00",
    context,
  );
  expect(got).toMatchObject({ ok: true });
  expect(JSON.stringify(got)).not.toMatch(/qto/);
});

test.each([
  [
    "sacado: Padaria Estrela Ltda, cnpj 11.222.333/0001-81, troca de 2 pneus aro 14 R$ 480,00, venc 15/12",
    "Troca de 2 pneus aro 14",
  ],
  [
    "Ana Lima 529.982.247-25 alinhamento e cambagem aro 15 R$ 120,00",
    "Alinhamento e cambagem aro 15",
  ],
  ["Ana Lima, 529.982.247-25, troca de lâmpadas do bloco 30 reais", "Troca de lâmpadas do bloco"],
])("keeps the number that says which one, and no price: %s", (text, description) => {
  expect(understand("invoice", text, context)).toMatchObject({ value: { description } });
});

test("takes no number that may be the amount", () => {
  const text = "nota conserto do elevador 300 Ana Lima 529.982.247-25";
  expect(JSON.stringify(understand("invoice", text, context))).not.toMatch(/elevador 300/);
});
