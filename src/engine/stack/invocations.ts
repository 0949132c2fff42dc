/**
 * Work that a frame has in progress: calls, requests, sub-flows and waits of its step, each with an epoch of its own.
 */
import type { TurnDraft } from "../session/turn-draft.ts";
import { withdraw } from "../requests/outreach.ts";
import { type Frame, type Invocation, keepTimers } from "../session/frame.ts";

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
