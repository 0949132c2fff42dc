/** `@account ID key=value…`: settings of the business for one chat, checked by the account's own schema. */
import { z } from "zod";
import type { Json, JsonObject } from "../../base/index.ts";
import type { Account, AccountModel } from "../../engine/index.ts";
import { didYouMean, words } from "../../flow/index.ts";

/** A change: where, and to what. */
interface Setting {
  readonly path: readonly string[];
  readonly value: Json;
}

/** The account with what the header changes. Throws with a sentence for a name or a value that does not fit. */
export function withSettings(account: Account, { schema }: AccountModel, rest: string): Account {
  const settings = settingsIn(rest);
  const whole = JSON.parse(JSON.stringify(account)) as Json;
  for (const { path } of settings) checkName(schema, path, []);
  // Some settings hold only together: `hours.from` is none without the days.
  const changed = settings.reduce<Json | undefined>(
    (to, { path, value }) => put(to, path, value),
    whole,
  );
  const parsed = schema.safeParse(changed);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue?.path.join(".") ?? "";
  const given = settings.find(({ path }) => path.join(".") === at)?.value;
  throw new Error(`${at}=${JSON.stringify(given)} does not fit the account: ${issue?.message}.`);
}

/** The account's id in the header; absent when it names none. */
export function accountNamed(rest: string): string | undefined {
  const [first = ""] = words(rest);
  return first === "" || first.includes("=") ? undefined : first;
}

/** Any account as JSON with what the header changes; the names were checked by {@link withSettings}. */
export function patched(account: JsonObject, rest: string): JsonObject {
  return settingsIn(rest).reduce(
    (whole, { path, value }) => put(whole, path, value) as JsonObject,
    account,
  );
}

/** Top keys of an account that the header changes. */
export function changedKeys(rest: string): readonly string[] {
  return [...new Set(settingsIn(rest).map(({ path }) => path[0] ?? ""))];
}

function settingsIn(rest: string): readonly Setting[] {
  const named = accountNamed(rest);
  return words(rest)
    .slice(named === undefined ? 0 : 1)
    .map((word) => {
      const at = word.indexOf("=");
      if (at < 1) throw new Error(`"${word}" is no setting; write policy.approval=false`);
      return { path: word.slice(0, at).split("."), value: valueOf(word.slice(at + 1)) };
    });
}

/** JSON where it is JSON, else words. */
function valueOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function put(into: Json | undefined, path: readonly string[], value: Json): Json {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(into)) {
    const list = [...(into as readonly Json[])];
    list[Number(name)] = put(list[Number(name)], rest, value);
    return list;
  }
  const known = typeof into === "object" && into !== null ? (into as JsonObject) : {};
  return { ...known, [name]: put(known[name], rest, value) };
}

/** Unknown keys would be dropped in silence, and the chat would test something else. */
function checkName(schema: z.ZodType, path: readonly string[], before: readonly string[]): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  const bare = inner(schema);
  if (bare instanceof z.ZodArray) {
    if (!/^\d+$/.test(name))
      throw new Error(`${before.join(".")} is a list: name an item by its number, from 0.`);
    checkName(bare.element as z.ZodType, rest, [...before, name]);
  } else if (bare instanceof z.ZodObject) {
    const shape = bare.shape as Readonly<Record<string, z.ZodType>>;
    const next = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const whole = [...before, name].join(".");
    if (!next)
      throw new Error(`an account has no "${whole}".${didYouMean(name, Object.keys(shape))}`);
    checkName(next, rest, [...before, name]);
  } else throw new Error(`${before.join(".")} has no parts such as "${name}".`);
}

/** A schema without its defaults and wrappers. */
function inner(schema: z.ZodType): z.ZodType {
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable
  )
    return inner(schema.def.innerType as z.ZodType);
  // What is written is what a transform takes in.
  if (schema instanceof z.ZodPipe) return inner(schema.def.in as z.ZodType);
  return schema;
}
