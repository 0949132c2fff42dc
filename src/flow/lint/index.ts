/** Lint: every rule over one flow, its texts and its surroundings. */
import type { Ast } from "../ast.ts";
import type { Finding } from "../finding.ts";
import { Model } from "../model.ts";
import type { Catalogues } from "../lookup.ts";
import { placed } from "../steps.ts";
import type { Vocabulary } from "../vocabulary.ts";
import { rawProblems } from "../raw.ts";
import { found, type LintContext, type Neighbours } from "./context.ts";
import { effectRules } from "./effect.ts";
import { exprRules } from "./expr.ts";
import { graphRules } from "./graph.ts";
import { idRules } from "./id.ts";
import { notifyRules } from "./notify.ts";
import { repeatRules } from "./repeat.ts";
import { slotRules } from "./slot.ts";
import { textRules } from "./text.ts";
import { versionRules } from "./version.ts";

export type { Neighbours } from "./context.ts";

export interface LintInput {
  readonly ast: Ast;
  readonly texts: Catalogues;
  readonly common: Catalogues;
  readonly words: Vocabulary;
  readonly flows: Neighbours;
}

const RULES = [
  idRules,
  graphRules,
  slotRules,
  repeatRules,
  exprRules,
  effectRules,
  notifyRules,
  textRules,
  versionRules,
];

/** Findings of a linked flow, in the order of its steps within each group of rules. */
export function lint(input: LintInput): Finding[] {
  const context: LintContext = {
    ...input,
    model: new Model(input.ast, input.words),
    places: placed(input.ast),
  };
  // What cannot be a flow at all cannot be compiled to be looked at.
  const raw = rawProblems(input.ast).map(({ rule, message, state }) =>
    found(context, rule, message, state),
  );
  if (raw.length > 0) return raw;
  return RULES.flatMap((rule) => rule(context));
}
