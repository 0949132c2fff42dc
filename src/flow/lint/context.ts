/** What every lint rule can read of a flow, and how it reports a finding. */
import type { Ast, Step } from "../ast/ast.ts";
import type { Finding } from "../ast/finding.ts";
import type { Vocabulary } from "../authoring/vocabulary.ts";
import { FlowIndex } from "../machine/flow-index.ts";
import type { Placed } from "../machine/steps.ts";
import type { Catalogues } from "../texts/catalogue.ts";
import { RULE_TEXTS, type RuleName } from "./rules.ts";

/** The other flows of the installation, by id: what notify and subflow steps call. */
export type Neighbours = ReadonlyMap<string, Pick<Ast, "flow" | "input" | "outcomes" | "steps">>;

/** What a channel shows at most. */
export interface ChannelLimits {
  readonly name: string;
  /** Letters of one message. */
  readonly maxText: number;
  /** Options of one question, and letters of an option's label. */
  readonly options: number;
  readonly label: number;
  /** What happens to a text that does not fit although it is short enough: the rest of a sentence. Only warned of. */
  readonly over?: (text: string) => string | undefined;
}

/** The messenger, whichever engine carries it: one poll holds ten options. */
export const MESSENGER: ChannelLimits = {
  name: "the messenger",
  maxText: 5_000,
  options: 10,
  label: 100,
};

export interface LintInput {
  readonly ast: Ast;
  readonly texts: Catalogues;
  readonly common: Catalogues;
  readonly words: Vocabulary;
  readonly flows: Neighbours;
  /** Where its people write; the messenger. */
  readonly channels?: readonly ChannelLimits[];
}

export interface LintContext extends Required<LintInput> {
  readonly model: FlowIndex;
  readonly places: readonly Placed[];
  readonly found: Report;
  /** Reports a finding about a text of a catalogue. */
  readonly foundText: (
    rule: RuleName,
    at: { readonly key: string; readonly locale: string },
    message: string,
    severity?: Finding["severity"],
  ) => void;
}

/** Reports a finding of this flow; its severity is the rule's, unless another is given. */
type Report = (
  rule: RuleName,
  message: string,
  step?: string,
  severity?: Finding["severity"],
) => void;

/** A finding, as grave as its rule is. */
export function findingOf(
  rule: RuleName,
  about: Omit<Finding, "rule" | "severity">,
  severity: Finding["severity"] = RULE_TEXTS[rule]?.severity ?? "error",
): Finding {
  return { rule, severity, ...about };
}

export type LintRule = (context: LintContext) => void;

/** The context of a linked flow. What its rules find is added to `findings`. */
export function contextOf(input: LintInput, findings: Finding[]): LintContext {
  const model = new FlowIndex(input.ast, input.words);
  const { flow } = input.ast;
  return {
    ...input,
    channels: input.channels ?? [MESSENGER],
    model,
    places: model.places,
    found: (rule, message, step, severity) => {
      findings.push(findingOf(rule, { flow, step, message }, severity));
    },
    foundText: (rule, { key, locale }, about, severity) => {
      const message = `Text ${key} (${locale}): ${about}`;
      findings.push(findingOf(rule, { flow, message, text: { key, locale } }, severity));
    },
  };
}

/**
 * The first fiscal or costly call that follows a step when a branch of it falls through; none when the branch ends or
 * goes somewhere. A branch that is nothing but conditions counts as falling through.
 */
export function goesOnToGrave(
  { model, places }: LintContext,
  step: Step,
  branch: readonly Step[],
): string | undefined {
  const last = branch.at(-1);
  if (last?.t === "end" || last?.t === "goto") return undefined;
  const from = places.findIndex((place) => place.step === step);
  return places.slice(from).find((place) => model.isSealing(place.step))?.step.id;
}
