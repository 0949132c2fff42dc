/**
 * A body against the forms a route documents, and why it is refused, in one sentence: `message.sendPoll: values must hold 2
 * to 10 different options`. Paths and reasons only, never a value: bodies hold phone numbers, documents and passwords.
 */
import { z } from "zod";
import { fits } from "../base/index.ts";
import type { Variants } from "./contract/route.ts";
import { nameText, notPlain, pathText, type Problem } from "./plain-data.ts";

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
