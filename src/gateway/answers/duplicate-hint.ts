/**
 * Whether a refusal hints that the thing exists already: then it is no definite refusal, and a person decides about a
 * fiscal call. It is not known which field tells the reason, so the whole answer is read, before anything of it is masked
 * or cut; only this one bit is kept. Pure.
 */
import type { Json } from "../../base/index.ts";
import { parseJson } from "./json-text.ts";

/**
 * Texts by which tax systems say that this invoice exists: E0014 (national), E10 and E010 (ABRASF), and words for
 * duplicate, already issued, already sent, being processed.
 */
const DUPLICATE =
  /\bE0?10\b|\bE0014\b|duplic|\bj[aá]\s+(?:\S+\s+){0,3}?(?:emitid|informad|enviad|utilizad|usad|exist|processad|autorizad|registrad|cadastrad|gerad)|\balready\b|em processamento|in progress/i;

export function saysDuplicate(text: string): boolean {
  return DUPLICATE.test(text.normalize("NFC"));
}

/** Anywhere in an answer, JSON or not, and in whichever alphabet it was written. */
export function hintsDuplicate(body: Buffer): boolean {
  const text = textOf(body);
  const value = parseJson(text);
  if (value === undefined) return saysDuplicate(wordsIn(text));
  for (const said of textsIn(value)) if (saysDuplicate(said)) return true;
  return false;
}

function textOf(body: Buffer): string {
  try {
    return UTF8.decode(body);
  } catch {
    return body.toString("latin1");
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Every text in it, and the names of fields that are true. */
function* textsIn(value: Json): Generator<string> {
  if (typeof value === "string") yield value;
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (inner === true) yield name;
    yield* textsIn(inner as Json);
  }
}

/**
 * The text of a page, or of JSON that was cut: without tags, and with escapes of `á`, the one letter that hints need,
 * replaced.
 */
function wordsIn(text: string): string {
  return text.replaceAll(/&(?:aacute|#225|#xe1);|\\u00e1/gi, "á").replaceAll(/<[^<>]*>/g, " ");
}
