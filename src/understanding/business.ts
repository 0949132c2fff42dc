/** The words of a business that readings of any text need. A bot without a business of its own has none. */

/** What steers a conversation, of any business. */
export type Command =
  | "cancel"
  | "back"
  | "menu"
  | "help"
  | "human"
  | "stop"
  | "repeat"
  | "skip"
  | "edit"
  | "thanks"
  | "greeting"
  | "none";

export interface Business {
  /** What it makes or keeps, in all forms, folded (lower case, no accents): `pizza`, `pizzas`. */
  readonly things: readonly string[];
  /** Words that may follow one of them: `calabresa`. */
  readonly beside?: readonly string[];
  /** Whom it is made for, beside "cliente", folded. */
  readonly people?: readonly string[];
  /** All of these by the language they are of, for telling which one a text is written in. */
  readonly spoken?: Readonly<Record<"pt-BR" | "en", readonly string[]>>;
  /** What it calls a month, beside "mês", folded: `periodo`. */
  readonly months?: readonly string[];
  /** Whether a text says what was done, and nothing else. */
  readonly describes?: (text: string) => boolean;
  /** Commands of its own, asked after exact forms and before the runtime's loose ones. */
  readonly commands?: readonly OwnCommand[];
  /** Exact forms of the runtime's commands that name a thing: "desisti da pizza" is `cancel`. Folded, without marks. */
  readonly forms?: ReadonlyMap<string, Command>;
}

/** One whole message, in the forms that commands are looked for. */
export interface SaidCommand {
  /** Lower case, no accents, marks as they were. */
  readonly line: string;
  /** Words alone, without the question mark. */
  readonly asked: string;
  /** The same without politeness at both ends. */
  readonly polite: string;
}

export interface OwnCommand {
  /** What it is called, with its label in either language. */
  readonly name: string;
  readonly label: { readonly "pt-BR": string; readonly en: string };
  /** Whether a message is it. `cancel`: it is the runtime's own command of that name after all. */
  readonly is: (said: SaidCommand) => boolean | "cancel";
  /** What it begins with: behind "não," it is said all the same. */
  readonly begins?: RegExp;
}

const NONE: Business = { things: [] };
/** Matches nothing. */
const NO_THING = "(?!)";

/** What is made of the words of a business, once for each. `thing`: a pattern of any of them, with what may follow it. */
export function perBusiness<T>(
  make: (thing: string, business: Business) => T,
): (business: Business | undefined) => T {
  const made = new WeakMap<Business, T>();
  return (business = NONE) => {
    const known = made.get(business);
    if (known !== undefined) return known;
    const one = make(thingOf(business), business);
    made.set(business, one);
    return one;
  };
}

function thingOf({ things, beside = [] }: Business): string {
  if (things.length === 0) return NO_THING;
  const after = beside.length === 0 ? "" : `(?: (?:${beside.join("|")}))?`;
  return `(?:${things.join("|")})${after}`;
}

/** A branch of a pattern for each word; of none, one that matches nothing. */
export function oneOf(words: readonly string[] = []): string {
  return words.length === 0 ? NO_THING : words.join("|");
}

/** Further branches of a pattern, one for each word. */
export function orOneOf(words: readonly string[] = []): string {
  return words.map((word) => `|${word.replaceAll(".", "\\.")}`).join("");
}
