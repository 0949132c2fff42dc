/**
 * What is known of a candidate: how likely the chain holds it, whether the rules read the same, what stands around it and what
 * it holds; and of a whole sentence. A trait is `template=value`, as a feature is; what each is worth is learnt.
 */
import { FIRST_NAMES, isServiceWord, plain } from "../../../../../plugin.ts";
import { EXPLICIT, tellsWhose } from "../../parts/sentence-description.ts";
import { isClean } from "../../sentence-leftover.ts";
import { COMPANY_WORDS } from "../../parts/name-length.ts";
import type { InvoiceSentence } from "../../sentence.ts";
import type { Candidate, Read } from "../candidates.ts";
import { BEGINS } from "./chain.ts";
import { isBreak, wordOf } from "./features.ts";
import { kindsOfWord } from "../lexicons.ts";
import type { Token } from "../tokens.ts";

interface Around {
  readonly read: Read;
  /** What the rules read. */
  readonly found: InvoiceSentence;
  /** How likely a note is asked for, by its words. */
  readonly asked: number;
}

const FARTHEST = 6;
/** So that nothing is quite impossible. */
const LITTLE = 1e-4;

/** A likelihood by its logarithm, in whole steps from -6 to 6. */
function odds(likelihood: number): number {
  const log = Math.log((likelihood + LITTLE) / (1 - likelihood + LITTLE));
  return Math.max(-FARTHEST, Math.min(FARTHEST, Math.round(log)));
}

/** … in half as many. */
function half(likelihood: number): number {
  return odds(likelihood) >> 1;
}

const SHORT = 3;
/** Short words, marks and numbers as they are, other words by what they may be (`lexicons.ts`), unknown ones by their capital. */
function sortOf(token: Token | undefined): string {
  if (token === undefined) return "$";
  if (token.kind === "mark" || token.kind === "number") return wordOf(token);
  if (token.kind !== "word") return `<${token.kind}>`;
  const word = token.text.replace(/\.$/, "");
  if (word.length <= SHORT) return word;
  if (FIRST_NAMES.has(word)) return "F";
  if (COMPANY_WORDS.test(word)) return "C";
  if (isServiceWord(word)) return "S";
  const kind = kindsOfWord(word).charAt(0);
  if (kind !== "") return kind;
  return /^\p{Lu}/u.test(token.original) ? "X" : "x";
}

/** How a text stands to what the rules read. */
function beside(text: string, ruled: string | undefined): string {
  if (ruled === undefined) return "none";
  if (text === ruled) return "same";
  const [one, other] = [plain(text), plain(ruled)];
  if (one.includes(other)) return "longer";
  return other.includes(one) ? "shorter" : "other";
}

const SLOTS = ["value", "document", "name", "description", "date"] as const;

/** Which parts the rules read. */
function slotsOf(found: InvoiceSentence): string {
  return SLOTS.filter((slot) => found[slot] !== undefined)
    .map((slot) => slot.slice(0, 2))
    .join("");
}

/** Of what the rules read behind a label: "Serviço: …". */
export const LABELLED = "lead=1same";

const LONGEST_LABEL = 60;
const flag = (is: boolean): string => (is ? "1" : "0");

export function traitsOf(
  one: Candidate,
  all: readonly Candidate[],
  { read, found, asked }: Around,
): string[] {
  const { tokens, by, line } = read;
  const { first, last, text, likelihood, kind } = one;
  const rival = Math.max(0, ...all.map((other) => (other === one ? 0 : other.likelihood)));
  const rule = beside(text, found[kind]);
  const slots = slotsOf(found);
  const words = plain(text).split(" ");
  const clean = `${flag(isClean(text))}${flag(tellsWhose(text))}`;
  const traits = [
    "any=",
    `likely=${odds(likelihood)}`,
    `rule=${rule}`,
    `likelyRule=${odds(likelihood)}${rule}`,
    `rival=${odds(rival)}`,
    `likelyRival=${half(likelihood)}|${half(rival)}`,
    `rank=${all.indexOf(one)}${rule}`,
    `slots=${slots}`,
    `slotsRule=${slots}${rule}`,
    `asked=${odds(asked)}`,
    `length=${Math.min(words.length, 9)}`,
    `firstWord=${words[0]}`,
    `lastWord=${words.at(-1)}`,
    `clean=${clean.charAt(0)}`,
    `whose=${clean.charAt(1)}${rule}`,
  ];
  if (first < 0) return [...traits, "edges=?", `edgesRule=?${rule}`, "lead=?"];
  const sorts = tokens.slice(first, last + 1).map(sortOf);
  const before = sortOf(tokens[first - 1]);
  const [after, later] = [sortOf(tokens[last + 1]), sortOf(tokens[last + 2])];
  const edges = `${flag(isBreak(tokens[first - 1]))}${flag(isBreak(tokens[last + 1]))}`;
  const start = tokens[first]?.start ?? 0;
  const lead = plain(line.slice(Math.max(0, start - LONGEST_LABEL), start));
  return [
    ...traits,
    `edges=${edges}`,
    `edgesRule=${edges}${rule}`,
    `edgesLikely=${edges}${odds(likelihood)}`,
    `lead=${flag(EXPLICIT.test(lead))}${rule}`,
    `lengthEdges=${Math.min(words.length, 5)}${edges}`,
    `before=${before}`,
    `before2=${sortOf(tokens[first - 2])}|${before}`,
    `after=${after}`,
    `after2=${after}|${later}`,
    `after3=${later}|${sortOf(tokens[last + 3])}`,
    `first=${sorts[0]}`,
    `last=${sorts.at(-1)}`,
    `ends=${sorts.at(-1)}|${after}`,
    `begins=${before}|${sorts[0]}`,
    `begin=${odds(by.likelihoodOfTag(first, BEGINS[kind]))}`,
    `none=${odds(by.likelihoodOfNone(first, last))}`,
    ...[...new Set(sorts.slice(1, -1))].map((sort) => `has=${sort}`),
    ...[...new Set(sorts.slice(1).map((sort, at) => `${sorts[at]}|${sort}`))].map(
      (pair) => `pair=${pair}`,
    ),
    ...[...new Set(words)].filter((word) => word.length > SHORT).map((word) => `word=${word}`),
  ];
}

/** `likely`: how likely the likeliest name, description and amount are; `ahead`: a day is told that is still to come. */
export function noteTraits(
  found: InvoiceSentence,
  { text, doubtful, refused }: { text: string; doubtful: boolean; refused: boolean },
  {
    asked,
    likely,
    ahead,
  }: { readonly asked: number; readonly likely: readonly number[]; readonly ahead: boolean },
): string[] {
  const slots = slotsOf(found);
  const rule = flag(refused);
  const question = /\?\s*$/.test(text) ? 2 : text.includes("?") ? 1 : 0;
  const [name = 0, description = 0, amount = 0] = likely.map(half);
  return [
    "any=",
    `asked=${odds(asked)}`,
    `refused=${rule}`,
    `askedRefused=${odds(asked)}${rule}`,
    `slots=${slots}`,
    `slotsRefused=${slots}${rule}`,
    `slotsAsked=${slots}${half(asked)}`,
    `question=${question}`,
    `questionRefused=${question}${rule}`,
    `name=${name}`,
    `description=${description}`,
    `amount=${amount}`,
    `amountRefused=${amount}${rule}`,
    `doubtful=${flag(doubtful)}`,
    `ahead=${flag(ahead)}`,
    `aheadAsked=${flag(ahead)}${half(asked)}`,
    `aheadRefused=${flag(ahead)}${rule}`,
  ];
}
