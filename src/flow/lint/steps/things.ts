/** `expr/wrong-type` for what a message carries: a file must be a file, and a place must have valid coordinates. */
import type { JsonObject } from "../../../base/index.ts";
import type { Expr } from "../../ast/expression.ts";
import { didYouMean, type Finding } from "../../ast/finding.ts";
import { found, type LintContext, type LintRule } from "../context.ts";

/** Degrees north or south, and east or west, at most (WGS 84). */
const DEGREES = { latitude: 90, longitude: 180 } as const;

export const thingRules: LintRule = (context) =>
  context.places.flatMap(({ step }) =>
    step.t === "say"
      ? [
          ...(step.media ? carried(context, step.id, "media", step.media) : []),
          ...(step.location ? carried(context, step.id, "location", step.location) : []),
        ]
      : [],
  );

function carried(
  context: LintContext,
  id: string,
  what: "media" | "location",
  expr: Expr,
): Finding[] {
  const { slots } = context.ast;
  const wrong = (message: string): Finding[] => [found(context, "expr/wrong-type", message, id)];
  if ("ref" in expr) {
    const kind = Object.hasOwn(slots, expr.ref) ? slots[expr.ref]?.kind : undefined;
    // Kinds of an installation's own may be made of anything.
    if (kind === undefined || kind === what || !context.words.kinds.has(kind)) return [];
    const fits = Object.keys(slots).filter((slot) => slots[slot]?.kind === what);
    const near = didYouMean(expr.ref, fits);
    const which = near === "" && fits.length > 0 ? ` Of that kind: ${fits.join(", ")}.` : near;
    return wrong(`${what}: has no use for "${expr.ref}", which is a ${kind}.${which}`);
  }
  if (what === "media" || !("val" in expr)) return [];
  const { val } = expr;
  if (typeof val !== "object" || val === null || Array.isArray(val)) return [];
  const place = val as JsonObject;
  return Object.entries(DEGREES).flatMap(([name, most]) => {
    const value = place[name];
    return typeof value === "number" && Math.abs(value) <= most
      ? []
      : wrong(
          `location: its "${name}" is ${JSON.stringify(value) ?? "missing"}; it is a number from -${most} to ${most}.`,
        );
  });
}
