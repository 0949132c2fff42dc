/**
 * Whether a person has taken the conversation over, or the contact wants no messages: checked when a message is taken and
 * right before it leaves.
 */
import type { Session } from "../../../engine/index.ts";
import type { SendEntry } from "../entry.ts";

/** Why this must not be sent to them now; undefined when it may. */
export function unwantedBy(
  entry: SendEntry,
  session: Session | null,
): "handoff" | "opt-out" | undefined {
  if (session?.handoff && !entry.byHuman) return "handoff";
  // A message that may be said during a hand-off may have been queued before the opt-out.
  const isOut = session?.optOut && (!entry.byHuman || entry.work.at < session.optOut.since);
  return isOut ? "opt-out" : undefined;
}
