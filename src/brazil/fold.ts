/**
 * One way to compare words: lower case, no accents, single spaces. Keeps every other character, so that `5²` never
 * becomes `52` (compatibility forms are left alone on purpose).
 */
const MARKS = /\p{M}/gu;
const SPACES = /[\s\u00a0\u2000-\u200b\u202f\u2060\ufeff]+/g;

/** `"  São  PAULO "` → `"sao paulo"`. Linear in the length of the text. */
export function fold(text: string): string {
  return text.normalize("NFD").replace(MARKS, "").toLowerCase().replace(SPACES, " ").trim();
}

/** As {@link fold}, with everything but letters and digits turned into a space: `"Olho-d'Água"` → `"olho d agua"`. */
export function foldWords(text: string): string {
  return fold(text)
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
}
