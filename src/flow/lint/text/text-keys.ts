/** `text/unused` inside the tables of a catalogue: reasons that no kind gives, and options that no slot has. */
import { askText, confirmText, type Catalogue } from "../../texts/catalogue.ts";
import { didYouMean, type Finding } from "../../ast/finding.ts";
import { eachStep } from "../../machine/steps.ts";
import { foundText, type LintContext, type LintRule } from "../context.ts";

export const textKeyRules: LintRule = (context) =>
  Object.values(context.texts).flatMap((own) => [
    ...reasons(context, own),
    ...options(context, own),
  ]);

function strange(
  context: LintContext,
  { locale }: Catalogue,
  group: string,
  [names, known]: readonly [readonly string[], readonly string[]],
): Finding[] {
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const message = `nothing says it.${didYouMean(name, known)}`;
      return foundText(context, "text/unused", `${group}.${name}`, locale, message, "warning");
    });
}

function reasons(context: LintContext, own: Catalogue): Finding[] {
  const { ast, words, common } = context;
  // What any answer may be refused for, by the kit's own words.
  const any = Object.values(common).flatMap((shared) => Object.keys(shared.bad?.["any"] ?? {}));
  const of = (kind: string): readonly string[] => [
    "default",
    ...(words.kinds.get(kind)?.bad ?? []),
    ...any,
  ];
  const asks = Object.entries(own.ask ?? {}).flatMap(([name, entry]) => {
    const step = context.model.steps.get(name);
    const slot = step && "slot" in step ? step.slot : name;
    const kind = ast.slots[slot]?.kind;
    const given = Object.keys(askText(entry)?.bad ?? {});
    return kind === undefined || !words.kinds.has(kind)
      ? []
      : strange(context, own, `ask.${name}.bad`, [given, of(kind)]);
  });
  const confirms = Object.entries(own.confirm ?? {}).flatMap(([id, entry]) =>
    strange(context, own, `confirm.${id}.bad`, [
      Object.keys(confirmText(entry)?.bad ?? {}),
      ["default", ...any],
    ]),
  );
  const kinds = strange(context, own, "bad", [
    Object.keys(own.bad ?? {}),
    ["any", ...words.kinds.keys()],
  ]);
  const tables = Object.entries(own.bad ?? {}).flatMap(([kind, table]) =>
    words.kinds.has(kind)
      ? strange(context, own, `bad.${kind}`, [Object.keys(table), of(kind)])
      : [],
  );
  return [...asks, ...confirms, ...kinds, ...tables];
}

/** Only where all options of a slot are written in the flow. */
function options(context: LintContext, own: Catalogue): Finding[] {
  const steps = eachStep(context.ast);
  return Object.entries(own.options ?? {}).flatMap(([slot, table]) => {
    const given = context.ast.slots[slot]?.params?.["options"];
    const branches = steps.flatMap((step) =>
      step.t === "choose" && step.slot === slot ? Object.keys(step.branches) : [],
    );
    const fixed = Array.isArray(given) ? given.map(String) : [];
    const known = [...new Set([...fixed, ...branches])];
    const open = steps.some((step) => step.t === "ask" && step.slot === slot && step.options);
    return known.length === 0 || open
      ? []
      : strange(context, own, `options.${slot}`, [Object.keys(table), known]);
  });
}
