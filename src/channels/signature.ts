/**
 * HMAC over the raw bytes of a webhook, and the age of what was signed. Header, algorithm, encoding and prefix come from
 * the account's settings, never from the request; several secrets may be active while one is replaced.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { HmacSettings } from "../engine/index.ts";
import type { Headers } from "./channel.ts";
import { at, momentOf } from "./field.ts";

/** Longest signature looked at; SHA-512 in hex has 128 characters. */
const SIGNATURE_LIMIT = 256;

/** A header given once; empty when absent or doubled. */
function headerOf(headers: Headers, name: string): string {
  const wanted = name.toLowerCase();
  for (const [key, value] of Object.entries(headers))
    if (key.toLowerCase() === wanted) return typeof value === "string" ? value.trim() : "";
  return "";
}

/** Bytes of a signature in its encoding; empty when it is not written in it. */
function bytesOf(text: string, encoding: HmacSettings["encoding"]): Buffer {
  if (text.length > SIGNATURE_LIMIT) return Buffer.alloc(0);
  if (encoding === "hex")
    return /^(?:[0-9a-fA-F]{2})+$/.test(text) ? Buffer.from(text, "hex") : Buffer.alloc(0);
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, "base64") : Buffer.alloc(0);
}

/** True when any active secret signs exactly these bytes. Every path does the same work. */
export function verifySignature(
  headers: Headers,
  rawBody: Uint8Array,
  settings: HmacSettings,
): boolean {
  const header = headerOf(headers, settings.header);
  const prefixed = header.startsWith(settings.prefix);
  const given = bytesOf(prefixed ? header.slice(settings.prefix.length) : "", settings.encoding);
  const { header: timed, joinedBy } = settings.timestamp ?? {};
  const before =
    timed === undefined || joinedBy === undefined ? "" : `${headerOf(headers, timed)}${joinedBy}`;
  let good = false;
  for (const secret of settings.secrets) {
    const mac = createHmac(settings.algorithm, secret).update(before).update(rawBody);
    const expected = mac.digest();
    const sameLength = given.length === expected.length;
    const equal = timingSafeEqual(expected, sameLength ? given : expected);
    good = (equal && sameLength) || good;
  }
  return good;
}

/**
 * Whether a webhook was sent close enough to `now` (ms). Always, where no time is asked for; never, where it is asked for
 * and missing or unreadable. Takes epoch seconds or milliseconds, and ISO 8601.
 */
export function isTimely(
  headers: Headers,
  body: unknown,
  settings: HmacSettings,
  now: number,
): boolean {
  const { timestamp } = settings;
  if (!timestamp) return true;
  const stated =
    timestamp.header === undefined
      ? at(body, ...(timestamp.field ?? "").split("."))
      : headerOf(headers, timestamp.header);
  const sent = momentOf(stated, Number.NaN);
  return Math.abs(now - sent) <= timestamp.toleranceSeconds * 1_000;
}
