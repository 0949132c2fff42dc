/**
 * The parts of a sentence about a note whose readers are sure: ways to reach somebody, the document, the numbers of papers and
 * the day. Each is cut out, so that what is left are names, words of what was done, amounts and talk.
 */
import { NOTE_NOUNS } from "../talk/nouns.ts";
import {
  DAY_PATTERN,
  documentType,
  fragmentsOf,
  MONTH_PATTERN,
  plain,
  scanDays,
  tidy,
  trimEnds,
} from "../../../plugin.ts";
import { isFarAway, isOtherDay } from "../talk/other-day.ts";
import { CUT, cut, type Draft } from "./sentence.ts";
import { fromEnglish } from "./parts/sentence-english.ts";
import { parted } from "./sentence-parts.ts";

/** A request in the form of a question: its mark doubts nothing. */
const ASKS_KINDLY =
  /\b(?:da pra|da para|pode|podem|poderia|consegue|conseguem|conseguiria|tem como|seria possivel)\b/;
/** Words for a note, or for making one. */
const TRIGGER = /\b(?:notas?|notinhas?|nf|nfs-?e|emit(?:e|ir|a)|fatur(?:a|ar))\b/;

/** A text as a line of parts, and nothing cut out of it yet. `whole` still has its question mark. */
export function begun(
  text: string,
  today?: string,
): { readonly whole: string; readonly draft: Draft } {
  const whole = tidy(parted(fromEnglish(tidy(text.replace(/[\r\n]+/g, "; ")), today)));
  const line = ASKS_KINDLY.test(plain(whole)) ? trimEnds(whole, "?! ") : whole;
  return { whole, draft: { line, folded: plain(line), marks: new Set(), parts: [] } };
}

interface Sure {
  /** There is a word for a note. */
  readonly asked: boolean;
  /** CPF or CNPJ in normal form. */
  readonly document: string | null;
  /** `YYYY-MM-DD` */
  readonly date: string | null;
}

/** `today`: `YYYY-MM-DD` where the account is. */
export function takeSure(draft: Draft, today: string): Sure {
  cutContacts(draft);
  const asked = TRIGGER.test(draft.folded);
  const document = takeDocument(draft);
  cutReferences(draft);
  return { asked, document, date: takeDate(draft, today) };
}

/** Ways to reach somebody: their digits and names are none of the note's. */
const CONTACT =
  /(?:\b(?:e )?(?:(?:manda|envia|mande|envie)\w* )?(?:(?:no|para o|pro|por|o|meu|seu) )?(?:e-?mail|tel|telefone|fone|cel|celular|zap|whats|whatsapp)\b(?: (?:del[ae]|d[aeo] \w{2,20}))?(?: (?:e|eh))?[.:]? ?)?(?:(?<![^\s,;:()@\u0001])[^\s,;:()@\u0001]{1,64}@[^\s,;()@\u0001]{1,80}|(?<!\d)(?:\+?55 ?)?\(?\d{2}\)? ?9?\d{4}[- ]\d{4}(?!\d))/g;

/** Who writes, from where: "aqui é do consultório", "é a Kelly do financeiro", "Ivone do almoxarifado". */
const SPEAKING =
  /(?:^|(?<=[;,.!?] ?))(?:aqui (?:e|eh|quem fala e) d[oa]s? [^,;.!?]{1,40}|(?:(?:aqui )?(?:e|eh|quem fala e) )?(?:[oa] )?[a-z]{3,15} (?:aqui )?d[oa] (?:financeiro|rh|compras|almoxarifado|recepcao|secretaria|administrativo|adm|contabilidade|escritorio|consultorio|fiscal|suporte|departamento [a-z]{2,15}|setor [a-z]{2,15}))(?=[,;.!:?]|$)/g;

/** A line of its own that is an address: its numbers are no amount. */
const ADDRESS =
  /(?:^|(?<=; ?))(?:end(?:ereco)?[.:]* ?)?(?:rua|r\.|av\.?|avenida|travessa|tv\.?|alameda|rodovia|estrada|praca) (?![^;]*\b(?:ltda|me|comercio)\b)[^;]{1,120}(?=;|$)/g;

