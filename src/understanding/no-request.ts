/**
 * What asks for no note whatever else stands in it: a receipt, an estimate, a bill, a note to be cancelled, a joke taken back, what
 * somebody sells or announces, and what is to be done only when something else has happened. Few words, each certain: what is only
 * likely to be talk is weighed (`sentence-other.ts`). Of plain text.
 */

const NOTE = "(?:notas?|notinha|nf|nfs|nfs-?e|invoice)";
/** Somebody wants one made, whatever they tell before. */
const WANTED = new RegExp(
  `\\b(?:emit\\w+|emissao|faturar|fatura (?:ai|pra)|(?:fa[zc]|faca|fazer|ger[ae]|gerar|tir[ae]|tirar|solt[ae]|lanc\\w+|precis\\w+|quer\\w*|mand[ae]|mandar|pass[ae]|solicit\\w+)\\b.{0,25}\\b${NOTE}|${NOTE} (?:de|pra|para|pro|p/|por favor)|recibo ?(?:/|ou|e) ?(?:a |uma )?${NOTE})\\b`,
);
const GREETING = "(?:(?:oi|ola|opa|bom dia|boa tarde|boa noite|por favor|pf)[ ,.!;]+)*";
const MADE =
  "(?:aprov\\w+|liber\\w+|autoriz\\w+|confirm\\w+|assin\\w+|pagar|pagarem|pague|depositar|acab\\w+|termin\\w+|cair|fechar)";

/** Nothing that is said beside them changes what they are. */
const ALWAYS: readonly RegExp[] = [
  // "RECIBO: recebi de …", "recebemos de Ana a quantia de …".
  /^recibo ?[:;,-]? ?(?:n[º°o.]{1,2} ?\d+ ?[:;,-]? ?)?(?:recebi|recebemos)\b/,
  // "…, nota não", "nota não precisa": no note, said so.
  new RegExp(`(?:^|[,;.?!] ?)(?:mas )?(?:a )?${NOTE} nao(?: precisa| quero)?[ .!]*$`),
  new RegExp(`\\bnao (?:e|eh) (?:a )?${NOTE} (?:que|q) (?:eu )?(?:quer|precis|ped)`),
  // "Nota 4412, …: favor cancelar".
  new RegExp(
    `\\bfavor cancelar(?! (?:[ao] )?(?:matricula|assinatura|plano|contrato|inscricao))|\\b${NOTE} (?:n[º°o.]{1,2} ?)?\\d{2,9}\\b.{0,120}\\b(?:pode|podem|preciso|quero|queria|solicito|solicitamos)(?: o)? (?:cancelar|cancelem|cancelamento)\\b`,
  ),
  // "… hahaha brincadeira, esquece"
  /(?<!\bnao (?:se |me |te )?)\b(?:esquece|brincadeira|brinks|zoeira|to brincando|era zoeira)(?: (?:isso|tudo|ta|viu))?[ .!,khas]*$/,
  // "assim que a Beatriz liberar", "só quando o serviço acabar": not before.
  new RegExp(
    `\\b(?:assim que|so (?:quando|qdo|qd|depois que|apos)|somente (?:quando|apos)) (?!(?:[oa] )?${NOTE}\\b)(?:[oa]s? )?(?:[a-z]+ ){1,4}?${MADE}\\b`,
  ),
  /\bso que (?:[oa]s? )?(?:[a-z]+ ){0,3}(?:acabar|terminar|pagar|cair|liberar|aprovar|confirmar)\b/,
  // "pergunta se ele quer nota", "o síndico ainda não aprovou".
  /\bpergunt(?:a|ar|e)\b.{0,30}\bse (?:el[ea]s?|[ao] [a-z]+) (?:quer|querem|precisa|vai querer)\b/,
  /\b(?:aguardando|esperando|aguardo) (?:a )?(?:aprovacao|liberacao|autorizacao|confirmacao|assinatura|ok)\b.{0,40}\b(?:pra|para|p\/) (?:poder )?(?:emitir|faturar|fazer a nota)/,
  // "Nota a ser emitida dia 05/10": then, not now.
  new RegExp(
    `\\b${NOTE} (?:a ser|para ser|pra ser|deve ser|devera ser) (?:emitida|feita|gerada|lancada) (?:so |somente |apenas )?(?:(?:n?o )?dia|em|apos|a partir de|depois de?) (?=\\d|o )`,
  ),
  // "pra Ana e pra Bia, 300 cada um": two notes.
  /\bd[aeo] (?:(?:seu|sr\.?|dona|d\.|dra?\.?) )?[a-z]{3,} e d[ao] (?:(?:seu|sr\.?|dona|d\.|dra?\.?) )?[a-z]{3,}\b.*\d (?:reais )?(?:pra |para )?cada (?:um|uma)\b/,
];

/** … unless somebody wants a note made of it. */
const UNLESS_WANTED: readonly RegExp[] = [
  /^recebemos (?:de |d[ao] |r\$|a (?:quantia|importancia))|^(?:declaro que )?recebi (?:de |d[ao] )?.{0,80}\ba (?:quantia|importancia) de\b/,
  new RegExp(
    `^${GREETING}(?:(?:me )?(?:faz|faca|mand[ae]|ger[ae]|pass[ae]|envi[ae]|emite) |quero |queria |preciso (?:de |do )?)?(?:so |apenas )?(?:um |o |uma |a |meu )?recibo\\b`,
  ),
  new RegExp(
    `^${GREETING}(?:segue )?(?:o )?(?:orcamento|proposta)(?: n[º°o.]{1,2} ?\\d+| \\d+)? ?[:;,-]`,
  ),
  /\borcamento\b.*\b(?:validade|valid[oa] (?:por|ate))\b/,
  new RegExp(
    `^${GREETING}(?:me )?(?:mand[ae]|envi[ae]|reenvi[ae]|ger[ae]|pass[ae]|cade|preciso d[aeo]) (?:pra mim |pra gente )?(?:o |um |a |uma |meu )?(?:segunda via d[aeo] )?(?:boleto|guia|darf|contrato|comprovante|extrato)\\b`,
  ),
  /^(?:vendo|vende-?se|alugo|aluga-?se|troco) (?!(?:que|se|aqui|isso|isto)\b)/,
  /^(?:comunicado|circular|edital|convocacao|reuniao d[aeo])\b|\bpauta ?[:;]/,
  /^faz (?:o|um) pix\b/,
];

/** Of plain text, before anything is cut out. */
export function isNoRequest(line: string): boolean {
  return (
    ALWAYS.some((pattern) => pattern.test(line)) ||
    (!WANTED.test(line) && UNLESS_WANTED.some((pattern) => pattern.test(line)))
  );
}
