/**
 * The JSON of answers, from outside and therefore hostile: bounded in depth, no name twice where it decides something,
 * no `__proto__`, no half characters. What breaks that is no JSON to us: the call's end is then unknown, not a success.
 */
import { endOfString, type Json, parseExact } from "../../base/index.ts";

/** Deepest nesting of an answer. A message that quotes one that quotes one… has about 10 levels for each. */
const ANSWER_DEPTH_LIMIT = 128;
/**
 * Objects down to this level may not say the same name twice: the gateway's envelope, the engine's inside it, and the
 * record inside that. `{"error":true,"error":false}` must not be read as whichever came last.
 */
const UNIQUE_LEVELS = 3;

/** `__proto__` as a name, also when spelled with escapes; halves of pairs. A reviver then takes them out. */
const SUSPICIOUS = /__proto__|\\u00(?:5f|6f|7[024])|\\ud[89a-f]/i;

/** The value, numbers beyond 2^53 as text (`parseExact`); undefined for what is no JSON. Never throws. */
export function parseJson(text: string): Json | undefined {
  if (!isOrderly(text)) return undefined;
  try {
    return parseExact(text, SUSPICIOUS.test(text) ? cleaned : undefined) as Json;
  } catch {
    return undefined;
  }
}

function cleaned(key: string, value: Json): Json | undefined {
  if (key === "__proto__") return undefined;
  return typeof value === "string" ? value.toWellFormed() : value;
}

/** Walks over the text once, from string to string, without building anything. */
function isOrderly(text: string): boolean {
  const names: (Set<string> | undefined)[] = [];
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = endOfString(text, at);
        if (end < 0) return false;
        const known = depth <= UNIQUE_LEVELS ? names[depth] : undefined;
        if (known && isName(text, end)) {
          const name = unescaped(text.slice(at + 1, end));
          if (name === undefined || known.has(name)) return false;
          known.add(name);
        }
        at = end;
        break;
      }
      case 0x7b:
      case 0x5b:
        depth += 1;
        if (depth > ANSWER_DEPTH_LIMIT) return false;
        if (depth <= UNIQUE_LEVELS)
          names[depth] = text.charCodeAt(at) === 0x7b ? new Set() : undefined;
        break;
      case 0x7d:
      case 0x5d:
        depth -= 1;
        break;
      default:
    }
  }
  return depth === 0;
}

/** Whether the string that ends here is a name: a colon follows. */
function isName(text: string, end: number): boolean {
  let at = end + 1;
  while (" \t\r\n".includes(text.charAt(at)) && at < text.length) at += 1;
  return text.charCodeAt(at) === 0x3a;
}

function unescaped(raw: string): string | undefined {
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return undefined;
  }
}

export function isRecord(value: Json | undefined): value is Record<string, Json> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
