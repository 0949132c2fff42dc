/**
 * One way to compare words: lower case, no accents, single spaces. Keeps every other character, so that `5²` never
 * becomes `52` (compatibility forms are left alone on purpose).
 */
const MARKS = /\p{M}/gu;
const SPACES = /[\s\u00a0\u2000-\u200b\u202f\u2060\ufeff]+/g;

/** The text folded last: a turn asks a dozen times how one message reads. */
let folded = { text: "", value: "" };
let words = { text: "", value: "" };

/** `"  São  PAULO "` → `"sao paulo"`. Linear in the length of the text. */
export function fold(text: string): string {
  if (folded.text !== text) {
    const value = text.normalize("NFD").replace(MARKS, "").toLowerCase().replace(SPACES, " ");
    folded = { text, value: value.trim() };
  }
  return folded.value;
}

/** As {@link fold}, with everything but letters and digits turned into a space: `"Olho-d'Água"` → `"olho d agua"`. */
export function foldWords(text: string): string {
  if (words.text !== text) {
    const value = fold(text).replace(/[^a-z0-9]+/g, " ");
    words = { text, value: value.trim() };
  }
  return words.value;
}
