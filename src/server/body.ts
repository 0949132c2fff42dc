/**
 * Bodies of strangers: decompressed and decoded, and as JSON bounded before it is parsed. One scan over the bytes counts nesting and values, so that neither a
 * deep nor a broad body costs more memory than a body of its size should.
 */
import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import { unzipSync } from "node:zlib";
import { parseExact } from "../base/index.ts";

/** Deepest nesting taken; the deepest real body (a quoted message in a wrapper) has some 12. */
const DEPTH_LIMIT = 64;
/** Most values and keys of one body: thumbnails as numbered objects reach some 50,000. */
const VALUES_LIMIT = 400_000;

/** Why bytes were not taken for JSON. */
type NoJson = "empty" | "not-utf8" | "not-json" | "too-deep" | "too-many-values" | "prototype-key";
export type Guarded =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: NoJson };

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Index of the quote that ends the string begun before `from`, or -1. Byte by byte, so that escapes cost no more than
 * letters.
 */
function endOfString(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return -1;
}

/** Why the bytes are not worth parsing, or null. It finds no syntax errors; the parser does. */
function excess(bytes: Buffer): NoJson | null {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfString(bytes, at + 1);
        if (at === -1) return "not-json";
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > DEPTH_LIMIT) return "too-deep";
        values++;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
      case 0x2c: // ,
      case 0x3a: // :
        values++;
        break;
      default:
    }
    if (values > VALUES_LIMIT) return "too-many-values";
  }
  return null;
}

/**
 * Whether a key `__proto__` is possible: the name is in the text, or some character is escaped. Only then is every object
 * looked at.
 */
function mayNamePrototype(text: string): boolean {
  return text.includes("__proto__") || text.includes("\\u");
}

function hasPrototypeKey(value: unknown): boolean {
  const rest: unknown[] = [value];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if (Object.hasOwn(next, "__proto__")) return true;
    for (const inner of Object.values(next)) if (typeof inner === "object") rest.push(inner);
  }
  return false;
}

/** Parses a body within the limits, numbers beyond 2^53 as text (`parseExact`). Keys named `__proto__` are refused: no sender has a use for them. */
export function parseGuarded(raw: Buffer): Guarded {
  // A byte order mark is skipped; some senders write one.
  const bytes = raw.subarray(0, 3).equals(MARK) ? raw.subarray(3) : raw;
  if (bytes.length === 0) return { ok: false, reason: "empty" };
  if (!isUtf8(bytes)) return { ok: false, reason: "not-utf8" };
  const tooMuch = excess(bytes);
  if (tooMuch) return { ok: false, reason: tooMuch };
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    value = parseExact(text);
  } catch {
    return { ok: false, reason: "not-json" };
  }
  if (mayNamePrototype(text) && hasPrototypeKey(value))
    return { ok: false, reason: "prototype-key" };
  return { ok: true, value };
}

/** Whether the headers name a compression. */
export function isCompressed({ "content-encoding": encoding }: IncomingHttpHeaders): boolean {
  return /\b(?:gzip|deflate|br|zstd|compress)\b/i.test(encoding ?? "");
}

/** gzip or zlib. No JSON begins so, in any charset. */
function hasZlibHeader(bytes: Buffer): boolean {
  const [first = 0, second = 0] = bytes;
  return (
    (first === 0x1f && second === 0x8b) || (first === 0x78 && (first * 256 + second) % 31 === 0)
  );
}

/*
 * Headers only help to read bytes that say nothing by themselves: a content type, a charset or an encoding that is missing,
 * doubled or wrong refuses no good body.
 */

/** What was compressed, whole again, up to `limit` bytes; bytes that are not are given back as they are. */
export function decompressed(
  bytes: Buffer,
  headers: IncomingHttpHeaders,
  limit: number,
): Buffer | "compressed" | "too-large" {
  if (!isCompressed(headers) || !hasZlibHeader(bytes)) return bytes;
  try {
    return unzipSync(bytes, { maxOutputLength: limit });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ERR_BUFFER_TOO_LARGE" ? "too-large" : "compressed";
  }
}

/** Bytes that are no UTF-8 in the charset they were declared in, as UTF-8. Without a charset they stay as they are. */
export function inUtf8(bytes: Buffer, contentType: string | undefined): Buffer {
  if (isUtf8(bytes)) return bytes;
  const charset = /charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType ?? "")?.[1];
  if (charset === undefined) return bytes;
  try {
    return Buffer.from(new TextDecoder(charset, { fatal: true }).decode(bytes));
  } catch {
    return bytes;
  }
}
