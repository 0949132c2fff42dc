/**
 * Documents, phones and e-mail addresses hidden in what the operator API tells, unless it is asked to reveal them.
 *
 * Works on any JSON by the look of its strings, so that a new field is masked before anybody thinks of it. Ids (hex,
 * UUIDs) and access keys of invoices (44 or 50 digits) stay whole: operators work with them.
 */
import type { Json, JsonObject } from "../base/index.ts";
import { maskText } from "../brazil/index.ts";

export { maskText };

/** Keys whose values never leave, revealed or not. */
const SECRET =
  /^(senha|password|certificado|token|devicetoken|secret|secrets|authorization|apikey)$/i;
const BASE64_KEY = /^(base64|media|audio)$/i;

/** Deepest nesting that is walked; session envelopes have some 12. */
const DEPTH_LIMIT = 40;

function walk(value: Json | undefined, depth: number, reveal: boolean): Json {
  if (typeof value === "string") return reveal ? value : maskText(value);
  if (typeof value !== "object" || value === null) return value ?? null;
  if (depth > DEPTH_LIMIT) return null;
  if (Array.isArray(value)) return value.map((one: Json) => walk(one, depth + 1, reveal));
  const out: Record<string, Json> = {};
  for (const [key, inner] of Object.entries(value as JsonObject)) {
    if (inner === undefined || key === "__proto__") continue;
    if (SECRET.test(key)) out[key] = "[secret]";
    else if (BASE64_KEY.test(key) && typeof inner === "string" && inner.length > 200)
      out[key] = `[${inner.length} characters]`;
    else out[key] = walk(inner, depth + 1, reveal);
  }
  return out;
}

/** A copy for an operator's eyes: secrets gone always, people's numbers hidden unless `reveal`. */
export function masked<T extends Json>(value: T, reveal = false): Json {
  return walk(value, 0, reveal);
}
