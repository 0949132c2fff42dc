/**
 * Numbers of a sentence that may be its amount though no rule took one, and what stands around each: a deposit, a discount or
 * what one of several costs is said beside it. What each trait is worth is learnt.
 */
import { NOTE_NOUNS } from "../../talk/nouns.ts";
import { money, plain } from "../../../../plugin.ts";
import {
  countsThings,
  isPartOfName,
  LONGEST_BEFORE,
  NIGHTLY,
  PIECEWORK,
  UNIT_NOUNS,
} from "../parts/sentence-numbers.ts";
import { isTakenBack } from "../parts/sentence-value.ts";
import { isBreak, wordOf } from "./model/features.ts";
import type { Tagged } from "./tagger.ts";
import type { Token } from "./tokens.ts";

export interface Amount {
  readonly cents: number;
  /** By the chain. 0 to 1. */
  readonly likelihood: number;
  /** Which token. */
  readonly at: number;
  readonly traits: readonly string[];
}

/** More numbers than this are no sentence about one amount. */
const MOST = 12;
/** Words of its clause that are looked at, on either side. */
const CLAUSE = 6;
const STEM = 5;

/** Each number that is money and counts, names or prices nothing else; none where a share or a discount is spoken of. */
export function amountsOf(
  line: string,
  tokens: readonly Token[],
  { amounts }: Tagged,
): readonly Amount[] {
  const folded = plain(line);
  if (amounts.length > MOST || isTakenBack(folded)) return [];
  return amounts.flatMap(({ token: at, likelihood }) => {
    const token = tokens[at];
    if (!token || isOther(folded, token)) return [];
    const cents = money(token.text, { business: NOTE_NOUNS });
    return cents.ok ? [{ cents: cents.value, likelihood, at, traits: traitsOf(tokens, at) }] : [];
  });
}

function traitsOf(tokens: readonly Token[], at: number): string[] {
  const word = (index: number): string =>
    tokens[index] === undefined ? (index < 0 ? "^" : "$") : wordOf(tokens[index]);
  const [b1, b2, b3] = [word(at - 1), word(at - 2), word(at - 3)];
  const [a1, a2, a3] = [word(at + 1), word(at + 2), word(at + 3)];
  const own = word(at);
  const stems = (step: 1 | -1): string[] => {
    const list: string[] = [];
    for (let next = at + step; list.length < CLAUSE && !isBreak(tokens[next]); next += step)
      list.push(word(next).slice(0, STEM));
    return list;
  };
  const anywhere = new Set(
    tokens.flatMap(({ kind, text }) => (kind === "word" ? [text.slice(0, STEM)] : [])),
  );
  return [
    "any=",
    `own=${own}`,
    `b1=${b1}`,
    `b2=${b2}|${b1}`,
    `b3=${b3}|${b2}|${b1}`,
    `a1=${a1}`,
    `a2=${a1}|${a2}`,
    `a3=${a1}|${a2}|${a3}`,
    `sides=${b1}|${a1}`,
    `ownB1=${own}|${b1}`,
    `ownA1=${own}|${a1}`,
    ...[...new Set(stems(-1))].map((stem) => `left=${stem}`),
    ...[...new Set(stems(1))].map((stem) => `right=${stem}`),
    ...[...anywhere].map((stem) => `has=${stem}`),
  ];
}

/** "nota 150", "aula 12": as well the number of one. */
const NUMBERED = /\b(?:notas?|nf|nfs-?e|obra|aula|sessao|projeto|pedido|placa|chave|vaga|ref) $/;

/** "130 por sessão": what one of several costs. */
const OF_ONE = new RegExp(`^(?: reais)? ?(?:por|cada|pel[ao]|/|[ao]) ?(?:${UNIT_NOUNS})\\b`);

/** "pode fazer nota de |100?": asked for, and not about. */
const REQUEST =
  /\b(?:consegu\w+|pode\w*|tem como|da pra|quero|queria|preciso|mand\w+|emit\w+|fa[zc]\w*|fazer)\b.*\b(?:nota|nf|nfs-?e) (?:de|no valor de) (?:r\$ ?)?$/;

/** Counts, names or prices something else by what stands beside it, whatever the tagger says; or is asked about. */
function isOther(folded: string, { start, end, text }: Token): boolean {
  const before = folded.slice(Math.max(0, start - LONGEST_BEFORE), start);
  const hit = { text, start, end };
  return (
    NUMBERED.test(before) ||
    OF_ONE.test(folded.slice(end)) ||
    NIGHTLY.test(folded.slice(end)) ||
    PIECEWORK.test(before) ||
    isPartOfName(folded, hit) ||
    countsThings(folded, hit) ||
    (folded.charAt(end) === "?" && !REQUEST.test(before))
  );
}
