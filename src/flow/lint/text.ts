/** `text/`: every prompt exists in some language, every text reads things that exist, and something says every text. */
import type { Step } from "../ast/ast.ts";
import { headOf } from "../ast/expression.ts";
import { didYouMean } from "../ast/finding.ts";
import { isAsk, repairsOf } from "../machine/steps.ts";
import { askText, type Catalogue, textsOf, confirmText } from "../texts/catalogue.ts";
import { placeholders } from "../texts/template.ts";
import type { LintContext, LintRule } from "./context.ts";
import { nameProblem } from "./expr.ts";

/** Names that the renderer gives to particular texts. */
const GIVEN = new Set("label echo list word min max allowed options item number".split(" "));

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

/** Keys of a catalogue that no step, override, kind or slot names. */
export const unusedTextRules: LintRule = (context) => {
  const { ast, words, common, model, places, foundText } = context;
  const steps = places.map(({ step }) => step);
  const stepIds = [...model.steps.keys()];
  const asks = [...Object.keys(ast.slots), ...stepIds];
  const says = steps.flatMap((step) => (step.t === "say" ? [step.text ?? step.id] : []));
  const repairs = repairsOf(ast).flatMap(({ repair }) => Object.values(repair));
  const confirms = steps.flatMap((step) => (step.t === "confirm" ? [step.id] : []));
  const repair = Object.values(common).flatMap(({ say = {} }) => Object.keys(say));
  // What any answer may be refused for, by the kit's own words.
  const any = Object.values(common).flatMap(({ bad }) => Object.keys(bad?.["any"] ?? {}));
  const reasonsOf = (kind: string): readonly string[] => [
    "default",
    ...(words.kinds.get(kind)?.bad ?? []),
    ...any,
  ];

  for (const own of Object.values(context.texts)) {
    const check = (group: string, table: object | undefined, known: readonly string[]): void => {
      for (const name of Object.keys(table ?? {}))
        if (!known.includes(name)) {
          const at = { key: `${group}.${name}`, locale: own.locale };
          foundText("text/unused", at, `nothing says it.${didYouMean(name, known)}`);
        }
    };
    check("say", own.say, [...says, ...repairs.filter((rule) => typeof rule === "string")]);
    check("ask", own.ask, asks);
    check("confirm", own.confirm, confirms);
    check("options", own.options, asks);
    check("rest", own.rest, stepIds);
    if (repair.length > 0) check("repair", own.repair, repair);

    for (const [name, entry] of Object.entries(own.ask ?? {})) {
      const step = model.steps.get(name);
      const kind = ast.slots[step && "slot" in step ? step.slot : name]?.kind;
      if (kind !== undefined && words.kinds.has(kind))
        check(`ask.${name}.bad`, askText(entry)?.bad, reasonsOf(kind));
    }
    for (const [id, entry] of Object.entries(own.confirm ?? {}))
      check(`confirm.${id}.bad`, confirmText(entry)?.bad, ["default", ...any]);
    check("bad", own.bad, ["any", ...words.kinds.keys()]);
    for (const [kind, table] of Object.entries(own.bad ?? {}))
      if (words.kinds.has(kind)) check(`bad.${kind}`, table, reasonsOf(kind));
    for (const [slot, table] of Object.entries(own.options ?? {})) {
      const known = optionsOf(context, slot);
      if (known.length > 0) check(`options.${slot}`, table, known);
    }
  }
};

/** The options of a slot, where all of them are written in the flow. */
function optionsOf({ ast, model }: LintContext, slot: string): readonly string[] {
  const given = ast.slots[slot]?.params?.["options"];
  const asks = (model.asks.get(slot) ?? []).map(({ step }) => step);
  if (asks.some((step) => step.t === "ask" && step.options)) return [];
  const branches = asks.flatMap((step) => (step.t === "choose" ? Object.keys(step.branches) : []));
  return [...new Set([...(Array.isArray(given) ? given.map(String) : []), ...branches])];
}
