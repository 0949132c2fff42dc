/**
 * Durable timers: they are part of the session, so a timer and the changes it makes are committed together.
 *
 * Each fires once, even when it became due while no process ran. A timer of a step that the frame has left is removed.
 */
import { answerOld } from "../arrival/arrival.ts";
import { BACKLOG_TIMER } from "../arrival/backlog.ts";
import { BURST_TIMER } from "../arrival/burst.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { send } from "../stack/frames.ts";
import { flushBurst } from "../routing/inside-flow.ts";
import { dropKept, keepDraft, KEPT_TIMER } from "../stack/expired-request.ts";
import { endHandoff } from "../policies/operator.ts";
import { remind, withdraw } from "../requests/outreach.ts";
import { tellRevised } from "../arrival/edited-message.ts";
import { REVISED_TIMER } from "../arrival/recent-messages.ts";
import type { Frame } from "../session/frame.ts";
import type { Session } from "../session/session.ts";
import { ASK_TIMER, askWords, TELL_TIMER, tellUnreadable } from "../arrival/unreadable-message.ts";

/** A backlog is answered within this, ms. */
const BACKLOG_MS = 60_000;
/** From this on a timer counts as late, ms; less is the pace of the loops. */
const LATE_MS = 1_000;

/** Fires what is due, oldest first. What was due long ago tells the flow and the journal by how much. */
export function fire(draft: TurnDraft): void {
  let fired = 0;
  do {
    const due = firstDue(draft.timers(), draft.env.now);
    if (!due) break;
    due.owner.timers = due.owner.timers.filter((timer) => timer.name !== due.name);
    fired++;
    fireOne(draft, due);
  } while (!draft.env.oneTimer);
  if (fired === 0) draft.quiet = "stale";
}

/** Which of several fires first: the one due longest, of those due together the first one. */
export function firstDue<T extends { readonly due: number }>(
  timers: readonly T[],
  now: number,
): T | undefined {
  return timers.filter(({ due }) => due <= now).sort((a, b) => a.due - b.due)[0];
}

/** What a timer does that its owner has no more. */
export function fireOne(
  draft: TurnDraft,
  { owner, name, due }: { readonly owner: Frame | Session; name: string; due: number },
): void {
  draft.fired = true;
  const late = draft.env.now - due;
  if (late >= LATE_MS) draft.lateMs = Math.max(late, draft.lateMs ?? 0);
  if ("frames" in owner) ofSession(draft, owner, name);
  else ofFrame(draft, owner, name, late >= LATE_MS ? { lateMs: late } : {});
}

/** Earliest due time over all timers; null when none is set. */
export function nextDue(session: Session): number | null {
  const all = [session, ...session.frames, ...session.requests].flatMap((owner) => owner.timers);
  return all.length === 0 ? null : Math.min(...all.map((timer) => timer.due));
}

function ofSession(draft: TurnDraft, _session: Session, name: string): void {
  if (name === "handoff.end") endHandoff(draft, "handoff-over");
  else if (name === BURST_TIMER) flushBurst(draft);
  else if (name === ASK_TIMER) askWords(draft);
  else if (name === TELL_TIMER) tellUnreadable(draft);
  else if (name === REVISED_TIMER) tellRevised(draft);
  else if (name === BACKLOG_TIMER) answerOld(draft);
  else if (name === KEPT_TIMER) {
    dropKept(draft);
    draft.quiet = "forgotten";
  }
}

function ofFrame(draft: TurnDraft, frame: Frame, name: string, late: { lateMs?: number }): void {
  if (name === "quiet.nudge" || name === "quiet.expire") {
    // While a person has the conversation, no reminder is sent and nothing expires. A backlog may hold the answer.
    if (draft.session.backlog) draft.setTimer(frame, name, draft.env.now + BACKLOG_MS);
    else if (draft.session.handoff) draft.setTimer(frame, name, draft.env.now + 3_600_000);
    // Nobody is asked "still there?" in the breath that says it is over.
    else if (name === "quiet.nudge" && isOver(draft, frame)) return;
    else if (draft.top === frame) {
      if (name === "quiet.expire") keepDraft(draft, frame);
      send(draft, frame, { type: name, ...late });
    } else if (name === "quiet.expire") endUnheard(draft, frame);
    return;
  }
  const dot = name.lastIndexOf(".");
  const call = frame.invocations.find((other) => other.step === name.slice(0, dot));
  if (!call) return;
  if (name.endsWith(".remind")) {
    remind(draft, call);
    return;
  }
  frame.invocations = frame.invocations.filter((other) => other !== call);
  withdraw(draft, call, "late");
  send(draft, frame, { type: `${call.step}.late`, for: call.for, out: {} });
}

function isOver(draft: TurnDraft, frame: Frame): boolean {
  const { now } = draft.env;
  return frame.timers.some((timer) => timer.name === "quiet.expire" && timer.due <= now);
}

/** A flow below a digression runs out without a word: the digression on top says it when its own time is up. */
function endUnheard(draft: TurnDraft, frame: Frame): void {
  const said = draft.paragraphs.length;
  keepDraft(draft, frame);
  send(draft, frame, { type: "quiet.expire" });
  draft.paragraphs.length = said;
}
