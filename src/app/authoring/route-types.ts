/**
 * `flows/gateway.d.ts`: the gateway's routes as TypeScript sees them in flows, written from the contract by `flows types`.
 */
import { z } from "zod";
import { digest } from "../../base/index.ts";
import { type AnyRoute, flowRoutes } from "../../gateway/index.ts";

const HEAD = `/**
 * The gateway's routes as effects, written from the contract by src/app/authoring/route-types.ts: not to be edited by hand.
 *
 * An input has the fields of the body and of the query side by side. Ends tell what is known of an answer; where nothing is,
 * any field may be read.
 */
import type { CallFailed, CallRefused } from "prosa";

declare module "prosa" {
  interface GatewayRoutes {
`;

/** The whole file. Its last line tells what it was made of, however it is formatted. */
export function routeTypes(): string {
  return `${HEAD}${body()}  }\n}\n${routeTypesMark()}\n`;
}

/** The line by which a file is known to be of this contract. */
export function routeTypesMark(): string {
  return `// of contract ${digest(body())}`;
}

let made: string | undefined;
function body(): string {
  return (made ??= flowRoutes.map(entryOf).join(""));
}

function entryOf(route: AnyRoute): string {
  const query = route.query === null ? NOTHING : typeOf(route.query, "input");
  const forms = Object.values(route.variants).map(({ body }) => typeOf(body, "input"));
  const input = [...new Set(forms)].map((form) => `(${both(form, query)})`).join(" | ");
  const ends = `{ done: ${resultOf(route)}; rejected: CallRefused; failed: CallFailed }`;
  return `    "${route.id}": { class: "${route.class}"; input: ${input}; ends: ${ends} };\n`;
}

const NOTHING = "Record<never, never>";

function both(body: string, query: string): string {
  if (body === NOTHING) return query;
  return query === NOTHING ? body : `${body} & ${query}`;
}

/** What of an answer was too large to be kept, beside its own fields. */
const LEFT = "left: readonly string[]";

function resultOf(route: AnyRoute): string {
  const schema = jsonSchema(route.response, "output");
  if (schema.type === "array") {
    const rows = printed(schema, 0);
    return `{ value: ${rows}; count: number; ${LEFT} }`;
  }
  const known = Object.keys(schema.properties ?? {});
  if (known.length === 0) return "{ [field: string]: unknown }";
  return known.includes("left") ? printed(schema, 0) : `${printed(schema, 0)} & { ${LEFT} }`;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema | boolean;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): Schema {
  return z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" }) as Schema;
}

function typeOf(schema: z.ZodType, io: "input" | "output"): string {
  return printed(jsonSchema(schema, io), 0);
}

/** Deeper than this an answer is told as unknown: flows read a few levels at most. */
const MAX_DEPTH = 6;

function printed(schema: Schema | boolean, depth: number): string {
  if (typeof schema === "boolean" || depth > MAX_DEPTH) return "unknown";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const some = schema.anyOf ?? schema.oneOf;
  if (some) return [...new Set(some.map((one) => bracketed(printed(one, depth))))].join(" | ");
  if (schema.allOf) return schema.allOf.map((one) => bracketed(printed(one, depth))).join(" & ");
  if (Array.isArray(schema.type))
    return schema.type.map((type: string) => printed({ ...schema, type }, depth)).join(" | ");
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return `readonly ${bracketed(printed(schema.items ?? true, depth + 1))}[]`;
    case "object":
      return objectOf(schema, depth);
    default:
      return "unknown";
  }
}

function objectOf(schema: Schema, depth: number): string {
  const known = Object.entries(schema.properties ?? {}).map(([name, value]) => {
    const optional = schema.required?.includes(name) ? "" : "?";
    return `${/^[\w$]+$/.test(name) ? name : JSON.stringify(name)}${optional}: ${printed(value, depth + 1)}`;
  });
  if (known.length === 0 && schema.additionalProperties === false) return NOTHING;
  if (known.length === 0) return "{ readonly [field: string]: unknown }";
  return `{ ${known.join("; ")} }`;
}

function bracketed(type: string): string {
  return /[|&]/.test(type) ? `(${type})` : type;
}
