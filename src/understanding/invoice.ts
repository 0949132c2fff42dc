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
import { freeText } from "./free-text.ts";
import { money } from "./money.ts";
import { personOrCompany } from "./name.ts";
import { plain, tidy } from "./plain.ts";
import {
  absent,
  clear,
  type Context,
  type InvoiceSentence,
  MAX_ANSWER,
  type Understood,
} from "./understood.ts";

/** Stands where a part was cut out; no text has it, for control characters are taken out first. */
const CUT = "\u0001";

interface Draft {
  /** Original letters; same length as `folded`. */
  line: string;
  folded: string;
  /** Where documents were. */
  readonly marks: Set<number>;
  /** Where the amount ended that was cut out. */
  amount?: number;
}

function cut(draft: Draft, start: number, end: number): void {
  const gap = CUT.repeat(end - start);
  draft.line = draft.line.slice(0, start) + gap + draft.line.slice(end);
  draft.folded = draft.folded.slice(0, start) + gap + draft.folded.slice(end);
}

export function invoice(text: string, context: Context): Understood<"invoice"> {
  if (text.length > MAX_ANSWER) return absent("invoice", "too-long");
  // A new line begins a new part, as a semicolon does.
  const line = tidy(text.replace(/[\r\n]+/g, "; "));
  if (OLD_NOTE.test(plain(line))) return absent("invoice");
  const draft: Draft = { line, folded: plain(line), marks: new Set() };
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

/** Talk about notes that exist already, or about how things work: nothing to issue. */
const OLD_NOTE =
  /\b(?:cancel(?:a|ar|e|ei)|estorn(?:a|ar|e)|anul(?:a|ar|e)|consultar|reenvi(?:a|ar|e)|(?:segunda|2[aª]) via|minhas (?:ultimas )?notas?|(?:as )?notas (?:de |do |da )?(?:mes|ontem|hoje|semana|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)|faturei|faturamento|(?:de novo|outra vez)$)\b|^(?:aprov|recus|reprov|rejeit)\w+ |^meus dados\b|^apag\w+ |^(?:(?:oi|ola|bom dia|boa tarde|boa noite)[ ,.!]+)*(?:como|quanto|quando|onde|cade|qual|quais|quem|por que|pq)\b/;
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

/** As many digits as a short document has, but a day. */
const A_DAY = /^(?:\d{1,2}([/.-])\d{1,2}\1\d{4}|\d{4}-\d{1,2}-\d{1,2})\.?$/;

/** One valid document; every attempt at one is cut out, so that its digits are never taken for money. */
function takeDocument(draft: Draft): string | null {
  const fragments = fragmentsOf(draft.line).filter(({ raw }) => !A_DAY.test(raw));
  const valid = new Set<string>();
  for (const { bare, start, end } of fragments) {
    if (documentType(bare)) valid.add(bare);
    const label =
      /(?:\b(?:do |no |de )?(?:cpf|cnpj|documento|doc)(?:\/(?:cpf|cnpj))?[\s:.=/-]*(?:n[º°o.]? ?)?)$/.exec(
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
    const lead = /(?:\b(?:data(?: do servico)?: ?|feit[oa] |realizad[oa] |no |na |em |do |da |de |desde |foi ){1,2})$/.exec(
      draft.folded.slice(0, start),
    );
    cut(draft, lead?.index ?? start, end);
  }
  const [day] = days;
  return day !== undefined && days.size === 1 && found.every((one) => !one.bad) ? day : null;
}

/** After "pra", "para", "em nome de", "cliente": up to a comma, a cut, or a word that begins something else. */
const NAME =
  /\b(?:(?:pra|para|pro|em nome d[aeo]|no nome d[aeo]|cliente|tomador|destinatario|to)\b:?|(?:nome(?: completo)?|razao social|empresa):) ?(?:(?:o|a|os|as|ao) )?(?:(?:sr|sra|dr|dra|dona|seu|cliente|empresa)\.? )?([a-z][^,;:\u0001]{1,149}?)(?= (?:ref|referente|por|valor|no valor|cpf|cnpj|r\$|pelo|pela|de r\$|pagou|deu)\b| ?[,;:.\u0001]| - |$)/g;
const NOBODY =
  /^(?:pagamento|reembolso|imposto|declaracao|contabilidade|mim|ele|ela|eles|voce|vc|hoje|ontem|amanha|cliente|mes|o mes|esse|essa|este|esta|um|uma|meu|minha|emitir|fazer|gente|pedir|tirar|ter|conseguir|receber)\b/;

function takeName(draft: Draft): string | null {
  const names: string[] = [];
  for (const match of draft.folded.matchAll(NAME)) {
    const said = match[1] ?? "";
    const start = match.index + match[0].length - said.length;
    // "pra Maria de 150 reais": an amount at the end is not part of a name.
    const tail = / (?:de|por|no valor de|valor) (?=\d|r\$)/.exec(said);
    const end = tail ? start + tail.index : start + said.length;
    const name =
      NOBODY.test(said) || /^\d/.test(said) ? null : personOrCompany(draft.line.slice(start, end));
    if (name === null) continue;
    names.push(name);
    cut(draft, match.index, end);
  }
  const [only] = names;
  return only !== undefined && names.length === 1 ? only : null;
}

/** Any stretch that can be money: digits, number words and what belongs to them. */
const NUMBER_WORD =
  "mil|milhao|milhoes|k|cem|cento|(?:duz|trez|quatroc|quinh|seisc|setec|oitoc|novec)ent[oa]s|vinte|trinta|quarenta|cinquenta|" +
  "sessenta|setenta|oitenta|noventa|dez|onze|doze|treze|[cq]u?atorze|quinze|dez[ea]sseis|dezessete|dezoito|dezenove|" +
  "um|uma|dois|duas|tres|quatro|cinco|seis|sete|oito|nove";
const UNIT = "reais|real|contos?|pilas?|paus?|mangos?|centavos?";
const AMOUNT = new RegExp(
  `(?:r\\$ ?)?(?<![\\w.,])-?(?:\\d[\\d.,]*\\d|\\d|\\b(?:${NUMBER_WORD})\\b)(?: ?(?:\\b(?:e|com) )?(?:\\d[\\d.,]*\\d|\\d|\\b(?:${NUMBER_WORD}|${UNIT})\\b|k\\b)| ?(?:${UNIT}|mil|k)\\b)*`,
  "g",
);
/** Said right before an amount: this number is the value. A bare "nota 12" is rather the number of a note. */
const INTRODUCES =
  /(?:\b(?:(?:notas?(?: fiscal)?|nf|nfs-?e) d[eo]|emit\w+|fatur\w+|no valor|valor|valor total|total|por|cobr\w+|deu)(?: de| e| eh|:)?|\bde) ?$/;
/** What may follow a number without a currency: with any other word it may count things ("nota de 10 aulas"). */
const FOLLOWS =
  /^(?:\s*(?:$|[,;:.!\u0001])|\s+(?:pra|para|pro|de|do|da|dos|das|no|na|em|cpf|cnpj|ref|referente|por|pelo|pela|ao|a|o|cliente|tomador|to|for)\b)/;

/** `seen`: money is spoken of, though not clearly enough for a value. */
function takeValue(draft: Draft): { readonly value: number | null; readonly seen: boolean } {
  const hits = [...draft.folded.matchAll(AMOUNT)]
    .map((match) => ({ text: match[0], start: match.index, end: match.index + match[0].length }))
    .filter(({ text }) => !/^uma?$/.test(text));
  const marked = hits.filter(({ text }) =>
    new RegExp(`r\\$|\\b(?:${UNIT})\\b|,\\d{2}$`).test(text),
  );
  const introduced = hits.filter(({ start }) => INTRODUCES.test(draft.folded.slice(0, start)));
  const leading = hits.filter(({ start }) => draft.folded.slice(0, start).trim() === "");
  const [candidates] = [marked, introduced, leading].filter((list) => list.length > 0);
  const [one] = candidates ?? [];
  if (!one) return { value: null, seen: false };
  const counts = marked.length === 0 && !FOLLOWS.test(draft.folded.slice(one.end));
  // A second number may be a count, a price of a part or a part of a name: then nobody knows.
  const lone =
    !counts && hits.length === 1 && !RISKY_AROUND.test(around(draft.folded, one.start, one.end));
  if (!counts) {
    const lead = LEADS.exec(draft.folded.slice(0, one.start));
    cut(draft, lead?.index ?? one.start, one.end);
    draft.amount = one.end;
  }
  const read = lone ? money(one.text) : null;
  return { value: read?.ok ? read.value : null, seen: marked.length > 0 || lone };
}

/** Words that go with an amount when it is cut out. */
const LEADS = /(?:\b(?:no valor|valor|total)(?: de| e| eh|:)? |\b(?:de|por|a|e) )$/;

/** Words beside an amount that make it a price of something smaller, or no amount at all. */
const RISKY_AROUND =
  /\b(?:cada|hora|horas|parcelas?|vezes|mais|menos|desconto|ou|entre|uns|umas|cerca|quase|nao|dias?|pessoas?|sinal|entrada)\b|[%*+/?]|(?<![a-z])x(?![a-z])/;

function around(folded: string, start: number, end: number): string {
  const before = folded.slice(Math.max(0, start - 14), start);
  return `${before} ${folded.slice(end, end + 14)}`;
}

/** Words of asking, which describe nothing. */
const ASKING =
  /^(?:(?:oi|ola|bom dia|boa tarde|boa noite|por favor|pf|quero|queria|preciso|gostaria|pode|poderia|faz|faca|fazer|gera|gerar|manda|mandar|emite|emitir|emita|fatura|faturar|tira|tirar|lanca|lancar|solta|uma|um|a|o|da|de|do|que|me|eu|vc|voce|voces|nova|nota|notas|nf|nfs-?e|nfse|fiscal|servico|servicos|no|na|valor|total|por|pelo|pela|com|e|eh|foi|pra|para|cpf|cnpj|ref|referente|referente a|ao|mim|cliente|favor|obrigad[oa]|pix|reais|hoje|fiz|fizemos|prestei|realizei|descricao|data|nome|r\$)\b[\s:.!?]*)+/;

/** Words that only say how much. */
const COUNTING =
  /\b(?:uns|umas|uma?|ou|e|de|da|do|por|mais|menos|quase|cerca|ate|entre|cada|cento|vezes|reais|real|contos?|mil|acho|que)\b/g;

/** Without a name so far, words right before a document ("150 maria souza 529.982.247-25") may be one: left out. */
function takeDescription(draft: Draft, named: boolean): string | null {
  const found: string[] = [];
  const pattern = new RegExp(`[^,;\\n${CUT}]+`, "g");
  for (const match of draft.folded.matchAll(pattern)) {
    let { index } = match;
    let piece = match[0];
    const lead = /^[\s.:!?\-–]+/.exec(piece)?.[0].length ?? 0;
    index += lead;
    piece = piece.slice(lead);
    const asking = ASKING.exec(piece)?.[0].length ?? 0;
    const original = draft.line.slice(index + asking, match.index + match[0].length);
    const text = freeText(original);
    const nameless =
      !named && match[0].endsWith(" ") && draft.marks.has(match.index + match[0].length);
    // "emite 450 reais clínica sorriso": a person, a company or a service; only the person knows.
    const nobodyKnows =
      !named && match.index === draft.amount && asking === 0 && !/^[.:\-–]/.test(match[0].trim());
    if (nameless || nobodyKnows || /^(?:hora|horas|cada|dia|mes|vezes|parcelas?)$/.test(plain(original).trim()))
      continue;
    const says = plain(text ?? "").replace(COUNTING, "");
    if (text !== null && says.replace(/[^a-z]/g, "").length >= 3) found.push(text);
  }
  const [first, ...rest] = found;
  return first === undefined ? null : [first, ...rest].join(", ");
}
