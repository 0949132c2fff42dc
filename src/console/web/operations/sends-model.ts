/** What may be decided about an effect that rests. Pure. */
import type { Decided, EffectDecision, HeldEffect } from "../../panels.ts";

/** All that may be said of an effect. */
export const DECISIONS: ReadonlySet<EffectDecision> = new Set([
  "retry",
  "done",
  "failed",
  "discard",
]);

/** What the API takes of this effect. What files taxes is not sent again, a message has nobody to be told that it failed. */
export function decisionsOf({ class: callClass, payload }: HeldEffect): readonly EffectDecision[] {
  if (callClass === "message") return ["retry", "done", "discard"];
  if (callClass !== "fiscal") return ["retry", "done", "failed", "discard"];
  return payload.name === undefined ? ["discard"] : ["done", "failed", "discard"];
}

const part = encodeURIComponent;

/** `reason` is kept in the audit; of a sending again it may be empty. */
export function effectCall(effect: HeldEffect, decision: EffectDecision, reason: string): Decided {
  const { account, contact, id, rev } = effect;
  const verb = decision === "done" || decision === "failed" ? "resolve" : decision;
  return {
    path: `/outbox/${part(account)}/${part(contact)}/${part(id)}/${verb}`,
    body: { ...(verb === "resolve" ? { decision } : {}), reason, rev },
  };
}
