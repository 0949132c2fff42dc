/** What may be decided about effects of invoices that rest. Pure. */
import type { EffectAdvice, HeldEffect } from "prosa/plugin";

/**
 * What files taxes is not sent again but for a cancellation that was turned away unread. A request for an invoice is among
 * the effects only where it has no record: unless it may have left, it is sent after all. Undefined for other effects.
 */
export function adviceOf(effect: HeldEffect): EffectAdvice | undefined {
  const { name, work } = effect.payload;
  if (effect.class !== "fiscal") return undefined;
  const isUnsent = work?.frozen === undefined;
  if (name === "invoice.cancel" && effect.reason === "rate_limited" && isUnsent)
    return { decisions: ["retry", "done", "failed", "discard"] };
  // What cannot be read may be a request, too.
  if (name !== undefined && name !== "invoice.issue") return undefined;
  const warning = "sends.unrecorded";
  if (name === undefined) return { decisions: ["discard"], warning };
  return { decisions: isUnsent ? ["retry", "failed", "discard"] : ["failed", "discard"], warning };
}
