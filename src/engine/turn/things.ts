/** Patterns that hold the nouns of a business: what it makes may stand for a request, or be something that no request is. */
import type { Reader, ReadingContext } from "./reader.ts";

type Readers = readonly Reader[];

const NO_READERS: Readers = [];
/** Matches nothing. */
const NOTHING = "(?!)";

/** Alternations of the nouns of all readers, for a pattern of folded words; what is empty matches nothing. */
export type Nouns = { readonly [K in "things" | "people" | "beside"]: string };

/** A pattern that is made once for each list of readers. */
export function withThings(
  make: (nouns: Nouns) => RegExp,
): (context: Pick<ReadingContext, "readers">) => RegExp {
  const made = new WeakMap<Readers, RegExp>();
  return ({ readers = NO_READERS }) => {
    const known = made.get(readers);
    if (known) return known;
    const of = (part: keyof Nouns): string => nounsOf(readers, part);
    const pattern = make({ things: of("things"), people: of("people"), beside: of("beside") });
    made.set(readers, pattern);
    return pattern;
  };
}

function nounsOf(readers: Readers, part: keyof Nouns): string {
  const nouns = readers.flatMap(({ words = {} }) =>
    Object.values(words).flatMap((of) => of[part] ?? []),
  );
  return nouns.length === 0 ? NOTHING : nouns.join("|");
}

/** Whether a folded word is such a noun. */
export function isThing(
  word: string,
  { readers = NO_READERS }: Pick<ReadingContext, "readers">,
): boolean {
  return readers.some(
    ({ words }) => words && Object.values(words).some(({ things }) => things.includes(word)),
  );
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
