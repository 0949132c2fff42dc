/**
 * JSON as data that is stored, compared and hashed: the type of what survives it, its canonical text, its digest.
 */
import { hash } from "node:crypto";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Whether a value is plain data that JSON gives back whole. Own keys only; nothing undefined, no class, no function. */
export function isJson(value: unknown): value is Json {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value);
    case "object":
      if (value === null) return true;
      if (Array.isArray(value)) return value.every(isJson);
      return isJsonObject(value);
    default:
      return false;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key of Object.keys(value)) {
    const part = (value as Record<string, unknown>)[key];
    if (typeof part !== "string" && !isJson(part)) return false;
  }
  return true;
}

/**
 * A bound above the letters of its JSON text, found without writing it: each letter may become six, each number takes at most
 * 25. Enough to know that something is far below a limit.
 */
export function lettersAtMost(value: Json | undefined): number {
  if (typeof value === "string") return 6 * value.length + 3;
  if (typeof value !== "object" || value === null) return 26;
  let sum = 3;
  if (Array.isArray(value)) for (const item of value as readonly Json[]) sum += lettersAtMost(item);
  else
    for (const key of Object.keys(value))
      sum += 6 * key.length + 4 + lettersAtMost((value as JsonObject)[key]);
  return sum;
}

/** A record without the keys that are undefined: optional parts of data that is compared or counted. */
export function present<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, part]) => part !== undefined)) as T;
}

/** A copy of plain data that shares nothing with it. A key `__proto__` is left out. */
export function copyOf<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as unknown[]).map(copyOf) as T;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value))
    if (key !== "__proto__") copy[key] = copyOf((value as Record<string, unknown>)[key]);
  return copy as T;
}

/**
 * Text that is equal for equal data: keys sorted by code unit, absent and `undefined` keys left out, no white space.
 * Numbers as JSON prints them (RFC 8785 for the values used here). Throws a TypeError on what JSON cannot hold.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean" || typeof value === "string")
    return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError("canonicalJson: a number must be finite");
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && Object.getPrototypeOf(value) !== null) {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype)
      throw new TypeError("canonicalJson: only plain objects, arrays and scalars");
  }
  if (typeof value === "object") {
    const record = value as Record<string, unknown>;
    const parts: string[] = [];
    for (const key of Object.keys(record).sort())
      if (record[key] !== undefined)
        parts.push(`${JSON.stringify(key)}:${canonicalJson(record[key])}`);
    return `{${parts.join(",")}}`;
  }
  throw new TypeError(`canonicalJson: a ${typeof value} is not data`);
}

/** First 128 bits of SHA-256 over the canonical text, as 32 hex characters: enough that no one can make two bodies meet. */
export function digest(value: unknown): string {
  return hash("sha256", canonicalJson(value)).slice(0, 32);
}

/** Texts without either hold no number beyond 2^53. Mostly true: then nothing more is done than `JSON.parse`. */
const MAY_BE_BEYOND = /\d{16}|\d[eE]\+?\d/;
/** A number that is a value. The name of a field is none, in JSON that is broken. */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\s*:)/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * What `JSON.parse` gives, but whole numbers beyond 2^53 - 1 as the texts they were written as, so that two ids stay two. Works on
 * every Node: no reviver sees the source text before Node 22. Throws a SyntaxError, as `JSON.parse` does.
 */
export function parseExact(text: string, reviver?: Parameters<typeof JSON.parse>[1]): unknown {
  return JSON.parse(MAY_BE_BEYOND.test(text) ? withLargeNumbersQuoted(text) : text, reviver);
}

function withLargeNumbersQuoted(text: string): string {
  let result = "";
  let copied = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      if (at < 0) break;
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      NUMBER.lastIndex = at;
      const number = NUMBER.exec(text)?.[0];
      // No JSON from here on: `JSON.parse` says so.
      if (number === undefined) break;
      if (Math.abs(Number(number)) > Number.MAX_SAFE_INTEGER) {
        result += `${text.slice(copied, at)}"${number}"`;
        copied = at + number.length;
      }
      at += number.length - 1;
    }
  }
  return result + text.slice(copied);
}

/** Index of the quote that closes the string opened at `start`; negative when none does. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
  return slashes % 2 === 1;
}
