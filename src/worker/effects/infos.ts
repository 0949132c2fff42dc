/** The registry as the authoring kit sees it: names, classes, and what goes in and comes out. */
import { z } from "zod";
import type { EffectInfo } from "../../flow/index.ts";
import { routeOf } from "../../gateway/index.ts";
import { IssueResult } from "./invoice-issue.ts";
import { IssueInput } from "./issue-input.ts";
import type { EffectSpec } from "./spec.ts";

/** Fields every route's result may have: a refusal's words, why it failed, what is no object. */
const COMMON = ["text", "code", "reason", "value"];

export function effectInfo(spec: EffectSpec): EffectInfo {
  const { name, version } = spec;
  if (spec.input === IssueInput) return { name, version, class: spec.class, ...issue() };
  const { response, variants, query } = routeOf(spec.route);
  const bodies = Object.values(variants).flatMap(({ body }) => keysOf(body));
  const inQuery = query === null ? [] : Object.keys(query.shape);
  const input = [...new Set([...bodies, ...inQuery])].filter((key) => key !== "tipo");
  return {
    name,
    version,
    class: spec.class,
    input: input.map((key) => ({ name: key, optional: true })),
    result: [...new Set([...COMMON, ...keysOf(response)])],
    open: true,
  };
}

function issue(): Pick<EffectInfo, "input" | "result"> {
  const input = Object.entries(IssueInput.shape).map(([name, schema]) =>
    schema.safeParse(undefined).success ? { name, optional: true as const } : { name },
  );
  const result = Object.values(IssueResult).flatMap((schema) => Object.keys(schema.shape));
  return { input, result: [...new Set(result)] };
}

function keysOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodPipe) return keysOf(schema.out as z.ZodType);
  return [];
}
