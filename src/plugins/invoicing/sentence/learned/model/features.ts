/**
 * What the tagger knows of each token: the word and its neighbours, how they are written, which lexicons have them, what
 * stands around the clause and what leads to it. A feature is `template=value`; its weights are in `weights.ts`.
 */
import { FIRST_NAMES, isServiceWord } from "../../../../../plugin.ts";
import { COMPANY_WORDS } from "../../parts/name-length.ts";
import { kindsOfWord } from "../lexicons.ts";
import type { Token } from "../tokens.ts";

const LEGAL_FORM = /^(?:ltda|me|mei|epp|eireli|s\/?a|s\.a|s\/s|spe)$/;
const PARTICLE = /^(?:d[aeo]s?|e|di|del|von|&)$/;
/** Words that lead to a name or to what was done. */
const LEADS =
  /^(?:pra|pro|para|p\/|p|de|da|do|dos|das|no|na|em|com|nome|cliente|por|contra|ref|referente|servico|valor|nota|nf|nfs-e|nfse|e|foi|a|o|que)$/;
/** So many tokens back a word still leads. */
const FARTHEST_LEAD = 12;
const NEAR_LEAD = 3;
/** A number that says it is money. */
export const MARKED = /r\$|reais|real|conto|pila|pau|mango|,\d\d$/;
const NONE = "#";

/** How a token is written: capital, all capitals, small, with a figure, or what part it is. */
function shapeOf(token: Token | undefined): string {
  if (token === undefined) return NONE;
  if (token.kind !== "word") return token.kind;
  if (/^\p{Lu}{2,}$/u.test(token.original)) return "UP";
  if (/^\p{Lu}/u.test(token.original)) return "Cap";
  return /^\d/.test(token.original) ? "dig" : "low";
}

/** The word itself; of a number only how it is written, of a part only what it is. */
export function wordOf(token: Token | undefined): string {
  if (token === undefined) return NONE;
  const { kind, text } = token;
  if (kind === "word") return /^\d/.test(text) ? text.replace(/\d+/g, "9") : text;
  if (kind === "number") return numberShape(text);
  return kind === "mark" ? text : `<${kind}>`;
}

function numberShape(text: string): string {
  if (/r\$|reais|real|conto|pila|pau|mango/.test(text)) return "<R$>";
  if (/,\d\d$/.test(text)) return "<N,00>";
  if (/\d\.\d{3}/.test(text)) return "<N.000>";
  if (/^\d{1,2}$/.test(text)) return `<N${text.length}>`;
  if (/^\d+$/.test(text)) return `<N${Math.min(text.length, 5)}${text.endsWith("0") ? "0" : ""}>`;
  return /^[a-z ]+$/.test(text) ? "<Nw>" : "<N?>";
}

/** Which lexicons have the word: F first name, S work, C company, L legal form, p particle. */
function lexiconsOf(token: Token): string {
  if (token.kind !== "word") return "";
  const word = token.text.replace(/\.$/, "");
  return (
    (FIRST_NAMES.has(word) ? "F" : "") +
    (isServiceWord(word) ? "S" : "") +
    (COMPANY_WORDS.test(word) ? "C" : "") +
    (LEGAL_FORM.test(word) ? "L" : "") +
    (PARTICLE.test(word) ? "p" : "")
  );
}

/** Which kinds of word a token may be; of a part or a number what it is. */
export function sortOf(token: Token | undefined): string {
  if (token === undefined) return NONE;
  if (token.kind !== "word") return wordOf(token);
  const word = token.text.replace(/\.$/, "");
  if (word.length <= 2 || PARTICLE.test(word)) return word;
  return (FIRST_NAMES.has(word) ? "F" : "") + kindsOfWord(word);
}

/** Ends a clause, as the end of the sentence does. */
export function isBreak(token: Token | undefined): boolean {
  if (token === undefined) return true;
  return token.kind === "mark"
    ? /[,;!?.()]/.test(token.text)
    : token.kind !== "word" && token.kind !== "number";
}

