/** What an answer or a notice says about one note. The interface shows none of these fields; names are read tolerantly. */
import { type CallResult, errorsIn, field, fold, type Json, textField } from "../../../plugin.ts";
import { explainRejection, unknownWords } from "../fiscal/rejection.ts";
import type { Locale } from "../fiscal/nfse-problem.ts";
import { issueWord } from "../effects/words.ts";
import type { Invoice } from "./invoice.ts";
import { isFree } from "./life.ts";

/** `incerta`: something failed, and there is a key. It may have been the note, or no more than what came after it. */
type NoteStatus = "autorizada" | "processando" | "rejeitada" | "cancelada" | "incerta" | "unknown";

export interface NoteFacts {
  readonly status: NoteStatus;
  readonly key?: string;
  readonly number?: string;
  readonly link?: string;
  /** Every name the gateway has for it. */
  readonly names: readonly string[];
  readonly error?: { readonly code?: string; readonly message: string };
}

const STATUS: readonly (readonly [RegExp, NoteStatus])[] = [
  [/cancel/, "cancelada"],
  [/rejei|negad|recusad|denied|reject/, "rejeitada"],
  [/erro|falh/, "incerta"],
  [/process|fila|emitindo|enviad|aguard|pend|queue|confirmando/, "processando"],
  // Not issued, not yet issued: whatever else it is, it proves nothing.
  [/(?:^|[^a-z])(?:nao|not|sem|ainda|un[a-z]+)(?![a-z])/, "unknown"],
  [/autoriz|emitid|conclu|aprovad|issued|^100$/, "autorizada"],
];

export function noteFacts(data: Json): NoteFacts {
  const key = textField(data, "chave") ?? textField(data, "chave_acesso");
  const number = textField(data, "numero") ?? textField(data, "numero_nfse");
  const link = textField(data, "link") ?? textField(data, "url") ?? textField(data, "pdf");
  const said = fold(textField(data, "status") ?? textField(data, "situacao") ?? "");
  const isError = said === "" && field(data, "error") === true;
  const found = isError ? "incerta" : STATUS.find(([pattern]) => pattern.test(said))?.[1];
  // A key is the proof of a note; a status nobody knows is none.
  const keyless = found === "incerta" ? "rejeitada" : (found ?? "unknown");
  const status = key === undefined ? keyless : (found ?? "autorizada");
  const error = errorOf(data);
  const names = ["id", "protocolo", "uuid", "job_id"].flatMap(
    (name) => textField(data, name) ?? [],
  );
  return { status, names, key, number, link, error };
}

function errorOf(data: Json): NoteFacts["error"] {
  const judged = errorsIn(data).map((error) => ({
    error,
    ...explainRejection(error.code, error.message),
  }));
  // A hint that the note exists outweighs every reason; a known reason outweighs what the authority's own failure says beside it.
  const said =
    judged.find(({ duplicateHint }) => duplicateHint) ??
    judged.find(({ known, crashed }) => known && !crashed) ??
    judged.find(({ crashed }) => crashed);
  return (said ?? judged[0])?.error;
}

/** Slots a flow can ask again; what the business sets up is none of them. */
const SLOTS = ["service", "document", "name", "address", "value", "description", "competence"];

export function reasonOf(
  error: { readonly code?: string; readonly message: string },
  locale: Locale,
): NonNullable<Invoice["reason"]> & { readonly doubt?: "duplicate_hint" | "authority_failed" } {
  const said = explainRejection(error.code, error.message, locale);
  const words = unknownWords(error.code, error.message);
  return {
    code: said.code,
    text: said.text,
    ...(words === "" ? {} : { words }),
    slots: said.slots.filter((slot) => SLOTS.includes(slot)),
    fixable: said.fixable,
    ...(said.duplicateHint
      ? { doubt: "duplicate_hint" }
      : said.crashed
        ? { doubt: "authority_failed" }
        : {}),
  };
}

