/** `text/unused`: keys of a catalogue that no step, override, kind or slot names. */
import { didYouMean } from "../../ast/finding.ts";
import { repairsOf } from "../../machine/steps.ts";
import { askText, confirmText } from "../../texts/catalogue.ts";
import type { LintContext, LintRule } from "../context.ts";

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