/** Tokens between two breaks. */
interface Clause {
  readonly first: number;
  readonly last: number;
  /** Which one of the sentence, from 0. */
  readonly at: number;
  /** Which lexicons have any word of it. */
  readonly has: string;
}

function clausesOf(tokens: readonly Token[], lexicons: readonly string[]): readonly Clause[] {
  const clauses: Clause[] = [];
  let breaks = 0;
  let first = 0;
  for (let at = 0; at <= tokens.length; at += 1) {
    if (!isBreak(tokens[at])) continue;
    if (at > first) {
      const all = lexicons.slice(first, at).join("");
      const has = [..."FSLC"].map((one) => (all.includes(one) ? 1 : 0)).join("");
      clauses.push({ first, last: at - 1, at: breaks, has });
    }
    breaks += 1;
    first = at + 1;
  }
  return clauses;
}

/** How the sentence writes capitals: some words ("c"), none ("l"), or throughout ("u"). Only "c" says something of a word. */
function capitalsOf(tokens: readonly Token[]): string {
  const words = tokens.filter(({ kind }) => kind === "word").map(({ original }) => original);
  if (words.slice(1).some((word) => /^\p{Lu}\p{Ll}/u.test(word))) return "c";
  return words.length > 1 && words.every((word) => /^[^\p{Ll}]+$/u.test(word)) ? "u" : "l";
}

/** The features of every token, in order. Linear in the length of the sentence. */
export function featuresOf(tokens: readonly Token[]): readonly (readonly string[])[] {
  const words = tokens.map(wordOf);
  const shapes = tokens.map(shapeOf);
  const lexicons = tokens.map(lexiconsOf);
  const sorts = tokens.map(sortOf);
  const capitals = capitalsOf(tokens);
  const of: string[][] = tokens.map((token, at) => {
    const [word, before, after] = [words[at] ?? NONE, words[at - 1] ?? NONE, words[at + 1] ?? NONE];
    const [shape, previous, next] = [
      shapes[at] ?? NONE,
      shapes[at - 1] ?? NONE,
      shapes[at + 1] ?? NONE,
    ];
    const lexicon = lexicons[at] ?? "";
    const list = [
      "any=",
      `word=${word}`,
      `before=${before}`,
      `after=${after}`,
      `before2=${words[at - 2] ?? "##"}`,
      `after2=${words[at + 2] ?? "##"}`,
      `beforeWord=${before}|${word}`,
      `wordAfter=${word}|${after}`,
      `twoBefore=${words[at - 2] ?? "##"}|${before}`,
      `shape=${shape}`,
      `shapeBefore=${previous}${shape}`,
      `shapeAfter=${shape}${next}`,
      `shapes=${previous}${shape}${next}`,
      `lexicon=${lexicon}`,
      `lexiconBefore=${lexicons[at - 1] ?? NONE}`,
      `lexiconAfter=${lexicons[at + 1] ?? NONE}`,
      `lexiconShape=${lexicon}${shape}${capitals}`,
      `beforeLexicon=${lexicon}|${before}`,
    ];
    const sort = sorts[at] ?? NONE;
    const [sortBefore, sortAfter] = [sorts[at - 1] ?? NONE, sorts[at + 1] ?? NONE];
    list.push(
      `sort=${sort}`,
      `sortShape=${sort}${shape}${capitals}`,
      `sortBefore=${sortBefore}|${sort}`,
      `sortAfter=${sort}|${sortAfter}`,
      `sorts=${sortBefore}|${sort}|${sortAfter}`,
      `sortTwoBefore=${sorts[at - 2] ?? "##"}|${sortBefore}|${sort}`,
      `sortTwoAfter=${sort}|${sortAfter}|${sorts[at + 2] ?? "##"}`,
    );
    if (token.kind === "word")
      list.push(
        `end2=${token.text.slice(-2)}${shape}`,
        `end3=${token.text.slice(-3)}`,
        `end4=${token.text.slice(-4)}`,
        `begin3=${token.text.slice(0, 3)}`,
        `begin4=${token.text.slice(0, 4)}`,
      );
    return list;
  });
  for (const clause of clausesOf(tokens, lexicons))
    ofClause(clause, { tokens, words, shapes, lexicons }, of);
  ofNumbers(tokens, words, of);
  return of;
}

