/** A sentence about a note before it is judged: what may be read in it, and what is known of each of them and of the whole. */
import type { InvoiceSentence, Sentence } from "../sentence.ts";
import { type Amount, amountsOf } from "./amounts.ts";
import { askedOdds } from "./judge.ts";
import { type Candidate, candidatesOf, type Read } from "./candidates.ts";
import { type Day, daysOf, isAhead } from "./days.ts";
import { sigmoid } from "./layer.ts";
import type { Learnt } from "./learnt.ts";
import { SPAN_KINDS, type SpanKind } from "./model/chain.ts";
import { tagged } from "./tagger.ts";
import { noteTraits, traitsOf } from "./model/traits.ts";
import { tokensOf } from "./tokens.ts";

export interface Weighed {
  readonly read: Read;
  readonly candidates: Readonly<Record<SpanKind, readonly Candidate[]>>;
  /** Of each candidate, in their order. */
  readonly traits: Readonly<Record<SpanKind, readonly (readonly string[])[]>>;
  readonly days: readonly Day[];
  /** Numbers that may be the amount. */
  readonly amounts: readonly Amount[];
  /** A day is told that is still to come. */
  readonly ahead: boolean;
  /** Of the whole: whether a note is asked for. */
  readonly note: readonly string[];
  /** How likely that is by the words alone, as the net and a judge of them hold it in the mean. */
  readonly asked: number;
}

/** `found`: what the rules read. */
export function weighed(
  found: InvoiceSentence,
  sentence: Sentence,
  learnt: Pick<Learnt, "chain" | "steps" | "asked" | "net">,
): Weighed {
  const tokens = tokensOf(sentence.draft);
  const by = tagged(tokens, learnt);
  const asked = sigmoid((askedOdds(tokens, sentence.text, learnt.asked) + by.asked) / 2);
  const read = { tokens, by, line: sentence.line, text: sentence.text };
  const of = <Of>(make: (kind: SpanKind) => Of): Record<SpanKind, Of> => ({
    name: make("name"),
    description: make("description"),
  });
  const candidates = of((kind) => candidatesOf(kind, found[kind], read));
  const traits = of((kind) =>
    candidates[kind].map((one) => traitsOf(one, candidates[kind], { read, found, asked })),
  );
  const likeliest = SPAN_KINDS.map((kind) => candidates[kind][0]?.likelihood ?? 0);
  const amount = Math.max(0, ...read.by.amounts.map(({ likelihood }) => likelihood));
  const likely = [...likeliest, amount];
  const ahead = isAhead(sentence);
  const note = noteTraits(found, sentence, { asked, likely, ahead });
  const days = daysOf(sentence, { tokens, by, ruled: found.date });
  const amounts = amountsOf(sentence.draft.line, tokens, read.by);
  return { read, candidates, traits, days, amounts, ahead, note, asked };
}
