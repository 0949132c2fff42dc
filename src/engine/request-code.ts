/** Short codes of requests as people write them: "a7", "*A7*", "recusar A7, valor errado". */

/** As codes are made, in either case; a longer word with digits in it is something else. */
const CODE = /(?<![\p{L}\p{N}])[A-Za-z]\d(?![\p{L}\p{N}])/u;
/** Marks that stand around a code, and say nothing. */
const MARKS = /[*_~"'`\u201c\u201d()[\]]/g;

export interface Coded {
  /** In upper case, as it is shown. */
  readonly code: string;
  /** What stands in front of it. */
  readonly before: string;
  /** The text without it. */
  readonly rest: string;
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
