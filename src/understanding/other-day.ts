/**
 * A day that is told beside a payment, a due date, a birth or what was said of the note: "paguei ontem", "vencto 30/11",
 * "pagos hoje", "ele confirmou ontem"; or that is one of several. Whatever else is not known of it, it is not the day of the
 * work. Of plain text.
 */
import { addDays } from "../brazil/index.ts";

/** Right before the day. */
const DUE =
  /\b(?:venc(?:e|eu|to|imento|imentos|endo)?|vcto|validade|prazo|nasc(?:eu|imento|ida|ido)?|due|pix|boleto|pagto|pgto|pagamento|deposito|contrato assinado|e-?mail|antes|ate)\.?:? ?(?:(?:e|eh|em|n[ao]|d[aeo]|ate|dia|todo|para|pra|p\/|[ao]|foi|feit[ao]|on|by) ){0,3}$/;
/** "Vencimento: 15/05", its colon made a mark like any other; "proposta aprovada em 03/07". */
const LABELLED =
  /\b(?:(?:venc(?:imento|to)?|vcto|validade|prazo|nasc(?:imento)?|aniversario|data d[eo] (?:pagamento|vencimento|nascimento)|pagar em|due(?: date)?)\.?[:;] ?(?:dia )?|(?:proposta|orcamento|contrato|pedido|ordem|compra|autorizacao)(?: [a-z]+)? ?(?:aprovad|assinad|fechad|aceit|enviad|emitid|autorizad|datad)[oa]s? (?:(?:em|n[ao]|dia|de) ){0,2})$/;
const PAID =
  /\b(?:viaj[ao]|viajam|viajar|embarc[ao]|embarcam|embarcar|fecha|fecham|paguei|pagou|pagamos|pagaram|pagam|pagar|pag[oa]s?|paid|quitei|quitou|quitad[oa]s?|transferi|transferiu|depositei|depositou|caiu|liberou|confirmou|falei|falou|avisou|aprovou|pega|busca)\b/g;
/** Between the word of payment and the day: the day tells of the work again. */
const WORKED = /\b(?:que|fiz|fizemos|fez|foi|feit[oa]s?|realizad[oa]s?|for)\b| d[aeo]s? $/;
/** "hoje paguei …", where nothing stands before the day. */
const BEGINS = /^ ?(?:(?:e|eu|ai|ja|na|no) )?$/;
const PAID_THEN =
  /^ ?(?:cedo |de manha |a tarde |a noite )?(?:eu |ja |a gente |ele |ela )?(?:paguei|pagou|pagamos|quitei|quitou|transferi|transferiu|depositei|depositou)\b/;
/** "27/02 pago", where nothing stands before the day and nothing of the work behind it. */
const AND_PAID =
  /^ ?(?:ja )?(?:pag[oa]s?|quitad[oa]s?|recebid[oa]s?|paid)\b(?: (?:no|em|por|via|com|by) (?:pix|dinheiro|cartao|cash|card))?(?:$|[,;.!])/;
/** "domingo não deu então fiz ontem", "hoje n, foi ontem". */
const NOT_THEN =
  /^,? ?(?:nao|n)\b(?: (?:deu|dava|pude|podia|consegui|conseguiu|rolou|foi|teve|veio|fui|era)\b|(?=,? ?(?:foi|era|e|eh|fiz)\b))/;
/** "1/3 parcela", "parcela 2/10": which one of several, and no day. */
const SHARE = { before: /\bparcelas? $/, after: /^ ?(?:d?a )?parcela/ } as const;
/** "sexta e sábado", "segunda terça e quinta", "de 14 a 16/10". */
const DAY_NAME = "domingo|segunda|terca|quarta|quinta|sexta|sabado";
const ONE_OF = new RegExp(
  `\\b(?:\\d{1,2}|(?:${DAY_NAME})(?:-feira)?) (?:e|a|ate) (?:[oa] )?(?:dia )?$`,
);
const AND_MORE = new RegExp(
  `^ (?:e|a|ate) (?:[oa] )?(?:dia )?(?:(?:${DAY_NAME})\\b|\\d{1,2}(?:\\/\\d|$|[;,] ?(?!\\d)))`,
);
const WEEKDAY = new RegExp(`\\b(?:${DAY_NAME})(?:-feira)?$`);
const AND_WEEKDAY = new RegExp(
  `^,? (?:${DAY_NAME})\\b(?! (?:feira|via|parcela|etapa|parte|mao)\\b)`,
);
/** "410,00" is one. */
const BREAK = /(?<!\d),|,(?!\d)|[;:()!?\u0001]|\.(?= )/g;
/** No clause about a payment is longer. */
const NEAR = 60;

/** `start`, `end`: of the day in `folded`. */
export function isOtherDay(folded: string, start: number, end: number): boolean {
  const near = folded.slice(Math.max(0, start - NEAR), start);
  const after = folded.slice(end, end + NEAR);
  const [clause = ""] = near.split(BREAK).slice(-1);
  if (BEGINS.test(clause) && (PAID_THEN.test(after) || AND_PAID.test(after))) return true;
  if (NOT_THEN.test(after) || LABELLED.test(near)) return true;
  if (WEEKDAY.test(folded.slice(start, end)) && AND_WEEKDAY.test(after)) return true;
  const isShare = SHARE.before.test(near) || SHARE.after.test(after);
  if (isShare && folded.slice(start, end).includes("/")) return true;
  if (DUE.test(near) || ONE_OF.test(near) || AND_MORE.test(after)) return true;
  const last = [...clause.matchAll(PAID)].at(-1);
  return last !== undefined && !WORKED.test(clause.slice(last.index + last[0].length));
}

/** One that is told without its year, and was as long ago as this, is still to come: "evento 12/09" in August. */
const FARTHEST = 270;
/** "3/3", "2/6": as long ago it is one of several payments, unless a word says that it is a day. */
const RECENT = 60;
const OF_SEVERAL = /^([1-9]|1[0-2])\/([1-9]|1[0-2])$/;
const ALONE = { before: /(?:^|[,;(]) ?$/, after: /^ ?(?:$|[,;)])/ } as const;

export interface Told {
  readonly start: number;
  readonly end: number;
  /** `YYYY-MM-DD` */
  readonly day: string;
}

/** A day that its distance from `today` speaks against, as no year was told with it. */
export function isFarAway(folded: string, { start, end, day }: Told, today: string): boolean {
  const said = folded.slice(start, end);
  if (/\d{4}|\d[/.-]\d{1,2}[/.-]\d/.test(said)) return false;
  if (day < addDays(today, -FARTHEST)) return true;
  const [, part = "", whole = ""] = OF_SEVERAL.exec(said) ?? [];
  const isPart = part !== "" && Number(part) <= Number(whole) && Number(whole) > 1;
  return (
    isPart &&
    day < addDays(today, -RECENT) &&
    ALONE.before.test(folded.slice(0, start)) &&
    ALONE.after.test(folded.slice(end))
  );
}
