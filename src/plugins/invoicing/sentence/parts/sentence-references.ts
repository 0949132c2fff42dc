/**
 * What an office writes beside a request: the contract, the order, the instalment, the days from and to. None of its numbers
 * is an amount, a day or a document, and none of its words says what was done. Of plain text.
 */
import { cut, type Draft } from "../sentence.ts";

const MONTH =
  "(?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez)";
const DAY = "\\d{1,2}(?:\\/\\d{1,2}(?:\\/\\d{2,4})?)?";
const OF_MONTH = `(?:\\/\\d{1,2}(?:\\/\\d{2,4})?| (?:de |do )?${MONTH}(?: de \\d{4}|\\/\\d{2,4})?)`;

/** "conforme proposta 311", "parcela 8/12", "OC 99812", "item 10 -": a paper or a part of one, told by its number. */
const PAPER =
  /(?:\b(?:conforme|cfe?\.?|ref\.?|referente a[o]?|d[aeo]|n[ao]|segundo|sobre|pel[ao]) (?:[oa] )?)?\b(?:contrato|ct|ctr|aditivo|proposta|pedido(?: de compras?)?|ordem de (?:compra|servico)|oc|os|o\.s\.|o\.c\.|po|rc|(?<=^|[,;:(] ?|\b(?:ref\.?|conforme|cfe?\.?|segundo|pela|da|na) )ap|empenho|nota de empenho|processo|protocolo|licitacao|pregao|medicao|chamado|ticket|orcamento|rps)(?: (?:n[º°o.]{1,3}|numero|num\.?))?[ :#.]{0,3}\d[\d./-]*(?!\d|[.,]\d)(?! ?(?:reais|real|conto|mil\b|x\b|k\b))(?: -(?= ))?:?/g;
/** "parcela 8/12", "item 10 - calibração". */
const PART_OF =
  /\b(?:parcela|parc\.?|prestacao) (?:n[º°o.]{1,3} ?)?\d{1,3}(?:\/| de )\d{1,3}(?![\d]|[.,]\d)(?! ?(?:reais|real|conto|mil\b|x\b|k\b))(?: -(?= ))?:?|\bitem \d{1,3} ?[-:](?= )/g;
/** "semana de 9 a 13 de novembro", "período 01 a 15/11", "dias 7 e 8/11", "entre 3/11 e 7/11". */
const FROM_TO = new RegExp(
  `(?:\\b(?:(?:n|d)?[ao]s? )?(?:semana(?: toda)?|periodo|quinzena) (?:(?:toda|inteira) )?(?:d[eo] |entre )?(?:dias? )?${DAY} (?:a|ao|ate|e) (?:(?:o )?dia )?${DAY}(?:${OF_MONTH})?` +
    `|\\b(?:d?os |n?os |em |aos )?dias? ${DAY}(?:, ?${DAY}){0,6} (?:e|a|ao|ate) (?:(?:o )?dia )?${DAY}${OF_MONTH}` +
    `|(?:\\b(?:entre|de|do dia|dias?) )?(?<![\\d.,/-])\\d{1,2}(?:\\/\\d{1,2})? (?:a|ao|ate) \\d{1,2}${OF_MONTH}` +
    `|\\bentre \\d{1,2}\\/\\d{1,2} e \\d{1,2}\\/\\d{1,2})(?![\\d/]|[.,]\\d)`,
  "g",
);
/** A day that is none of the service: "vencimento 10/12/2026", "vai pagar dia 10", "até o dia 25", "pago ontem no pix". */
const DUE = new RegExp(
  String.raw`\b(?:(?:(?:com )?(?:data de )?(?:boleto (?:p\/|para|pra|com)|vencimento|venc\.?|vcto\.?|vence(?:ndo)?|prazo|pagamento (?:programado |previsto )?(?:para|pra|em)|a pagar (?:em|ate)|(?:vai |vou |vao )(?:pagar|depositar|transferir)|(?:programado|previsto|agendado) (?:para|pra)|ate(?! (?:o )?dia \d{1,2} (?:d[eo] )?(?:mes )?passad))(?: (?:em|para|pra|ate|[no]?o(?= dia)))?(?: dia)?[ :]{0,3}(?:\d{1,2}\/\d{1,2}(?:\/\d{2,4})?|(?<=dia )\d{1,2}(?![\d/]|[.,]\d)))` +
    String.raw`|(?:pag[oa]|depositad[oa]|transferid[oa])(?: (?:no|por|via|em) (?:pix|debito|credito|dinheiro|cartao|boleto))? (?:ontem|hoje|hj|anteontem)\b)`,
  "g",
);

export function cutReferences(draft: Draft): void {
  for (const pattern of [FROM_TO, DUE, PAPER, PART_OF])
    for (const { index, 0: whole } of draft.folded.matchAll(pattern))
      cut(draft, index, index + whole.length, "reference");
}
