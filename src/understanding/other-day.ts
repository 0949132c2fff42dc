/**
 * A day that is told beside a payment, a due date, a birth or what was said of the note: "paguei ontem", "vencto 30/11",
 * "pagos hoje", "ele confirmou ontem"; or that is one of several. Whatever else is not known of it, it is not the day of the
 * work. Of plain text.
 */

/** Right before the day. */
const DUE =
  /\b(?:venc(?:e|eu|to|imento|imentos|endo)?|vcto|validade|prazo|nasc(?:eu|imento|ida|ido)?|pix|boleto|pagto|pgto|pagamento|deposito|contrato assinado|e-?mail|antes|ate)\.?:? ?(?:(?:e|eh|em|n[ao]|d[aeo]|ate|dia|todo|para|pra|p\/|[ao]|foi|feit[ao]) ){0,3}$/;
const PAID =
  /\b(?:paguei|pagou|pagamos|pagaram|pagam|pagar|pag[oa]s?|paid|quitei|quitou|quitad[oa]s?|transferi|transferiu|depositei|depositou|caiu|liberou|confirmou|falei|falou|avisou|aprovou|pega|busca)\b/g;
/** Between the word of payment and the day: the day tells of the work again. */
const WORKED = /\b(?:que|fiz|fizemos|fez|foi|feit[oa]s?|realizad[oa]s?|for)\b| d[aeo]s? $/;
/** "hoje paguei …", where nothing stands before the day. */
const BEGINS = /^ ?(?:(?:e|eu|ai|ja|na|no) )?$/;
const PAID_THEN =
  /^ ?(?:cedo |de manha |a tarde |a noite )?(?:eu |ja |a gente |ele |ela )?(?:paguei|pagou|pagamos|quitei|quitou|transferi|transferiu|depositei|depositou)\b/;
/** "1/3 parcela", "parcela 2/10": which one of several, and no day. */
const SHARE = { before: /\bparcelas? $/, after: /^ ?(?:d?a )?parcela/ } as const;
/** "sexta e sábado", "de 14 a 16/10". */
const DAY_NAME = "domingo|segunda|terca|quarta|quinta|sexta|sabado";
const ONE_OF = new RegExp(
  `\\b(?:\\d{1,2}|(?:${DAY_NAME})(?:-feira)?) (?:e|a|ate) (?:[oa] )?(?:dia )?$`,
);
const AND_MORE = new RegExp(
  `^ (?:e|a|ate) (?:[oa] )?(?:dia )?(?:(?:${DAY_NAME})\\b|\\d{1,2}(?:\\/\\d|$|[;,] ?(?!\\d)))`,
);
const BREAK = /[,;:()!?\u0001]|\.(?= )/g;
/** No clause about a payment is longer. */
const NEAR = 60;

/** `start`, `end`: of the day in `folded`. */
export function isOtherDay(folded: string, start: number, end: number): boolean {
  const near = folded.slice(Math.max(0, start - NEAR), start);
  const after = folded.slice(end, end + NEAR);
  const [clause = ""] = near.split(BREAK).slice(-1);
  if (BEGINS.test(clause) && PAID_THEN.test(after)) return true;
  const isShare = SHARE.before.test(near) || SHARE.after.test(after);
  if (isShare && folded.slice(start, end).includes("/")) return true;
  if (DUE.test(near) || ONE_OF.test(near) || AND_MORE.test(after)) return true;
  const last = [...clause.matchAll(PAID)].at(-1);
  return last !== undefined && !WORKED.test(clause.slice(last.index + last[0].length));
}
