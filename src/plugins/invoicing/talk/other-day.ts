/**
 * A day that is told beside a payment, a due date, a birth or what was said of the note: "paguei ontem", "vencto 30/11",
 * "pagos hoje", "ele confirmou ontem"; or that is one of several. Whatever else is not known of it, it is not the day of the
 * work. Of plain text.
 */
import { addDays } from "../../../plugin.ts";

/** Right before the day. */
const DUE =
  /\b(?:venc(?:e|eu|to|imento|imentos|endo)?|vcto|validade|prazo|nasc(?:eu|imento|ida|ido)?|due|pix|boleto|pagto|pgto|pagamento|deposito|contrato(?: assinado)?|el[ae] casa|casam|dpp|matriculad[oa]|inscrit[oa]|a contar|inicio|termino|ida|volta|retorno|data d[ae] emissao|desde|pode ser|encomendad[oa]|encomenda|(?:para|pra|p\/) o|\d anos|e-?mail|antes|ate)\.?:? ?(?:(?:e|eh|em|n[ao]|d[aeo]|ate|dia|todo|para|pra|p\/|[ao]|foi|feit[ao]|on|by) ){0,3}$/;
/** "Vencimento: 15/05", its colon made a mark like any other; "proposta aprovada em 03/07". */
const LABELLED =
  /\b(?:(?:venc(?:imento|to)?|vcto|validade|prazo|nasc(?:imento)?|aniversario|data d[eo] (?:pagamento|vencimento|nascimento)|pagar em|due(?: date)?)\.?[:;] ?(?:dia )?|(?:proposta|orcamento|contrato|pedido|ordem|compra|autorizacao)(?: [a-z]+)? ?(?:aprovad|assinad|fechad|aceit|enviad|emitid|autorizad|datad)[oa]s? (?:(?:em|n[ao]|dia|de) ){0,2})$/;
const PAID =
  /\b(?:viaj[ao]|viajam|viajar|embarc[ao]|embarcam|embarcar|fecha|fecham|paguei|pagou|pagamos|pagaram|pagam|pagar|pag[oa]s?|paid|quitei|quitou|quitad[oa]s?|transferi|transferiu|depositei|depositou|caiu|liberou|confirmou|falei|falou|avisou|aprovou|pega|busca|receb(?:i|eu|emos|eram)(?! a visita)|entrou|convers(?:ei|ou|amos)|combin(?:ei|ou|amos)|perd(?:i|eu)|completa|parou|recebid[oa]|pedi|esqueci|vou [a-z]+r)\b/g;
/** "igual a de 12/10", "a última foi em 30/01": of a note that there is. */
const LAST_ONE = /\b(?:igual|identica|ultima|anterior|mesma (?:nota|nf))\b[^,;:.!?\u0001]{0,25}$/;
/** "o casamento é dia 27". */
const IS_THEN =
  /\b(?:casamento|festa|evento|aula|bolo|show)(?: d[aeo] [a-z]+| [a-z]+)? (?:e|eh|sera) (?:p |pra |para )?$/;
/** "dia 7 próximo". */
const NEXT = /^ (?:proxim[oa]|que vem)\b/;
/** "todo dia 5", "toda sexta". */
const EVERY = {
  before: /\btod[oa] $/,
  is: /^dia |^(?:domingo|segunda|terca|quarta|quinta|sexta|sabado)/,
} as const;
/** Between the word of payment and the day: the day tells of the work again. */
const WORKED = /\b(?:que|fiz|fizemos|fez|foi|feit[oa]s?|realizad[oa]s?|for)\b| d[aeo]s? $/;
/** "hoje paguei …", where nothing stands before the day. */
const BEGINS = /^ ?(?:(?:e|eu|ai|ja|na|no) )?$/;
const PAID_THEN =
  /^ ?(?:cedo |de manha |a tarde |a noite )?(?:eu |ja |a gente |ele |ela )?(?:paguei|pagou|pagamos|quitei|quitou|transferi|transferiu|depositei|depositou|receb(?:i|eu|emos)|entrou|caiu|convers(?:ei|ou|amos)|falei|falou|combin(?:ei|ou|amos)|completa|ligou)\b/;
