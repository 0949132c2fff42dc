/**
 * What a sentence may hold as its name and as what was done: what the rules read, and the stretches that the chain holds for
 * likely. Each once, the likeliest first.
 */
import { FIRST_NAMES } from "../first-names.ts";
import { serviceText } from "../free-text.ts";
import { personOrCompany } from "../name.ts";
import { plain, tidy } from "../plain.ts";
import { withBrackets } from "../sentence-bracket.ts";
import { isNobody } from "../sentence-loose-name.ts";
import { BEGINS } from "./chain.ts";
import type { SpanKind, Tagged } from "./tagger.ts";
import type { Token } from "./tokens.ts";

export interface Candidate {
  readonly kind: SpanKind;
  /** As it would be taken. */
  readonly text: string;
  /** Its tokens; -1 when it stands nowhere as one piece. */
  readonly first: number;
  readonly last: number;
  /** 0 to 1. */
  readonly likelihood: number;
  /** The rules read it. */
  readonly ruled: boolean;
}

export interface Read {
  readonly tokens: readonly Token[];
  readonly by: Tagged;
  /** The whole line, before anything was cut out of it. */
  readonly line: string;
  /** As it came. */
  readonly text: string;
}

/** Less likely beginnings and stretches are not looked at. */
const LEAST = { begin: 0.02, goesOn: 0.01, span: 0.01 } as const;
const MOST = 6;
/** Words of a stretch: more are no name and no work, and of a long text all would be compared with all. */
const LONGEST = 40;

/** How words are taken; null when they cannot be. `text`: the sentence as it came. */
const READ: Readonly<Record<SpanKind, (words: string, text: string) => string | null>> = {
  name: (words) => (isNobody(words) ? null : personOrCompany(words)),
  description: (words, text) => {
    const said = TORN.test(words) ? null : serviceText(words);
    return said === null ? null : withBrackets(said, text);
  },
};
/** Half a pair of brackets. */
const TORN = /^[^(]*\)|\([^)]*$/;

export function candidatesOf(kind: SpanKind, ruled: string | undefined, read: Read): Candidate[] {
  const { tokens, by, line } = read;
  const found = new Map<string, Candidate>();
  const full =
    kind === "description" && ruled !== undefined ? withBrackets(ruled, read.text) : ruled;
  if (ruled !== undefined && full !== undefined && full !== null)
    found.set(full, { ...placed(kind, ruled, read), text: full });
  for (const [first] of tokens.entries()) {
    if (by.likelihoodOfTag(first, BEGINS[kind]) < LEAST.begin) continue;
    for (let last = first; last < Math.min(tokens.length, first + LONGEST); last += 1) {
      const goesOn = last === first || by.likelihoodOfTag(last, BEGINS[kind] + 1) >= LEAST.goesOn;
      if (!goesOn) break;
      const likelihood = by.likelihoodOf(kind, first, last);
      if (likelihood < LEAST.span) continue;
      if (kind === "name" && isPart(tokens, first, last)) continue;
      const text = READ[kind](line.slice(tokens[first]?.start, tokens[last]?.end), read.text);
      if (text === null) continue;
      const known = found.get(text);
      if (known && known.likelihood >= likelihood) continue;
      found.set(text, { kind, text, first, last, likelihood, ruled: text === full });
    }
  }
  return [...found.values()]
    .sort((one, other) => other.likelihood - one.likelihood)
    .filter((one, at) => one.ruled || at < MOST);
}

/** "Bia e Malu": neither one of two people nor both receive it. */
const AND = /^(?:e|ou|and|&)$/;
/** "na casa da Vanda": where it was done. */
const PLACE = /^(?:casa|ap|apto|apartamento|sitio|escritorio)$/;

function isPart(tokens: readonly Token[], first: number, last: number): boolean {
  const other = tokens[first - 2]?.original ?? "";
  return (
    AND.test(tokens[last + 1]?.text ?? "") ||
    (AND.test(tokens[first - 1]?.text ?? "") && /^\p{Lu}/u.test(other)) ||
    PLACE.test(tokens[first - 2]?.text ?? "") ||
    tokens
      .slice(first + 1, last)
      .some(({ text }, at) => AND.test(text) && FIRST_NAMES.has(tokens[first + at + 2]?.text ?? ""))
  );
}

const PART_OF_WORD = /[a-z\d]/;

/** What the rules read, where the chain holds it for likeliest. */
function placed(kind: SpanKind, text: string, { tokens, by, line }: Read): Candidate {
  const folded = plain(line);
  const wanted = plain(tidy(text)).replace(/\.$/, "");
  let best: Candidate = { kind, text, first: -1, last: -1, likelihood: 0, ruled: true };
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (PART_OF_WORD.test(folded.charAt(at - 1)) || PART_OF_WORD.test(folded.charAt(end))) continue;
    const first = tokens.findIndex(({ start }) => start >= at);
    const last = tokens.findLastIndex(({ start }) => start < end);
    if (first < 0 || first > last) continue;
    const likelihood = by.likelihoodOf(kind, first, last);
    if (best.first < 0 || likelihood > best.likelihood)
      best = { kind, text, first, last, likelihood, ruled: true };
  }
  return best;
}
