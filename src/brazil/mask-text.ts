/**
 * People's numbers in any text hidden but for their last digits: documents, phones, e-mail addresses. What they look like,
 * and what has the same look and stays whole, is told in `numbers-in-text.ts`.
 */
import { hideEmails, hideNumbers, type NumberKind } from "./numbers-in-text.ts";

/** Whoever has the code of a one-time page may use it. */
const PAGE = /\/([uf])\/[A-Za-z0-9_-]{20,}/g;

/** Two digits of a document, four of a phone: enough to tell two people apart in a list. */
function hidden(kind: NumberKind, raw: string): string {
  if (kind === "cpf") return `***.***.***-${raw.slice(-2)}`;
  if (kind === "cnpj") {
    const isBare = raw.length === 14;
    return `${isBare ? "************" : "**.***.***/****-"}${raw.slice(-2)}`;
  }
  if (kind === "phone") return `(**) *****-${raw.slice(-4)}`;
  const tail = raw.length === 11 || raw.length === 14 ? 2 : 4;
  return "*".repeat(raw.length - tail) + raw.slice(-tail);
}

/** One string with what looks like a person's number hidden but its last digits. */
export function maskText(text: string): string {
  const pages = text.includes("/") ? text.replace(PAGE, "/$1/***") : text;
  const named = hideEmails(pages, (name, domain) => `${name.charAt(0)}***@${domain}`);
  return hideNumbers(named, hidden);
}
