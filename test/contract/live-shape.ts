/** How an answer looks beside what the contract expects of it: names and types, never values. */
import { z } from "zod";
import type { Json } from "../../src/base/index.ts";
import type { AnyRoute } from "../../src/gateway/index.ts";

export interface Shape {
  /** `plan`: the envelope of device-based calls; `credit`: with money in it; `bare`: none; `none`: no JSON. */
  readonly family: "plan" | "credit" | "bare" | "none";
  /** Where the payload stood. */
  readonly place: string;
  /** Fields the contract names that are not there. */
  readonly missing: readonly string[];
  /** Fields of another type than the contract says. */
  readonly other: readonly string[];
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Levels of nesting that are compared; the contract names no more. */
const DEPTH = 6;

export function shapeOf(
  route: AnyRoute,
  envelope: Json | undefined,
  payload: Json | undefined,
): Shape {
  const schema = z.toJSONSchema(route.response, { io: "output", unrepresentable: "any" }) as Schema;
  const missing: string[] = [];
  const other: string[] = [];
  if (payload !== undefined) compare(schema, payload, "", { missing, other }, 0);
  return { family: familyOf(envelope), place: placeOf(envelope, payload), missing, other };
}

interface Found {
  readonly missing: string[];
  readonly other: string[];
}

function compare(schema: Schema, came: unknown, at: string, found: Found, depth: number): void {
  if (depth > DEPTH) return;
  const value = listIn(schema, came);
  const wanted = typesOf(schema);
  const type = typeOf(value);
  if (
    wanted.length > 0 &&
    !wanted.includes(type) &&
    !(type === "integer" && wanted.includes("number"))
  ) {
    found.other.push(`${at || "payload"}: ${type}, not ${wanted.join(" or ")}`);
    return;
  }
  if (schema.items && Array.isArray(value) && value.length > 0)
    compare(schema.items, value[0], `${at}[]`, found, depth + 1);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  for (const [key, field] of Object.entries(schema.properties ?? {})) {
    const path = at === "" ? key : `${at}.${key}`;
    // A null field is read as one that is not there.
    if (Object.hasOwn(value, key) && (value as Readonly<Record<string, unknown>>)[key] !== null)
      compare(field, (value as Readonly<Record<string, unknown>>)[key], path, found, depth + 1);
    else found.missing.push(path);
  }
}

/** Lists may come under the one key that holds an array. */
function listIn(schema: Schema, value: unknown): unknown {
  if (schema.type !== "array" || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value;
  const lists = Object.values(value).filter((entry) => Array.isArray(entry));
  return lists.length === 1 ? lists[0] : value;
}

function typesOf({ type, anyOf }: Schema): readonly string[] {
  if (typeof type === "string") return [type];
  return type ?? (anyOf ?? []).flatMap((one) => typesOf(one));
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function familyOf(envelope: Json | undefined): Shape["family"] {
  if (envelope === undefined) return "none";
  if (typeof envelope !== "object" || envelope === null || Array.isArray(envelope)) return "bare";
  if ("balance" in envelope || "tax" in envelope || "valor_consulta" in envelope) return "credit";
  return "error" in envelope ? "plan" : "bare";
}

/** The place of the payload: found again by what it says, because the client does not tell where it looked. */
function placeOf(envelope: Json | undefined, payload: Json | undefined): string {
  if (envelope === undefined || payload === undefined) return "-";
  const text = JSON.stringify(payload);
  const field = (node: unknown, key: string): unknown =>
    typeof node === "object" && node !== null ? (node as Record<string, unknown>)[key] : undefined;
  const places: readonly (readonly [string, unknown])[] = [
    ["response.data", field(field(envelope, "response"), "data")],
    ["response", field(envelope, "response")],
    ["data", field(envelope, "data")],
  ];
  return (
    places.find(([, value]) => value !== undefined && JSON.stringify(value) === text)?.[0] ?? "top"
  );
}
