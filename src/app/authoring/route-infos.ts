/** The gateway's routes as flows may name them: what lint checks of a call before it is ever made. */
import { z } from "zod";
import type { JsonObject } from "../../base/index.ts";
import type { EffectInfo } from "../../flow/index.ts";
import { type AnyRoute, checkValue, INVOICING_BASE_PRICE_BRL } from "../../gateway/index.ts";

/** A route with the fields of its body and of its query. Only what every form demands is taken from slots by name. */
export function routeInfo(route: AnyRoute, version: number): EffectInfo {
  const forms = objectForms(route);
  const query = shapeOf(route.query);
  const names = new Set([
    ...forms.flatMap(({ shape }) => Object.keys(shape)),
    ...Object.keys(query),
  ]);
  const input = [...names].map((name) => {
    const isDemanded = query[name]
      ? !isOptional(query[name])
      : forms.every((form) => demands(form, name));
    const sort = sortOf(query[name] ?? onlyOne(forms.map(({ shape }) => shape[name])));
    const head = { name, ...(sort ? { sort } : {}) };
    return isDemanded ? head : { ...head, optional: true as const, explicit: true as const };
  });
  return {
    name: route.id,
    version,
    class: route.class,
    input,
    ...answerOf(route),
    ...costOf(route),
    // A body that may be anything, as far as is known.
    ...(forms.length < Object.keys(route.variants).length ? { open: true as const } : {}),
    check: (constants, given) => misfits(route, constants, given),
  };
}

/** A refusal brings the same of every call, and so does an end without an answer. */
export const REFUSED: readonly string[] = ["code", "text"];
export const FAILED: readonly string[] = ["reason", "code", "text"];

/** What flows may read of an answer; anything where nothing is known of it. */
function answerOf({ response }: AnyRoute): Pick<EffectInfo, "result" | "ends" | "anyResult"> {
  const known =
    response instanceof z.ZodArray
      ? ["value", "count"]
      : response instanceof z.ZodObject
        ? Object.keys(response.shape)
        : [];
  if (known.length === 0) return { result: [], anyResult: true };
  const done = [...known, "left"];
  return { result: done, ends: { done, rejected: REFUSED, failed: FAILED } };
}

/** What one call takes: of the plan, or of the credits. */
export function costOf(
  route: Pick<AnyRoute, "billing" | "price">,
): Pick<EffectInfo, "calls" | "brl"> {
  if (route.billing === "plan") return { calls: 1 };
  return route.billing === "credits" ? { brl: route.price ?? INVOICING_BASE_PRICE_BRL } : {};
}

type Sort = NonNullable<EffectInfo["input"][number]["sort"]>;

/** The sort of value a field takes, where it is one only. */
export function sortOf(schema: z.ZodType | undefined): Sort | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return sortOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return "text";
  if (schema instanceof z.ZodNumber) return "number";
  if (schema instanceof z.ZodBoolean) return "yesno";
  if (schema instanceof z.ZodArray) return "list";
  return schema instanceof z.ZodObject ? "object" : undefined;
}

/** The one schema of a field, when no form has another. */
function onlyOne(schemas: readonly (z.ZodType | undefined)[]): z.ZodType | undefined {
  const sorts = new Set(schemas.map(sortOf));
  return sorts.size === 1 ? schemas[0] : undefined;
}

/** A body form whose fields are known. */
interface Form {
  readonly whole: z.ZodType;
  readonly shape: Shape;
}
type Shape = Readonly<Record<string, z.ZodType | undefined>>;

function objectForms(route: AnyRoute): Form[] {
  return Object.values(route.variants).flatMap(({ body }) =>
    body instanceof z.ZodObject ? [{ whole: body, shape: shapeOf(body) }] : [],
  );
}

function shapeOf(schema: z.ZodObject | null): Shape {
  return schema?.shape ?? {};
}

function isOptional(schema: z.ZodType): boolean {
  return schema.safeParse(undefined).success;
}

function demands(form: Form, name: string): boolean {
  const schema = form.shape[name];
  return schema !== undefined && !isOptional(schema);
}

/** What keeps a call with these fields from its route; values that a conversation gives are not known yet. */
function misfits(
  route: AnyRoute,
  constants: JsonObject,
  given: readonly string[],
): readonly string[] {
  const query = shapeOf(route.query);
  const inQuery = Object.entries(constants).flatMap(([name, value]) =>
    query[name] === undefined ? [] : problems(query[name], value, name),
  );
  const forms = objectForms(route);
  if (forms.length < Object.keys(route.variants).length) return inQuery;
  const ofBody = given.filter((name) => query[name] === undefined);
  const fitting = forms.filter(
    (form) =>
      ofBody.every((name) => form.shape[name] !== undefined) &&
      Object.keys(form.shape).every((name) => ofBody.includes(name) || !demands(form, name)),
  );
  if (fitting.length === 0) {
    const shown = Object.keys(route.variants).join(", ");
    return [...inQuery, `none of its forms (${shown}) has just these fields`];
  }
  const perForm = fitting.map((form) => misfitsOf(form, constants, ofBody));
  const best = perForm.sort((a, b) => a.length - b.length)[0] ?? [];
  return [...inQuery, ...best];
}

function misfitsOf(form: Form, constants: JsonObject, given: readonly string[]): readonly string[] {
  const own = given.filter((name) => constants[name] !== undefined);
  const each = own.flatMap((name) => {
    const schema = form.shape[name];
    return schema === undefined ? [] : problems(schema, constants[name], name);
  });
  if (each.length > 0 || own.length < given.length) return each;
  return problems(form.whole, Object.fromEntries(own.map((name) => [name, constants[name]])), "");
}

function problems(schema: z.ZodType, value: unknown, name: string): readonly string[] {
  const checked = checkValue(schema, value);
  if (checked.ok) return [];
  return checked.problems.map(({ path, reason }) => {
    const place = [name, path].filter((part) => part !== "").join(".");
    return `${place === "" ? "the whole" : place} ${reason}`;
  });
}
