/**
 * Which of a business's services the words of a sentence name: "corte de cabelo masculino" → "Corte de cabelo".
 *
 * Nobody was asked, and tax codes hang on it: the words are the name, begin with it, or are its beginning, and only one
 * service fits. Anything else is null, and asked. Narrower than {@link pickOption}, which reads the answer to a question.
 */
import { foldWords } from "../../brazil/index.ts";
import type { Pickable } from "./pick-option.ts";
import { plainOf } from "../plain.ts";

/** Longer texts are stories. */
const LONGEST = 200;
/** They tell two names apart no more than an article does. */
const SMALL: ReadonlySet<string> = new Set(["de", "da", "do", "das", "dos", "a", "o", "as", "os"]);
/** Something is said against it, or another thing was done beside it. */
const MORE = /[,;+&/]|\b(?:e|ou|mais|com|sem|nao|nem|menos|exceto|and|or|plus|with|without|not)\b/;

/** The id of the one service that is named, or null. */
export function namedService(text: string, services: readonly Pickable[]): string | null {
  if (text.length > LONGEST) return null;
  const said = wordsOf(text);
  if (said.length === 0) return null;
  const names = services.flatMap(({ id, label, aliases = [] }) =>
    [label, ...aliases].map((name) => ({ id, words: wordsOf(name) })),
  );
  const whole = names.filter(({ words }) => words.length === said.length && begins(said, words));
  if (whole.length > 0) return only(whole);
  // A name may have an "e" itself; what is only alike may not.
  if (MORE.test(plainOf(text))) return null;
  return only(
    names.filter(({ words }) => words.length > 0 && (begins(said, words) || begins(words, said))),
  );
}

function only(found: readonly { readonly id: string }[]): string | null {
  const [id, second] = new Set(found.map((one) => one.id));
  return id === undefined || second !== undefined ? null : id;
}

function begins(words: readonly string[], head: readonly string[]): boolean {
  return head.every((word, index) => words[index] === word);
}

function wordsOf(text: string): string[] {
  return foldWords(text)
    .split(" ")
    .filter((word) => word !== "" && !SMALL.has(word))
    .map(singular);
}

/** One form for both numbers; no dictionary, so that a word which only looks like a plural loses its end on both sides. */
export function singular(word: string): string {
  if (word.length < 4) return word;
  return word
    .replace(/oes$/, "ao")
    .replace(/ais$/, "al")
    .replace(/ns$/, "m")
    .replace(/([rz])es$/, "$1")
    .replace(/s$/, "");
}
