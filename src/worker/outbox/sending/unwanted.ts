/** Who has the conversation, and who wants to hear no more: looked at when a bubble was taken and right before it leaves. */
import type { Session } from "../../../engine/index.ts";
import type { SendEntry } from "../entry.ts";

/** Why nothing of this may leave to them by now; undefined when it may. */
export function unwantedBy(
  entry: SendEntry,
  session: Session | null,
): "handoff" | "opt-out" | undefined {
  if (session?.handoff && !entry.byHuman) return "handoff";
  // What may be said while a person has the conversation was queued before they wanted to hear no more.
  const isOut = session?.optOut && (!entry.byHuman || entry.work.at < session.optOut.since);
  return isOut ? "opt-out" : undefined;
}