/** What to tell support: enough to find the record, nothing about anybody. */
export function supportCode(invoice: Pick<Invoice, "id">): string {
  return invoice.id.slice(0, 8).toUpperCase();
}

/** The flow's result of a record, in whatever state it is. */
export function resultOf(invoice: Invoice): CallResult {
  const support = supportCode(invoice);
  const { locale, number = "", key = "", link = "", reason } = invoice;
  switch (invoice.state) {
    case "autorizada":
      return {
        outcome: "done",
        out: { number, key, link, text: issueWord("issued", locale, number), support },
      };
    case "rejeitada":
      return {
        outcome: "rejected",
        out: {
          code: reason?.code ?? "unknown",
          text: reason?.text ?? issueWord("failed", locale),
          ...(reason?.words === undefined ? {} : { words: reason.words }),
          slots: reason?.slots ?? [],
          fixable: reason?.fixable ?? "nobody",
          number: "",
          support,
        },
      };
    case "abandonada": {
      const word = isFree(invoice) ? "abandoned_unsent" : "abandoned";
      return {
        outcome: "failed",
        out: { text: issueWord(word, locale), code: "abandoned", support },
      };
    }
    case "processando":
      return unended("processing", locale, support);
    case "pendente":
      return unended("waiting", locale, support);
    // What is on its way, by another attempt than the one that tells, may be out before this is read.
    case "enviando":
    case "incerta":
      return unended("uncertain", locale, support, reason?.words);
  }
}

/** The code tells flows which of them it is: what was not sent is not to be called lost. */
export function unended(
  code: "waiting" | "processing" | "uncertain",
  locale: Invoice["locale"],
  support: string,
  words?: string,
): CallResult {
  const out: CallResult["out"] = { code, text: issueWord(code, locale), support };
  if (words !== undefined) out["words"] = words;
  return { outcome: "held", out };
}

/*
 * Whether the authority's own words say that a note is cancelled. Its sale is let go on them, so a doubt is a no.
 */

/** As a state of the note, or as the end of the event that cancels it. */
const DONE =
  /\b(?:cancelad[ao]|cancell?ed)\b|\bcancelamento (?:autoriz|homolog|conclu|efetu|efetiv|defer|aceit|registr|realiz)/;
/** It was asked for, is looked at, or came to nothing; or it is the request that was cancelled. */
const NOT_DONE =
  /\b(?:(?:nao|nunca|sem|ainda|not|ser|sera)\b|rejei|negad|recusad|indefer|erro|falh|process|fila|aguard|pend|solicit|pedid|inici|(?:em|para) analise|sujeit|opera[ct]|requisi|request|transa[ct])/;
/** A note that replaced it has its sale: it stands no more, and the sale is not free. */
const REPLACED = /\bsubstitui[dc]/;

/** The answer to a cancellation, with the note's new state. */
export function saysCancelled(answer: Json): boolean {
  const said = textField(answer, "status") ?? textField(answer, "situacao") ?? "";
  const words = fold(said).replace(/[^a-z0-9]+/g, " ");
  return DONE.test(words) && !NOT_DONE.test(words) && !REPLACED.test(words);
}

/** "Já", and within a few words of the same sentence "cancelada"; not "já não pode ser cancelada". */
const ALREADY =
  /\bja\b(?:(?!\b(?:nao|nunca|sem|pode\w*|deve\w*|ser|sera|prazo|pedid\w*|solicit\w*)\b)[^.]){0,20}\bcancelad[ao]\b/;

/** The request is what was cancelled, not the note. */
const REQUEST =
  /\b(?:pedido|solicitacao|requisicao|evento|cancelamento)(?: de cancelamento)? ja\b[^.]{0,20}\bcancelad/;

/** A refusal whose reason is that the note does not stand any more. */
export function saysAlready(text: string): boolean {
  const words = fold(text);
  return ALREADY.test(words) && !REQUEST.test(words);
}

/** Of a note that does not stand any more: another one stands in its place. */
export function saysReplaced(text: string): boolean {
  return REPLACED.test(fold(text));
}
