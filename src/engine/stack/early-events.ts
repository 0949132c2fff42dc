/** Outside events that came before a step waits for them. They are kept for a limited time. */
import type { TurnDraft } from "../session/turn-draft.ts";
import type { Mail } from "../session/mail.ts";
import type { Session } from "../session/session.ts";

/** How long an event waits for a step that wants it. */
const KEPT_MS = 24 * 3_600_000;
/** Events kept of one contact; the oldest go. */
const KEPT_MAX = 20;

type Kept = NonNullable<Session["events"]>[number];

export function keepEvent(
  { session, env }: TurnDraft,
  { name, data }: Extract<Mail, { kind: "event" }>,
): void {
  const fresh = (session.events ?? []).filter(({ at }) => env.now - at < KEPT_MS);
  session.events = [...fresh, { name, data, at: env.now }].slice(-KEPT_MAX);
}

/** Kept events of this name that have not expired, the oldest first. */
export function keptEvents({ session, env }: TurnDraft, name: string): readonly Kept[] {
  return (session.events ?? []).filter((one) => one.name === name && env.now - one.at < KEPT_MS);
}

/** Removes an event that a step took. */
export function dropEvent({ session }: TurnDraft, event: Kept): void {
  session.events = session.events?.filter((other) => other !== event);
}
