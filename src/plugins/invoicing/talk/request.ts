/** What plainly asks for a note, what is worded as a wish, and what asks for none whatever else stands in it. */
import { plain } from "../../../plugin.ts";
import type { InvoiceSentence } from "../sentence/sentence.ts";

const NOTE = "(?:nota|nf|nfs-?e|notinha)(?: fiscal)?";
/** "emitir nota de R$ 4.800,00", "faz uma nf 150". */
const MAKE_ONE = new RegExp(
  `\\b(?:emitir|emite|emita|fazer|faz|faca|gerar|gere|gera|tirar|tira) (?:[ao] |uma )?${NOTE} (?:(?:de|no valor de|com valor de) )?(?:r\\$ ?)?\\d`,
);
const GREETING = "(?:(?:oi|ola|bom dia|boa tarde|boa noite|opa|por favor)[ ,.!]+)*";
/** "oi, faz nota de 300 pra …", "nf pra …" at the beginning. */
const FOR_SOMEBODY = new RegExp(
  `^${GREETING}(?:(?:me |por favor )?(?:emite|emita|emitir|faz|faca|fazer|gera|gere|tira|tire|solta|quero|preciso d[ea]) )?(?:a |uma )?${NOTE}(?: de (?:r\\$ ?)?[\\d.,]+(?: reais)?)? (?:pra|para|pro|p\\/) `,
);

/** "…, preciso da nota", "pode emitir a nota dela" at the end, "favor emitir". */
const AT_LAST = new RegExp(
  `\\b(?:preciso d[ae]|quero a|queria a|faz|fa[cz]a|emite|emita|emitir|tira|pode (?:fazer|emitir|tirar|gerar|mandar)) (?:[ao] |uma )?${NOTE}(?: del[ae])?(?: a[ie])?(?:,? (?:por favor|pf|pfv|obrigad[oa]|please|pls))*[.! ]*$|\\bfavor emitir\\b`,
);
/** "nota do corte", "nota 150", "manda …" at the beginning; "quer nota", "manda a nota", "nota no nome …" anywhere. */
const WISHES = new RegExp(
  `^${GREETING}(?:(?:a |uma )?${NOTE}(?:: ?| )(?:d[aeo] |(?:r\\$ ?)?\\d)|(?:emite|faz|tira|gera|manda|lanca|solta) )|\\b(?:quer(?:em|ia|o)?|pedi(?:u|ram)?|mandar?|passa|solta|poe|lanca|precis\\w+)(?: d[ea])? (?:a |uma )?${NOTE}\\b|\\b${NOTE}(?: de [\\d.,]+(?: reais)?)? (?:pr[ao]|para|p\\/|n[oa] (?:nome|cpf|cnpj)|em nome)|[,;.:] ?(?:a |com )?${NOTE}(?: por favor| pf)?[.! ]*$|\\bpor favor\\b`,
);

/** Most that has such words, or says how much beside a document, asks for one: it need not be as likely by all else. */
export function hasWish({ document, value }: InvoiceSentence, text: string): boolean {
  return (document !== undefined && value !== undefined) || WISHES.test(plain(text));
}

/**
 * The given fields are what the rules read in `text`. A question is no plain request, nor is what the rules hold for talk; what is
 * surely talk ({@link isNoRequest}) is not asked about.
 */
export function isPlainRequest(
  { value, description, name, document, date }: InvoiceSentence,
  { text, refused }: { readonly text: string; readonly refused: boolean },
): boolean {
  if (text.includes("?")) return false;
  const folded = plain(text);
  const isSomebodys = name !== undefined || document !== undefined;
  if (isSomebodys && FOR_SOMEBODY.test(folded)) return true;
  if (isSomebodys && value !== undefined && description !== undefined && MAKE_ONE.test(folded))
    return true;
  const isSome = value !== undefined || document !== undefined || date !== undefined;
  return isSome && !refused && AT_LAST.test(folded);
}

/*
 * What asks for no note: a receipt, an estimate, a bill, a note to be cancelled, a joke taken back, what somebody sells or
 * announces, and what is to be done only when something else has happened. Few words, each certain: what is only likely to be
 * talk is weighed (`sentence/parts/sentence-other.ts`).
 */

const ANY_NOTE = "(?:notas?|notinha|nf|nfs|nfs?-?e|invoice)";
/** Somebody wants one made, whatever they tell before. */
const WANTED = new RegExp(
  `\\b(?:emit\\w+|emissao|faturar|fatura (?:ai|pra)|(?:fa[zc]|faca|fazer|ger[ae]|gerar|tir[ae]|tirar|solt[ae]|lanc\\w+|precis\\w+|quer\\w*|mand[ae]|mandar|pass[ae]|solicit\\w+)\\b.{0,25}\\b${ANY_NOTE}|${ANY_NOTE} (?:de|pra|para|pro|p/|por favor)|recibo ?(?:/|ou|e) ?(?:a |uma )?${ANY_NOTE})\\b`,
);
const GREETINGS = "(?:(?:oi|ola|opa|bom dia|boa tarde|boa noite|por favor|pf)[ ,.!;]+)*";
const MADE =
  "(?:aprov\\w+|liber\\w+|autoriz\\w+|confirm\\w+|assin\\w+|pagar|pagarem|pague|depositar|acab\\w+|termin\\w+|cair|fechar)";

