/** What names a request for a note, drawn once and frozen with it. */
import type { Random } from "../../../plugin.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
/** `cIntContrib` takes 1–20 letters and digits: 20 of 36 are 103 bits, enough to know a note by it alone. */
const TOKEN_LENGTH = 20;

export function drawToken(random: Random): string {
  return Array.from({ length: TOKEN_LENGTH }, () => ALPHABET[random.int(ALPHABET.length)]).join("");
}

/** Tax systems refuse the trivial ones (rejection 897 of the NF-e): one digit repeated, or a run of digits. */
const TRIVIAL: ReadonlySet<string> = new Set(
  Array.from({ length: 10 }, (_, first) => [
    String(first).repeat(8),
    Array.from({ length: 8 }, (_step, index) => String((first + index) % 10)).join(""),
  ]).flat(),
);

/** `codigo_aleatorio`: 8 digits. */
export function drawCode(random: Random): string {
  for (;;) {
    const code = String(random.int(100_000_000)).padStart(8, "0");
    if (!TRIVIAL.has(code)) return code;
  }
}
