/** Whether the authority's own words say that a note is cancelled. Its sale is let go on them, so a doubt is a no. Pure. */
import { fold, type Json, textField } from "../../../../plugin.ts";

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