/** Nothing that is said beside them changes what they are. */
const ALWAYS: readonly RegExp[] = [
  // "RECIBO: recebi de …", "recebemos de Ana a quantia de …".
  /^recibo ?[:;,-]? ?(?:n[º°o.]{1,2} ?\d+ ?[:;,-]? ?)?(?:recebi|recebemos)\b/,
  // "…, nota não", "nota não precisa": no note, said so.
  new RegExp(`(?:^|[,;.?!] ?)(?:mas )?(?:a )?${ANY_NOTE} nao(?: precisa| quero)?[ .!]*$`),
  new RegExp(`\\bnao (?:e|eh) (?:a )?${ANY_NOTE} (?:que|q) (?:eu )?(?:quer|precis|ped)`),
  // "Nota 4412, …: favor cancelar".
  new RegExp(
    `\\bfavor cancelar(?! (?:[ao] )?(?:matricula|assinatura|plano|contrato|inscricao))|\\b${ANY_NOTE} (?:n[º°o.]{1,2} ?)?\\d{2,9}\\b.{0,120}\\b(?:pode|podem|preciso|quero|queria|solicito|solicitamos)(?: o)? (?:cancelar|cancelem|cancelamento)\\b`,
  ),
  // "… hahaha brincadeira, esquece"
  /(?<!\bnao (?:se |me |te )?)\b(?:esquece|brincadeira|brinks|zoeira|to brincando|era zoeira)(?: (?:isso|tudo|ta|viu))?[ .!,khas]*$/,
  // "assim que a Beatriz liberar", "só quando o serviço acabar": not before.
  new RegExp(
    `\\b(?:assim que|so (?:quando|qdo|qd|depois que|apos)|somente (?:quando|apos)) (?!(?:[oa] )?${ANY_NOTE}\\b)(?:[oa]s? )?(?:[a-z]+ ){1,4}?${MADE}\\b`,
  ),
  /\bso que (?:[oa]s? )?(?:[a-z]+ ){0,3}(?:acabar|terminar|pagar|cair|liberar|aprovar|confirmar)\b/,
  // "pergunta se ele quer nota", "o síndico ainda não aprovou".
  /\bpergunt(?:a|ar|e)\b.{0,30}\bse (?:el[ea]s?|[ao] [a-z]+) (?:quer|querem|precisa|vai querer)\b/,
  /\b(?:aguardando|esperando|aguardo) (?:a )?(?:aprovacao|liberacao|autorizacao|confirmacao|assinatura|ok)\b.{0,40}\b(?:pra|para|p\/) (?:poder )?(?:emitir|faturar|fazer a nota)/,
  // "Nota a ser emitida dia 05/10": then, not now.
  new RegExp(
    `\\b${ANY_NOTE} (?:a ser|para ser|pra ser|deve ser|devera ser) (?:emitida|feita|gerada|lancada) (?:so |somente |apenas )?(?:(?:n?o )?dia|em|apos|a partir de|depois de?) (?=\\d|o )`,
  ),
  // "NFS-e nº 2391 emitida com sucesso", "segue a nota 4410": there is one.
  new RegExp(
    `\\b${ANY_NOTE}(?: fiscal)?(?: n[º°o.]{1,2})? ?[\\d./-]* (?:ja )?(?:foi )?(?:emitida (?:com sucesso|e enviada)|autorizada[.:;!]|(?:was|has been) issued)|\\bsegue (?:a |anexa (?:a )?|em anexo (?:a )?)?${ANY_NOTE}(?: n[º°o.]{1,2})? ?\\d{2,}`,
  ),
  // "ele não precisa mais da nota", "sem nota por enquanto", "do not invoice …": not now, or never.
  new RegExp(
    `\\bnao (?:precisa|preciso) (?:mais )?d[ae] ${ANY_NOTE}\\b|\\bnao (?:quer|quero|vou querer|vai querer) mais (?:a )?${ANY_NOTE}\\b|\\bsem ${ANY_NOTE} (?:por enquanto|por hora|ainda)|\\bnada de ${ANY_NOTE} (?:agora|ainda|por enquanto)|\\bnao (?:libera|solta|emite|emita|emitir|faz|faca|fatura|fature)(?: (?:a |nenhuma )?${ANY_NOTE})? (?:ate|antes|enquanto|ainda)\\b|\\bdo not invoice\\b|\\bbefore (?:you )?invoic`,
  ),
  /\b(?:aguardar|aguarde|wait for) .{0,60}\b(?:(?:pra|para|antes de|ou) (?:iniciar ou )?(?:faturar|emitir)|before)\b|\bso (?:pode|podem) (?:faturar|emitir) (?:quando|qdo|que|apos|depois)\b|\b(?:quando|qdo) .{0,40}\b(?:avis(?:a|o|amos) (?:pra|para) (?:faturar|emitir)|te peco a nota)\b/,
  // "2ª via da nota", "substituir a NF 778", "o espelho da nota antes", "com o serviço trocado": one that there is.
  new RegExp(
    `\\b(?:2 ?[aª]|segunda) via d[ae]s? (?:minha )?${ANY_NOTE}\\b|\\bcopy of (?:the|my|last|our)\\b.{0,20}\\b(?:nota|invoice)|\\bsubstitu(?:ir|a) (?:a )?${ANY_NOTE}(?: n[º°o.]{1,2})? ?\\d|\\bespelho d[ae] ${ANY_NOTE}|\\b${ANY_NOTE}\\b.{0,120}\\b(?:com o servico trocado|vinculada a[o]? [a-z]+ errad[oa]|ja (?:ta|esta) na mao)\\b`,
  ),
  // "amanhã cedo faz a nota", "quinta agenda": another day.
  /^(?:amanha|(?:segunda|terca|quarta|quinta|sexta)(?:-feira)? que vem)(?: cedo| de manha| a tarde)?,? (?:faz|emite|tira)\b|^agend(?:a|ar|e)\b(?! d[eo])/,
  // "o pagamento está programado", "só vou pagar em outubro, aí sim me manda a nota"
  /\bpagamento .{0,120}\besta programado\b|\bso vou pagar\b.*\bai sim\b|\bso cadastra\b.*\bsem nota\b/,
  // "metade no nome dela e metade no dele", "emitir as duas"
  /\bmetade n[oa] (?:nome|cpf|cnpj) d.{1,20} e metade n|\bemit(?:ir|e) as duas\b|\brateada\b/,
  // "me lembra segunda de …"
  /^(?:[a-z]+,? ){0,3}me lembr[ae]\b|^(?:lembrar|lembrete)\b/,
  // "desculpa, ignora", "pode desconsiderar meu pedido"
  /\bdesculpa,? (?:ignora|desconsidera)\b|\b(?:pode )?(?:ignorar|desconsiderar?) (?:o )?(?:meu|esse) (?:pedido|recado)\b/,
  // "pra Ana e pra Bia, 300 cada um": two notes.
  /\bd[aeo] (?:(?:seu|sr\.?|dona|d\.|dra?\.?) )?[a-z]{3,} e d[ao] (?:(?:seu|sr\.?|dona|d\.|dra?\.?) )?[a-z]{3,}\b.*\d (?:reais )?(?:pra |para )?cada (?:um|uma)\b/,
];

