/** The data that every lint rule can read. */
import type { Ast, Step } from "../ast/ast.ts";
import type { Finding } from "../ast/finding.ts";
import type { Placed } from "../machine/steps.ts";
import type { FlowIndex } from "../machine/flow-index.ts";
import type { Catalogues } from "../texts/lookup.ts";
import { isGrave, type Vocabulary } from "../authoring/vocabulary.ts";

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

export interface LintContext {
  readonly ast: Ast;
  readonly model: FlowIndex;
  readonly words: Vocabulary;
  readonly texts: Catalogues;
  readonly common: Catalogues;
  readonly flows: Neighbours;
  readonly places: readonly Placed[];
  readonly channels: readonly ChannelLimits[];
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

/** A finding about a text of a catalogue. */
export function foundText(
  context: LintContext,
  rule: string,
  key: string,
  locale: string,
  message: string,
  severity: Finding["severity"] = "error",
): Finding {
  const whole = `Text ${key} (${locale}): ${message}`;
  return { ...found(context, rule, whole, undefined, severity), text: { key, locale } };
}
