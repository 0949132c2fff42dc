/**
 * Hides documents, phones and e-mail addresses in what the operator API tells, unless it is asked to reveal them.
 *
 * Works on any JSON by the look of its strings, keys and whole numbers, so that a new field is masked without any change
 * here. Ids (hex, UUIDs), long keys (44 or 50 digits) and times stay whole, because operators work with them.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import { maskText } from "../../brazil/index.ts";
import { SECRET_FIELDS } from "../../gateway/index.ts";

export { maskText };

/** Keys whose values never leave, revealed or not, beside those of the gateway. */
const SECRET = /^(password|token|devicetoken|secret|secrets|authorization|apikey)$/i;
const BASE64_KEY = /^(base64|media|audio)$/i;

/** Times as numbers, ms, 2001 to 2100; other whole numbers of 10 to 14 digits are taken for people's. */
const EPOCH = [978_307_200_000, 4_102_444_800_000] as const;
const LEAST_NUMBER = 1e9;
const LEAST_NAMED = 1e6;
const PAST_NUMBER = 1e14;
/** Where a number may have lost its leading zeros, or look like a time. */
const NAMED = /^(?:cpf|cnpj|cpf_?cnpj|documento?|phone|telefone|celular|whatsapp)$/i;
/** Keys of one object that look alike once masked; further ones share a place. */
const TWINS = 1_000;

/** Deepest nesting that is walked; session envelopes have some 12. */
const DEPTH_LIMIT = 40;

function maskedNumber(value: number, key: string): Json {
  const size = Math.abs(value);
  if (!Number.isInteger(value) || size >= PAST_NUMBER) return value;
  const isNamed = size >= LEAST_NAMED && NAMED.test(key);
  const isTime = value >= EPOCH[0] && value < EPOCH[1];
  if (!isNamed && (size < LEAST_NUMBER || isTime)) return value;
  const digits = String(size);
  const hidden = maskText(digits);
  return hidden === digits ? `${"*".repeat(digits.length - 2)}${digits.slice(-2)}` : hidden;
}

/** A key as it may be read; keys that are equal once masked get different endings. */
function maskedKey(key: string, taken: Readonly<Record<string, Json>>): string {
  const hidden = maskText(key);
  if (!Object.hasOwn(taken, hidden)) return hidden;
  let twin = 2;
  while (twin < TWINS && Object.hasOwn(taken, `${hidden} (${twin})`)) twin++;
  return `${hidden} (${twin})`;
}

function walk(value: Json | undefined, depth: number, reveal: boolean, at = ""): Json {
  if (typeof value === "string") return reveal ? value : maskText(value);
  if (typeof value === "number") return reveal ? value : maskedNumber(value, at);
  if (typeof value !== "object" || value === null) return value ?? null;
  if (depth > DEPTH_LIMIT) return null;
  if (Array.isArray(value)) return value.map((one: Json) => walk(one, depth + 1, reveal, at));
  const out: Record<string, Json> = {};
  for (const [key, inner] of Object.entries(value as JsonObject)) {
    if (inner === undefined || key === "__proto__") continue;
    const name = reveal ? key : maskedKey(key, out);
    if (SECRET.test(key) || SECRET_FIELDS.has(key.toLowerCase())) out[name] = "[secret]";
    else if (BASE64_KEY.test(key) && typeof inner === "string" && inner.length > 200)
      out[name] = `[${inner.length} characters]`;
    else out[name] = walk(inner, depth + 1, reveal, key);
  }
  return out;
}

/** A copy for an operator: always without secrets, and with people's numbers hidden unless `reveal`. */
export function masked<T extends Json>(value: T, reveal = false): Json {
  return walk(value, 0, reveal);
}
