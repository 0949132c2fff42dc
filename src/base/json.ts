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
