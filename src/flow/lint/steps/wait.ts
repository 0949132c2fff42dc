/** `notify/unknown-event`: an event that a step waits for is declared. Checked where the declared events are known. */
import type { Finding } from "../../ast/finding.ts";
import { nearest } from "../../ast/finding.ts";
import { found, type LintContext, type LintRule } from "../context.ts";

export const waitRules: LintRule = (context) =>
  context.places.flatMap(({ step }) =>
    step.t === "wait" ? unknown(context, step.event, step.id) : [],
  );

/** Nearly the name of one is a slip; one that nobody declared may be meant, and is never checked by anything else. */
function unknown(context: LintContext, event: string, id: string): Finding[] {
  const { events } = context.words;
  if (!events || events.has(event)) return [];
  const near = nearest(event, events.keys());
  if (near !== undefined)
    return [
      found(context, "notify/unknown-event", `No event "${event}". Did you mean "${near}"?`, id),
    ];
  const line = `add "${event}: [what, it, brings]" to events.yaml in the folder of flows`;
  const message = `No event "${event}" is declared; if it is posted, ${line}.`;
  return [found(context, "notify/unknown-event", message, id, "warning")];
}
