/** Text as it came, tidied, and the same text made comparable without moving a letter. */

const SPACES = /[\s\u00a0\u2000-\u200a\u202f\u205f\u3000]+/gu;
/** Control and format characters that keyboards and copy and paste leave behind; emoji joiners go with them. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]+/gu;
const ACCENTED = /[\u00c0-\u024f\u1e00-\u1eff]/g;

/** Composed letters, single spaces, nothing invisible. Never changes a visible character. Linear. */
export function tidy(text: string): string {
  return text.normalize("NFC").replace(SPACES, " ").replace(INVISIBLE, "").trim();
}

/** Lower case without accents, position for position: `plain(t).length === t.length` for a {@link tidy} text. */
export function plain(tidied: string): string {
  return tidied.replace(ACCENTED, (letter) => letter.normalize("NFD").charAt(0)).toLowerCase();
}

/** Both steps. */
export function plainOf(text: string): string {
  return plain(tidy(text));
}

/**
 * Without the characters of `marks` at both ends. By hand, because `/[marks]+$/` tries every place of a long run of them:
 * quadratic on text that somebody makes up.
 */
export function trimEnds(text: string, marks: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && marks.includes(text.charAt(start))) start += 1;
  while (end > start && marks.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
