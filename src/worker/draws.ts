/** Chance, drawn once per request and frozen with it. */
import { randomInt } from "node:crypto";
import type { Random } from "./ports.ts";

/** Node's cryptographic source. */
export const systemRandom: Random = { int: (below) => randomInt(below) };

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

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** 43 of 64 are 258 bits: beyond guessing, and what a path and a message can carry unchanged. */
const CODE_LENGTH = 43;

/** A secret that stands in an address: a one-time page, a webhook. */
export function newCode(random: Random): string {
  return Array.from({ length: CODE_LENGTH }, () => LETTERS[random.int(LETTERS.length)]).join("");
}
