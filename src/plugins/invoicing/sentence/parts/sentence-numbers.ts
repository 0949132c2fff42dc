/** The numbers of a sentence about a note: which of them can be an amount, and which count or name something. Of plain text. */
import { NOTE_NOUNS } from "../../talk/nouns.ts";
import { isNumbered, isServiceWord, money } from "../../../../plugin.ts";

/** Any stretch that can be money: digits, number words and what belongs to them. */
export const NUMBER_WORD =
  "mil|milhao|milhoes|k|cem|cento|(?:duz|trez|quatroc|quinh|seisc|setec|oitoc|novec)ent[oa]s|vinte|trinta|quarenta|cinquenta|" +
  "sessenta|setenta|oitenta|noventa|dez|onze|doze|treze|[cq]u?atorze|quinze|dez[ea]sseis|dezessete|dezoito|dezenove|" +
  "um|uma|dois|duas|tres|quatro|cinco|seis|sete|oito|nove";
const UNIT = "reais|real|reias|reaus|reals|contos?|pilas?|paus?|mangos?|centavos?";
export const AMOUNT = new RegExp(
  `(?:r\\$ ?)?(?<![\\w.,])-?(?:\\d[\\d.,]*\\d|\\d|\\b(?:${NUMBER_WORD})\\b)(?: ?(?:\\b(?:e|com) )?(?:\\d[\\d.,]*\\d|\\d|\\b(?:${NUMBER_WORD}|${UNIT})\\b|k\\b)| ?(?:${UNIT}|mil|k)\\b)*`,
  "g",
);

export const MARKED = new RegExp(`r\\$|\\b(?:${UNIT})\\b|,\\d{2}$`);

/** Said right before an amount: this number is the value. A bare "nota 12" is rather the number of a note. */
export const INTRODUCES =
  /(?:\b(?:(?:notas?(?: fiscal)?|nf|nfs-?e) d[eo]|emit\w+|fatur\w+|no valor|valor|valor total|total|por|cobr\w+|paguei|recebi|deu|foi|custou|ficou em|fechad[oa](?: em)?|fechou(?: em)?|combinad[oa](?: em)?|acertad[oa](?: em)?|honorarios)(?: de| e| eh|:)?|\bde) ?$/;
/** What a price may be for one of. */
export const UNIT_NOUNS =
  "aulas?|sessao|visitas?|unidades?|pecas?|metros?|diarias?|litros?|quilos?|kg|consultas?|horas?|h|dias?|semanas?|mes|pessoas?|cabecas?|pagina|lauda|km|m2|folha|vez|par";
/** "220 a noite": what one of several costs, though "sexta a noite" is when it was. */
export const NIGHTLY = /^(?: reais)? ?(?:(?:a|por|cada) |\/ ?)noite\b(?! de)/;
/** What may follow a number without a currency, and be no thing of which it is the count. */
export const FOLLOWS =
  /^(?:\s*(?:$|[,;:.!?\u0001])|\s+(?:pra|para|pro|pras|pros|p|p\/|de|do|da|dos|das|no|na|nos|nas|em|com|sem|cpf|cnpj|ref|referente|por|pelo|pela|pelos|pelas|ao|aos|a|as|o|os|e|cliente|tomador|tomadora|nome|servico|descricao|data|ai|aqui|ja|hoje|ontem|que|se|so|pf|pfv|obrigad[oa])\b)/;
/** "2 sessões |de 75", "10 aulas de violão |de 60": the price of one. */
export const PIECEWORK =
  /\b(?:\d{1,3}|dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|doze|quinze|vinte) (?!notas?\b)[a-z]+ (?:[a-z]+ ){0,3}(?:de|a|por)(?: r\$)? ?$|\d ?x (?:de|a) (?:r\$ ?)?$/;
/** Counts and measures are no larger in front of a word in the singular: "10 aula" of somebody in a hurry. */
const MOST_COUNTED = 60;

