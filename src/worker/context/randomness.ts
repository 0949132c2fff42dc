/** Randomness: its source, and secrets made of it. */
import { randomInt } from "node:crypto";
import type { Random } from "../ports.ts";

/** Node's cryptographic source. */
export const systemRandom: Random = { int: (below) => randomInt(below) };

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** 43 of 64 characters are 258 bits: beyond guessing, and safe in a path and in a message. */
const CODE_LENGTH = 43;

/** A secret that is part of an address: a one-time page, a webhook. */
export function newCode(random: Random): string {
  return Array.from({ length: CODE_LENGTH }, () => LETTERS[random.int(LETTERS.length)]).join("");
}
