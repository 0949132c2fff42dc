/** `version/`: the steps and slots that a migration names exist. */
import { found, type LintRule } from "./context.ts";
import { statesOf } from "../machine/raw-shape.ts";
import { didYouMean, type Finding } from "../ast/finding.ts";

export const versionRules: LintRule = (context) => {
  const { ast, model, words } = context;
  const findings: Finding[] = [];
  const unknown = (rule: string, what: string, name: string, names: Iterable<string>): void => {
    const message = `A migration names ${what} "${name}", which this version has not.${didYouMean(name, names)}`;
    findings.push(found(context, rule, message));
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
  return findings;
};
