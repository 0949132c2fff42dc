/**
 * People's numbers in any text, told by their look and hidden but for their last digits: documents, phones, e-mail addresses.
 * Ids (hex, UUIDs) and access keys of invoices (44 or 50 digits) stay whole: people work with them.
 */

const CPF = /(?<!\d)\d{3}\.\d{3}\.\d{3}-(\d{2})(?!\d)/g;
const CNPJ = /(?<![0-9A-Z])[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-(\d{2})(?!\d)/gi;
const PHONE = /(?<!\d)(?:\+?55 ?)?\(?\d{2}\)? ?9?\d{4}-(\d{4})(?!\d)/g;
const EMAIL =
  /([A-Za-z0-9])[A-Za-z0-9._%+-]{0,63}@(?=[A-Za-z0-9-]+\.[A-Za-z])(?!s\.whatsapp|c\.us)/g;
/** Whoever has the code of a one-time page may use it. */
const PAGE = /\/([uf])\/[A-Za-z0-9_-]{20,}/g;
const WORD = /[0-9A-Za-z-]+/g;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const CONTACT = /^(?=.*[a-f])[0-9a-f]{32}$/;
const ACCESS_KEY = /^\d{44}$|^\d{50}$/;
/** A company's number may hold letters; at least four digits keep ordinary words out. */
const CNPJ_WORD = /^(?=(?:[A-Z]*\d){4})[0-9A-Z]{12}\d{2}$/;

function hidden(digits: string): string {
  // Two digits of a document, four of a phone: enough to tell two people apart in a list.
  const tail = digits.length === 11 || digits.length === 14 ? 2 : 4;
  return "*".repeat(digits.length - tail) + digits.slice(-tail);
}

function maskWord(word: string): string {
  if (word.length < 10 || UUID.test(word) || CONTACT.test(word) || ACCESS_KEY.test(word))
    return word;
  return CNPJ_WORD.test(word) ? hidden(word) : word.replace(/\d{10,}/g, hidden);
}

/** One string with what looks like a person's number hidden but its last digits. */
export function maskText(text: string): string {
  return text
    .replace(PAGE, "/$1/***")
    .replace(CPF, "***.***.***-$1")
    .replace(CNPJ, "**.***.***/****-$1")
    .replace(PHONE, "(**) *****-$1")
    .replace(EMAIL, "$1***@")
    .replace(WORD, maskWord);
}