/** "27/02 pago", where nothing stands before the day and nothing of the work behind it. */
const AND_PAID =
  /^ ?(?:ja )?(?:pag[oa]s?|quitad[oa]s?|recebid[oa]s?|paid)\b(?: (?:no|em|por|via|com|by) (?:pix|dinheiro|cartao|cash|card))?(?:$|[,;.!])/;
/** "domingo não deu então fiz ontem", "hoje n, foi ontem". */
const NOT_THEN =
  /^,? ?(?:nao|n)\b(?: (?:deu|dava|pude|podia|consegui|conseguiu|rolou|foi|teve|veio|fui|era)\b|(?=,? ?(?:foi|era|e|eh|fiz)\b))/;
/** "sexta e sábado", "segunda terça e quinta", "de 14 a 16/10". */
const DAY_NAME = "domingo|segunda|terca|quarta|quinta|sexta|sabado";
const ONE_OF = new RegExp(
  `\\b(?:\\d{1,2}|(?:${DAY_NAME})(?:-feira)?) (?:e|a|ate|ou) (?:[oa] )?(?:dia )?$|\\d\\/\\d{1,2} (?:pra|para) $`,
);
const AND_MORE = new RegExp(
  `^ (?:(?:pra|para) (?=\\d{1,2}\\/)|(?:e|a|ate|ou) )(?:[oa] )?(?:dia )?(?:(?:${DAY_NAME})\\b|\\d{1,2}(?:\\/\\d|$|[;,] ?(?!\\d)))`,
);
const WEEKDAY = new RegExp(`\\b(?:${DAY_NAME})(?:-feira)?$`);
const AND_WEEKDAY = new RegExp(
  `^,? (?:${DAY_NAME})\\b(?! (?:feira|via|parcela|etapa|parte|mao)\\b)`,
);
/** "Hoje mesmo: nota de 435", "preciso ainda hoje", "manda pra hoje": when it is wanted. */
const TODAY = /^(?:hoje|hj)$/;
const WANTED = {
  surely: /\b(?:saia|passar de) $/,
  before:
    /\b(?:ainda|pra|para|p\/|(?:nota|notinha|nf|nfs-?e)(?: fiscal)?(?: urgente)?(?: de| com data de)?|emit(?:ir|e|a|o)(?: (?:a |uma )?(?:nota|nf|nfs-?e)(?: fiscal)?)?|ate \d{1,2}h(?:s|\d\d)?(?: de)?|emissao) $/,
  after: /^ (?:mesmo|ainda)\b/,
  anyhow: /^ (?:ainda|sem falta|senao|se (?:der|puder|possivel)|a nota)\b/,
} as const;
/** "410,00" is one. */
const BREAK = /(?<!\d),|,(?!\d)|[;:()!?\u0001]|\.(?= )/g;
/** No clause about a payment is longer. */
const NEAR = 60;

/** `start`, `end`: of the day in `folded`. */
export function isOtherDay(folded: string, start: number, end: number): boolean {
  const near = folded.slice(Math.max(0, start - NEAR), start);
  const after = folded.slice(end, end + NEAR);
  const [clause = ""] = near.split(BREAK).slice(-1);
  const said = folded.slice(start, end);
  if (TODAY.test(said) && WANTED.surely.test(near)) return true;
  if (TODAY.test(said) && !WORKED.test(clause)) {
    if (WANTED.before.test(near)) return true;
    if (BEGINS.test(clause) && WANTED.after.test(after)) return true;
    if (WANTED.anyhow.test(after)) return true;
  }
  if (BEGINS.test(clause) && (PAID_THEN.test(after) || AND_PAID.test(after))) return true;
  if (isNoDay(folded, start, end) || LAST_ONE.test(near)) return true;
  if (EVERY.is.test(said) && EVERY.before.test(near)) return true;
  if (NEXT.test(after) || IS_THEN.test(near)) return true;
  if (NOT_THEN.test(after) || LABELLED.test(near)) return true;
  if (WEEKDAY.test(said) && AND_WEEKDAY.test(after)) return true;
  if (DUE.test(near) || ONE_OF.test(near) || AND_MORE.test(after)) return true;
  const last = [...clause.matchAll(PAID)].at(-1);
  return last !== undefined && !WORKED.test(clause.slice(last.index + last[0].length));
}

