/**
 * Documents, phones and e-mail addresses hidden in what the operator API tells, unless it is asked to reveal them.
 *
 * Works on any JSON by the look of its strings, so that a new field is masked before anybody thinks of it. Ids (hex,
 * UUIDs) and access keys of invoices (44 or 50 digits) stay whole: operators work with them.
 */
import type { Json, JsonObject } from "../base/index.ts";

/** Keys whose values never leave, revealed or not. */
const SECRET =
  /^(senha|password|certificado|token|devicetoken|secret|secrets|authorization|apikey)$/i;
const BASE64_KEY = /^(base64|media|audio)$/i;

/** Deepest nesting that is walked; session envelopes have some 12. */
const DEPTH_LIMIT = 40;

const CPF = /(?<!\d)\d{3}\.\d{3}\.\d{3}-(\d{2})(?!\d)/g;
const CNPJ = /(?<![0-9A-Z])[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-(\d{2})(?!\d)/gi;
const PHONE = /(?<!\d)(?:\+?55 ?)?\(?\d{2}\)? ?9?\d{4}-(\d{4})(?!\d)/g;
const EMAIL =
  /([A-Za-z0-9])[A-Za-z0-9._%+-]{0,63}@(?=[A-Za-z0-9-]+\.[A-Za-z])(?!s\.whatsapp|c\.us)/g;
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
    .replace(CPF, "***.***.***-$1")
    .replace(CNPJ, "**.***.***/****-$1")
    .replace(PHONE, "(**) *****-$1")
    .replace(EMAIL, "$1***@")
    .replace(WORD, maskWord);
}

function walk(value: Json | undefined, depth: number, reveal: boolean): Json {
  if (typeof value === "string") return reveal ? value : maskText(value);
  if (typeof value !== "object" || value === null) return value ?? null;
  if (depth > DEPTH_LIMIT) return null;
  if (Array.isArray(value)) return value.map((one: Json) => walk(one, depth + 1, reveal));
  const out: Record<string, Json> = {};
  for (const [key, inner] of Object.entries(value as JsonObject)) {
    if (inner === undefined || key === "__proto__") continue;
    if (SECRET.test(key)) out[key] = "[secret]";
    else if (BASE64_KEY.test(key) && typeof inner === "string" && inner.length > 200)
      out[key] = `[${inner.length} characters]`;
    else out[key] = walk(inner, depth + 1, reveal);
  }
  return out;
}

/** A copy for an operator's eyes: secrets gone always, people's numbers hidden unless `reveal`. */
export function masked<T extends Json>(value: T, reveal = false): Json {
  return walk(value, 0, reveal);
}
