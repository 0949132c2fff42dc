/** `version/`: what a migration names must be there. */
import { found, type LintRule } from "./context.ts";
import { didYouMean, type Finding } from "../finding.ts";

export const versionRules: LintRule = (context) => {
  const { ast, model, words } = context;
  const findings: Finding[] = [];
  const unknown = (rule: string, what: string, name: string, names: Iterable<string>): void => {
    const message = `A migration names ${what} "${name}", which this version has not.${didYouMean(name, names)}`;
    findings.push(found(context, rule, message));
  };
  const slots = Object.keys(ast.slots);
  for (const { rename, steps, map } of ast.migrate ?? []) {
    // A renamed slot may be called by the step that asks it.
    for (const name of Object.values(rename ?? {}))
      if (!slots.includes(name) && !model.steps.has(name))
        unknown("version/rename-unknown", "slot", name, slots);
    for (const id of Object.values(steps ?? {}))
      if (!model.steps.has(id)) unknown("version/rename-unknown", "step", id, model.steps.keys());
    for (const rule of Object.values(map ?? {}))
      if (!words.rules.has(rule)) unknown("version/map-unknown", "rule", rule, words.rules.keys());
  }
  return findings;
};
