/**
 * A note in one sentence: "nota de 150 pra Maria Souza cpf 529.982.247-25, corte de cabelo, ontem".
 *
 * Each part found is cut out of the sentence; what is uncertain is left out, so that the conversation asks for it. A wrong
 * value or document is worse than a question.
 */
import {
  dayEcho,
  formatBrl,
  formatDocument,
  localDay,
  MAX_ANSWER,
  plain,
  type TextContext,
} from "../../../plugin.ts";
import { isNoRequest } from "../talk/request.ts";
import { isOtherTalk } from "./parts/sentence-other.ts";
import { asWritten } from "./parts/sentence-bracket.ts";
import { takeDescription } from "./parts/sentence-description.ts";
import { takeLooseName } from "./parts/sentence-loose-name.ts";
import { takeName } from "./parts/sentence-name.ts";
import { begun, takeSure } from "./sentence-sure.ts";
import { isHedged, takeValue } from "./parts/sentence-value.ts";
import { secondOpinion, type Sentence } from "./learned/opinion.ts";
import type { InvoiceSentence, UnderstoodInvoice } from "./sentence.ts";

const ABSENT = { kind: "invoice", ok: false, reason: "absent" } as const;

export function invoice(text: string, context: TextContext): UnderstoodInvoice {
  if (text.length > MAX_ANSWER) return { ...ABSENT, hint: "too-long" };
  const { found, sentence, none } = byRules(text, context);
  if (none) return ABSENT;
  const agreed = secondOpinion(found, sentence);
  if (agreed === null || Object.keys(agreed).length === 0) return ABSENT;
  return { kind: "invoice", ok: true, value: agreed, echo: echo(agreed, context) };
}

/**
 * What the rules alone make of a sentence no longer than `MAX_ANSWER`: its parts, and whether they hold it for talk. `none`: so
 * surely that no second opinion is asked for.
 */
export function byRules(
  text: string,
  context: TextContext,
): { readonly found: InvoiceSentence; readonly sentence: Sentence; readonly none: boolean } {
  const today = localDay(context.now, context.zone);
  const { whole, draft } = begun(text, today);
  const { line, folded } = draft;
  const none = isNoRequest(folded);
  const other = none || isOtherTalk(folded);
  const { asked, document, date } = takeSure(draft, today);
  const sure = { line: draft.line, parts: draft.parts };
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
      : takeLooseName(draft, document));
  const description = asWritten(takeDescription(draft, name !== null), text);
  const found: InvoiceSentence = {
    ...(value === null ? {} : { value }),
    ...(document === null ? {} : { document }),
    ...(name === null ? {} : { name }),
    ...(description === null ? {} : { description }),
    ...(date === null ? {} : { date }),
  };
  const refused = other || isTalk(found, { folded, asked, seen, asks: plain(whole).endsWith("?") });
  const doubtful = isHedged(folded);
  return { found, sentence: { draft: sure, line, text, doubtful, refused, today }, none };
}

interface Said {
  readonly folded: string;
  /** There is a word for a note. */
  readonly asked: boolean;
  /** Money is spoken of. */
  readonly seen: boolean;
  /** Ends as a question does. */
  readonly asks: boolean;
}

function isTalk(found: InvoiceSentence, { folded, asked, seen, asks }: Said): boolean {
  const { value, document, name } = found;
  // Without a word for the note, only an amount or a document makes a sentence about one.
  if (!asked && !seen && document === undefined) return true;
  if (Object.keys(found).length === 0) return true;
  // Prices of several things, a story with amounts: no word for the note, no one amount and no document.
  if (
    !asked &&
    document === undefined &&
    name === undefined &&
    (value === undefined || (TOLD.test(folded) && !MADE.test(folded)))
  )
    return true;
  // "vocês emitem nota de produto?": asked about, not for.
  if (!asked && document === undefined && (PAID.test(folded) || TO_PAY.test(folded))) return true;
  // "pode fazer a nota agora?": no word of what, for whom or for how much.
  if (asks && Object.keys(found).every((slot) => slot === "date")) return true;
  return asks && Object.keys(found).every((slot) => slot === "description");
}

/** A story or a question in which there is an amount: "ele comprou ração, 187 reais". */
const TOLD =
  /[?]|\b[a-z]{3,}(?:ou|aram|eram|iram|ando|endo)\b|\b(?:fiz|paguei|comprar|contestar|ata|proxim[ao]|ainda|ja|venceu|thanks|the)\b/;
/** Something is to be made, though no word says what. */
const MADE = /\b(?:fa[zc]|faca|lanc|ger[ae]|tir[ae]|solt[ae]|cobr[ae]|bot[ae]|poe|coloc)\w{0,4}\b/;
/** Money that changed hands, and no word of a note. */
const PAID =
  /\b(?:paguei|pagou|pagaram|deve|devo|emprestei|emprestou|transferi|transferiu|depositei|gastei|ganhei|comprei|recebi|recebeu|recebemos|depositou|caiu|entrou|confirmou|emprestar|orcamento)\b/;
/** Money that is to change hands: "preciso pagar o boleto de 210". */
const TO_PAY =
  /\b(?:preciso|precisa|precisamos|quero|vou|tenho que|temos que|falta|faltou|esqueci de|posso) (?:pagar|receber|depositar|transferir|quitar)\b/;

function echo(found: InvoiceSentence, context: TextContext): string {
  const parts = [
    found.value === undefined ? "" : formatBrl(found.value),
    found.name ?? "",
    found.document === undefined ? "" : formatDocument(found.document),
    found.description ?? "",
    found.date === undefined ? "" : dayEcho(found.date, context),
  ];
  return parts.filter((part) => part !== "").join(" · ");
}
