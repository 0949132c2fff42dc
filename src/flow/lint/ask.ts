/** `ask/` and `repair/`: every question ends in some way, and its options can be told apart. */
import { foldWords } from "../../brazil/index.ts";
import type { AskingStep, AskStep, ChooseStep, Quiet } from "../ast/ast.ts";
import { isDuration } from "../ast/durations.ts";
import { QUIET } from "../machine/limits.ts";
import { isAsk, isPath, repairsOf } from "../machine/steps.ts";
import { askText, LOCALES } from "../texts/catalogue.ts";
import type { LintContext, LintRule } from "./context.ts";

/** More tries than anybody has patience for. */
const PATIENCE = 20;

export const askRules: LintRule = (context) => {
  for (const { step } of context.places) {
    if (isAsk(step) || step.t === "confirm") limits(context, step);
    if (!isAsk(step)) continue;
    badTexts(context, step);
    options(context, step);
  }
  repairs(context);
};

function quietOf({ ast }: LintContext, step?: { readonly quiet?: Quiet }): Quiet {
  return { ...QUIET, ...ast.policy.quiet, ...step?.quiet };
}

function limits(context: LintContext, step: AskingStep): void {
  const { ast, found } = context;
  const { id } = step;
  const max = ("max" in step ? step.max : undefined) ?? ast.policy.max;
  if (typeof max === "number" && max > PATIENCE)
    found("ask/no-limit", `"${id}" is asked up to ${max} times in a row.`, id);
  const { expire, nudge } = quietOf(context, step);
  if (expire === "off") found("ask/no-quiet", `Silence never ends "${id}".`, id);
  for (const duration of [expire, nudge])
    if (duration !== undefined && !isTime(duration))
      found("ask/no-quiet", `"${duration}" at "${id}" is no duration.`, id);
}

/** Durations may stand in the account, or count business hours. */
function isTime(text: string): boolean {
  return text === "off" || isPath(text) || isDuration(text);
}

/** Every reason its kind can give has words: the slot's, the kind's, or those for any. */
function badTexts({ model, texts, common, found }: LintContext, step: AskStep | ChooseStep): void {
  const kind = model.kind(step.slot);
  if (!kind) return;
  for (const locale of LOCALES) {
    const own = texts[locale];
    const shared = common[locale];
    // Without the common catalogue nothing has words: a library of tests.
    if (!shared) continue;
    const tables = [
      askText(own?.ask?.[step.slot])?.bad,
      own?.bad?.[kind.name],
      shared.bad?.[kind.name],
      shared.bad?.["any"],
    ];
    const silent = kind.bad.filter((reason) =>
      tables.every((table) => table?.[reason] === undefined && table?.["default"] === undefined),
    );
    if (silent.length === 0) continue;
    const message = `Nothing is said in ${locale} when "${step.slot}" is not understood (${silent.join(", ")}).`;
    found("ask/no-bad-text", message, step.id);
  }
}

/** Labels and names of an option, folded as answers are. */
function options(context: LintContext, step: AskStep | ChooseStep): void {
  const { ast, texts, channels, found } = context;
  const { slot } = step;
  const given = ast.slots[slot]?.params?.["options"];
  const ids = step.t === "choose" ? Object.keys(step.branches) : Array.isArray(given) ? given : [];
  for (const locale of LOCALES) {
    const catalogue = texts[locale];
    if (!catalogue) continue;
    const entries = catalogue.options?.[slot];
    const owner = new Map<string, string>();
    const ambiguous = (message: string): void =>
      found("ask/ambiguous-options", `${message} (${locale}).`, step.id);
    for (const [index, id] of ids.map(String).entries()) {
      const entry = entries && Object.hasOwn(entries, id) ? entries[id] : undefined;
      const long = typeof entry === "string" ? { label: entry } : entry;
      for (const word of new Set([long?.label ?? id, ...(long?.names ?? [])].map(foldWords))) {
        const other = owner.get(word);
        if (/^\d{1,2}$/.test(word) && Number(word) !== index + 1)
          ambiguous(
            `Option "${id}" of "${slot}" is called "${word}", which is another one's number`,
          );
        else if (other !== undefined)
          ambiguous(`"${word}" means both "${other}" and "${id}" of "${slot}"`);
        owner.set(word, id);
      }
    }
  }
  for (const { name, options: most } of channels)
    if (ids.length > most) {
      const message = `"${slot}" has ${ids.length} options; ${name} shows ${most}.`;
      found("ask/too-many-options", message, step.id);
    }
}

/** Events after which a person expects the question again. */
const RETURNING = ["HELP", "WHY", "REPEAT", "quiet.nudge"] as const;

function repairs(context: LintContext): void {
  const { ast, found } = context;
  for (const { repair, step } of repairsOf(ast)) {
    const where = step ? `at "${step.id}"` : "in the whole flow";
    if (repair.HUMAN === "off")
      found("repair/human-off", `Nobody can call a person ${where}.`, step?.id);
    const quiet = quietOf(context, step as { readonly quiet?: Quiet } | undefined);
    if (repair.CANCEL === "off" && (quiet.expire === "off" || repair["quiet.expire"] === "off")) {
      const message = `Nobody can leave ${where}: cancel and expire are off.`;
      found("repair/no-way-out", message, step?.id);
    }
    for (const event of RETURNING) {
      const block = repair[event];
      const last = typeof block === "object" ? block.at(-1) : undefined;
      if (last?.t !== "end" && last?.t !== "goto") continue;
      const message = `${event} ${where} ends by ${last.t} and never comes back to the question.`;
      found("repair/never-returns", message, step?.id);
    }
  }
}
