/**
 * A second opinion on a sentence about a note. The rules say what they read; the tagger, which learnt from labelled texts,
 * says how likely that is and what it would read. What both say is taken. What the tagger doubts is left to be asked, what it
 * alone is sure of is taken, and a sentence that it holds for talk asks for no note. It never touches a document or a day.
 */
import { FIRST_NAMES } from "../first-names.ts";
import { serviceText } from "../free-text.ts";
import { money } from "../money.ts";
import { personOrCompany } from "../name.ts";
import { plain, tidy } from "../plain.ts";
import type { Draft } from "../sentence.ts";
import { EXPLICIT, isClean } from "../sentence-description.ts";
import {
  countsThings,
  isPartOfName,
  LONGEST_BEFORE,
  PIECEWORK,
  UNIT_NOUNS,
} from "../sentence-numbers.ts";
import { isNobody } from "../sentence-loose-name.ts";
import type { InvoiceSentence } from "../understood.ts";
import { askedLikelihood } from "./asked.ts";
import { isBreak } from "./features.ts";
import { type Span, type SpanKind, type Tagged, tagged } from "./tagger.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** Less likely than this a sentence asks for no note: nobody's request is refused by a doubt. */
const ASKED = 0.15;
/** … and less likely than this no amount is added to what the rules read. */
const ASKED_FOR_CERTAIN = 0.6;
/** So likely a number is the amount though no rule says so, and every other one is not. */
const AMOUNT = { sure: 0.8, other: 0.3 } as const;
/** `take`: so likely it is taken without the rules; `instead`: in place of what they read. */
const SPANS = {
  name: { take: 0.8, instead: 0.85 },
  // Whose words reach farther is what people judge differently: none replaces the other's.
  description: { take: 0.9, instead: Infinity },
} as const;
/** Less likely than this, what the rules read is left out: the surer they are, the less it takes. */
const KEEP = { name: 0.1, inside: 0.15, clause: 0.02, labelled: 0.005 } as const;
/** A second span of the same kind, so likely, makes the first one doubtful. */
const SECOND = 0.3;

const READ: Readonly<Record<SpanKind, (text: string) => string | null>> = {
  name: (text) => (isNobody(text) ? null : personOrCompany(text)),
  description: (text) => {
    const said = serviceText(text);
    return said !== null && isClean(said) ? said : null;
  },
};
/** "Bia e Malu": neither one of two people nor both receive it. */
const AND = /^(?:e|ou|and|&)$/;
/** "na casa da Vanda": where it was done. */
const PLACE = /^(?:casa|ap|apto|apartamento|sitio|escritorio)$/;
/** "corte do Davi", "corte + barba": what was done goes on, and nobody can say how far. */
const GOES_ON = /^(?:d[aeo]s?|com|e|\+)$/;

export interface Sentence {
  /** As it was when documents, days and ways to reach somebody were cut out, and nothing else. */
  readonly draft: Pick<Draft, "line" | "parts">;
  /** Before anything was cut out. */
  readonly line: string;
  /** As it came. */
  readonly text: string;
  /** Words that make the amount doubtful stand in it. */
  readonly doubtful: boolean;
}

/** What may be taken of a sentence; null when it asks for no note. */
export function secondOpinion(found: InvoiceSentence, sentence: Sentence): InvoiceSentence | null {
  const tokens = tokensOf(sentence.draft);
  const asked = askedLikelihood(tokens, sentence.text);
  if (asked < ASKED) return null;
  const by = tagged(tokens);
  const { value, name, description, ...rest } = found;
  const open = asked >= ASKED_FOR_CERTAIN && !sentence.doubtful;
  const amount = value ?? (open ? amountOf(sentence.draft.line, tokens, by) : undefined);
  const who = spanOf("name", name, { tokens, by, line: sentence.line });
  const what = spanOf("description", description, { tokens, by, line: sentence.line });
  const mixed = who !== undefined && what !== undefined && plain(what).includes(plain(who));
  return {
    ...(amount === undefined ? {} : { value: amount }),
    ...(who === undefined ? {} : { name: who }),
    ...(what === undefined || mixed ? {} : { description: what }),
    ...rest,
  };
}

/** Cents of the one number that is the amount; the same one twice is one. */
function amountOf(line: string, tokens: readonly Token[], { amounts }: Tagged): number | undefined {
  const folded = plain(line);
  const perhaps = amounts.filter(({ likelihood }) => likelihood > AMOUNT.other);
  const read = perhaps.map(({ token, likelihood }) => {
    const number = tokens[token];
    if (!number || likelihood < AMOUNT.sure || isOther(folded, number)) return null;
    const cents = money(number.text);
    return cents.ok ? cents.value : null;
  });
  const [only = null] = read;
  return only !== null && read.every((cents) => cents === only) ? only : undefined;
}

