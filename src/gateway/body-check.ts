/**
 * A body that must be plain data, against the forms a route documents, and why it is refused, in one sentence: `message.sendPoll: values must hold 2
 * to 10 different options`. Paths and reasons only, never a value: bodies hold phone numbers, documents and passwords.
 */
import { z } from "zod";
import { fits } from "../base/index.ts";
import type { Variants } from "./contract/route.ts";

/** A sentence names this many problems; the rest is counted. */
const SHOWN_PROBLEMS = 3;

export type Checked =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** A value against one schema. Never throws, whatever the value is. */
export function check(schema: z.ZodType, value: unknown): Checked {
  const odd = notPlain(value);
  if (odd) return { ok: false, problems: [odd] };
  if (fits(schema, value)) return { ok: true, value };
  const parsed = schema.safeParse(value, PHRASES);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, problems: problemsOf([firstOfEachPath(parsed.error.issues)]) };
}

/** A body against each form it may have: the first that fits, else what keeps it from the form it is closest to. */
export function checkForms(forms: Variants, value: unknown): Checked {
  const odd = notPlain(value);
  if (odd) return { ok: false, problems: [odd] };
  const refused: Issues[] = [];
  for (const form of likeliestFirst(forms, value)) {
    if (fits(form, value)) return { ok: true, value };
    const parsed = form.safeParse(value, PHRASES);
    if (parsed.success) return { ok: true, value: parsed.data };
    refused.push(firstOfEachPath(parsed.error.issues));
  }
  return { ok: false, problems: problemsOf(refused) };
}

