/**
 * What the compiler knows of flows beyond their code, as declaration files beside them. `texts.d.ts` comes from the catalogues
 * and `effects.d.ts` from the bot's own effects; both are made on each machine and not committed. `gateway.d.ts` comes from
 * the contract; it is committed, because it changes with the runtime and not with flows.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { digest } from "../../base/index.ts";
import { type Catalogues, textTypes } from "../../flow/index.ts";
import { type AnyRoute, flowRoutes } from "../../gateway/index.ts";
import { effectFiles } from "../bot/load-bot.ts";
import { textsOf } from "../loading/flow-files.ts";
import { shown } from "../places.ts";

interface Declarations {
  /** Files that were written, since they were not there or said something else. */
  readonly written: readonly string[];
  /** Kept files that say something else and were left as they are. */
  readonly stale: readonly string[];
}

/** Writes what has changed; with `check` a kept file is left as it is and told. */
export async function declarations(
  folder: string,
  options: { readonly check?: boolean } = {},
): Promise<Declarations> {
  const made = [writeTextTypes(folder, textsOf(folder)), writeEffectTypes(folder)];
  const gateway = path.join(folder, "gateway.d.ts");
  const written = made.flatMap((file) => (file === undefined ? [] : [shown(file)]));
  if (contentOf(gateway)?.includes(routeTypesMark())) return { written, stale: [] };
  if (options.check) return { written, stale: [shown(gateway)] };
  replace(gateway, await formatted(routeTypes()));
  return { written: [...written, shown(gateway)], stale: [] };
}

/** Writes `texts.d.ts` of a folder where it differs; gives its path when it did. */
export function writeTextTypes(
  folder: string,
  texts: ReadonlyMap<string, Catalogues>,
): string | undefined {
  const file = path.join(folder, "texts.d.ts");
  const text = textTypes(texts);
  if (contentOf(file) === text) return undefined;
  replace(file, text);
  return file;
}

/** Writes `effects.d.ts` of a folder with effects of its own where it differs; gives its path when it did. */
function writeEffectTypes(folder: string): string | undefined {
  const files = effectFiles(folder);
  const file = path.join(folder, "effects.d.ts");
  if (files.length === 0) return undefined;
  const names = files.map((one) => path.basename(one));
  const text = [
    "/** Effects of this bot, for the compiler. Made by `prosa flows types`; edit the files in effects/ instead. */",
    'import type { EffectTypes } from "prosa";',
    ...names.map((name, at) => `import type effect${at} from "./effects/${name}";`),
    "",
    'declare module "prosa" {',
    `  interface OwnEffects extends EffectTypes<${names.map((_name, at) => `typeof effect${at}`).join(" | ")}> {}`,
    "}",
    "",
  ].join("\n");
  if (contentOf(file) === text) return undefined;
  replace(file, text);
  return file;
}

/** Whole or not at all: a compiler or another process may read it at this moment. */
function replace(file: string, text: string): void {
  const part = `${file}.${process.pid}`;
  writeFileSync(part, text);
  renameSync(part, file);
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** Formatted as the runtime's sources, where the formatter is installed: only who works on the runtime has it. */
async function formatted(text: string): Promise<string> {
  try {
    const { format } = await import("prettier");
    return await format(text, { parser: "typescript", printWidth: 100 });
  } catch {
    return text;
  }
}

/** Of `gateway.d.ts`: the routes as TypeScript sees them in flows. */
const HEAD = `/**
 * The gateway's routes as effects, written from the contract by src/app/authoring/declarations.ts: not to be edited by hand.
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
function routeTypesMark(): string {
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
