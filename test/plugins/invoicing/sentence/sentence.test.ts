/** A note in one sentence, as strangers wrote theirs: which day, which amount, which talk. Texts with many more: test/corpus. */
import { describe, expect, test } from "vitest";
import { understand } from "../../../support/understand.ts";

/** A Saturday. */
const context = { now: Date.parse("2026-11-21T12:00:00-03:00"), zone: "America/Sao_Paulo" };

function read(text: string): unknown {
  const got = understand("invoice", text, context);
  return got.ok ? got.value : null;
}

describe("the day of the work", () => {
  test.each([
    "nota de 200 reais pra Ana Lima, faxina, venc. dia 10",
    "nota de 200 reais pra Ana Lima, faxina, vai pagar dia 10",
    "nota de 200 reais pra Ana Lima, faxina, depositado ontem",
    "preciso até o dia 20 da nota de 200 reais pra Ana Lima, faxina",
    "emitir p/ hoje ainda: nota de 200 reais pra Ana Lima, faxina",
    "nota de 200 reais pra Ana Lima, faxina, vencto 30/10",
    "nota de 200 reais pra Ana Lima, faxina, pix feito ontem",
    "paguei a faxina hoje cedo, nota de 200 reais pra Ana Lima",
    "nota de 200 reais pra Ana Lima, faxina de quinta a sexta",
    "nota de 200 reais pra Ana Lima, 1/3 parcela da faxina",
  ])("is none of payment, nor when the note is wanted: %s", (text) => {
    expect(read(text)).toMatchObject({ value: 20_000, name: "Ana Lima" });
    expect(read(text)).not.toHaveProperty("date");
  });

  test.each([
    ["toquei sexta no casamento, nota de 900 reais", "2026-11-20"],
    ["terça troquei a torneira por 90 reais, quero nota pra Ana Lima", "2026-11-17"],
    ["desentupi a pia quinta deu 230, emite pra Ana Lima", "2026-11-19"],
    ["please issue an invoice for Ana Lima, cleaning on November 4, R$ 90", "2026-11-04"],
    ["nota for Ana Lima, house cleaning, 350 reais, done on monday", "2026-11-16"],
    ["nota de 90 reais pra Ana Lima, toldo, instalado em 12.11", "2026-11-12"],
    ["nota de 90 reais pra Ana Lima, toldo, seg passada", "2026-11-16"],
    ["fiz a faxina dia 9, paguei 90 reais, nota pra Ana Lima", "2026-11-09"],
  ])("is told in a story, and in another language: %s", (text, date) => {
    expect(read(text)).toMatchObject({ date });
  });

  test.each(["quarta parcela, nota de 90 reais pra Ana", "nota de 90 reais da segunda aula"])(
    "is none of what is counted: %s",
    (text) => {
      expect(read(text)).not.toHaveProperty("date");
    },
  );
});

describe("the amount", () => {
  test.each([
    "fisioterapia domiciliar, 130 por sessão, 8 sessões, nota pra dona Zuleica",
    "nota pro Clube Náutico: 400 da bomba e 350 do filtro",
    "minha parte deu 600, nota pra Ruth Lima, jardinagem",
    "emite a nota do frete em 3x de 200 pra Movelaria Jacarandá",
    "faz nota de 300 e pouco pra Ana Lima, consultoria",
    "nota pra Ana Lima, implante, pago agora 800 reais de um total de 4.000",
  ])("is no price of one, no share and no guess: %s", (text) => {
    expect(read(text)).not.toBeNull();
    expect(read(text)).not.toHaveProperty("value");
  });

  test.each([
    ["nota da academia pra Ana Lima, 119,90 de dezembro", 11_990],
    ["I need a nota fiscal for the moving service, 1,500 reais, name: Ana Lima", 150_000],
    ["nota pra Ana Lima, gesso na sala 12m2 960,00", 96_000],
    ["emite 640 pra Ana Lima, jardinagem, valor já com desconto", 64_000],
    ["nota pra Ana Lima, R$ 250,00, jardinagem, 50% já pago", 25_000],
  ])("is all that is written, however it is written: %s", (text, value) => {
    expect(read(text)).toMatchObject({ value });
  });

  test("is told apart from the number of a house", () => {
    expect(
      read("nota de 260 reais pra Ana Lima, lavagem, retirada na rua Bahia 1020"),
    ).toMatchObject({ value: 26_000 });
  });
});

describe("talk", () => {
  test.each([
    "ele comprou ração e shampoo, 187 reais",
    "comprovante do pix de 650 reais pra Ana Lima",
    "uma nota de 300 pro Caio e outra de 450 pra Lívia, locução",
    "identificamos divergência na NF 2231 no valor de R$ 3.200,00, CNPJ 11.222.333/0001-81",
    "a professora deu nota 6,5 pro Enzo, queria marcar um reforço",
    "segunda que vem faz a nota pra Ana Lima, 880 reais",
  ])("asks for no note: %s", (text) => {
    expect(read(text)).toBeNull();
  });

  test.each([
    "a nota é pra Ana Lima, 300 reais, faxina",
    "a nota do conserto foi 300 reais, emite pra Ana Lima",
    "a nota tem que sair em nome de Ana Lima, 300 reais",
  ])("is no request that only begins with the note: %s", (text) => {
    expect(read(text)).toMatchObject({ value: 30_000, name: "Ana Lima" });
  });
});

test("of two people none receives the note", () => {
  for (const text of [
    "nota em nome de Ana Luz e Pedro Luz, mudança, 1.300 reais",
    "nota: Gustavo Pires e Helena Dutra, filmagem, 4.200 reais",
    "aula de dança da Ana Lima e do Beto Prado, 100 reais",
  ])
    expect(read(text), text).not.toHaveProperty("name");
});

test.each([
  ["ajuste de terno, Valéria Prado, 90 reais, nota", "Valéria Prado"],
  ["reparo em telhado, 90 reais, Cliente é Anselmo Vicari, nota", "Anselmo Vicari"],
  ["nota de 90 reais pra Lucimara e coloca troca de botões", "Lucimara"],
])("who receives the note is read whole: %s", (text, name) => {
  expect(read(text)).toMatchObject({ name });
});

test("a form of a company alone is nobody's name", () => {
  const found = read(
    "nota pra minha empresa, MEI, 03.827.522/0001-50, conserto de notebook, R$ 275",
  );
  expect(found).toMatchObject({ value: 27_500 });
  expect(found).not.toHaveProperty("name");
});

test("what was done ends before the month, and is introduced by what it is relative to", () => {
  expect(
    read("treino personal novembro, 600 reais, nota pra Ana Lima, cpf 529.982.247-25"),
  ).toMatchObject({
    description: "Treino personal",
  });
  expect(
    read("nota de R$ 900,00 pra Ana Lima, relativa a teste de estanqueidade na rede"),
  ).toMatchObject({ description: "Teste de estanqueidade na rede" });
});
