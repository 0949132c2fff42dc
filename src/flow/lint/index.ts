/** Lint: runs every rule over one flow, its texts and the flows around it. */
import type { Ast } from "../ast/ast.ts";
import type { Finding } from "../ast/finding.ts";
import { FlowIndex } from "../machine/flow-index.ts";
import type { Catalogues } from "../texts/lookup.ts";
import { placed } from "../machine/steps.ts";
import type { Vocabulary } from "../authoring/vocabulary.ts";
import { rawProblems } from "../machine/raw-problems.ts";
import { askRules } from "./steps/ask.ts";
import { circleRules } from "./circles.ts";
import { conditionRules } from "./condition.ts";
import {
  type ChannelLimits,
  found,
  type LintContext,
  MESSENGER,
  type Neighbours,
} from "./context.ts";
import { costRules } from "./cost.ts";
import { effectRules } from "./steps/effect.ts";
import { endRules } from "./steps/ends.ts";
import { exprRules } from "./expr.ts";
import { graphRules } from "./graph.ts";
import { idRules } from "./steps/id.ts";
import { notifyRules } from "./steps/notify.ts";
import { paramRules } from "./params.ts";
import { repeatRules } from "./steps/repeat.ts";
import { slotRules } from "./slot.ts";
import { textRules } from "./text/text.ts";
import { hiddenInputRules, textFormRules } from "./text/text-form.ts";
import { textKeyRules } from "./text/text-keys.ts";
import { thingRules } from "./steps/things.ts";
import { versionRules } from "./version.ts";
import { waitRules } from "./steps/wait.ts";

export { type ChannelLimits, MESSENGER, type Neighbours } from "./context.ts";
export { costsOf, type Cost } from "./cost.ts";
export { explained, RULE_TEXTS, type Explained } from "./rules.ts";

export interface LintInput {
  readonly ast: Ast;
  readonly texts: Catalogues;
  readonly common: Catalogues;
  readonly words: Vocabulary;
  readonly flows: Neighbours;
  /** Where its people write; the messenger. */
  readonly channels?: readonly ChannelLimits[];
}

const RULES = [
  idRules,
  graphRules,
  slotRules,
  paramRules,
  repeatRules,
  hiddenInputRules,
  exprRules,
  conditionRules,
  askRules,
  effectRules,
  notifyRules,
  textRules,
  textFormRules,
  costRules,
  textKeyRules,
  thingRules,
  versionRules,
  waitRules,
  circleRules,
  endRules,
];

/** Findings of a linked flow, in the order of its steps within each group of rules. */
export function lint(input: LintInput): Finding[] {
  const context: LintContext = {
    channels: [MESSENGER],
    ...input,
    model: new FlowIndex(input.ast, input.words),
    places: placed(input.ast),
  };
  // What cannot be a flow at all cannot be compiled to be looked at.
  const raw = rawProblems(input.ast).map(({ rule, message, state }) =>
    found(context, rule, message, state),
  );
  if (raw.length > 0) return raw;
  return RULES.flatMap((rule) => rule(context));
}
