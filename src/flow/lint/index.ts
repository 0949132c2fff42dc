/** Lint: every rule over one flow, its texts and its surroundings. */
import type { Ast } from "../ast.ts";
import type { Finding } from "../finding.ts";
import { Model } from "../model.ts";
import type { Catalogues } from "../lookup.ts";
import { placed } from "../steps.ts";
import type { Vocabulary } from "../vocabulary.ts";
import type { LintContext, Neighbours } from "./context.ts";
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
  return RULES.flatMap((rule) => rule(context));
}
