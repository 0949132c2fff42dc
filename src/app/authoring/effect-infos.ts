/** What the kit must know of every effect: those of the runtime, of plugins, and the routes of the gateway. */
import { z } from "zod";
import type { JsonObject } from "../../base/index.ts";
import type { EffectInfo, OwnEffect } from "../../flow/index.ts";
import {
  type AnyRoute,
  checkValue,
  INVOICING_BASE_PRICE_BRL,
  routeOf,
  routes,
} from "../../gateway/index.ts";
import type { EffectSpec, EffectTable, LocalSpec } from "../../worker/index.ts";

/** Of each effect once: what a library made of one stays good for the next. */
const known = new WeakMap<object, EffectInfo>();

export function effectInfos({ calls, locals }: EffectTable): readonly EffectInfo[] {
  return [
    ...[...locals.values()].map((spec) => once(spec, () => localInfo(spec))),
    ...[...calls.values()].map((spec) => once(spec, () => callInfo(spec))),
    ...routes
      .filter(({ id, class: kind }) => kind === "fiscal" && !calls.has(id))
      .map((route) => once(route, () => ({ ...routeInfo(route, 1), isForPlugins: true as const }))),
  ];
}

function once(spec: object, make: () => EffectInfo): EffectInfo {
  const info = known.get(spec) ?? make();
  known.set(spec, info);
  return info;
}

function localInfo({ name, version, class: kind, input, result }: LocalSpec): EffectInfo {
  return {
    name,
    version,
    class: kind,
    result,
    local: true as const,
    ends: endsOf(result),
    input: inputOf(input),
  };
}

/** An effect of the bot's own. */
export function ownInfo({ name, version, class: kind, input, output }: OwnEffect): EffectInfo {
  const result = Object.keys(output.shape);
  return {
    name,
    version,
    class: kind,
    result,
    ends: endsOf(result),
    input: inputOf(input),
    results: resultsOf([output]),
  };
}

function callInfo(
  spec: Omit<
    EffectSpec,
    "complete" | "settled" | "perform" | "lost" | "unhandled" | "repair" | "isToldElsewhere"
  >,
): EffectInfo {
  const { name, version, class: kind, input, result, results, unless = {} } = spec;
  const route = routeOf(spec.route);
  if (!(input instanceof z.ZodObject) || (!result && !results)) return routeInfo(route, version);
  const head = { name, version, class: kind, ...costOf(route) };
  if (result)
    return {
      ...head,
      result,
      ends: endsOf(result),
      input: inputOf(input),
    };
  const outcomes = Object.entries(results ?? {});
  return {
    ...head,
    input: inputOf(input).map(({ optional, ...one }) => {
      const other = unless[one.name];
      if (other !== undefined) return { ...one, unless: other };
      return { ...one, ...(optional ? { optional } : {}) };
    }),
    result: [...new Set(outcomes.flatMap(([, { shape }]) => Object.keys(shape)))],
    ends: Object.fromEntries(outcomes.map(([end, { shape }]) => [end, Object.keys(shape)])),
    results: resultsOf(outcomes.map(([, schema]) => schema)),
  };
}

/** What the fields of a result are, where every outcome that has one agrees on its sort. */
function resultsOf(outcomes: readonly z.ZodObject[]): NonNullable<EffectInfo["results"]> {
  const known = new Map<string, ReturnType<typeof resultType>[]>();
  for (const { shape } of outcomes)
    for (const [name, schema] of Object.entries(shape))
      known.set(name, [...(known.get(name) ?? []), resultType(schema as z.ZodType)]);
  return Object.fromEntries(
    [...known].flatMap(([name, types]) => {
      const type = agreed(types);
      return type ? [[name, type]] : [];
    }),
  );
}

/** One type for all of them: all values it can have are known only where each of them names its own. */
function agreed(types: readonly ReturnType<typeof resultType>[]) {
  const [first] = types;
  if (!first || types.some((type) => type?.sort !== first.sort)) return undefined;
  const values = types.flatMap((type) => type?.of ?? []);
  const isNamed = types.every((type) => type?.of !== undefined);
  return { sort: first.sort, ...(isNamed ? { of: [...new Set(values)] } : {}) };
}

function resultType(schema: z.ZodType) {
  const sort = sortOf(schema);
  const of = schema instanceof z.ZodEnum ? schema.options.map(String) : undefined;
  return sort ? { sort, of } : undefined;
}

function inputOf({ shape }: z.ZodObject): readonly EffectInfo["input"][number][] {
  return Object.entries(shape).map(([name, schema]) => ({
    ...sorted(name, schema as z.ZodType),
    ...((schema as z.ZodType).safeParse(undefined).success ? { optional: true as const } : {}),
  }));
}

function sorted(name: string, schema: z.ZodType) {
  const sort = sortOf(schema);
  return sort ? { name, sort } : { name };
}

/** A route with the fields of its body and of its query. Only what every form demands is taken from slots by name. */
function routeInfo(route: AnyRoute, version: number): EffectInfo {
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

function endsOf(done: readonly string[]): NonNullable<EffectInfo["ends"]> {
  return { done, rejected: REFUSED, failed: FAILED };
}

/** A refusal brings the same of every call, and so does an end without an answer. */
const REFUSED: readonly string[] = ["code", "text"];
const FAILED: readonly string[] = ["reason", "code", "text"];

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
  return { result: done, ends: endsOf(done) };
}

/** What one call takes: of the plan, or of the credits. */
function costOf(route: Pick<AnyRoute, "billing" | "price">): Pick<EffectInfo, "calls" | "brl"> {
  if (route.billing === "plan") return { calls: 1 };
  return route.billing === "credits" ? { brl: route.price ?? INVOICING_BASE_PRICE_BRL } : {};
}

type Sort = NonNullable<EffectInfo["input"][number]["sort"]>;

/** The sort of value a field takes, where it is one only. */
function sortOf(schema: z.ZodType | undefined): Sort | undefined {
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
