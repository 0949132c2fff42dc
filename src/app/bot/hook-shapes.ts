/**
 * The shape of each hook, looked at before anything uses it: a config may have been written without a compiler. What does not fit is
 * left out with a sentence, one entry of a list by itself.
 */
import { z } from "zod";
import { didYouMean } from "../../flow/index.ts";

const callable = z.custom((value) => typeof value === "function", "is no function");
const name = z.string("is no text");
const schema = z.custom(
  (value) => value instanceof z.ZodType,
  "is no zod schema: is there a second zod beside Prosa's?",
);
const object = z.looseObject({}, "is no object");
const record = (values: z.ZodType) => z.record(z.string(), values, "is no object");

/** Hooks that are lists, by the shape of an entry. */
const LISTS: Readonly<Record<string, z.ZodType>> = {
  kinds: z.looseObject(
    { name, version: z.number("is no number"), schema: callable, read: callable, echo: callable },
    "is no kind: make it with defineKind",
  ),
  rules: record(z.looseObject({ run: callable }, "is no rule: make it with defineRule")),
  pipes: record(callable),
  events: z.looseObject({ name }, "is no event"),
  readers: object,
  effects: z.looseObject({ name, class: z.string("is no text"), input: schema }, "is no effect"),
  documents: z.looseObject({ name }, "is no object"),
  chores: z.looseObject({ name, run: callable }, "is no object"),
  metrics: z.looseObject({ name, help: z.string("is no text") }, "is no object"),
  commands: z.looseObject({ name, usage: z.string("is no text") }, "is no object"),
};
const OTHERS: Readonly<Record<string, z.ZodType>> = {
  ...{ texts: object, account: object, decisions: object, rehearsal: object },
  alarms: record(object),
  ...{ routes: callable, pages: callable, webhooks: callable },
  panels: z.instanceof(URL, {
    message: 'is no URL: write new URL("./panels.tsx", import.meta.url)',
  }),
};
export const HOOKS: readonly string[] = [...Object.keys(LISTS), ...Object.keys(OTHERS)];

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
    if (value === undefined) return [];
    if (also.includes(hook)) return [[hook, value]];
    const entry = LISTS[hook];
    const other = OTHERS[hook];
    if (entry !== undefined) {
      if (Array.isArray(value)) return [[hook, fittingOf(value, entry, `${who}: ${hook}`, tell)]];
      tell(`${who}: ${hook} is no list.`);
    } else if (other === undefined)
      tell(
        `${who}: there is no hook ${hook}.${didYouMean(hook, HOOKS)} There are: ${HOOKS.join(", ")}.`,
      );
    else {
      const wrong = wrongIn(other, value);
      if (wrong === undefined) return [[hook, value]];
      tell(`${who}: ${hook}${wrong}.`);
    }
    return [];
  });
  return Object.fromEntries(kept) as H;
}

function fittingOf(
  list: readonly unknown[],
  entry: z.ZodType,
  what: string,
  tell: (sentence: string) => void,
): readonly unknown[] {
  return list.filter((one, at) => {
    const wrong = wrongIn(entry, one);
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
