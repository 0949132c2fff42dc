/** Patterns that hold the nouns of a business: what it makes may stand for a request, or be something that no request is. */
import type { Reader, ReadingContext } from "./reader.ts";

type Readers = readonly Reader[];

const NO_READERS: Readers = [];
/** Matches nothing. */
const NO_THING = "(?!)";

/** A pattern of folded words that is made once for each list of readers; `things` is the alternation of all their nouns. */
export function withThings(
  make: (things: string) => RegExp,
): (context: Pick<ReadingContext, "readers">) => RegExp {
  const made = new WeakMap<Readers, RegExp>();
  return ({ readers = NO_READERS }) => {
    const known = made.get(readers);
    if (known) return known;
    const pattern = make(thingsOf(readers));
    made.set(readers, pattern);
    return pattern;
  };
}

function thingsOf(readers: Readers): string {
  const things = readers.flatMap(({ words }) =>
    words ? Object.values(words).flatMap((of) => of.things) : [],
  );
  return things.length === 0 ? NO_THING : things.join("|");
}

/** Whether a folded word is of a language by what a business is about. */
export function isSpokenOf(
  word: string,
  locale: ReadingContext["locale"],
  { readers = NO_READERS }: Pick<ReadingContext, "readers">,
): boolean {
  return readers.some(({ words }) => {
    const { things = [], beside = [] } = words?.[locale] ?? {};
    return things.includes(word) || beside.includes(word);
  });
}