/** The sentence, without its full stop. */
export function refusalText(subject: string, problems: readonly Problem[]): string {
  const shown = problems
    .slice(0, SHOWN_PROBLEMS)
    .map(({ path, reason }) => `${path === "" ? "the body" : path} ${reason}`);
  const more = problems.length - shown.length;
  return `${subject}: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

/** What is wrong, by place: one issue for each, the first. */
type Issues = ReadonlyMap<string, z.core.$ZodIssue>;

/** Later issues of one place follow from the first, or say the same. */
function firstOfEachPath(issues: readonly z.core.$ZodIssue[]): Issues {
  const first = new Map<string, z.core.$ZodIssue>();
  for (const issue of issues) {
    const path = pathText(issue.path);
    if (!first.has(path)) first.set(path, issue);
  }
  return first;
}

/** How far a body is from a form: a wrong word or an extra field tells of another form, other problems of slips. */
function distance(issues: Issues): number {
  let sum = 0;
  for (const { code } of issues.values())
    sum += code === "invalid_value" ? 3 : code === "unrecognized_keys" ? 2 : 1;
  return sum;
}

/**
 * The problems with the closest form. Where others are just as close, and where a word is wrong, what the other forms
 * want at the same place is joined by "or".
 */
function problemsOf(forms: readonly Issues[]): Problem[] {
  const least = Math.min(...forms.map(distance));
  const close = forms.filter((issues) => distance(issues) === least);
  return [...(close[0] ?? [])].map(([path, first]) => {
    const among = first.code === "invalid_value" ? forms : close;
    const found = among.flatMap((issues) => issues.get(path) ?? []);
    const words = found.flatMap((issue) => (issue.code === "invalid_value" ? issue.values : []));
    const reasons = new Set(
      found.filter((issue) => issue.code !== "invalid_value").map((issue) => issue.message),
    );
    if (words.length > 0) reasons.add(oneOf(words));
    return { path, reason: joined([...reasons]) };
  });
}

/** `must be A`, `must be B` as `must be A or B`; other phrases one after the other. */
function joined(reasons: readonly string[]): string {
  const [first = "", ...rest] = reasons;
  if (reasons.every((reason) => reason.startsWith("must be ")))
    return [first, ...rest.map((reason) => reason.slice("must be ".length))].join(" or ");
  return reasons.join(" or ");
}

function oneOf(words: readonly unknown[]): string {
  const texts = [...new Set(words.map(String))];
  const last = texts.pop() ?? "";
  return `must be ${texts.length > 0 ? `${texts.join(", ")} or ` : ""}${last}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** Phrases for what a schema says nothing of its own about. */
const PHRASES = {
  error: (issue: z.core.$ZodRawIssue): string => {
    switch (issue.code) {
      case "invalid_type":
        return issue.input === undefined
          ? "is required"
          : `must be ${TYPES[issue.expected] ?? "of another type"}`;
      case "too_small":
        return small(issue.origin, Number(issue.minimum), issue.inclusive !== false);
      case "too_big":
        return big(issue.origin, Number(issue.maximum), issue.inclusive !== false);
      case "invalid_value":
        return oneOf(issue.values);
      case "unrecognized_keys":
        return `has no field ${[...new Set(issue.keys.slice(0, 3).map(nameText))].join(", ")}`;
      default:
        return "has another form than documented";
    }
  },
};

function small(origin: string, least: number, inclusive: boolean): string {
  if (origin === "string")
    return least <= 1 ? "must not be empty" : `must have at least ${least} characters`;
  if (origin === "array")
    return least <= 1 ? "must not be empty" : `must hold at least ${least} entries`;
  return `must be ${inclusive ? "at least" : "more than"} ${least}`;
}

function big(origin: string, most: number, inclusive: boolean): string {
  if (origin === "string") return `must have at most ${most} characters`;
  if (origin === "array") return `must hold at most ${most} entries`;
  return `must be ${inclusive ? "at most" : "less than"} ${most}`;
}

/** What a form looks like by field names and a few words: a schema that refuses costs ten times one that takes. */
interface Look {
  readonly body: z.ZodType;
  /** Fields the form has; null where it takes others too. */
  readonly known: ReadonlySet<string> | null;
  readonly needed: readonly string[];
  /** Fields that hold one of few words. */
  readonly words: readonly (readonly [string, ReadonlySet<unknown>])[];
}

const looks = new WeakMap<Variants, readonly Look[]>();

/** All forms, those first that the body looks like. The schemas decide. */
function likeliestFirst(forms: Variants, value: unknown): readonly z.ZodType[] {
  const all = looksOf(forms);
  if (all.length < 2 || typeof value !== "object" || value === null)
    return all.map(({ body }) => body);
  const keys = Object.keys(value).filter((key) => Reflect.get(value, key) !== undefined);
  const alike = all.filter((look) => isAlike(look, value as Record<string, unknown>, keys));
  return [...alike, ...all.filter((look) => !alike.includes(look))].map(({ body }) => body);
}

function isAlike(look: Look, value: Record<string, unknown>, keys: readonly string[]): boolean {
  return (
    (look.known === null || keys.every((key) => look.known?.has(key))) &&
    look.needed.every((key) => keys.includes(key)) &&
    look.words.every(([key, words]) => value[key] === undefined || words.has(value[key]))
  );
}

function looksOf(forms: Variants): readonly Look[] {
  const known = looks.get(forms);
  if (known) return known;
  const made = Object.values(forms).map(({ body }) => lookOf(body));
  looks.set(forms, made);
  return made;
}

function lookOf(body: z.ZodType): Look {
  if (!(body instanceof z.ZodObject)) return { body, known: null, needed: [], words: [] };
  const shape: Readonly<Record<string, z.ZodType>> = body.shape;
  const fields = Object.entries(shape);
  const isExact = body.def.catchall instanceof z.ZodNever;
  return {
    body,
    known: isExact ? new Set(fields.map(([key]) => key)) : null,
    needed: fields.filter(([, field]) => !field.safeParse(undefined).success).map(([key]) => key),
    words: fields.flatMap(([key, field]) => {
      if (field instanceof z.ZodLiteral) return [[key, new Set<unknown>(field.values)] as const];
      return field instanceof z.ZodEnum ? [[key, new Set<unknown>(field.options)] as const] : [];
    }),
  };
}

/** Deepest nesting of a request; the deepest real one, an invoice, has 5. */
const REQUEST_DEPTH_LIMIT = 32;
/** Most values in a request: 20 times the largest real one, a list of a thousand numbers. */
const REQUEST_NODE_LIMIT = 20_000;

export interface Problem {
  /** Dotted; empty for the body itself. Names that callers or strangers made up are not repeated. */
  readonly path: string;
  /** A phrase that follows the path: `must not be empty`. Never holds a value. */
  readonly reason: string;
}

/**
 * The first thing that is no plain data that JSON holds exactly, of a bounded depth and size; undefined for data that is.
 * Bodies may be made from what strangers wrote, and half a character or a forged prototype must be found before a charged
 * call.
 */
function notPlain(body: unknown): Problem | undefined {
  const walk = new Walk();
  return walk.look(body, []) ? undefined : walk.problem;
}

class Walk {
  problem: Problem | undefined;
  #nodes = 0;

  /** Whether all data from here down is plain. */
  look(value: unknown, path: (string | number)[]): boolean {
    this.#nodes += 1;
    if (this.#nodes > REQUEST_NODE_LIMIT) return this.#bad([], "must hold fewer values");
    switch (typeof value) {
      case "string":
        return value.isWellFormed() || this.#bad(path, "must not hold half a character");
      case "number":
        return Number.isFinite(value) || this.#bad(path, "must be a finite number");
      case "boolean":
        return true;
      case "object":
        return value === null || this.#inside(value, path);
      default:
        return this.#bad(path, "must be data that JSON can hold");
    }
  }

  #inside(value: object, path: (string | number)[]): boolean {
    if (path.length >= REQUEST_DEPTH_LIMIT)
      return this.#bad(path.slice(0, 3), "is nested too deep");
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index += 1)
        if (!this.look(value[index], [...path, index])) return false;
      return true;
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null)
      return this.#bad(path, "must be a plain object");
    for (const key of Object.keys(value)) {
      if (key === "__proto__") return this.#bad(path, "must not name a prototype");
      if (!key.isWellFormed()) return this.#bad(path, "must not hold half a character in a name");
      const entry = (value as Record<string, unknown>)[key];
      if (entry !== undefined && !this.look(entry, [...path, key])) return false;
    }
    return true;
  }

  #bad(path: readonly (string | number)[], reason: string): false {
    this.problem = { path: pathText(path), reason };
    return false;
  }
}

/** `buttons.1.displayText`. A name that is not like the contract's own is shown as `*`: it may hold a number or worse. */
function pathText(path: readonly PropertyKey[]): string {
  return path.slice(0, 8).map(nameText).join(".");
}

function nameText(name: PropertyKey): string {
  if (typeof name === "number") return String(name);
  const text = String(name);
  return /^[A-Za-z_][\w-]{0,39}$/.test(text) && !/\d{5}/.test(text) ? text : "*";
}