/** … unless somebody wants a note made of it. */
const UNLESS_WANTED: readonly RegExp[] = [
  /^recebemos (?:de |d[ao] |r\$|a (?:quantia|importancia))|^(?:declaro que )?recebi (?:de |d[ao] )?.{0,80}\ba (?:quantia|importancia) de\b/,
  new RegExp(
    `^${GREETINGS}(?:(?:me )?(?:faz|faca|mand[ae]|ger[ae]|pass[ae]|envi[ae]|emite) |quero |queria |preciso (?:de |do )?)?(?:so |apenas )?(?:um |o |uma |a |meu )?recibo\\b`,
  ),
  new RegExp(
    `^${GREETINGS}(?:segue )?(?:o )?(?:orcamento|proposta)(?: n[º°o.]{1,2} ?\\d+| \\d+)? ?[:;,-]`,
  ),
  /\borcamento\b.*\b(?:validade|valid[oa] (?:por|ate))\b/,
  new RegExp(
    `^${GREETINGS}(?:proposta comercial|orcamento|cotacao) (?:n[º°o.]{1,2} ?)?\\d|\\bfavor cotar\\b`,
  ),
  // What a bank or a till says of itself.
  /^(?:comprovante de (?:transferencia|pagamento|pix|deposito)|pix (?:recebido|enviado|realizado)|transferencia (?:enviada|realizada|recebida)|recebemos (?:o )?seu (?:pix|pagamento)|confirmamos o recebimento)\b/,
  new RegExp(
    `^${GREETINGS}(?:me )?(?:mand[ae]|envi[ae]|reenvi[ae]|ger[ae]|pass[ae]|cade|preciso d[aeo]) (?:pra mim |pra gente )?(?:o |um |a |uma |meu )?(?:segunda via d[aeo] )?(?:boleto|guia|darf|contrato|comprovante|extrato)\\b`,
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
