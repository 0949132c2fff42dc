/** Short codes of requests as they are made, and as people write them: "a7", "*A7*", "recusar A7, valor errado". */

/** Letters and digits that are hard to confuse when typed from memory. */
const CODE_LETTERS = "ABCDEFHJKMNPRSTUVXZ";
const CODE_DIGITS = "23456789";

/** Around a code: no part of a longer word, of a company's number ("B4.W4J.6N4/797N-30") or an address ("a7@\u2026"). */
const BEFORE = String.raw`(?<![\p{L}\p{N}]|[\p{L}\p{N}][./@_-])`;
const BEHIND = String.raw`(?![\p{L}\p{N}]|[./@_][\p{L}\p{N}]|-\p{N})`;
/** As codes are made, in either case. */
const CODE = new RegExp(String.raw`${BEFORE}[A-Za-z]\d${BEHIND}`, "u");
const ANY = new RegExp(String.raw`${BEFORE}[A-Za-z]\d{1,6}${BEHIND}`, "gu");
/** Marks around a code, without a meaning. */
const MARKS = /[*_~"'`\u201c\u201d()[\]]/g;

export interface Coded {
  /** In upper case, as it is shown. */
  readonly code: string;
  /** What stands in front of it. */
  readonly before: string;
  /** The text without it. */
  readonly rest: string;
}

/** Every word in the form of a code, in upper case. */
export function codesIn(text: string): readonly string[] {
  return text.match(ANY)?.map((code) => code.toUpperCase()) ?? [];
}

/** The first word of a text that has the form of a code, open or not. */
export function codedIn(text: string): Coded | undefined {
  const match = CODE.exec(text);
  if (!match) return undefined;
  const before = text.slice(0, match.index).replace(MARKS, "");
  const behind = text.slice(match.index + match[0].length).replace(MARKS, "");
  const rest = `${before} ${behind}`.replace(/\s+/g, " ").replace(/^[\s,.:;-]+|[\s,:;-]+$/g, "");
  return { code: match[0].toUpperCase(), before, rest };
}

/** The text without an open request's code. */
export function withoutCode(text: string, code: string): string {
  return text.replace(new RegExp(`(^|[^0-9A-Za-z])${code}(?![0-9A-Za-z])`, "i"), "$1 ").trim();
}

/** Short code of a request: a letter and a digit, the same for the same request. */
export function codeOf(request: string): string {
  let hash = 2166136261;
  for (let index = 0; index < request.length; index++)
    hash = Math.imul(hash ^ request.charCodeAt(index), 16777619) >>> 0;
  const letter = CODE_LETTERS[hash % CODE_LETTERS.length] ?? "A";
  const digit = CODE_DIGITS[Math.floor(hash / 64) % CODE_DIGITS.length] ?? "2";
  return `${letter}${digit}`;
}
