/**
 * Texts with references: `{{ref | pipe arg | pipe}}`, variants and `by:` forms. Values are inserted and never parsed as
 * templates. `PIPES` are the formatters.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import { at } from "../moves/facts.ts";
import type { Pipe, PipeContext } from "../authoring/vocabulary.ts";
import {
  documentType,
  formatBrl,
  formatDocument,
  formatPhone,
  isDay,
  localDay,
  maskDocument,
} from "../../brazil/index.ts";
import { dayEcho, monthEcho } from "../../understanding/index.ts";

export type Text =
  string | readonly string[] | { readonly by: string; readonly [form: string]: string };

interface Placeholder {
  readonly ref: string;
  readonly pipes: readonly { readonly name: string; readonly arg?: string }[];
}
export type Piece = string | Placeholder;

const PLACEHOLDER = /\{\{([^{}]{1,200})\}\}/g;

/** Pieces of one string. A malformed placeholder stays text; {@link placeholders} lets lint find it. */
export function pieces(text: string): Piece[] {
  const list: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (match.index > from) list.push(text.slice(from, match.index));
    list.push(placeholder(match[1] ?? ""));
    from = match.index + match[0].length;
  }
  if (from < text.length) list.push(text.slice(from));
  return list;
}

function placeholder(inside: string): Placeholder {
  const [ref = "", ...pipes] = inside.split("|").map((part) => part.trim());
  return {
    ref,
    pipes: pipes.map((pipe) => {
      const [name = "", arg] = pipe.split(/\s+/, 2);
      return { name, arg };
    }),
  };
}

/** Every string a text can become. */
export function forms(text: Text): readonly string[] {
  if (typeof text === "string") return [text];
  if (isList(text)) return text;
  return Object.entries(text).flatMap(([name, form]) => (name === "by" ? [] : [form]));
}

/** Everything a text reads: its placeholders, and the reference a `by:` chooses with. */
export function placeholders(text: Text): Placeholder[] {
  const own = typeof text === "object" && !isList(text) ? [{ ref: text.by, pipes: [] }] : [];
  return [
    ...own,
    ...forms(text).flatMap((form) => pieces(form).filter((piece) => typeof piece !== "string")),
  ];
}

function isList(text: Exclude<Text, string>): text is readonly string[] {
  return Array.isArray(text);
}

/** Where a text's references are looked up, and how a value without pipe is shown. */
export interface Scope {
  get(path: string): Json | undefined;
  show(path: string, value: Json): string;
}

interface RenderContext extends PipeContext {
  readonly variant: number;
  readonly pipes: ReadonlyMap<string, Pipe>;
}

const cache = new Map<string, readonly Piece[]>();
/** Distinct texts kept parsed; catalogues of a large installation are far smaller. */
const CACHE_LIMIT = 5_000;

export function render(text: Text, scope: Scope, context: RenderContext): string {
  const form = formOf(text, scope, context);
  let parsed = cache.get(form);
  if (!parsed) {
    parsed = pieces(form);
    if (cache.size >= CACHE_LIMIT) cache.clear();
    cache.set(form, parsed);
  }
  return parsed
    .map((piece) => (typeof piece === "string" ? piece : value(piece, scope, context)))
    .join("");
}

function formOf(text: Text, scope: Scope, context: RenderContext): string {
  if (typeof text === "string") return text;
  if (isList(text)) return text[Math.abs(context.variant) % text.length] ?? "";
  const chooser = scope.get(text.by);
  const exact = chooser === undefined || chooser === null ? undefined : keyOf(chooser);
  // It may be a person's own words: "constructor" and "by" are no forms.
  if (exact !== undefined && exact !== "by" && Object.hasOwn(text, exact)) return text[exact] ?? "";
  if (typeof chooser === "number") {
    const plural = text[new Intl.PluralRules(context.locale).select(chooser)];
    if (plural !== undefined) return plural;
  }
  return text.other ?? "";
}

function keyOf(value: Json): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function value(piece: Placeholder, scope: Scope, context: RenderContext): string {
  const found = scope.get(piece.ref);
  if (found === undefined || found === null) return "";
  if (piece.pipes.length === 0) return scope.show(piece.ref, found);
  let current: Json = found;
  for (const { name, arg } of piece.pipes) {
    const pipe = context.pipes.get(name);
    if (pipe) current = pipe(current, arg, context);
  }
  return plainText(current);
}

/** A value without kind or pipe, for people. */
export function plainText(value: Json): string {
  if (Array.isArray(value)) return value.map((item: Json) => plainText(item)).join(", ");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
}

/** A scope over plain data. */
export function scopeOf(data: JsonObject): Scope {
  return { get: (path) => at(data, path.split(".")), show: (_path, value) => plainText(value) };
}

const DAY_MS = 86_400_000;
/** Shortened texts end with this sign. */
const ELLIPSIS = "…";

/** Formatters: `{{document | masked}}`. */
export const PIPES: { readonly [name: string]: Pipe } = {
  /** Integer cents as `R$ 1.234,56`. */
  brl: (value) => (typeof value === "number" ? formatBrl(value) : plainText(value)),
  masked: (value) => maskDocument(plainText(value)),
  document: (value) => {
    const text = plainText(value);
    return documentType(text) ? formatDocument(text) : text;
  },
  phone: (value) => formatPhone(plainText(value)),
  month: (value, _arg, { locale }) => monthEcho(plainText(value), { locale }),
  /** A day, or an instant in ms, as a day. */
  date: (value, _arg, { locale, zone }) => {
    const day = typeof value === "number" ? localDay(value, zone) : plainText(value);
    return isDay(day) ? dayEcho(day, { locale }) : day;
  },
  /** How far a day, or a moment, is from today: "amanhã", "em 3 dias", "há 2 dias". */
  until: (value, _arg, { locale, zone, now }) => {
    const day = plainText(value).slice(0, 10);
    if (!isDay(day)) return plainText(value);
    const days = (Date.parse(day) - Date.parse(localDay(now, zone))) / DAY_MS;
    return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(days, "day");
  },
  upper: (value) => plainText(value).toUpperCase(),
  lower: (value) => plainText(value).toLowerCase(),
  /** First word: "Maria Souza" → "Maria". */
  first: (value) => plainText(value).trim().split(/\s+/)[0] ?? "",
  /** At most so many letters: `{{description | short 40}}`. */
  short: (value, arg) => {
    const text = plainText(value);
    const max = Math.max(2, Number(arg ?? 60) || 60);
    return text.length <= max ? text : `${text.slice(0, max - 1).trimEnd()}${ELLIPSIS}`;
  },
  count: (value) => String(Array.isArray(value) ? value.length : plainText(value).length),
};
