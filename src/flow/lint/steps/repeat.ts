/** `repeat/`: the slot is a list, and the questions for its items can be asked repeatedly. */
import type { Finding } from "../../ast/finding.ts";
import { isAsk } from "../../machine/steps.ts";
import { found, type LintContext, type LintRule } from "../context.ts";

/** Steps that a list may have for each item: whatever leaves nothing behind in the world. */
const INSIDE = new Set(["ask", "choose", "form", "say", "when"]);

export const repeatRules: LintRule = (context) =>
  context.places.flatMap(({ step, repeat }): Finding[] => {
    if (step.t === "repeat") return list(context, step.slot, step.id);
    if (!repeat || INSIDE.has(step.t) || isRead(context, step.t === "effect" ? step.effect : ""))
      return [];
    return [
      found(
        context,
        "repeat/once-only",
        `A ${step.t} cannot be done for each item of "${repeat.slot}": put it after the list.`,
        step.id,
      ),
    ];
  });

function isRead(context: LintContext, effect: string): boolean {
  return context.words.effects.get(effect)?.class === "read";
}

function list(context: LintContext, slot: string, id: string): Finding[] {
  const kind = context.ast.slots[slot]?.kind;
  const asks = context.places.filter(({ step, repeat }) => repeat?.slot === slot && isAsk(step));
  return [
    ...(kind === undefined || kind === "list"
      ? []
      : [
          found(
            context,
            "repeat/no-list",
            `Slot "${slot}" is of kind ${kind}: its kind must be list.`,
            id,
          ),
        ]),
    ...(asks.length > 0
      ? []
      : [found(context, "repeat/nothing-asked", `Nothing is asked for an item of "${slot}".`, id)]),
  ];
}