/** One that is told without its year, and was as long ago as this, is still to come: "evento 12/09" in August. */
const FARTHEST = 270;
/** "3/3", "2/6": as long ago it is one of several payments, unless a word says that it is a day. */
const RECENT = 60;
const ONE_OF_SEVERAL = /^([1-9]|1[0-2])\/([1-9]|1[0-2])$/;
const ALONE = { before: /(?:^|[,;(]) ?$/, after: /^ ?(?:$|[,;)])/ } as const;

interface Told {
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
  const [, part = "", whole = ""] = ONE_OF_SEVERAL.exec(said) ?? [];
  const isPart = part !== "" && Number(part) <= Number(whole) && Number(whole) > 1;
  return (
    isPart &&
    day < addDays(today, -RECENT) &&
    ALONE.before.test(folded.slice(0, start)) &&
    ALONE.after.test(folded.slice(end))
  );
}

/*
 * What looks like a day and is none: the number of a room, a share of one, which one of several, part of a name. "sala 10/12",
 * "1/2 diária", "segunda consulta", "Restaurante Sábado & Cia".
 */

const NUMBERS = /^\d{1,2}\/\d{1,2}$/;
/** Right before: rooms, plots and doors; what is counted in steps. */
const NUMBERED =
  /\b(?:salas?|lotes?|lt|quadras?|qd|aptos?|apartamentos?|blocos?|lojas?|box|torres?|marcos?|etapas?|fases?|modulos?|medic(?:ao|oes)|sess(?:ao|oes)|mensalidades?|parcelas?|mesversario)\.? (?:n[o\u00ba\u00b0]?\.? ?)?$/;
/** Right behind: what there is half of, or so many of so many. */
const SHARED =
  /^ ?(?:(?:d[aeo]s?|a) )?(?:diarias?|fretes?|periodos?|turnos?|meses|parcelas?|prestac(?:ao|oes)|sessoes|polegadas?|pol)\b/;
const ORDINAL = /^(?:segunda|terca|quarta|quinta|sexta)$/;
const OF_SEVERAL =
  /^ (?:consultas?|mensalidades?|parcelas?|prestac(?:ao|oes)|vias?|visitas?|etapas?|partes?|mao|vez|fases?|medic(?:ao|oes)|turmas?|edic(?:ao|oes)|doses?|revis(?:ao|oes)|opcao|tentativa|geracao|divisao|casa|filha|filho|unidade|loja|de cinzas|da boa)\b/;
/** "1/2hp", "válvula de 1 1/2". */
const MEASURE = {
  is: /^[1357]\/(?:2|4|8|16)$/,
  before: /\d $/,
  after: /^ ?(?:hp|cv|pol)\b|^ \+/,
} as const;
/** "200 por dia 3 dias": how many, and no third. */
const HOW_MANY = {
  is: /^dia \d/,
  before: /\bpor $/,
  after: /^ (?:dias|diarias|vezes|pessoas|horas)\b/,
} as const;
/** "a turma de terça": which one. */
const GROUP = /\b(?:turma|grupo|equipe|feira) d[aeo] $/;
const NAMED = /^(?: (?:&|e cia\b|em dia\b|ltda\b|eireli\b|s\/a\b)|-feira da )/;

/** `start`, `end`: of what looks like a day in `folded`. */
function isNoDay(folded: string, start: number, end: number): boolean {
  const said = folded.slice(start, end);
  const after = folded.slice(end);
  if (NAMED.test(after)) return true;
  const before = folded.slice(0, start);
  if (MEASURE.is.test(said) && (MEASURE.after.test(after) || MEASURE.before.test(before)))
    return true;
  if (HOW_MANY.is.test(said) && (HOW_MANY.before.test(before) || HOW_MANY.after.test(after)))
    return true;
  if (GROUP.test(before)) return true;
  if (ORDINAL.test(said)) return OF_SEVERAL.test(after);
  return NUMBERS.test(said) && (NUMBERED.test(before) || SHARED.test(after));
}
