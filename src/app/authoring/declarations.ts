/**
 * What the compiler knows of flows beyond their code, as declaration files beside them: `texts.d.ts` from the catalogues,
 * `effects.d.ts` from the bot's own effects, `gateway.d.ts` from the contract. They are made on each machine and not committed.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { type Catalogues, textTypes } from "../../flow/index.ts";
import { type AnyRoute, flowRoutes } from "../../gateway/index.ts";
import { effectFiles } from "../bot/load-bot.ts";
import { textsOf } from "../loading/flow-files.ts";
import { shown } from "../places.ts";

/** Writes the files of a folder that are missing or say something else; gives their paths. */
export function declarations(folder: string): readonly string[] {
  const made = [writeTextTypes(folder, textsOf(folder)), ...writeCallTypes(folder)];
  return made.flatMap((file) => (file === undefined ? [] : [shown(file)]));
}

/** `texts.d.ts`. */
export function writeTextTypes(
  folder: string,
  texts: ReadonlyMap<string, Catalogues>,
): string | undefined {
  return written(folder, "texts.d.ts", textTypes(texts));
}

/** What flows may call: `effects.d.ts`, where the bot has effects of its own, and `gateway.d.ts`. */
export function writeCallTypes(folder: string): readonly (string | undefined)[] {
  const effects = effectFiles(folder).map((file) => path.basename(file));
  return [
    effects.length > 0 ? written(folder, "effects.d.ts", effectTypes(effects)) : undefined,
    written(folder, "gateway.d.ts", routeTypes()),
  ];
}

function effectTypes(names: readonly string[]): string {
  return [
    "/** Effects of this bot, for the compiler. Made by `prosa flows types`; edit the files in effects/ instead. */",
    'import type { EffectTypes } from "prosa";',
    ...names.map((name, at) => `import type effect${at} from "./effects/${name}";`),
    "",
    'declare module "prosa" {',
    `  interface OwnEffects extends EffectTypes<${names.map((_name, at) => `typeof effect${at}`).join(" | ")}> {}`,
    "}",
    "",
  ].join("\n");
}

/** The file's path where it had to be written. Whole or not at all: a compiler may read it at this moment. */
function written(folder: string, name: string, text: string): string | undefined {
  const file = path.join(folder, name);
  if (contentOf(file) === text) return undefined;
  const part = `${file}.${process.pid}`;
  writeFileSync(part, text);
  renameSync(part, file);
  return file;
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

const ROUTE_TYPES = `/**
 * The gateway's routes as effects, for the compiler. Made by \`prosa flows types\` from the contract.
 *
 * An input has the fields of the body and of the query side by side. Ends tell what is known of an answer; where nothing is,
 * any field may be read.
 */
import type { CallFailed, CallRefused } from "prosa";

declare module "prosa" {
  interface GatewayRoutes {
`;

/** The routes as TypeScript sees them in flows. */
export function routeTypes(): string {
  return `${ROUTE_TYPES}${flowRoutes.map(entryOf).join("")}  }\n}\n`;
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
