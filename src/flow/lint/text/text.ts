/** `text/`: every prompt exists in some language, and every text reads things that exist. */
import { eachStep, isAsk } from "../../machine/steps.ts";
import type { Step } from "../../ast/ast.ts";
import { askText, type Catalogue } from "../../texts/catalogue.ts";
import { didYouMean, type Finding } from "../../ast/finding.ts";
import { placeholders } from "../../texts/template.ts";
import { textsOf } from "../../texts/text-refs.ts";
import { found, foundText, type LintContext, type LintRule } from "../context.ts";
import { nameProblem } from "../expr.ts";

/** Names that the renderer gives to particular texts. */
const GIVEN = new Set(["label", "echo", "list", "word", "min", "max", "options", "item", "number"]);

export const textRules: LintRule = (context) => [
  ...missing(context),
  ...overrides(context),
  ...names(context),
  ...translations(context),
];

function missing(context: LintContext): Finding[] {
  const catalogues = Object.values(context.texts);
  const has = (read: (c: Catalogue) => unknown): boolean =>
    catalogues.some((c) => read(c) !== undefined);
  return eachStep(context.ast).flatMap((step): Finding[] => {
    const key = keyOf(step);
    // "Another one?" has common words.
    if (!key || (isAsk(step) && context.model.repeats.mores.has(step.slot))) return [];
    const inline = isAsk(step) && own(context.ast.texts?.ask, step.slot) !== undefined;
    if (inline && has((c) => own(c.ask, step.slot)))
      return [
        found(
          context,
          "text/inline-and-catalogue",
          `The prompt of "${step.slot}" stands in the flow and in a catalogue.`,
          step.id,
        ),
      ];
    if (inline || has((c) => read(c, step))) return [];
    return [
      found(
        context,
        isAsk(step) ? "ask/no-prompt" : "text/missing",
        `No text ${key} in any catalogue of ${context.ast.flow}.`,
        step.id,
      ),
    ];
  });
}

function keyOf(step: Step): string | null {
  if (step.t === "say") return `say.${step.text ?? step.id}`;
  if (isAsk(step)) return `ask.${step.slot}`;
  return step.t === "confirm" ? `confirm.${step.id}` : null;
}

function read(catalogue: Catalogue, step: Step): unknown {
  if (step.t === "say") return own(catalogue.say, step.text ?? step.id);
  if (isAsk(step))
    return askText(own(catalogue.ask, step.id) ?? own(catalogue.ask, step.slot))?.text;
  return own(catalogue.confirm, step.id);
}

/** What a table has itself: "constructor" is no text. */
function own<V>(table: { readonly [key: string]: V } | undefined, key: string): V | undefined {
  return table && Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Texts that an override of repair names instead of steps. */
function overrides(context: LintContext): Finding[] {
  const texts = Object.values(context.texts).map(({ say }) => say);
  const keys = texts.flatMap((say) => Object.keys(say ?? {}));
  const all: readonly (readonly [object | undefined, string | undefined])[] = [
    [context.ast.policy.repair, undefined],
    ...context.places.map(
      ({ step }) => ["repair" in step ? step.repair : undefined, step.id] as const,
    ),
  ];
  return all.flatMap(([repair, id]) =>
    Object.values(repair ?? {}).flatMap((rule: unknown) =>
      typeof rule !== "string" || rule === "off" || keys.includes(rule)
        ? []
        : [
            found(
              context,
              "text/missing",
              `No text say.${rule} in any catalogue of ${context.ast.flow}, which repair names.${didYouMean(rule, keys)}`,
              id,
            ),
          ],
    ),
  );
}

/** Variables that `with` gives to a text of the `say` group. */
function given(context: LintContext, key: string): Set<string> {
  const names = eachStep(context.ast).flatMap((step) =>
    step.t === "say" && key === `say.${step.text ?? step.id}` ? Object.keys(step.vars ?? {}) : [],
  );
  return new Set(names);
}

function names(context: LintContext): Finding[] {
  return Object.values(context.texts).flatMap((catalogue) =>
    textsOf(catalogue).flatMap(({ key, text }) => {
      const own = given(context, key);
      return placeholders(text).flatMap(({ ref, pipes }): Finding[] => {
        const head = ref.split(".")[0] ?? "";
        const problem = own.has(head) || GIVEN.has(ref) ? null : nameProblem(context, ref);
        const unknown = pipes.filter(({ name }) => !context.words.pipes.has(name));
        return [
          ...(problem === null
            ? []
            : [foundText(context, "text/unknown-name", key, catalogue.locale, problem)]),
          ...unknown.map(({ name }) =>
            foundText(
              context,
              "text/unknown-pipe",
              key,
              catalogue.locale,
              `no pipe "${name}".${didYouMean(name, context.words.pipes.keys())}`,
            ),
          ),
        ];
      });
    }),
  );
}

/** A text that one language has and another lacks. */
function translations(context: LintContext): Finding[] {
  const all = Object.values(context.texts);
  const keys = new Set(all.flatMap((catalogue) => textsOf(catalogue).map(({ key }) => key)));
  return all.flatMap((catalogue) => {
    const own = new Set(textsOf(catalogue).map(({ key }) => key));
    return [...keys]
      .filter((key) => !own.has(key))
      .map((key) =>
        foundText(
          context,
          "text/missing-translation",
          key,
          catalogue.locale,
          "it is missing.",
          "warning",
        ),
      );
  });
}
