/** A labelled sentence as the tagger learns from it: its tokens, and the tag that each should have. */
import { localDay } from "../../../src/brazil/index.ts";
import { money } from "../../../src/understanding/money/money.ts";
import { plain, tidy } from "../../../src/understanding/plain.ts";
import { begun, takeSure } from "../../../src/plugins/invoicing/sentence/sentence-sure.ts";
import { AMOUNT_TAG, BEGINS } from "../../../src/plugins/invoicing/sentence/learned/model/chain.ts";
import { dayPlaces, tokenAt } from "../../../src/plugins/invoicing/sentence/learned/days.ts";
import { type Token, tokensOf } from "../../../src/plugins/invoicing/sentence/learned/tokens.ts";
import { formsOf, type Labelled } from "../labels.ts";

export interface Example {
  readonly text: string;
  /** Its label says that it asks for a note. */
  readonly asks: boolean;
  readonly tokens: readonly Token[];
  /** See `TAGS`: every way to tag it that its label admits, the clearest first. */
  readonly ways: readonly (readonly number[])[];
  /** Tokens that are days, and whether each is that of the work. */
  readonly days: readonly { readonly token: number; readonly right: boolean }[];
}

/** What may be read is true as well, in each of its forms: all are learnt. */
export function exampleOf({ text, now, zone = "America/Sao_Paulo", expect }: Labelled): Example {
  const today = localDay(Date.parse(now), zone);
  const { draft } = begun(text, today);
  const { line } = draft;
  takeSure(draft, today);
  const tokens = tokensOf(draft);
  let ways: number[][] = [new Array<number>(tokens.length).fill(0)];
  if (expect.ok) {
    for (const kind of ["name", "description"] as const) {
      const said = formsOf(expect, kind).filter((form) => typeof form === "string");
      const tagged = said.flatMap((form) =>
        ways.map((tags) => tagSpan(tags, tokens, { line, said: withoutMarks(form), kind })),
      );
      if (tagged.length > 0) ways = eachOnce(tagged).slice(0, MOST_WAYS);
    }
    const [value] = formsOf(expect, "value");
    for (const tags of ways)
      for (const [at, token] of tokens.entries())
        if (token.kind === "number" && tags[at] === 0 && centsOf(token.text) === value)
          tags[at] = AMOUNT_TAG;
  }
  const dates = expect.ok ? formsOf(expect, "date") : [];
  const days = dayPlaces({ line, draft, today }).map((place) => ({
    token: tokenAt(tokens, place),
    right: dates.includes(place.day),
  }));
  return { text, asks: expect.ok, tokens, ways, days: days.filter(({ token }) => token >= 0) };
}

/** Ways to tag a sentence that are looked at. */
const MOST_WAYS = 8;

function eachOnce(ways: readonly number[][]): number[][] {
  return [...new Map(ways.map((tags) => [tags.join(), tags])).values()];
}

/** What is only proposed ("12.50") is the amount as well, when the label says so. */
function centsOf(text: string): unknown {
  const read = money(text);
  return read.ok ? read.value : (read.options?.[0]?.value ?? null);
}

/** Marks of speech and what stands in brackets at the end are none of the line's. */
function withoutMarks(said: string): string {
  return said.replace(/["\u201c\u201d]/g, "").replace(/ ?\([^()]*\)$/, "");
}

interface Said {
  readonly line: string;
  readonly said: string;
  readonly kind: keyof typeof BEGINS;
}

/** Where it stands first as whole words; nowhere when the readers put it together of several parts. */
function tagSpan(
  tags: readonly number[],
  tokens: readonly Token[],
  { line, said, kind }: Said,
): number[] {
  const folded = plain(line);
  const wanted = plain(tidy(said)).replace(/\.$/, "");
  const now = [...tags];
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (/[a-z\d]/.test(folded.charAt(at - 1)) || /[a-z\d]/.test(folded.charAt(end))) continue;
    const inside = [...tokens.entries()].filter(
      ([, token]) => token.start >= at && token.start < end && token.end <= end + 1,
    );
    if (inside.length === 0) continue;
    for (const [order, [index]] of inside.entries())
      now[index] = order === 0 ? BEGINS[kind] : BEGINS[kind] + 1;
    break;
  }
  return now;
}
