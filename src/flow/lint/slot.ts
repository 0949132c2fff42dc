/**
 * `slot/` and `repeat/`: kinds exist, required slots are asked, nothing is read before it is asked, and what a call needs is
 * there.
 */
import { type Expr, headOf, refs } from "../ast/expression.ts";
import { didYouMean } from "../ast/finding.ts";
import { expressionsOf, isAsk } from "../machine/steps.ts";
import { placeholders } from "../texts/template.ts";
import { textsOf } from "../texts/catalogue.ts";
import type { LintContext, LintRule } from "./context.ts";

export const slotRules: LintRule = (context) => {
  kinds(context);
  asked(context);
  order(context);
  secrets(context);
  parts(context);
  lists(context);
  hidden(context);
};

function kinds({ ast, words, found }: LintContext): void {
  for (const [slot, { kind }] of Object.entries(ast.slots)) {
    if (words.kinds.has(kind)) continue;
    const near = didYouMean(kind, words.kinds.keys());
    found("slot/unknown-kind", `Unknown kind "${kind}" of slot "${slot}".${near}`);
  }
}

function asked({ ast, model, places, found }: LintContext): void {
  for (const [slot, { optional }] of Object.entries(ast.slots))
    if (!model.asks.has(slot) && !model.repeats.lists.has(slot))
      found(optional ? "slot/unused" : "slot/never-asked", `Slot "${slot}" is never asked.`);
  const known = Object.keys(ast.slots);
  for (const { step } of places) {
    const named =
      isAsk(step) || step.t === "repeat"
        ? [step.slot]
        : step.t === "confirm"
          ? [...step.show, ...(step.edit ?? [])]
          : step.t === "subflow"
            ? (step.fills ?? [])
            : [];
    for (const slot of named)
      if (!known.includes(slot))
        found("slot/unknown", `No slot "${slot}".${didYouMean(slot, known)}`, step.id);
  }
}

/** A condition, an input or a `with` may only read slots that are asked before it. */
function order({ places, ast, model, found }: LintContext): void {
  const known = new Set<string>();
  const brought = new Set(
    places.flatMap(({ step }) => (step.t === "subflow" ? (step.fills ?? []) : [])),
  );
  for (const { step } of places) {
    // What another flow may fill is handed to it as far as it was said.
    const own = step.t === "subflow" ? (step.fills ?? []) : [];
    const heads = expressionsOf(step)
      .flatMap((expr) => read(expr, brought))
      .map(headOf);
    for (const head of heads)
      if (
        !own.includes(head) &&
        Object.hasOwn(ast.slots, head) &&
        !known.has(head) &&
        model.asks.has(head)
      )
        found("slot/asked-after-use", `"${head}" is read here but asked only later.`, step.id);
    if (isAsk(step)) known.add(step.slot);
  }
}

/**
 * What an expression reads. Whether somebody said already what another flow would bring is a question before it is asked for:
 * then that flow need not begin.
 */
function read(expr: Expr, brought: ReadonlySet<string>): string[] {
  if ("has" in expr && brought.has(expr.has)) return [];
  if ("and" in expr) return expr.and.flatMap((part) => read(part, brought));
  if ("first" in expr)
    return expr.first.flatMap((part, at) => {
      const isAsked = at < expr.first.length - 1 && "ref" in part && brought.has(part.ref);
      return isAsked ? [] : read(part, brought);
    });
  return "not" in expr ? read(expr.not, brought) : refs(expr);
}

function secrets({ ast, texts, foundText }: LintContext): void {
  for (const catalogue of Object.values(texts))
    for (const { key, text } of textsOf(catalogue))
      for (const { ref } of placeholders(text))
        if (ast.slots[headOf(ref)]?.secret) {
          const at = { key, locale: catalogue.locale };
          foundText("slot/secret-in-text", at, `it would show the secret slot "${ref}".`);
        }
}

/** What is asked for each item of a list is many values: outside only the list can be read. */
function parts({ model, places, found }: LintContext): void {
  for (const { step, repeat } of places)
    for (const path of expressionsOf(step).flatMap(refs)) {
      const many = model.repeats.items.get(headOf(path));
      if (!many || many.step === repeat) continue;
      const message = `"${path}" is asked for each item of "${many.step.slot}": read the list.`;
      found("slot/one-of-many", message, step.id);
    }
}

/** Steps that a list may have for each item, beside look-ups: whatever leaves nothing behind in the world. */
const INSIDE = new Set(["ask", "choose", "form", "say", "when"]);

/** The slot is a list, and the questions for its items can be asked again. */
function lists({ ast, places, words, found }: LintContext): void {
  for (const { step, repeat } of places) {
    if (step.t === "repeat") {
      const { slot, id } = step;
      const kind = ast.slots[slot]?.kind;
      if (kind !== undefined && kind !== "list")
        found("repeat/no-list", `Slot "${slot}" is of kind ${kind}: its kind must be list.`, id);
      if (!places.some((one) => one.repeat?.slot === slot && isAsk(one.step)))
        found("repeat/nothing-asked", `Nothing is asked for an item of "${slot}".`, id);
      continue;
    }
    const isRead = step.t === "effect" && words.effects.get(step.effect)?.class === "read";
    if (!repeat || INSIDE.has(step.t) || isRead) continue;
    const message = `A ${step.t} cannot be done for each item of "${repeat.slot}": put it after the list.`;
    found("repeat/once-only", message, step.id);
  }
}

/** Slots that a required key of a call reads, and that may be hidden or skipped when it is made. */
function hidden({ ast, model, places, words, found }: LintContext): void {
  for (const { step, under } of places) {
    if (step.t !== "effect") continue;
    for (const { name, optional } of words.effects.get(step.effect)?.input ?? []) {
      const expr = step.input[name];
      if (optional || !expr) continue;
      for (const slot of refs(expr).map(headOf)) {
        const asks = model.asks.get(slot);
        const def = ast.slots[slot];
        if (!asks || !def) continue;
        const shown = asks.some((ask) => ask.under.every((one) => under.includes(one)));
        if (shown && !def.optional) continue;
        const why = shown ? "may be skipped" : "is asked under a condition only";
        const message = `"${step.effect}" needs "${name}", but "${slot}" ${why}.`;
        found("slot/hidden-in-input", message, step.id);
      }
    }
  }
}
