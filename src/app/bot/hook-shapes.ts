/**
 * The shape of each hook, looked at before anything uses it: a config may have been written without a compiler. What does not fit is
 * left out with a sentence, one entry of a list by itself.
 */
import { z } from "zod";
import { didYouMean } from "../../flow/index.ts";
import type { Plugin } from "./plugin.ts";

const callable = z.custom((value) => typeof value === "function", "is no function");
const name = z.string("is no text");
const schema = z.custom(
  (value) => value instanceof z.ZodType,
  "is no zod schema: is there a second zod beside Prosa's?",
);
const object = z.looseObject({}, "is no object");
const record = (values: z.ZodType) => z.record(z.string(), values, "is no object");

/** Of each hook: the shape of its value, or of each entry where it is a list. */
const SHAPES = {
  kinds: list(
    z.looseObject(
      { name, version: z.number("is no number"), schema: callable, read: callable, echo: callable },
      "is no kind: make it with defineKind",
    ),
  ),
  rules: list(record(z.looseObject({ run: callable }, "is no rule: make it with defineRule"))),
  pipes: list(record(callable)),
  events: list(z.looseObject({ name }, "is no event")),
  texts: one(object),
  readers: list(object),
  account: one(object),
  effects: list(
    z.looseObject({ name, class: z.string("is no text"), input: schema }, "is no effect"),
  ),
  decisions: one(object),
  documents: list(z.looseObject({ name }, "is no object")),
  chores: list(z.looseObject({ name, run: callable }, "is no object")),
  alarms: one(record(object)),
  metrics: list(z.looseObject({ name, help: z.string("is no text") }, "is no object")),
  routes: one(callable),
  pages: one(callable),
  webhooks: one(callable),
  panels: one(
    z.instanceof(URL, {
      message: 'is no URL: write new URL("./panels.tsx", import.meta.url)',
    }),
  ),
  commands: list(z.looseObject({ name, usage: z.string("is no text") }, "is no object")),
  rehearsal: one(object),
} satisfies Record<Exclude<keyof Plugin, "name">, Shape>;
const HOOKS = Object.keys(SHAPES);

interface Shape {
  readonly isList: boolean;
  readonly of: z.ZodType;
}

function list(of: z.ZodType): Shape {
  return { isList: true, of };
}

function one(of: z.ZodType): Shape {
  return { isList: false, of };
}

/**
 * The hooks that fit. `who` begins each sentence: `The plugin deliveries`.
 *
 * @param also names that are no hooks and stay as they are.
 */
export function fittingHooks<H extends object>(
  hooks: H,
  who: string,
  tell: (sentence: string) => void,
  also: readonly string[] = [],
): H {
  const kept = Object.entries(hooks).flatMap(([hook, value]: [string, unknown]) => {
    const shape = (SHAPES as Readonly<Record<string, Shape>>)[hook];
    if (also.includes(hook)) return [[hook, value]];
    if (shape === undefined)
      tell(
        `${who}: there is no hook ${hook}.${didYouMean(hook, HOOKS)} There are: ${HOOKS.join(", ")}.`,
      );
    else if (value !== undefined && shape.isList && !Array.isArray(value))
      tell(`${who}: ${hook} is no list.`);
    else if (Array.isArray(value) && shape.isList)
      return [[hook, fittingOf(value, shape.of, `${who}: ${hook}`, tell)]];
    else if (value !== undefined) {
      const wrong = wrongIn(shape.of, value);
      if (wrong === undefined) return [[hook, value]];
      tell(`${who}: ${hook}${wrong}.`);
    }
    return [];
  });
  return Object.fromEntries(kept) as H;
}

function fittingOf(
  all: readonly unknown[],
  entry: z.ZodType,
  what: string,
  tell: (sentence: string) => void,
): readonly unknown[] {
  return all.filter((value, at) => {
    const wrong = wrongIn(entry, value);
    if (wrong !== undefined) tell(`${what}[${at}]${wrong}.`);
    return wrong === undefined;
  });
}

/** ` is no object`, or `.read is no function`. */
function wrongIn(shape: z.ZodType, value: unknown): string | undefined {
  const [issue] = shape.safeParse(value).error?.issues ?? [];
  if (issue === undefined) return undefined;
  const place = issue.path.map((part) => `.${String(part)}`).join("");
  return `${place} ${issue.message}`;
}
