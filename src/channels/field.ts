/**
 * Reading of foreign JSON: own properties only, every string cut and well formed, every list bounded, nothing throws. And the
 * dedupe ids made of it.
 */
import { createHash } from "node:crypto";
import type { InboundEvent } from "../engine/index.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Longest provider id that is kept as it is; real ones have 20–60 characters. */
const ID_LIMIT = 128;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path of own properties, or undefined. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let here = value;
  for (const key of path) {
    if (!isFields(here) || !Object.hasOwn(here, key)) return undefined;
    here = here[key];
  }
  return here;
}

export function fieldsAt(value: unknown, ...path: readonly string[]): Fields | undefined {
  const found = at(value, ...path);
  return isFields(found) ? found : undefined;
}

/** A list cut to `limit` items; empty when the value is none. */
export function listAt(
  value: unknown,
  limit: number,
  ...path: readonly string[]
): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? (found as unknown[]).slice(0, limit) : [];
}

/** A string without NUL and lone surrogates, cut to `limit` UTF-16 units. Numbers become their digits. */
export function textOf(value: unknown, limit: number): string | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return String(value).slice(0, limit);
  if (typeof value !== "string") return undefined;
  const cut = value.slice(0, limit);
  return (cut.includes("\0") ? cut.replaceAll("\0", "") : cut).toWellFormed();
}

/** {@link textOf} at a path, undefined when blank. */
export function textAt(
  value: unknown,
  limit: number,
  ...path: readonly string[]
): string | undefined {
  const text = textOf(at(value, ...path), limit);
  return text === undefined || text.trim() === "" ? undefined : text;
}

/** A finite number from a number, its digits, or a protobuf 64-bit pair `{low, high}`. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value === "string")
    return /^-?\d{1,17}(\.\d{1,12})?$/.test(value) ? Number(value) : undefined;
  const low = at(value, "low");
  const high = at(value, "high");
  if (typeof low === "number" && typeof high === "number") {
    const sum = high * 2 ** 32 + (low >>> 0);
    return Number.isSafeInteger(sum) ? sum : undefined;
  }
  return undefined;
}

export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  return numberOf(at(value, ...path));
}

/** A size at a path, whole; undefined where nothing can be so large or so small. */
export function sizeAt(value: unknown, ...path: readonly string[]): number | undefined {
  const size = Math.floor(numberAt(value, ...path) ?? Number.NaN);
  return Number.isSafeInteger(size) && size >= 0 ? size : undefined;
}

/** Ms since 1970 from epoch seconds (or ms); `otherwise` when absent or outside 2010–2100. */
export function momentOf(value: unknown, otherwise: number): number {
  const number = numberOf(value) ?? (typeof value === "string" ? Date.parse(value) : Number.NaN);
  const ms = number < 1e11 ? number * 1000 : number;
  return ms > 1_262_304_000_000 && ms < 4_102_444_800_000 ? Math.floor(ms) : otherwise;
}

/** Short digest of strings that tell revisions apart (64 bits: told apart within one message only). */
export function revision(...parts: readonly (string | number | undefined)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${typeof part}:${part ?? ""}\0`);
  return hash.digest("hex").slice(0, 16);
}

/** A provider's message id as we keep it, or undefined when there is none. An overlong one is replaced by its digest. */
export function messageIdOf(value: unknown): string | undefined {
  const text = textOf(value, 4_096)?.trim();
  if (!text) return undefined;
  return text.length <= ID_LIMIT ? text : `long-${revision(text)}`;
}

/**
 * A dedupe id: message id + kind + what tells revisions apart. Neither chat nor direction is in it, because one message can be
 * delivered under the linked id and again under the phone; the store remembers them per contact.
 */
export function eventId(kind: InboundEvent["kind"], messageId: string, rev?: string): string {
  return rev === undefined ? `${messageId}:${kind}` : `${messageId}:${kind}:${rev}`;
}
