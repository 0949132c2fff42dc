/** Lint: runs every rule over one flow, its texts and the flows around it. */
import type { Finding } from "../ast/finding.ts";
import { rawProblems } from "../machine/raw-problems.ts";
import { askRules } from "./ask.ts";
import { conditionRules } from "./condition.ts";
import { contextOf, type LintInput } from "./context.ts";
import { costRules } from "./cost.ts";
import { effectRules } from "./effect.ts";
import { exprRules } from "./expr.ts";
import { graphRules } from "./graph.ts";
import { nameRules } from "./names.ts";
import { notifyRules } from "./notify.ts";
import { slotRules } from "./slot.ts";
import { textFormRules } from "./text-form.ts";
import { textRules, unusedTextRules } from "./text.ts";

const RULES = [
  nameRules,
  graphRules,
  slotRules,
  exprRules,
  conditionRules,
  askRules,
  effectRules,
  notifyRules,
  textRules,
  textFormRules,
  unusedTextRules,
  costRules,
];

/** Findings of a linked flow, in the order of its steps within each group of rules. */
export function lint(input: LintInput): Finding[] {
  const findings: Finding[] = [];
  const context = contextOf(input, findings);
  // What cannot be a flow at all cannot be compiled to be looked at.
  for (const { rule, message, state } of rawProblems(input.ast))
    context.found(rule, message, state);
  if (findings.length === 0) for (const rule of RULES) rule(context);
  return findings;
}