/** "rua 7 de setembro 415", "av. Quinze de Novembro, 80": a street that has its name of a day. */
const STREET_OF_DAY = new RegExp(
  `(?:\\b(?:end(?:ereco)?[.:]* ?|n?a |d?a )?)?\\b(?:rua|r\\.|av\\.?|avenida|travessa|tv\\.?|alameda|al\\.|praca|pca\\.?|largo|ladeira) (?:${DAY_PATTERN})[oº°]? de (?:${MONTH_PATTERN})\\b(?:,? (?:n[º°o.]{1,2} ?)?\\d{1,5}\\b(?![.,]\\d| ?(?:reais|real|contos?|pilas?|mil|k)\\b))?`,
  "g",
);

function cutContacts(draft: Draft): void {
  for (const match of draft.folded.matchAll(STREET_OF_DAY))
    cut(draft, match.index, match.index + match[0].length, "contact");
  for (const match of draft.folded.matchAll(ADDRESS))
    cut(draft, match.index, match.index + match[0].length, "contact");
  for (const match of draft.folded.matchAll(SPEAKING))
    cut(draft, match.index, match.index + match[0].length, "contact");
  for (const match of draft.folded.matchAll(CONTACT))
    cut(draft, match.index, match.index + match[0].length, "contact");
}

/** As many digits as a short document has, but a day. */
const A_DAY = /^(?:\d{1,2}([/.-])\d{1,2}\1\d{4}|\d{4}-\d{1,2}-\d{1,2})\.?$/;

/** "380,00 19/11", "21/10 1800", "30s 150,00": an amount, and a day or a measure beside it. */
const AMOUNT_AND_DAY =
  /^(?:\d{1,2}[/.](?:0[1-9]|1[0-2]),? \d{1,5}(?:,\d\d)?|\d{1,3}(?:\.?\d{3})?,\d\d,? \d{1,2}[/.](?:0[1-9]|1[0-2])|\d{1,4}[a-z]{1,2}\d? \d{1,3}(?:\.?\d{3})?,\d\d)$/i;

/** One valid document; every attempt at one is cut out, so that its digits are never taken for money. */
function takeDocument(draft: Draft): string | null {
  // What was cut must keep its length: marks that no document has stand for it.
  const fragments = fragmentsOf(draft.line.replaceAll(CUT, ",")).filter(
    ({ raw, start, end }) => !A_DAY.test(raw) && !AMOUNT_AND_DAY.test(draft.line.slice(start, end)),
  );
  const valid = new Set<string>();
  for (const { bare, start, end } of fragments) {
    if (documentType(bare)) valid.add(bare);
    const label =
      /(?:\b(?:(?:pro|pra|para|ao|do|no|de|com|o|meu|seu|e) ){0,3}(?:cpf|cnpj|documento|doc|cep|rg|tel|telefone|cel|celular|zap|whats|whatsapp)(?:\/(?:cpf|cnpj))?(?: (?:del[ae]s?|d[oa] (?:cliente|dono|dona|responsavel|empresa|loja|predio|pai|mae)))?(?: (?:e|eh))?[\s:.=/-]*(?:n[º°o.]? ?)?)$/.exec(
        draft.folded.slice(0, start),
      );
    if (!label) draft.marks.add(start);
    cut(draft, label?.index ?? start, end, "document");
  }
  const [only] = valid;
  return only !== undefined && valid.size === 1 ? only : null;
}

const TIME_OF_DAY =
  /^,? ?(?:(?:(?:a|de|pela|na|no|por) (?:tarde|manha|noite|madrugada)|cedo|cedinho|mesmo|a tardinha)\b|(?:as|la pelas|por volta das) \d{1,2}(?:[h:]\d{0,2})?(?: horas)?)/;
/** "ref. outubro", "competência 10/2026", "foi semana passada": a month or a week, which is neither a day nor what was done. */
const MONTH_OF_SERVICE =
  /(?:\b(?:(?:d[eo]|no|em) )?(?:ref\.?|referente(?: ao?)?|competencia|comp\.|mes)[: ]+(?:(?:ao |o )?mes (?:de )?)?(?:d[eo] )?(?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez|0?[1-9]\/\d{2,4}|1[0-2]\/\d{2,4})(?:(?: de |\/| )(?:20)?\d\d)?|\b(?:(?:foi|feit[oa]|realizad[oa]) )?(?:na |da |do |no )?(?:semana|mes) (?:passad[oa]|retrasad[oa]|anterior))(?=\s*(?:$|[,;.!\u0001]|(?:r\$|(?:pra|para|pro|no valor|na|valor|cnpj|cpf|cliente|em nome)\b)))/g;

