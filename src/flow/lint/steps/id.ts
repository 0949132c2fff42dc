/** `id/`: names are well formed and unique. */
import { FLOW_ID, isReservedId, SLOT_NAME, STEP_ID } from "../../ast/ast.ts";
import { isAsk } from "../../machine/steps.ts";
import { found, type LintRule } from "../context.ts";
import type { Finding } from "../../ast/finding.ts";

export const idRules: LintRule = (context) => {
  const { ast, places } = context;
  const findings: Finding[] = [];
  if (!FLOW_ID.test(ast.flow))
    findings.push(
      found(context, "id/bad-name", `"${ast.flow}" is no flow id: a-z, 0-9 and hyphens.`),
    );
  for (const slot of Object.keys(ast.slots)) {
    if (!SLOT_NAME.test(slot))
      findings.push(
        found(context, "id/bad-name", `"${slot}" is no slot name: a-z, 0-9 and underscores.`),
      );
    if (isReservedId(slot) || slot === "end")
      findings.push(found(context, "id/reserved", `Slot "${slot}" has a name that is taken.`));
  }
  const seen = new Map<string, string>();
  for (const { step } of places) {
    const { id, t } = step;
    if (!STEP_ID.test(id))
      findings.push(
        found(context, "id/bad-name", `"${id}" is no step id: a-z, 0-9 and hyphens.`, id),
      );
    if (isReservedId(id) || id === "end")
      findings.push(
        found(context, "id/reserved", `Step id "${id}" is taken by the kit itself.`, id),
      );
    if (seen.has(id)) {
      const unstable = t === "say" || isAsk(step);
      findings.push(
        found(
          context,
          unstable ? "id/unstable" : "id/duplicate",
          `Two steps are called "${id}"; give the second its own id.`,
          id,
        ),
      );
    }
    seen.set(id, t);
    if (!isAsk(step) && t !== "repeat" && Object.hasOwn(ast.slots, id))
      findings.push(
        found(context, "effect/same-id-as-slot", `Step "${id}" has the name of a slot.`, id),
      );
  }
  return findings;
};
