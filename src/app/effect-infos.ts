/** What the kit must know of every effect a flow may name: those of the house itself, and every route of the gateway. */
import { z } from "zod";
import type { EffectInfo, OwnEffect } from "../flow/index.ts";
import { routeOf } from "../gateway/index.ts";
import {
  CancelInput,
  CancelResult,
  effects,
  INSTEAD_OF_ITEMS,
  INVOICE_CANCEL,
  INVOICE_ISSUE,
  IssueInput,
  IssueResult,
  locals,
} from "../worker/index.ts";
import { costOf, FAILED, REFUSED, routeInfo, sortOf } from "./route-infos.ts";

let infos: readonly EffectInfo[] | undefined;

/** The same for every library: what was made of them for one stays good for the next. */
export function effectInfos(): readonly EffectInfo[] {
  return (infos ??= allInfos());
}

function allInfos(): readonly EffectInfo[] {
  const own = [...locals.values()].map(({ name, version, class: kind, input, result }) => {
    return {
      ...{ name, version, class: kind, result, local: true as const },
      ends: { done: result, rejected: REFUSED, failed: FAILED },
      input: inputOf(input),
    };
  });
  return [...own, ...gatewayInfos()];
}

/** An effect of the bot's own. */
export function ownInfo({ name, version, class: kind, input, output }: OwnEffect): EffectInfo {
  const result = Object.keys(output.shape);
  return {
    ...{ name, version, class: kind, result },
    ends: { done: result, rejected: REFUSED, failed: FAILED },
    input: inputOf(input),
    results: resultsOf([output]),
  };
}

/** Calls that are more than their route. */
const OWN: ReadonlyMap<
  string,
  { readonly input: z.ZodObject; readonly result: Readonly<Record<string, z.ZodObject>> }
> = new Map([
  [INVOICE_ISSUE, { input: IssueInput, result: IssueResult }],
  [INVOICE_CANCEL, { input: CancelInput, result: CancelResult }],
]);

function gatewayInfos(): readonly EffectInfo[] {
  return [...effects.values()].map((spec) => {
    const head = { name: spec.name, version: spec.version, class: spec.class };
    if (spec.result && spec.input instanceof z.ZodObject)
      return {
        ...{ ...head, ...costOf(routeOf(spec.route)), result: spec.result },
        ends: { done: spec.result, rejected: REFUSED, failed: FAILED },
        input: inputOf(spec.input),
      };
    const own = OWN.get(spec.name);
    if (!own) return routeInfo(routeOf(spec.route), spec.version);
    const results = Object.values(own.result).flatMap((schema) => Object.keys(schema.shape));
    return {
      ...head,
      ...costOf(routeOf(spec.route)),
      input: inputOf(own.input).map(({ optional, ...one }) => {
        if (own.input === IssueInput && INSTEAD_OF_ITEMS.some((name) => name === one.name))
          return { ...one, unless: "items" };
        return { ...one, ...(optional ? { optional } : {}) };
      }),
      result: [...new Set(results)],
      ends: Object.fromEntries(
        Object.entries(own.result).map(([end, { shape }]) => [end, Object.keys(shape)]),
      ),
      results: resultsOf(Object.values(own.result)),
    };
  });
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