/** What the net is told of a token: itself, and not its neighbours, which it sees. */
const OF_NET =
  /^(?:word|shape|lexicon|sort|end3|end4|begin3|begin4|marked|many|documented|alone|last|place|fromEnd|lead)=/;

export function netFeaturesOf(features: readonly string[]): readonly string[] {
  return features.filter((feature) => OF_NET.test(feature));
}

interface Sentence {
  readonly tokens: readonly Token[];
  readonly words: readonly string[];
  readonly shapes: readonly string[];
  readonly lexicons: readonly string[];
}

/** Where in its clause a token stands, what the clause begins with, and what stands before and after it. */
function ofClause(clause: Clause, sentence: Sentence, of: string[][]): void {
  const { tokens, words, shapes, lexicons } = sentence;
  const { first, last } = clause;
  for (let at = first; at <= last; at += 1) {
    const shape = shapes[at] ?? NONE;
    const lexicon = lexicons[at] ?? "";
    const place = at - first;
    const begins = `${place === 0 ? "0" : "+"}${shape}`;
    const lead = leadOf(tokens, first, at);
    of[at]?.push(
      `place=${place < 3 ? place : "m"}${shape}`,
      `fromEnd=${last - at < 2 ? last - at : "m"}${shape}`,
      `length=${Math.min(last - first + 1, 6)}${lexicon}`,
      `first=${words[first]}`,
      `firstShape=${words[first]}|${shape}`,
      `firstLexicon=${lexicons[first]}${shapes[first]}|${begins}`,
      `clauseHas=${clause.has}${begins}`,
      `clauseBefore=${wordOf(tokens[first - 1])}${begins}`,
      `clauseAfter=${wordOf(tokens[last + 1])}${begins}`,
      `clause=${Math.min(clause.at, 5)}${shape}`,
      `lead=${lead}`,
      `leadLexicon=${lead}${lexicon}${shape}`,
    );
  }
}

/** The last word before a token, of the same clause, that leads to something; "+" when it is far. */
function leadOf(tokens: readonly Token[], first: number, at: number): string {
  for (let back = at - 1; back >= Math.max(first, at - FARTHEST_LEAD); back -= 1) {
    const token = tokens[back];
    if (token?.kind === "number") return "<N>";
    if (token?.kind === "word" && LEADS.test(token.text))
      return `${token.text}${at - back > NEAR_LEAD ? "+" : ""}`;
  }
  return "";
}

/** Of a number: whether it is marked as money, stands alone, and how many others there are. */
function ofNumbers(tokens: readonly Token[], words: readonly string[], of: string[][]): void {
  const numbers = tokens.flatMap(({ kind }, at) => (kind === "number" ? [at] : []));
  const isMarked = (at: number): boolean => MARKED.test(tokens[at]?.text ?? "");
  const marked = Math.min(numbers.filter(isMarked).length, 2);
  const documented = tokens.some(({ kind }) => kind === "document") ? 1 : 0;
  for (const at of numbers) {
    const mark = `${isMarked(at) ? 1 : 0}${marked}`;
    const alone = `${isBreak(tokens[at - 1]) ? 1 : 0}${isBreak(tokens[at + 1]) ? 1 : 0}`;
    const last = `${at === numbers.at(-1) ? 1 : 0}${at === numbers[0] ? 1 : 0}`;
    const many = Math.min(numbers.length, 6);
    of[at]?.push(
      `marked=${mark}${Math.min(numbers.length, 3)}`,
      `markedAlone=${mark}${alone}`,
      `many=${many}${words[at]}`,
      `documented=${documented}${words[at]}`,
      `alone=${alone}${words[at]}`,
      `manyAlone=${many}${alone}${words[at]}`,
      `last=${last}`,
    );
  }
}
