/** Inputs of calls that must be kept nowhere longer than their call needs: a certificate and its password. */
import type { Json, JsonObject } from "../base/index.ts";
import type { Effect } from "./effect.ts";

const SECRET = new Set(["senha", "certificado"]);
const GONE = "[secret]";
/** Levels of nesting that are looked through; bodies of the interface have four. */
const DEPTH = 12;

/** Whether a call's input holds a certificate or its password. */
export function carriesSecret(input: JsonObject): boolean {
  return withoutSecret(input) !== input;
}

/** The effect as a journal may keep it: the same object where there is nothing to hide. */
export function journalled(effect: Effect): Effect {
  if (effect.type !== "call") return effect;
  const input = withoutSecret(effect.input);
  return input === effect.input ? effect : { ...effect, input: input };
}

/** A copy without the values of secret fields; the very same value where there are none. */
function withoutSecret<T extends Json | JsonObject>(value: T, depth = 0): T {
  if (typeof value !== "object" || value === null || depth > DEPTH) return value;
  const entries = Object.entries(value as JsonObject).map(([name, inner]) => {
    const kept =
      SECRET.has(name) && inner !== undefined ? GONE : withoutSecret(inner ?? null, depth + 1);
    return [name, inner, kept] as const;
  });
  if (entries.every(([, inner, kept]) => (inner ?? null) === kept)) return value;
  const copied = entries.map(([name, , kept]) => [name, kept] as const);
  return (Array.isArray(value) ? copied.map(([, kept]) => kept) : Object.fromEntries(copied)) as T;
}
