/** What asks for no note whatever else stands in it, and what only sounds like talk. Many more: test/corpus. */
import { describe, expect, test } from "vitest";
import { understand } from "../../../support/understand.ts";
import { byRules } from "../../../../src/plugins/invoicing/sentence/invoice.ts";

const context = { now: Date.parse("2026-11-21T12:00:00-03:00"), zone: "America/Sao_Paulo" };

function isTaken(text: string): boolean {
  return understand("invoice", text, context).ok;
}

function isRefused(text: string): boolean {
  return byRules(text, context).sentence.refused;
}

describe("no note", () => {
  test.each([
    "RECIBO: recebi de Ana Lima, CPF 529.982.247-25, a importância de R$ 400,00 ref. aluguel de betoneira",
    "Recebemos R$ 250,00 de Ana Lima referente à faxina de 12/06. Assinado, Bia",
    "me manda só um recibo de 130 reais da escova da Ana Lima cpf 529.982.247-25, nota não",
    "Recibo da sessão de ontem, 220 reais, cpf 529.982.247-25",
    "Orçamento nº 118: pintura do galpão, R$ 4.800,00, Sol Ltda, CNPJ 11.222.333/0001-81, validade 15 dias",
    "Nota 4412, Sol Ltda, 11.222.333/0001-81, manutenção, R$ 2.300,00: favor cancelar no portal",
    "manda o boleto da Sol Ltda cnpj 11.222.333/0001-81, coleta, R$ 1.144,00",
    "emite uma nota de 480 reais pra Ana Lima, faxina, brincadeira, esquece",
    "assim que a Bia do financeiro liberar a nota é 3.200 pra Ana Lima, laudo",
    "a Ana Lima cpf 529.982.247-25 vai querer nota do motor mas só quando o serviço acabar",
    "vendo cortador de grama 1.900 reais com nota fiscal de compra",
    "Reunião de condomínio dia 18. Pauta: nota fiscal da obra e taxa de R$ 200",
    "Nota a ser emitida dia 05/12: reparo em bomba, Ana Lima, R$ 990,00",
    "liga pra Ana e pergunta se ela quer nota dos 800",
    "faz nota do seu Caio e da dona Bia, 300 reais cada um, pintura",
    "NFS-e nº 2391 emitida com sucesso. Tomador: Ana Lima. Valor R$ 640,00. Serviço: jardinagem.",
    "Segue a NF 4410, tomador Sol Ltda 11.222.333/0001-81, dedetização, R$ 980,00",
    "Ana Lima, 529.982.247-25, poda, R$ 550,00: ela não precisa mais da nota",
    "medição reprovada, Sol Ltda, 11.222.333/0001-81, R$ 4.950,00: sem nota por enquanto",
    "Sol Ltda, 11.222.333/0001-81, R$ 9.000,00 de consultoria, só podem faturar quando o status virar",
    "PO approved: Sol Ltda, 11.222.333/0001-81, training, R$ 4,000.00. Wait for the receipt before you invoice us",
    "me lembra na quinta da nota da Ana Lima, 529.982.247-25, aula, 260 reais",
    "era pro contador, desculpa, ignora: nota da Ana Lima 220 faxina",
    "Comprovante de transferência\nValor: R$ 275,00\nPara: Ana Lima\nMotivo: faxina",
    "Proposta comercial nº 41/2026\nCliente: Sol Ltda, 11.222.333/0001-81\nInvestimento: R$ 7.800,00",
  ])("is asked for, and no second opinion: %s", (text) => {
    expect(byRules(text, context).none).toBe(true);
    expect(isTaken(text)).toBe(false);
  });

  test.each([
    "recebi 150 reais da Ana Lima, faz nota pra ela cpf 529.982.247-25",
    "conforme orçamento aprovado, emitir nota de R$ 4.800,00 pra Ana Lima, pintura, validade 15 dias",
    "recibo/nota pra Ana Lima, 529.982.247-25, revisão elétrica, 780 reais",
    "nota de 300 reais pra Ana Lima, faxina, não esquece",
    "nota de 300 reais pra Ana Lima, faxina, me avisa assim que a nota sair",
    "nota de 300 reais pra Ana Lima, faxina, não precisa mandar por email",
    "emite nota de 300 reais pra Ana Lima, faxina, e me lembra do boleto",
    "pix recebido da Ana Lima, faz a nota de 300 reais, faxina",
  ])("is missed where one is: %s", (text) => {
    expect(isTaken(text)).toBe(true);
  });
});

describe("a request that sounds like talk", () => {
  test.each([
    "gostaria da nota do jardineiro que veio aqui, R$ 170, Ana Lima",
    "a dona do salão pediu nota do conserto, 740 reais, Ana Lima",
    "nota fiscal pra Ana Lima, lavar e passar roupa, cento e noventa reais",
    "fiz a manutenção da bomba da Ana Lima, R$ 120,00, manda a nota",
    "dados para faturamento, Ana Lima, CPF 529.982.247-25, limpeza, R$ 90,00",
    "quando puder faz a nota da Ana Lima, 130 reais, faxina",
    "quanto ao serviço de ontem, nota de 130 reais pra Ana Lima",
    "quem vai receber a nota é Ana Lima, faxina, 130 reais",
    "anota: Ana Lima, 529.982.247-25, R$ 130, faxina",
    "emite nota de 900 reais pra Ana Lima, substituição de bomba",
    "make a nota of 350 to Ana Lima, air conditioning repair",
    "preciso emitir nota pra Ana Lima, aula de canto, total do mês R$ 560,00",
  ])("is one: %s", (text) => {
    expect(isRefused(text)).toBe(false);
  });

  test.each([
    "essa nota de 950 que veio no meu nome eu não reconheço",
    "quando puder me passa o comprovante do pix de 280 da faxina",
    "quem recebe a nota de 300?",
    "do you send the nota by email?",
    "a nota ainda não chegou, 300 reais",
  ])("is still none: %s", (text) => {
    expect(isRefused(text)).toBe(true);
  });
});