export interface Hit {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** "nota de 10 aulas", "de 45 min": the number counts what follows. Not "320 corte e barba". */
export function isCount({ text }: Hit, after: string): boolean {
  if (FOLLOWS.test(after)) return false;
  const [, word = ""] = /^\s*([a-z]+)/.exec(after) ?? [];
  if (word === "" || word.length < 3 || /s$/.test(word) || UNIT_ALONE.test(word)) return true;
  if (/^[2-9]\d$/.test(text) && isServiceWord(word)) return false;
  const number = /^(?:r\$ ?)?(\d{1,6}(?:[.]\d{3})?)$/.exec(text)?.[1];
  return number === undefined || Number(number.replace(".", "")) <= MOST_COUNTED;
}

const UNIT_ALONE = new RegExp(
  `^(?:${UNIT_NOUNS}|min|minutos?|anos?|graus|cm|mm|ml|km|kva|btus?|porcento|via|vias)$`,
);
/**
 * "R$ 3.333,33 1/3 do projeto", "iPhone 11 490,00": cents end an amount, and what stands before them by itself is another; so is
 * "2" in "420 2 diárias".
 */
export function apartFrom(text: string, start: number): readonly Hit[] {
  const at =
    /(?<=,\d{2}) (?=\d)|(?<=^\d{1,4}) (?=\d[\d.]*,\d{2})|(?<=^\d{2,4}) (?=\d{1,2}(?!\d))/.exec(
      text,
    )?.index;
  if (at === undefined) return [{ text, start, end: start + text.length }];
  return [
    { text: text.slice(0, at), start, end: start + at },
    ...apartFrom(text.slice(at + 1), start + at + 1),
  ];
}

export function isLarge(text: string): boolean {
  return Number(/^\d+$/.exec(text.replace(".", ""))?.[0] ?? 0) > MOST_COUNTED;
}

export const LONGEST_BEFORE = 60;
/** "R$ 400,00; quatrocentos reais": the same amount twice is one. Null when there is one, or they differ. */
export function twice(hits: readonly Hit[]): readonly Hit[] | null {
  if (hits.length < 2) return null;
  const read = hits.map(({ text }) => money(text, { business: NOTE_NOUNS }));
  const [first] = read;
  return first?.ok && read.every((one) => one.ok && one.value === first.value) ? hits : null;
}

/** A small bare number before a plural, or of a measure: "4 aulas", "fotos 3x4". */
export function countsThings(folded: string, hit: Hit): boolean {
  const after = folded.slice(hit.end);
  return (
    COUNT.test(hit.text) &&
    (/^ (?:(?!notas|nfs)[a-z]{3,}s|[mhl]|[ckm][mg]|ml|[gmt]b|mega|un|pcs?|hrs?|btus?)\b/.test(
      after,
    ) ||
      isSingular(
        folded.slice(Math.max(0, hit.start - LONGEST_BEFORE), hit.start),
        hit.text,
        after,
      ) ||
      /^x\d/.test(after) ||
      /\b\d{1,3}x$/.test(folded.slice(0, hit.start)))
  );
}

/** Somewhere one price of several, a part of one, or a sum: then a number that stands alone is not sure to be all of it. */
export const PER_UNIT =
  /\b(?:cada|unitario|parcelas?|desconto|(?<!hall de |porta de |portao de )entrada|sinal|metade|resto|restante|falta|faltam|faltou|mais|menos|ou|x|vezes|taxa|extra|gorjeta|por (?:hora|aula|dia|sessao|pessoa|unidade|peca|metro))\b|\d ?x\b|[%*+]/;
/** Told apart by a number: "sessão 3 de 5", "pacote 10". */
const OF_A_ROW =
  /\b(?:sessao|aula|pacote|combo|kit|etapa|fase|modulo|visita|turma|parte|nivel|capitulo|unidade|vaga|sprint|irpf|exercicio|iso|nbr|lei) (?:n[º°o.]{1,2} ?)?(?:\d{1,3} (?:de|a) )?$/;
/** Right before the amount itself, whatever follows. */
const PRICES =
  /\b(?:notas?|nf|nfs-?e|notinha|fiscal|emit\w+|fatur\w+|valor|total|por|a|cobr\w+|paguei|recebi|deu|foi|custou|ficou|honorarios)(?: de| em| e| eh|:)? ?$/;
const A_YEAR = /^(?:19|20)\d\d$/;

/** "montagem de guarda-roupa 6 portas", "sessão 3 de 5", "Corolla 2019": a number among words that is no amount beside the one. */
export function tellsOfWork(folded: string, hit: Hit, price: Hit): boolean {
  if (MARKED.test(hit.text)) return false;
  const before = folded.slice(Math.max(0, hit.start - LONGEST_BEFORE), hit.start);
  if (PRICES.test(before)) return false;
  const after = folded.slice(hit.end);
  const [, behind = ""] = /(?:^|[^a-z])([a-z]+) $/.exec(before) ?? [];
  const small = /^\d{1,3}$/.test(hit.text);
  if (OF_A_ROW.test(before)) return /^\d{1,4}$/.test(hit.text);
  if (A_YEAR.test(hit.text)) return behind.length > 2 && !isServiceWord(behind);
  if (countsThings(folded, hit)) return true;
  // "costurei 3 cortina", "revisão dos 40 mil".
  if (/(?:ei|amos)$/.test(behind) && small && /^ [a-z]{3,}/.test(after) && !FOLLOWS.test(after))
    return true;
  if (/\bdos $/.test(before) && /^\d{2,3} ?mil$/.test(hit.text)) return true;
  // "HD externo 1 TB", "caixa d'água 5 mil litros".
  return (
    hit.end <= price.start &&
    /^ (?!notas?\b)(?:[a-z]{3,}s|km|kg|metro|litro)\b/.test(after) &&
    !FOLLOWS.test(after) &&
    !/\b(?:reais|contos|pilas|mangos)\b/.test(hit.text)
  );
}

/** "seis mil e quinhentos": said in words, and no count of anything. */
export const IN_WORDS = /\b(?:mil|cem|cento|[a-z]{3,7}ent[oa]s)\b/;
const COUNT = /^(?:\d{1,3}|dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|doze|quinze|vinte)$/;

/** "instalei 2 ventilador de teto": a small number before a thing, and no price behind a word of work ("corte 40 barba"). */
function isSingular(before: string, text: string, after: string): boolean {
  const [, behind = ""] = /(?:^|[^a-z])([a-z]+) $/.exec(before) ?? [];
  return (
    /^\d{1,2}$/.test(text) &&
    Number(text) <= MOST_COUNTED &&
    /^ (?!notas?\b|nfs?\b|nfs-?e\b|recibos?\b)[a-z]{2,}/.test(after) &&
    !FOLLOWS.test(after) &&
    !INTRODUCES.test(before) &&
    !isServiceWord(behind)
  );
}

/** Told apart by its number, never priced by it: "bloco 2", "iPhone 11", "NR-35", "nov/2026", "3ª vara", "180kva". */
export function isPartOfName(folded: string, { text, start, end }: Hit): boolean {
  const before = folded.slice(Math.max(0, start - LONGEST_BEFORE), start);
  if (/^\d{1,5}$/.test(text) && STANDARD.test(before)) return true;
  if (isNumbered(folded, start, NOTE_NOUNS)) return true;
  if (!/^\d{1,4}$/.test(text)) return false;
  const after = folded.slice(end, end + 2);
  return (
    /[a-z\d][-/]$/.test(before) ||
    /^(?:[ºª°]|[-/]\d)/.test(after) ||
    (/^[a-z]/.test(after) && !/^(?:k\b|k$|x)/.test(folded.slice(end, end + 3))) ||
    IN_STREET.test(before) ||
    OF_ANOTHER.test(before) ||
    DOOR.test(before) ||
    (/^\d{1,3}$/.test(text) && (NUMBERED.test(before) || PACK.test(before)))
  );
}

/** "retirada na rua Bahia 1020". */
const IN_STREET =
  /\b(?:rua|av|avenida|travessa|alameda|rodovia|estrada|praca)\.? (?:[a-z']+ ){1,5}(?:n[º°o.]{1,2} ?)?$/;
/** "dia: 16", "apto: 302": a line of a form that is no amount. */
const OF_ANOTHER =
  /\b(?:dia|data|apto|ap|casa|sala|numero|n[º°o]|qtde?|quantidade|pedido|os|oc|placa|idade|cep) ?[:;] ?$/;
/** "ISO 14001", "pneu aro 14". */
const STANDARD = /\b(?:iso|nbr|aro) $/;
/** "vistoria do ap 1204": doors have four figures too. */
const DOOR = /\b(?:ap|apto|apt|apartamento|sala|flat|quarto|suite|chale) (?:n[º°o.]{1,2} ?)?$/;
const PACK = /\b(?:pacote|combo|kit|caixa|plano|lote) (?:de|com) $/;
const NUMBERED =
  /\b(?:bloco|bl|torre|ap|apto|apartamento|sala|loja|lote|lt|quadra|qd|casa|galpao|box|unidade|filial|predio|andar|piso|setor|turma|modulo|fase|etapa|nivel|iphone|galaxy|moto g|windows|office|playstation|ps|xbox|nr|br|km|titan|cg|lei|art|artigo|norma|iso|rodovia|rota|ano|serie|grau|capitulo|volume|edicao|temporada) (?:n[º°o.]{1,2} ?)?$/;

/** More numbers than this are a table, and every sum would be met by chance. */
const MOST_PARTS = 8;
/** "total 600", "deu 450", "= 1.760,00"; or behind it: "450 no total". */
const ALL_BEFORE =
  /(?:\b(?:total(?:izando| geral| d[ao] (?:nota|nf|servico))?|soma|somando|deu tudo|tudo deu|ficou|deu|da)(?: (?:de|e|eh|foi|deu|da|ficou(?: em)?|em))?[:=]? ?|= ?)$/;
const ALL_BEHIND = /^(?: reais)?,? (?:no total|ao todo|em tudo|no todo|tudo junto|total)\b/;
/** "total da nota 1.400,00": what the note is for, though a share of something else is told. */
const OF_THE_NOTE =
  /\b(?:total|valor) (?:total |final |correto |certo )?d[ae] (?:nota|nf|nfs-?e)(?: fiscal)?(?: (?:de|e|eh|fica|foi))?[:=]? ?(?:r\$ ?)?$/;
const NOT_SURE = /\b(?:desconto|menos|acho|uns|quase|ou|talvez|metade)\b/;

/** The one that the others add up to, or come to so many times over; null when there is none or several are. */
export function wholeOf(folded: string, hits: readonly Hit[]): Hit | null {
  if (hits.length > MOST_PARTS || NOT_SURE.test(folded)) return null;
  const said = hits.filter(
    ({ text, start }) => OF_THE_NOTE.test(folded.slice(0, start)) && /\d{2}/.test(text),
  );
  if (said.length === 1) return said[0] ?? null;
  const cents = hits.map(({ text }) => {
    const read = money(text, { business: NOTE_NOUNS });
    return read.ok ? read.value : 0;
  });
  const whole = hits.filter(({ start, end }, at) => {
    const before = folded.slice(0, start).replace(/r\$ ?$/, "");
    if (!ALL_BEFORE.test(before) && !ALL_BEHIND.test(folded.slice(end))) return false;
    return isMet(
      cents[at] ?? 0,
      cents.filter((_, other) => other !== at),
    );
  });
  return whole.length === 1 ? (whole[0] ?? null) : null;
}

/** Two of the parts or more are the whole together, or one is so many times as another counts. */
function isMet(whole: number, parts: readonly number[]): boolean {
  const sums = new Map<number, number>([[0, 0]]);
  for (const part of parts)
    for (const [sum, count] of [...sums])
      if (part > 0) sums.set(sum + part, Math.max(sums.get(sum + part) ?? 0, count + 1));
  const times = parts.some((one, at) =>
    parts.some((other, index) => index !== at && one * other === whole * PER_ONE),
  );
  return whole > 0 && ((sums.get(whole) ?? 0) > 1 || times);
}

const PER_ONE = 100;
