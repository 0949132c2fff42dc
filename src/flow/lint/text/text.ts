/** `text/`: every prompt exists in some language, and every text reads things that exist. */
import type { Step } from "../../ast/ast.ts";
import { headOf } from "../../ast/expression.ts";
import { didYouMean } from "../../ast/finding.ts";
import { isAsk, repairsOf } from "../../machine/steps.ts";
import { askText, type Catalogue, textsOf } from "../../texts/catalogue.ts";
import { placeholders } from "../../texts/template.ts";
import type { LintContext, LintRule } from "../context.ts";
import { nameProblem } from "../expr.ts";

/** Names that the renderer gives to particular texts. */
const GIVEN = new Set(["label", "echo", "list", "word", "min", "max", "options", "item", "number"]);

export const textRules: LintRule = (context) => {
  missing(context);
  overrides(context);
  names(context);
  translations(context);
};

function missing({ ast, texts, model, places, found }: LintContext): void {
  const catalogues = Object.values(texts);
  const has = (read: (c: Catalogue) => unknown): boolean =>
    catalogues.some((c) => read(c) !== undefined);
  for (const { step } of places) {
    const key = keyOf(step);
    // "Another one?" has common words.
    if (!key || (isAsk(step) && model.repeats.mores.has(step.slot))) continue;
    const inline = isAsk(step) && own(ast.texts?.ask, step.slot) !== undefined;
    if (inline && has((c) => own(c.ask, step.slot))) {
      const message = `The prompt of "${step.slot}" stands in the flow and in a catalogue.`;
      found("text/inline-and-catalogue", message, step.id);
    }
    if (inline || has((c) => read(c, step))) continue;
    const rule = isAsk(step) ? "ask/no-prompt" : "text/missing";
    found(rule, `No text ${key} in any catalogue of ${ast.flow}.`, step.id);
  }
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
function overrides({ ast, texts, found }: LintContext): void {
  const keys = Object.values(texts).flatMap(({ say }) => Object.keys(say ?? {}));
  for (const { repair, step } of repairsOf(ast))
    for (const rule of Object.values(repair)) {
      if (typeof rule !== "string" || rule === "off" || keys.includes(rule)) continue;
      const message = `No text say.${rule} in any catalogue of ${ast.flow}, which repair names.${didYouMean(rule, keys)}`;
      found("text/missing", message, step?.id);
    }
}

function names(context: LintContext): void {
  const { texts, words, places, foundText } = context;
  for (const catalogue of Object.values(texts))
    for (const { key, text } of textsOf(catalogue)) {
      const at = { key, locale: catalogue.locale };
      // Variables that `with` gives to a text of the `say` group.
      const vars = places.flatMap(({ step }) =>
        step.t === "say" && key === keyOf(step) ? Object.keys(step.vars ?? {}) : [],
      );
      for (const { ref, pipes } of placeholders(text)) {
        const isGiven = vars.includes(headOf(ref)) || GIVEN.has(ref);
        const problem = isGiven ? null : nameProblem(context, ref);
        if (problem !== null) foundText("text/unknown-name", at, problem);
        for (const { name } of pipes)
          if (!words.pipes.has(name)) {
            const near = didYouMean(name, words.pipes.keys());
            foundText("text/unknown-pipe", at, `no pipe "${name}".${near}`);
          }
      }
    }
}

/** A text that one language has and another lacks, or that reads other things there. */
function translations({ texts, foundText }: LintContext): void {
  const all = Object.values(texts).map(({ locale, ...catalogue }) => ({
    locale,
    reads: new Map(
      textsOf({ locale, ...catalogue }).map(({ key, text }) => [
        key,
        [...new Set(placeholders(text).map(({ ref }) => ref))].sort().join(", "),
      ]),
    ),
  }));
  const keys = new Set(all.flatMap(({ reads }) => [...reads.keys()]));
  const [first] = all;
  for (const { locale, reads } of all)
    for (const key of keys) {
      const here = reads.get(key);
      const there = first?.reads.get(key);
      const at = { key, locale };
      if (here === undefined) foundText("text/missing-translation", at, "it is missing.");
      else if (first && there !== undefined && there !== here) {
        const message = `it reads ${here || "nothing"}; in ${first.locale} it reads ${there || "nothing"}.`;
        foundText("text/variables-differ", at, message);
      }
    }
}
