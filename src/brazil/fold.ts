/** Text in the forms that words are compared in, and that official documents of Brazil can carry. */

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

/**
 * Text that official documents of Brazil can carry: Latin-1, from `!` to `ÿ` plus inner single spaces, no blank at either
 * end (`TSString` of the national schemas). Emoji and typographic quotes break those schemas.
 */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u201a\u201b\u2032\u00b4`]/g, "'"],
  [/[\u201c\u201d\u201e\u2033]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u2022\u25cf\u25aa]/g, "-"],
  [/\u2026/g, "..."],
  [/\u20ac/g, "EUR"],
  [/\u2122/g, "(TM)"],
  // Letters that no mark can be taken off.
  [/\u0141/g, "L"],
  [/\u0142/g, "l"],
  [/[\u0110\u0189]/g, "D"],
  [/\u0111/g, "d"],
  [/\u0131/g, "i"],
  [/\u0152/g, "OE"],
  [/\u0153/g, "oe"],
];
/** Letters of other Latin alphabets lose their marks and live on; everything else outside Latin-1 goes. */
const OUTSIDE = /[^\u0021-\u007e\u00a1-\u00ff ]/gu;
const MARKED = /[\u0100-\u024f\u1e00-\u1eff]/g;

/**
 * The nearest text in Latin-1: `"Café “gelado” 😀"` → `Café "gelado"`. Line breaks become spaces.
 * May be empty. Linear in the length of the text.
 */
export function latinText(text: string): string {
  let out = text.normalize("NFC");
  for (const [from, to] of REPLACED) out = out.replace(from, to);
  return out
    .replace(/[\s\u00a0\u2000-\u200b\u202f\u2060\ufeff]+/g, " ")
    .replace(MARKED, (letter) => letter.normalize("NFD").replace(/\p{M}/gu, ""))
    .replace(OUTSIDE, "")
    .replace(/ {2,}/g, " ")
    .trim();
}
