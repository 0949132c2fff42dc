/**
 * A note in one sentence: "nota de 150 pra Maria Souza cpf 529.982.247-25, corte de cabelo, ontem".
 *
 * Each part found is cut out of the sentence; what is uncertain is left out, so that the conversation asks for it. A wrong
 * value or document is worse than a question.
 */
import { documentType, formatBrl, formatDocument, localDay } from "../brazil/index.ts";
import { dayEcho } from "./date.ts";
import { scanDays } from "./date-scan.ts";
import { fragmentsOf } from "./document-scan.ts";
import { plain, tidy, trimEnds } from "./plain.ts";
import { CUT, cut, type Draft } from "./sentence.ts";
import { isOtherTalk } from "./sentence-other.ts";
import { fromEnglish } from "./sentence-english.ts";
import { parted } from "./sentence-parts.ts";
import { cutReferences } from "./sentence-references.ts";
import { takeDescription } from "./sentence-description.ts";
import { takeLooseName } from "./sentence-loose-name.ts";
import { takeName } from "./sentence-name.ts";
import { takeValue } from "./sentence-value.ts";
import {
  absent,
  clear,
  type Context,
  type InvoiceSentence,
  MAX_ANSWER,
  type Understood,
} from "./understood.ts";

export function invoice(text: string, context: Context): Understood<"invoice"> {
  if (text.length > MAX_ANSWER) return absent("invoice", "too-long");
  const whole = tidy(parted(fromEnglish(tidy(text.replace(/[\r\n]+/g, "; ")))));
  const line = ASKS_KINDLY.test(plain(whole)) ? trimEnds(whole, "?! ") : whole;
  const folded = plain(line);
  if (isOtherTalk(folded)) return absent("invoice");
  const draft: Draft = { line, folded, marks: new Set() };
  cutContacts(draft);
  const asked = TRIGGER.test(draft.folded);
  const document = takeDocument(draft);
  cutReferences(draft);
  const date = takeDate(draft, localDay(context.now, context.zone));
  const named = takeName(draft);
  const { value, seen, several } = takeValue(draft, {
    named: named !== null,
    document: document !== null,
  });
  // With nothing but a name, "a nota da Bia" is one that exists.
  const name =
    named ??
    (value === null && document === null && (!seen || several)
      ? null
      : takeLooseName(draft, document !== null));
  const description = takeDescription(draft, name !== null);
  // Without a word for the note, only an amount or a document makes a sentence about one.
  if (!asked && !seen && document === null) return absent("invoice");
  const found: InvoiceSentence = {
    ...(value === null ? {} : { value }),
    ...(document === null ? {} : { document }),
    ...(name === null ? {} : { name }),
    ...(description === null ? {} : { description }),
    ...(date === null ? {} : { date }),
  };
  if (Object.keys(found).length === 0) return absent("invoice");
  // Prices of several things, a story with amounts: no word for the note, no one amount and no document.
  if (!asked && value === null && document === null && name === null) return absent("invoice");
  // "vocês emitem nota de produto?": asked about, not for.
  if (!asked && document === null && (PAID.test(folded) || TO_PAY.test(folded)))
    return absent("invoice");
  // "pode fazer a nota agora?": no word of what, for whom or for how much.
  if (Object.keys(found).every((slot) => slot === "date") && plain(whole).endsWith("?"))
    return absent("invoice");
  const forSomebody = date !== null || value !== null || document !== null || name !== null;
  if (!forSomebody && plain(whole).endsWith("?")) return absent("invoice");
  return clear("invoice", found, echo(found, context));
}

/** A request in the form of a question: its mark doubts nothing. */
const ASKS_KINDLY =
  /\b(?:da pra|da para|pode|podem|poderia|consegue|conseguem|conseguiria|tem como|seria possivel)\b/;
/** Money that changed hands, and no word of a note. */
const PAID =
  /\b(?:paguei|pagou|pagaram|deve|devo|emprestei|emprestou|transferi|transferiu|depositei|gastei|ganhei|comprei|recebi|recebeu|recebemos|depositou|caiu|entrou|confirmou|emprestar|orcamento)\b/;
/** Money that is to change hands: "preciso pagar o boleto de 210". */
const TO_PAY =
  /\b(?:preciso|precisa|precisamos|quero|vou|tenho que|temos que|falta|faltou|esqueci de|posso) (?:pagar|receber|depositar|transferir|quitar)\b/;
const TRIGGER = /\b(?:notas?|notinhas?|nf|nfs-?e|emit(?:e|ir|a)|fatur(?:a|ar))\b/;

function echo(found: InvoiceSentence, context: Context): string {
  const parts = [
    found.value === undefined ? "" : formatBrl(found.value),
    found.name ?? "",
    found.document === undefined ? "" : formatDocument(found.document),
    found.description ?? "",
    found.date === undefined ? "" : dayEcho(found.date, context),
  ];
  return parts.filter((part) => part !== "").join(" · ");
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

function cutContacts(draft: Draft): void {
  for (const match of draft.folded.matchAll(ADDRESS))
    cut(draft, match.index, match.index + match[0].length);
  for (const match of draft.folded.matchAll(SPEAKING))
    cut(draft, match.index, match.index + match[0].length);
  for (const match of draft.folded.matchAll(CONTACT))
    cut(draft, match.index, match.index + match[0].length);
}

/** As many digits as a short document has, but a day. */
const A_DAY = /^(?:\d{1,2}([/.-])\d{1,2}\1\d{4}|\d{4}-\d{1,2}-\d{1,2})\.?$/;

/** "380,00 19/11", "30s 150,00": an amount, and a day or a measure beside it. */
const AMOUNT_AND_DAY =
  /^(?:\d{1,3}(?:\.?\d{3})?,\d\d,? \d{1,2}[/.](?:0[1-9]|1[0-2])|\d{1,3}[a-z] \d{1,3}(?:\.?\d{3})?,\d\d)$/i;

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
    cut(draft, label?.index ?? start, end);
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

function takeDate(draft: Draft, today: string): string | null {
  // "era 250, agora é 200": no day.
  const found = scanDays(draft.folded, today).filter(
    ({ start, end, bad }) =>
      // "Clube Recreativo 7 de Setembro", "safra 26/27".
      !(
        /^\d{1,2} de \p{Lu}/u.test(draft.line.slice(start, end)) &&
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
  const done = wanted.length < found.length ? found.filter((one) => !wanted.includes(one)) : found;
  const days = new Set(done.flatMap((one) => one.days));
  for (const { start, end } of found) {
    const lead =
      /(?:\b(?:data(?: do servico)?: ?|feit[oa] |realizad[oa] |no |na |em |do |da |de |desde |foi ){1,2})$/.exec(
        draft.folded.slice(0, start),
      );
    const tail = TIME_OF_DAY.exec(draft.folded.slice(end))?.[0].length ?? 0;
    cut(draft, lead?.index ?? start, end + tail);
  }
  for (const { index, 0: several } of draft.folded.matchAll(SEVERAL_DAYS))
    cut(draft, index, index + several.length);
  for (const { index, 0: month } of draft.folded.matchAll(MONTH_OF_SERVICE))
    cut(draft, index, index + month.length);
  const [day] = days;
  return day !== undefined && days.size === 1 && done.every((one) => !one.bad) ? day : null;
}
