/** `ask/` and `repair/`: every question ends in some way, and its options can be told apart. */
import { foldWords } from "../../../brazil/index.ts";
import type { AskStep, ChooseStep, ConfirmStep, Quiet, Repair, Step } from "../../ast/ast.ts";
import { askText, LOCALES } from "../../texts/catalogue.ts";
import { isDuration } from "../../ast/durations.ts";
import type { Finding } from "../../ast/finding.ts";
import { QUIET } from "../../machine/flow-index.ts";
import { isAsk, isPath } from "../../machine/steps.ts";
import { found, type LintContext, type LintRule } from "../context.ts";

/** More tries than anybody has patience for. */
const MAX_TRIES = 20;

export const askRules: LintRule = (context) => [
  ...context.places.flatMap(({ step }) => {
    if (isAsk(step))
      return [...limits(context, step), ...badTexts(context, step), ...options(context, step)];
    return step.t === "confirm" ? limits(context, step) : [];
  }),
  ...repairs(context),
];

function quietOf(context: LintContext, step?: { readonly quiet?: Quiet }): Quiet {
  return { ...QUIET, ...context.ast.policy.quiet, ...step?.quiet };
}

function limits(context: LintContext, step: AskStep | ChooseStep | ConfirmStep): Finding[] {
  const findings: Finding[] = [];
  const max = ("max" in step ? step.max : undefined) ?? context.ast.policy.max;
  if (typeof max === "number" && max > MAX_TRIES)
    findings.push(
      found(context, "ask/no-limit", `"${step.id}" is asked up to ${max} times in a row.`, step.id),
    );
  const { expire, nudge } = quietOf(context, step);
  if (expire === "off")
    findings.push(found(context, "ask/no-quiet", `Silence never ends "${step.id}".`, step.id));
  for (const duration of [expire, nudge])
    if (duration !== undefined && !isTime(duration))
      findings.push(
        found(context, "ask/no-quiet", `"${duration}" at "${step.id}" is no duration.`, step.id),
      );
  return findings;
}

/** Durations may stand in the account, or count business hours. */
function isTime(text: string): boolean {
  return text === "off" || isPath(text) || isDuration(text);
}

/** Every reason its kind can give has words: the slot's, the kind's, or those for any. */
function badTexts(context: LintContext, step: AskStep | ChooseStep): Finding[] {
  const kind = context.model.kind(step.slot);
  // Without the common catalogue nothing has words: a library of tests.
  if (!kind || Object.keys(context.common).length === 0) return [];
  return LOCALES.flatMap((locale) => {
    const own = context.texts[locale];
    const shared = context.common[locale];
    if (!shared) return [];
    const tables = [
      askText(own?.ask?.[step.slot])?.bad,
      own?.bad?.[kind.name],
      shared?.bad?.[kind.name],
      shared?.bad?.["any"],
    ];
    const silent = kind.bad.filter((reason) =>
      tables.every((table) => table?.[reason] === undefined && table?.["default"] === undefined),
    );
    return silent.length === 0
      ? []
      : [
          found(
            context,
            "ask/no-bad-text",
            `Nothing is said in ${locale} when "${step.slot}" is not understood (${silent.join(", ")}).`,
            step.id,
          ),
        ];
  });
}

/** Labels and names of an option, folded as answers are. */
function options(context: LintContext, step: AskStep | ChooseStep): Finding[] {
  const given = context.ast.slots[step.slot]?.params?.["options"];
  const ids = step.t === "choose" ? Object.keys(step.branches) : Array.isArray(given) ? given : [];
  const findings: Finding[] = [];
  for (const locale of LOCALES) {
    if (!context.texts[locale]) continue;
    const entries = context.texts[locale].options?.[step.slot];
    const owner = new Map<string, string>();
    for (const [index, id] of ids.map(String).entries()) {
      const entry = entries && Object.hasOwn(entries, id) ? entries[id] : undefined;
      const long = typeof entry === "string" ? { label: entry } : entry;
      const words = new Set([long?.label ?? id, ...(long?.names ?? [])].map(foldWords));
      for (const word of words) {
        const other = owner.get(word);
        const number = /^\d{1,2}$/.test(word) && Number(word) !== index + 1;
        if (other !== undefined || number)
          findings.push(
            found(
              context,
              "ask/ambiguous-options",
              number
                ? `Option "${id}" of "${step.slot}" is called "${word}", which is another one's number (${locale}).`
                : `"${word}" means both "${other ?? ""}" and "${id}" of "${step.slot}" (${locale}).`,
              step.id,
            ),
          );
        owner.set(word, id);
      }
    }
  }
  for (const { name, options: most } of context.channels)
    if (ids.length > most)
      findings.push(
        found(
          context,
          "ask/too-many-options",
          `"${step.slot}" has ${ids.length} options; ${name} shows ${most}.`,
          step.id,
          "warning",
        ),
      );
  return findings;
}

/** Events after which a person expects the question again. */
const RETURNING = ["HELP", "WHY", "REPEAT", "quiet.nudge"] as const;

function repairs(context: LintContext): Finding[] {
  const { ast, places } = context;
  const all: readonly (readonly [Repair | undefined, Step | undefined])[] = [
    [ast.policy.repair, undefined],
    ...places.map(({ step }) => ["repair" in step ? step.repair : undefined, step] as const),
  ];
  return all.flatMap(([repair, step]) => {
    if (!repair) return [];
    const where = step ? `at "${step.id}"` : "in the whole flow";
    const id = step?.id;
    const findings: Finding[] = [];
    if (repair.HUMAN === "off")
      findings.push(found(context, "repair/human-off", `Nobody can call a person ${where}.`, id));
    const quiet = quietOf(context, step as { readonly quiet?: Quiet } | undefined);
    if (repair.CANCEL === "off" && (quiet.expire === "off" || repair["quiet.expire"] === "off"))
      findings.push(
        found(
          context,
          "repair/no-way-out",
          `Nobody can leave ${where}: cancel and expire are off.`,
          id,
        ),
      );
    for (const event of RETURNING) {
      const block = repair[event];
      const last = typeof block === "object" ? block.at(-1) : undefined;
      if (last?.t === "end" || last?.t === "goto")
        findings.push(
          found(
            context,
            "repair/never-returns",
            `${event} ${where} ends by ${last.t} and never comes back to the question.`,
            id,
            "warning",
          ),
        );
    }
    return findings;
  });
}
