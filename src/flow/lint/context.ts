/** What every lint rule may look at. */
import type { Ast, Step } from "../ast.ts";
import type { Finding } from "../finding.ts";
import type { Placed } from "../steps.ts";
import type { Model } from "../model.ts";
import type { Catalogues } from "../lookup.ts";
import { isGrave, type Vocabulary } from "../vocabulary.ts";

/** The other flows of the installation, by id: what notify and subflow steps call. */
export type Neighbours = ReadonlyMap<string, Pick<Ast, "flow" | "input" | "outcomes" | "steps">>;

export interface LintContext {
  readonly ast: Ast;
  readonly model: Model;
  readonly words: Vocabulary;
  readonly texts: Catalogues;
  readonly common: Catalogues;
  readonly flows: Neighbours;
  readonly places: readonly Placed[];
}

export type LintRule = (context: LintContext) => Finding[];

/** A finding of this flow, short to write. */
export function found(
  { ast }: LintContext,
  rule: string,
  message: string,
  step?: string,
  severity: Finding["severity"] = "error",
): Finding {
  return { rule, severity, flow: ast.flow, ...(step === undefined ? {} : { step }), message };
}

/**
 * The first fiscal or costly call that follows a step when a branch of it falls through; none when the branch ends or
 * goes somewhere. A branch that is nothing but conditions counts as falling through.
 */
export function goesOnToGrave(
  context: LintContext,
  step: Step,
  branch: readonly Step[],
): string | undefined {
  const last = branch.at(-1);
  if (last?.t === "end" || last?.t === "goto") return undefined;
  const from = context.places.findIndex((place) => place.step === step);
  return context.places
    .slice(from)
    .find(
      ({ step: one }) =>
        one.t === "effect" && isGrave(context.words.effects.get(one.effect)?.class),
    )?.step.id;
}
