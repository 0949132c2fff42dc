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
import { cut, type Draft } from "./sentence.ts";
import { takeDescription } from "./sentence-description.ts";
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
  // A new line begins a new part, as a semicolon does.
  const whole = tidy(text.replace(/[\r\n]+/g, "; "));
  const line = ASKS_KINDLY.test(plain(whole)) ? trimEnds(whole, "?! ") : whole;
  const folded = plain(line);
  if (NOTHING_TO_ISSUE.some((pattern) => pattern.test(folded))) return absent("invoice");
  const draft: Draft = { line, folded, marks: new Set() };
  cutContacts(draft);
  const asked = TRIGGER.test(draft.folded);
  const document = takeDocument(draft);
  const date = takeDate(draft, localDay(context.now, context.zone));
  const name = takeName(draft);
  const { value, seen } = takeValue(draft);
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
  return clear("invoice", found, echo(found, context));
}

/** Talk about notes that exist already, about none at all, or about how things work: nothing to issue. */
const NOTHING_TO_ISSUE = [
  /\b(?:cancel(?:a|ar|e|ei)|estorn(?:a|ar|e)|anul(?:a|ar|e)|consultar|reenvi(?:a|ar|e)|repet(?:e|ir|e)|(?:segunda|2[aª]) via|faturei|faturamento)\b/,
  /\bminhas (?:ultimas )?notas?\b|\bnotas (?:de |do |da |no )?(?:mes|ontem|hoje|semana|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)\b|\btotal (?:de |do |em )(?:mes|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)\b/,
  /\b(?:nao|n) (?:quero|preciso|precisa|queria|vou querer|quer)\b.{0,20}\b(?:nota|nf)\b/,
  /\b(?:nota|nf)\b.{0,20}\b(?:errad[oa]|saiu|chegou|veio)\b|\b(?:recebi|cade|chegou|me manda|manda) (?:a |as |minha |essa |aquela )?(?:nota|nf)s?\b(?! de| pra| para| pro)/,
  /^(?:aprov|recus|reprov|rejeit|apag|cadastr)\w*\b|^meus dados\b|\b(?:pdf|xml|status|situacao) d[aeo] (?:nota|nf)\b|\bsobre a nota\b|\b(?:nota|nf) \d+ (?:foi|esta|ta|ja)\b|\bmesma nota\b|\bigual (?:a|o) (?:ultim|anterior)/,
  /^(?:(?:oi|ola|bom dia|boa tarde|boa noite)[ ,.!?]+)*(?:como|quanto|quando|onde|cade|qual|quais|quem|por que|pq)\b(?! .*\br\$)/,
];
/** A request in the form of a question: its mark doubts nothing. */
const ASKS_KINDLY =
  /\b(?:da pra|da para|pode|podem|poderia|consegue|conseguem|conseguiria|tem como|seria possivel|can you|could you)\b/;
const TRIGGER = /\b(?:notas?|nf|nfs-?e|invoice|emit(?:e|ir|a)|fatur(?:a|ar))\b/;

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
  /(?:\b(?:e )?(?:(?:manda|envia|mande|envie)\w* )?(?:(?:no|para o|pro|por) )?(?:e-?mail|tel|telefone|fone|cel|celular|zap|whats|whatsapp)\b[.:]? ?)?(?:(?<![^\s,;:()@\u0001])[^\s,;:()@\u0001]{1,64}@[^\s,;()@\u0001]{1,80}|(?<!\d)(?:\+?55 ?)?\(?\d{2}\)? ?9?\d{4}[- ]\d{4}(?!\d))/g;

function cutContacts(draft: Draft): void {
  for (const match of draft.folded.matchAll(CONTACT))
    cut(draft, match.index, match.index + match[0].length);
}

/** As many digits as a short document has, but a day. */
const A_DAY = /^(?:\d{1,2}([/.-])\d{1,2}\1\d{4}|\d{4}-\d{1,2}-\d{1,2})\.?$/;

/** One valid document; every attempt at one is cut out, so that its digits are never taken for money. */
function takeDocument(draft: Draft): string | null {
  const fragments = fragmentsOf(draft.line).filter(({ raw }) => !A_DAY.test(raw));
  const valid = new Set<string>();
  for (const { bare, start, end } of fragments) {
    if (documentType(bare)) valid.add(bare);
    const label =
      /(?:\b(?:(?:pro|pra|para|ao|do|no|de|com|o|meu|seu|e) ){0,3}(?:cpf|cnpj|documento|doc|cep|rg|tel|telefone|cel|celular|zap|whats|whatsapp)(?:\/(?:cpf|cnpj))?[\s:.=/-]*(?:n[º°o.]? ?)?)$/.exec(
        draft.folded.slice(0, start),
      );
    if (!label) draft.marks.add(start);
    cut(draft, label?.index ?? start, end);
  }
  const [only] = valid;
  return only !== undefined && valid.size === 1 ? only : null;
}

function takeDate(draft: Draft, today: string): string | null {
  const found = scanDays(draft.folded, today);
  const days = new Set(found.flatMap((one) => one.days));
  for (const { start, end } of found) {
    const lead =
      /(?:\b(?:data(?: do servico)?: ?|feit[oa] |realizad[oa] |no |na |em |do |da |de |desde |foi ){1,2})$/.exec(
        draft.folded.slice(0, start),
      );
    cut(draft, lead?.index ?? start, end);
  }
  const [day] = days;
  return day !== undefined && days.size === 1 && found.every((one) => !one.bad) ? day : null;
}
