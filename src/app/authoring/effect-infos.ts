/** What the kit must know of every effect: those of the runtime, of plugins, and the routes of the gateway. */
import { z } from "zod";
import type { EffectInfo, OwnEffect } from "../../flow/index.ts";
import { routeOf, routes } from "../../gateway/index.ts";
import type { EffectSpec, EffectTable, LocalSpec } from "../../worker/index.ts";
import { costOf, FAILED, REFUSED, routeInfo, sortOf } from "./route-infos.ts";

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
    ends: { done: result, rejected: REFUSED, failed: FAILED },
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
    ends: { done: result, rejected: REFUSED, failed: FAILED },
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
      ends: { done: result, rejected: REFUSED, failed: FAILED },
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
