/**
 * JSON as data that is stored, compared and hashed: the type of what survives it, its canonical text, its digest.
 */
import { createHash } from "node:crypto";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
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
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 32);
}