/** "dos dias 3, 10 e 17": no one day, and no amount. */
const SEVERAL_DAYS =
  /\b(?:d?os |n?os |em |aos )?dias? \d{1,2}(?:\/\d{1,2}){0,2}(?:(?:,| e| a) ?(?:(?:d?o )?dia )?\d{1,2}(?:\/\d{1,2}){0,2}(?! ?(?:reais|,\d\d|[.]\d)))+(?!\d|,\d)/g;

const JUST_DONE =
  /\b(?:feit[oa]|fiz|fizemos|acabei|acabamos|terminei|terminamos|atendi|conclui\w*|entreguei)\b[a-z ]* $/;
const WANTED =
  /\b(?:emit\w*|fa[czç]\w*|manda\w*|pra|para|consegue\w*|precis\w*|quer\w*|pode)(?: (?:essa|a nota|uma nota|nota|isso|ainda|pra|para|ate))* $/;
/** "emitir p/ hoje ainda", "urgente ainda hoje": only when it is wanted, though no other day is said. */
const AT_ONCE =
  /(?:\b(?:pra|para|ate|ainda|p\/?)|\b(?:emit(?:e|ir|a|am)|(?:tir|ger|faz|mand)\w*(?: [ao])? (?:nota|nf)|emissao(?: d[ae])?(?: nota| nf)?|^nota|^nf|need (?:an? )?(?:nota|nf))) $/;

function takeDate(draft: Draft, today: string): string | null {
  // "era 250, agora é 200": no day.
  const found = scanDays(draft.folded, today, { business: NOTE_NOUNS }).filter(
    ({ start, end, bad }) =>
      // "Clube Recreativo 7 de Setembro", "safra 26/27".
      !(
        /^(?:\d{1,2}|\p{Lu}\p{Ll}+) de \p{Lu}/u.test(draft.line.slice(start, end)) &&
        /\p{Lu}\p{Ll}+ $/u.test(draft.line.slice(0, start))
      ) &&
      !(bad && /\b(?:safra|temporada|ano letivo|serie) $/.test(draft.folded.slice(0, start))) &&
      !(
        draft.folded.slice(start, end) === "agora" &&
        !JUST_DONE.test(draft.folded.slice(Math.max(0, start - 24), start))
      ) &&
      // "honorários 10/26": a month.
      !(bad && /^(?:0?[1-9]|1[0-2])\/\d\d$/.test(draft.folded.slice(start, end))),
  );
  // "vocês emitem hoje? segurança do evento 20/11": when it is wanted, and when it was done.
  const wanted = found.filter(
    ({ start, end }) =>
      /^(?:hoje|hj|agora)$/.test(draft.folded.slice(start, end)) &&
      WANTED.test(draft.folded.slice(Math.max(0, start - 24), start)),
  );
  const done = found.filter(
    (one) =>
      !isOtherDay(draft.folded, one.start, one.end) &&
      !one.days.some((day) => isFarAway(draft.folded, { ...one, day }, today)) &&
      (wanted.length === found.length || !wanted.includes(one)) &&
      !(
        /^(?:hoje|hj|ontem|today)$/.test(draft.folded.slice(one.start, one.end)) &&
        AT_ONCE.test(draft.folded.slice(Math.max(0, one.start - 24), one.start))
      ),
  );
  const days = new Set(done.flatMap((one) => one.days));
  for (const { start, end } of found) {
    const lead =
      /(?:\b(?:data(?: do servico)?: ?|feit[oa] |realizad[oa] |no |na |em |do |da |de |desde |foi |on |last |held |done ){1,2})$/.exec(
        draft.folded.slice(0, start),
      );
    const tail = TIME_OF_DAY.exec(draft.folded.slice(end))?.[0].length ?? 0;
    cut(draft, lead?.index ?? start, end + tail, "date");
  }
  for (const { index, 0: several } of draft.folded.matchAll(SEVERAL_DAYS))
    cut(draft, index, index + several.length, "date");
  for (const { index, 0: month } of draft.folded.matchAll(MONTH_OF_SERVICE))
    cut(draft, index, index + month.length, "date");
  const [day] = days;
  return day !== undefined && days.size === 1 && done.every((one) => !one.bad) ? day : null;
}

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

/**
 * Cuts what an office writes beside a request: the contract, the order, the instalment, the days from and to. None of its
 * numbers is an amount, a day or a document, and none of its words says what was done. Of plain text.
 */
function cutReferences(draft: Draft): void {
  for (const pattern of [FROM_TO, DUE, PAPER, PART_OF])
    for (const { index, 0: whole } of draft.folded.matchAll(pattern))
      cut(draft, index, index + whole.length, "reference");
}
