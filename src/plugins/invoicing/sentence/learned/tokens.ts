/**
 * A sentence about a note as the tagger sees it: words, numbers and marks, and one token for each part that the readers are
 * sure of (a document, a day, a way to reach somebody, the number of a paper), whatever it says.
 */
import { plain } from "../../../../plugin.ts";
import { CUT, type Draft, type PartKind } from "../sentence.ts";
import { AMOUNT, apartFrom } from "../parts/sentence-numbers.ts";

export interface Token {
  readonly kind: "word" | "number" | "mark" | PartKind;
  /** Where it stands in the line of the draft. */
  readonly start: number;
  readonly end: number;
  /** In small letters without accents; empty of a part. */
  readonly text: string;
  /** As written; empty of a part. */
  readonly original: string;
}

const WORD = /&(?= )|[\p{L}\d][\p{L}\d'’./&-]*/uy;
/** Marks at a word's end that belong to it: "J.", "S.A.", "Dra.", "S/A". */
const KEEPS_MARK = /^(?:(?:\p{L}\.)+|(?:dra?|sra?)\.|s\/a\.)$/iu;
const LONGEST_KEPT = 8;
const LAST_MARKS = ".'’/&-";
/** Found by the pattern of amounts, and no number. */
const ARTICLE = /^(?:uma?|e|com)$/;

/** Left to right, nothing twice, spaces left out. Linear. */
export function tokensOf({ line, parts }: Pick<Draft, "line" | "parts">): readonly Token[] {
  const folded = plain(line);
  const numbers = numbersOf(folded);
  const kinds = kindsOf(line, parts);
  const tokens: Token[] = [];
  let at = 0;
  let next = 0;
  while (at < line.length) {
    if (line[at] === " ") {
      at += 1;
      continue;
    }
    const kind = line[at] === CUT ? kinds[at] : undefined;
    if (kind !== undefined) {
      let end = at + 1;
      while (line[end] === CUT && kinds[end] === kind) end += 1;
      tokens.push({ kind, start: at, end, text: "", original: "" });
      at = end;
      continue;
    }
    while ((numbers[next]?.start ?? line.length) < at) next += 1;
    const number = numbers[next];
    const end = number?.start === at ? number.end : wordEnd(line, at);
    tokens.push({
      kind: number?.start === at ? "number" : end > at ? "word" : "mark",
      start: at,
      end: Math.max(end, at + 1),
      text: folded.slice(at, Math.max(end, at + 1)),
      original: line.slice(at, Math.max(end, at + 1)),
    });
    at = Math.max(end, at + 1);
  }
  return tokens;
}

function numbersOf(folded: string): readonly { readonly start: number; readonly end: number }[] {
  return [...folded.matchAll(AMOUNT)]
    .flatMap(({ index, 0: text }) => apartFrom(text, index))
    .filter(({ start, end }) => !ARTICLE.test(folded.slice(start, end)));
}

/** Of each character that was cut out, what it was a part of: of what was read first. */
function kindsOf(line: string, parts: Draft["parts"]): readonly (PartKind | undefined)[] {
  const kinds = new Array<PartKind | undefined>(line.length).fill(undefined);
  for (const { kind, start, end } of parts)
    for (let at = start; at < end; at += 1) kinds[at] ??= kind;
  return kinds;
}

function wordEnd(line: string, start: number): number {
  WORD.lastIndex = start;
  const word = WORD.exec(line)?.[0] ?? "";
  let length = word.length;
  if (length <= LONGEST_KEPT && KEEPS_MARK.test(word)) return start + length;
  while (length > 1 && LAST_MARKS.includes(word.charAt(length - 1))) length -= 1;
  return start + length;
}
