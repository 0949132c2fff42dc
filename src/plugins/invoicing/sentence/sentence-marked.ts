/**
 * The one amount of a sentence that is marked as money ("R$ 90", "90,00", "90 reais"), while every other number is none: litres,
 * a flat, a machine's type, how often. Of plain text.
 */
import {
  countsThings,
  type Hit,
  MARKED,
  PIECEWORK,
  twice,
  UNIT_NOUNS,
} from "./parts/sentence-numbers.ts";

/** Told of how often, or how it was paid: no share of the amount. */
const HARMLESS = [
  // "2x na semana", "3x por mês".
  /\b\d{1,2} ?x (?:na|no|por|ao|a) (?:semana|mes|dia)\b/g,
  // "em 3x", "parcelado em 2 vezes", "crédito 2x"; not "3x de 50".
  /\b(?:(?:parcelad[oa]|dividid[oa]|pag[oa]|pago|paguei|pagou) )?(?:em|credito|cartao) (?:\d{1,2}|duas|tres|quatro|cinco|seis|dez|doze) ?(?:x|vezes|parcelas)(?! ?(?:de|iguais|com|a|r\$|\d))\b/g,
  // "joinville x curitiba", "1x palio".
  /(?<=[a-z]{4} )x(?= [a-z]{4})/g,
  /\b1 ?x\b(?! ?(?:de|r\$|\d))/g,
  // "poste de entrada", "vistoria de entrada".
  /\b(?:hall|porta|portao|poste|vistoria|padrao|quadro|caixa|lance) de entrada\b/g,
  // "metade já paga", "garantia de 1 ano".
  /\b(?:metade|entrada|sinal|parte|adiantamento) (?:ja )?(?:pag[oa]|quitad[oa]|recebid[oa])\b/g,
  /\b(?:sem|nenhum) desconto\b/g,
];
/** … "por mês": a note is made for a month, but not for an hour or a night. */
const A_MONTH = /^ ?(?:reais ?)?(?:\/ ?mes|(?:o|ao|por|pelo|de|no) mes|mensa(?:l|is))\b/;
/** Anywhere: the amount may be another, a part, a guess or the price of one. */
const DOUBT =
  /\b(?:cada|unitario|parcelas?|desconto|entrada|sinal|metade|resto|restante|faltam?|faltou|menos|ou|acho|acredito|creio|parece|talvez|uns|umas|quase|cerca|entre|aproximad\w+|extra|gorjeta|taxa|vezes|fora|alem|mais|antes|era|eram|nao lembro|nao sei|adiantamento|total de|dobro)\b|(?<![a-z])x(?![a-z])|\d ?x\b|[%*+]/;
/** "consegue me mandar nota de |R$ 600?": asked for, and not about. */
const ASKED =
  /\b(?:consegu\w+|pode\w*|tem como|da pra|quero|queria|preciso|mand\w+|emit\w+|fa[zc]\w*|fazer)\b.*\b(?:nota|nf|nfs-?e)\b.{0,20}$/;
const ONE_OF = `(?:${UNIT_NOUNS}|noite|usuario|lauda|licenca|alun[oa]|plantao|turno|hospede|crianca|convidad[oa]|prato|fotos?|video|post|texto|palavra|ponto|comodo|parcela|item|funcionari[oa]|apartamento|apto|quarto)`;
/** "por hora", "valor por lauda: |", "hora a |": what one of several costs. */
const OF_ONE = new RegExp(`(?:\\b(?:por|cada)|/) ?${ONE_OF}\\b`);
const OF_ONE_BEHIND = new RegExp(
  `^(?: reais)? ?(?:(?:a|o|por|cada|pel[ao]) |/ ?)${ONE_OF}\\b(?! de hoje)`,
);
const OF_ONE_BEFORE = new RegExp(`\\b${ONE_OF} (?:a|por|sai|sai a|custa|de) (?:r\\$ ?)?$`);
/** A number behind one of these is a price, whatever stands behind it. */
const PRICED =
  /\b(?:por|a|valor|total|deu|foi|custou|ficou|cobr\w+|paguei|recebi|notas?|nf|nfs-?e|emit\w+|fatur\w+|r\$)(?: de| em| e| eh|:)? ?$/;
/** Told apart by its number. */
const NAMED =
  /\b(?:cobertura|flat|chale|suite|quarto|dente|forno|prensa|gleba|linha|quiosque|unit|room|bairro|maquina|elevador|bomba|caminhao|trator|carro|moto|carreta|placa|aro|lote|processo|n|no|num|numero|n[ºo°]\.?|item|vara|turno|nr-?|iso|norma|conta|chave|barraca|stand|tenda|mesa|sitio|poste|posto|portao|portaria|canal|pagina|versao|tipo|modelo|calibre|voo|km|cg|ref) $/;
const UNIT =
  /^ ?(?:litros?|l|ml|ha|hectares?|kva|kw|kwh|btus?|hp|cv|km|kg|g|ton|toneladas?|m|m2|m3|cm|mm|metros?|min|minutos?|h|hs|hrs?|horas?|dias?|meses|anos?|semanas?|pessoas?|un|unid|unidades?|vias?|v|volts?|w|gb|tb|pol|polegadas?|graus|pes|aparelhos?|pontos|cadeiras?)\b/;
const COUNTED =
  /^(?:\d|um|uma|dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|quinze|vinte)$/;

/** `line`: as it was written, of the same length. Null when there is none, another may be one, or something makes it doubtful. */
export function onlyMarked(line: string, folded: string, hits: readonly Hit[]): Hit | null {
  const marked = hits.filter(({ text }) => MARKED.test(text));
  const [one] = marked;
  if (!one || (marked.length > 1 && !twice(marked))) return null;
  const before = folded.slice(0, one.start);
  const after = folded.slice(one.end).replace(A_MONTH, " ");
  const said = HARMLESS.reduce((rest, pattern) => rest.replace(pattern, " "), `${before}0${after}`);
  const isPriceOfOne =
    PIECEWORK.test(before) ||
    OF_ONE.test(said) ||
    OF_ONE_BEFORE.test(before) ||
    OF_ONE_BEHIND.test(after);
  if (isPriceOfOne || DOUBT.test(said) || (/^ ?\?/.test(after) && !ASKED.test(before))) return null;
  const isOther = (hit: Hit): boolean =>
    !marked.includes(hit) && !isNoMoney(line, folded, hit, one);
  return hits.some(isOther) ? null : one;
}

function isNoMoney(line: string, folded: string, hit: Hit, price: Hit): boolean {
  const { text, start, end } = hit;
  const before = folded.slice(0, start);
  const after = folded.slice(end);
  if (UNIT.test(after) || countsThings(folded, hit)) return !/[.,]/.test(text) || UNIT.test(after);
  if (/[.,k]|mil/.test(text)) return false;
  // "1 - Tomador", "(4) 95 reais": the number of a line.
  if (/^\d$/.test(text) && /(?:^|[;,(\u0001] ?)$/.test(before) && /^ ?[-;:)]/.test(after))
    return true;
  if (PRICED.test(before)) return false;
  if (COUNTED.test(text)) return true;
  if (!/^\d{2,4}$/.test(text)) return false;
  // "trator Ford 6610", "palio 2012": a number right behind what it tells apart, and in front of the amount.
  const isModel =
    /\p{Lu}[\p{L}\d]+ $/u.test(line.slice(0, start)) &&
    /^(?:$|[^\d]*)/.test(after) &&
    end <= price.start;
  return NAMED.test(before) || isModel || /^(?:19|20)\d\d$/.test(text);
}
