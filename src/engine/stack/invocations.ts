/**
 * Work that a frame has in progress: calls, requests, sub-flows and waits of its step, each with an epoch of its own. Outside events
 * that come before a step waits for them are kept for a limited time.
 */
import type { TurnDraft } from "../session/turn-draft.ts";
import { withdraw } from "../requests/outreach.ts";
import { type Frame, type Invocation, keepTimers } from "../session/frame.ts";
import type { Mail } from "../session/mail.ts";
import type { Session } from "../session/session.ts";

/** A step begins one; whatever it had before is dropped, and an open request withdrawn. */
export function invoke(
  draft: TurnDraft,
  frame: Frame,
  demand: { step: string; for: string },
  kind: Invocation["kind"],
  name: string,
): Invocation {
  const epoch = `${draft.session.rev + 1}.${draft.next()}`;
  const call: Invocation = { step: demand.step, kind, name, for: demand.for, epoch };
  for (const old of frame.invocations)
    if (old.step === demand.step && old.kind === "notify") withdraw(draft, old, "changed");
  frame.invocations = frame.invocations.filter((other) => other.step !== demand.step);
  frame.invocations.push(call);
  return call;
}

/** Drops invocations and step timers of steps the frame does not rest in any more; withdraws open requests. */
export function leaveSteps(
  draft: TurnDraft,
  frame: Frame,
  at: string,
  ended: string | undefined,
): void {
  const current = (name: string) =>
    ended === undefined && (at === name || at.startsWith(`${name}-held`));
  for (const call of frame.invocations)
    if (call.kind === "notify" && !current(call.step))
      withdraw(draft, call, ended === "cancelled" ? "cancelled" : "changed");
  frame.invocations = frame.invocations.filter((call) => current(call.step));
  keepTimers(frame, ({ name }) => {
    const owner = name.slice(0, name.lastIndexOf("."));
    return owner === "quiet" ? ended === undefined : current(owner);
  });
}

/** Timers of a question without an answer. */
export function isQuiet(timer: string): boolean {
  return timer.startsWith("quiet.");
}

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
