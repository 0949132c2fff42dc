/**
 * Every gateway route that flows may call (`flowRoutes`), as an effect under its own id. The input is the fields of its body
 * and of its query, side by side. Of several forms of a body the first one that fits is used.
 */
import { z } from "zod";
import type { Json, JsonObject } from "../../base/index.ts";
import type { CallResult } from "../../engine/index.ts";
import type { AnyRoute } from "../../gateway/index.ts";
import type { Answer, EffectSpec, PreparedCall } from "./spec.ts";

/** The gateway's words are cut here before a flow may say them. Characters. */
const TEXT_LIMIT = 300;
/**
 * Largest part of an answer that enters a conversation, bytes of JSON. It stays in the session as long as the flow lives,
 * and sessions are read and written with every message; a file in Base64 would be far too large.
 */
export const RESULT_LIMIT_BYTES = 16 * 1024;

export function routeEffect(route: AnyRoute): EffectSpec {
  const forms = Object.values(route.variants).map((variant) => variant.body);
  const inBody = new Set(forms.flatMap(fieldsOf));
  const inQuery = new Set(route.query === null ? [] : Object.keys(route.query.shape));
  return {
    name: route.id,
    class: route.class,
    version: 1,
    route: route.id,
    input: z.record(z.string(), z.json()),
    prepare: (input) => {
      const prepared = split(input, inBody, inQuery);
      const fits = forms.some((form) => form.safeParse(prepared.body).success);
      return fits && (route.query?.safeParse(prepared.query).success ?? true) ? prepared : null;
    },
    interpret: answered,
  };
}

/** Field names of one body form; empty for a form that takes anything. */
function fieldsOf(form: z.ZodType): readonly string[] {
  return form instanceof z.ZodObject ? Object.keys(form.shape) : [];
}

/** A name that both the body and the query have goes to both. */
function split(
  input: JsonObject,
  inBody: ReadonlySet<string>,
  inQuery: ReadonlySet<string>,
): PreparedCall {
  const body: Record<string, Json> = {};
  const query: Record<string, Json> = {};
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    if (inQuery.has(name)) query[name] = value;
    if (inBody.has(name) || !inQuery.has(name)) body[name] = value;
  }
  return { body, query };
}

/** An object stays as it is; a list becomes `value` with its `count`; anything else becomes `value`. */
export function answered(answer: Answer): CallResult {
  if (answer.kind === "rejected")
    return {
      outcome: "rejected",
      out: { text: answer.message.slice(0, TEXT_LIMIT), code: answer.code ?? "" },
    };
  return { outcome: "done", out: bounded(answer.data) as CallResult["out"] };
}

/** Results are read by name. A field that does not fit is left out whole, never cut, and named in `left`. */
function bounded(data: Json): Record<string, Json> {
  if (Array.isArray(data)) return boundedList(data as readonly Json[]);
  const out = isObject(data) ? data : { value: data };
  if (sizeOf(out) <= RESULT_LIMIT_BYTES) return out as Record<string, Json>;
  // The small fields first: of a large record they say most.
  const bySize = Object.entries(out)
    .filter((entry): entry is [string, Json] => entry[1] !== undefined)
    .map(([name, value]) => ({ name, value, size: sizeOf({ [name]: value }) }))
    .sort((a, b) => a.size - b.size);
  const kept: Record<string, Json> = {};
  const left: string[] = [];
  let total = 0;
  for (const { name, value, size } of bySize) {
    total += size;
    if (total <= RESULT_LIMIT_BYTES - NAMES_BYTES) kept[name] = value;
    else if (left.length < NAMES) left.push(name.slice(0, NAME_LENGTH));
  }
  return { ...kept, left };
}

/** Names in `left`, and room for them. */
const NAMES = 20;
const NAME_LENGTH = 60;
const NAMES_BYTES = 4 * 1024;

/** As many rows from the beginning as fit; `count` tells how many there were. */
function boundedList(rows: readonly Json[]): Record<string, Json> {
  let total = 0;
  const kept: Json[] = [];
  for (const row of rows) {
    total += sizeOf(row) + 1;
    if (total > RESULT_LIMIT_BYTES) break;
    kept.push(row);
  }
  const out: Record<string, Json> = { value: kept, count: rows.length };
  if (kept.length < rows.length) out["left"] = ["value"];
  return out;
}

function sizeOf(value: Json | JsonObject): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
