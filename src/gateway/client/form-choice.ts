/**
 * Which of a route's documented forms a body looks like, told from its field names and a few words before any schema is
 * asked: a schema that refuses costs ten times one that takes.
 */
import { z } from "zod";
import type { Variants } from "../contract/index.ts";

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
export function likeliestFirst(forms: Variants, value: unknown): readonly z.ZodType[] {
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
