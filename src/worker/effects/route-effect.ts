/**
 * Every gateway route as an effect under its own id: input = the fields of its body and of its query, side by side.
 */
import { z } from "zod";
import type { Json, JsonObject } from "../../base/index.ts";
import type { CallResult } from "../../engine/index.ts";
import type { AnyRoute } from "../../gateway/index.ts";
import type { Answer, EffectSpec, PreparedCall } from "./spec.ts";

/** The gateway's words are cut here before a flow may say them. Characters. */
const TEXT_LIMIT = 300;

export function routeEffect(route: AnyRoute): EffectSpec {
  const inQuery = route.query === null ? [] : Object.keys(route.query.shape);
  const bodies = Object.values(route.variants).map((variant) => variant.body);
  return {
    name: route.id,
    class: route.class,
    version: 1,
    route: route.id,
    input: z.record(z.string(), z.json()),
    prepare: (input) => {
      const prepared = split(input, inQuery);
      return bodies.some((body) => body.safeParse(prepared.body).success) ? prepared : null;
    },
    interpret,
  };
}

function split(input: JsonObject, inQuery: readonly string[]): PreparedCall {
  const body: Record<string, Json> = {};
  const query: Record<string, Json> = {};
  for (const [name, value] of Object.entries(input))
    if (value !== undefined) (inQuery.includes(name) ? query : body)[name] = value;
  return { body, query };
}

/** An object stays as it is; anything else becomes `value`, because results are read by name. */
function interpret(answer: Answer): CallResult {
  if (answer.kind === "rejected")
    return {
      outcome: "rejected",
      out: { text: answer.message.slice(0, TEXT_LIMIT), code: answer.code ?? "" },
    };
  const data: unknown = answer.data;
  const plain = typeof data === "object" && data !== null && !Array.isArray(data);
  return {
    outcome: "done",
    out: (plain ? data : { value: data }) as CallResult["out"],
  };
}
