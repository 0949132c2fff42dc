/** Short codes of requests as people write them: "a7", "*A7*", "recusar A7, valor errado". */

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