/** "nota 150", "aula 12": as well the number of one. */
const NUMBERED = /\b(?:notas?|nf|nfs-?e|obra|aula|sessao|projeto|pedido|placa|chave|vaga|ref) $/;

/** "130 por sessão": what one of several costs. */
const OF_ONE = new RegExp(`^(?: reais)? ?(?:por|cada|pel[ao]|/|[ao]) ?(?:${UNIT_NOUNS})\\b`);

/** Counts, names or prices something else by what stands beside it, whatever the tagger says; or is asked about. */
function isOther(folded: string, { start, end, text }: Token): boolean {
  const before = folded.slice(Math.max(0, start - LONGEST_BEFORE), start);
  const hit = { text, start, end };
  return (
    NUMBERED.test(before) ||
    OF_ONE.test(folded.slice(end)) ||
    PIECEWORK.test(before) ||
    isPartOfName(folded, hit) ||
    countsThings(folded, hit) ||
    folded.charAt(end) === "?"
  );
}

interface Read {
  readonly tokens: readonly Token[];
  readonly by: Tagged;
  readonly line: string;
}

function spanOf(kind: SpanKind, ruled: string | undefined, read: Read): string | undefined {
  const limits = SPANS[kind];
  const [first, second] = read.by.spans
    .filter((span) => span.kind === kind)
    .flatMap((span) => {
      const start = read.tokens[span.first]?.start ?? 0;
      const text = READ[kind](read.line.slice(start, read.tokens[span.last]?.end));
      return text === null ? [] : [{ text, likelihood: span.likelihood, part: isPart(span, read) }];
    })
    .sort((one, other) => other.likelihood - one.likelihood);
  const likelihood = first?.likelihood ?? 0;
  if (ruled === undefined)
    return likelihood > limits.take && (second?.likelihood ?? 0) < SECOND && first?.part === false
      ? first.text
      : undefined;
  // A piece of what the rules read is no better name.
  if (
    likelihood > limits.instead &&
    first?.part === false &&
    !plain(ruled).includes(plain(first.text))
  )
    return first.text;
  return isDoubted(kind, ruled, read) ? undefined : ruled;
}

/** Whether it may be a part of more: of two people or a place, of a count or of a longer description. */
function isPart({ kind, first, last }: Span, { tokens, line }: Read): boolean {
  const next = tokens[last + 1];
  const behind = next?.text ?? "";
  const isNumbered = next?.kind === "number" && isPartOfName(plain(line), next);
  const before = tokens[first - 1];
  if (kind === "name")
    return (
      AND.test(behind) ||
      PLACE.test(tokens[first - 2]?.text ?? "") ||
      tokens
        .slice(first + 1, last)
        .some(
          ({ text }, at) => AND.test(text) && FIRST_NAMES.has(tokens[first + at + 2]?.text ?? ""),
        )
    );
  return GOES_ON.test(behind) || isNumbered || before?.text === "+" || before?.kind === "number";
}

const PART_OF_WORD = /[a-z\d]/;

/** Whether the tagger holds something else than what the rules read, wherever it stands. */
function isDoubted(kind: SpanKind, said: string, { tokens, by, line }: Read): boolean {
  const folded = plain(line);
  const wanted = plain(tidy(said)).replace(/\.$/, "");
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (PART_OF_WORD.test(folded.charAt(at - 1)) || PART_OF_WORD.test(folded.charAt(end))) continue;
    const first = tokens.findIndex(({ start }) => start >= at);
    const last = tokens.findLastIndex(({ start }) => start < end);
    if (first < 0 || first > last) continue;
    const likely = by.likelihoodOf(kind, first, last);
    // Of a name it does not know the tagger says nothing; of work it should.
    if (kind === "name") {
      if (likely + by.likelihoodOfNone(first, last) >= KEEP.name) return false;
    } else if (likely >= leastOf(folded.slice(0, at), tokens[first - 1], tokens[last + 1]))
      return false;
  }
  return true;
}

/** "serviço: …" by its label, a clause by itself, or words inside one. */
function leastOf(lead: string, before: Token | undefined, behind: Token | undefined): number {
  if (EXPLICIT.test(lead.slice(-LONGEST_LABEL))) return KEEP.labelled;
  return isBreak(before) && isBreak(behind) ? KEEP.clause : KEEP.inside;
}

const LONGEST_LABEL = 60;
