/** `id/` and `version/`: names are well formed and unique, and those of a migration exist. */
import { FLOW_ID, isReservedId, SLOT_NAME, STEP_ID } from "../ast/ast.ts";
import { didYouMean } from "../ast/finding.ts";
import { statesOf } from "../machine/raw.ts";
import { isAsk } from "../machine/steps.ts";
import type { LintContext, LintRule } from "./context.ts";
import type { RuleName } from "./rules.ts";

export const nameRules: LintRule = (context) => {
  const { ast, places, found } = context;
  if (!FLOW_ID.test(ast.flow))
    found("id/bad-name", `"${ast.flow}" is no flow id: a-z, 0-9 and hyphens.`);
  for (const slot of Object.keys(ast.slots)) {
    if (!SLOT_NAME.test(slot))
      found("id/bad-name", `"${slot}" is no slot name: a-z, 0-9 and underscores.`);
    if (isTaken(slot)) found("id/reserved", `Slot "${slot}" has a name that is taken.`);
  }
  const seen = new Set<string>();
  for (const { step } of places) {
    const { id, t } = step;
    if (!STEP_ID.test(id)) found("id/bad-name", `"${id}" is no step id: a-z, 0-9 and hyphens.`, id);
    if (isTaken(id)) found("id/reserved", `Step id "${id}" is taken by the kit itself.`, id);
    if (seen.has(id)) {
      const rule = t === "say" || isAsk(step) ? "id/unstable" : "id/duplicate";
      found(rule, `Two steps are called "${id}"; give the second its own id.`, id);
    }
    seen.add(id);
    if (!isAsk(step) && t !== "repeat" && Object.hasOwn(ast.slots, id))
      found("effect/same-id-as-slot", `Step "${id}" has the name of a slot.`, id);
  }
  migrations(context);
};

function isTaken(name: string): boolean {
  return isReservedId(name) || name === "end";
}

/** The steps, slots and rules that a migration names. */
function migrations({ ast, model, words, found }: LintContext): void {
  const unknown = (rule: RuleName, what: string, name: string, names: Iterable<string>): void => {
    const near = didYouMean(name, names);
    found(rule, `A migration names ${what} "${name}", which this version has not.${near}`);
  };
  const ids = [...model.steps.keys(), ...Object.keys(statesOf(ast.machine ?? {}))];
  const slots = Object.keys(ast.slots);
  for (const { rename, steps, map, place } of ast.migrate ?? []) {
    // A renamed slot may be called by the step that asks it.
    for (const name of Object.values(rename ?? {}))
      if (!slots.includes(name) && !model.steps.has(name))
        unknown("version/rename-unknown", "slot", name, slots);
    for (const id of Object.values(steps ?? {}))
      if (!ids.includes(id)) unknown("version/rename-unknown", "step", id, ids);
    for (const rule of [...Object.values(map ?? {}), ...(place === undefined ? [] : [place])])
      if (!words.rules.has(rule)) unknown("version/map-unknown", "rule", rule, words.rules.keys());
  }
}
