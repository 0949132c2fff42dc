/**
 * Durable timers: they are part of the session, so a timer and the changes it makes are committed together.
 *
 * Each fires once, even when it became due while no process ran. A timer of a step that the frame has left is removed.
 * One whose turn fails in every attempt is set aside or put off, so that others go on.
 */
import { answerOld } from "../arrival/arrival.ts";
import { BACKLOG_TIMER, inOrder } from "../arrival/backlog.ts";
import { BURST_TIMER } from "../arrival/burst.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { send } from "../stack/frames.ts";
import { flushBurst } from "../routing/inside-flow.ts";
import { dropKept, keepDraft, KEPT_TIMER } from "../stack/expired-request.ts";
import { endHandoff } from "../policies/operator.ts";
import { remind, withdraw } from "../requests/outreach.ts";
import { tellRevised } from "../arrival/edited-message.ts";
import { REVISED_TIMER } from "../arrival/recent-messages.ts";
import { type Frame, keepTimers } from "../session/frame.ts";
import type { Session } from "../session/session.ts";
import { ASK_TIMER, askWords, TELL_TIMER, tellUnreadable } from "../arrival/unreadable-message.ts";
import type { WrittenMail } from "../session/inbound.ts";
import type { Mail, Timer } from "../session/mail.ts";

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
function firstDue<T extends { readonly due: number }>(
  timers: readonly T[],
  now: number,
): T | undefined {
  return timers.filter(({ due }) => due <= now).sort((a, b) => a.due - b.due)[0];
}

/** What a timer does that its owner has no more. */
function fireOne(
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

type TimerMail = Extract<Mail, { kind: "timer" }>;
type Owner = Session | Frame;

/** What is written in place of a turn that failed in every attempt. */
export interface FailingTimer {
  /** One revision on from the one that was given. */
  readonly session: Session;
  /** As in a turn's result. */
  readonly due: number | null;
  /** The same for the same timer. */
  readonly event: string;
  /** What lets it fire again; of a backlog the message that failed. */
  readonly mail: TimerMail | WrittenMail;
}

/**
 * Sets the timer aside that a tick at `now` fires first: the one that fails, where each fires alone. Others go on. It stays
 * aside until a person releases its dead letter, or the conversation has left what it was set for. Null: none is due.
 */
export function setTimerAside(session: Session, now: number): FailingTimer | null {
  const first = firstOf(session, now);
  if (!first) return null;
  const { owner, timer } = first;
  if (timer.name === BACKLOG_TIMER && owner === session) return withoutFirst(session, first);
  const { burst, ...rest } = changed(session, first, (of) =>
    // A burst is what a person said: it goes with its letter, or every further message would meet it again.
    timer.name === BURST_TIMER
      ? {}
      : { aside: [...(of.aside ?? []).filter(({ name }) => name !== timer.name), timer] },
  );
  const said = timer.name === BURST_TIMER ? burst : undefined;
  const next = burst && !said ? { ...rest, burst } : rest;
  const { name, due, gen } = timer;
  const frame = "frames" in owner ? undefined : owner;
  return {
    session: next,
    due: nextDue(next),
    event: `timer:${frame ? `${frame.id}.` : ""}${name}:${gen}`,
    mail: {
      kind: "timer",
      name,
      due,
      gen,
      ...(frame ? { frame: frame.id, flow: frame.flow } : {}),
      ...(said ? { burst: said } : {}),
    },
  };
}

/** The message of a backlog that is read first leaves it, and the others are read without it. */
function withoutFirst(session: Session, first: Owned): FailingTimer | null {
  const { timer } = first;
  const { backlog, ...rest } = changed(session, first, () => ({}));
  const [mail, ...left] = inOrder(backlog?.mails ?? []);
  if (!mail || !backlog) return null;
  const waits = { ...timer, gen: session.count + 1 };
  const next: Session =
    left.length === 0
      ? rest
      : {
          ...rest,
          backlog: { ...backlog, mails: left },
          count: waits.gen,
          timers: [...rest.timers, waits],
        };
  return { session: next, due: nextDue(next), event: `late:${mail.event.messageId}`, mail };
}

/** Puts the same timer off until `until`, for when there is no room for its letter. Null: none is due. */
export function putTimerOff(
  session: Session,
  now: number,
  until: number,
): Pick<FailingTimer, "session" | "due"> | null {
  const first = firstOf(session, now);
  if (!first) return null;
  const later = { ...first.timer, due: until };
  const next = changed(session, first, ({ timers }) => ({
    timers: timers.map((timer) => (timer === first.timer ? later : timer)),
  }));
  return { session: next, due: nextDue(next) };
}

/** A person released its letter: it fires, if it still stands. */
export function fireAgain(draft: TurnDraft, { name, due, gen, frame, burst }: TimerMail): void {
  const { session } = draft;
  if (burst) {
    if (session.burst) flushBurst(draft);
    session.burst = burst;
    flushBurst(draft);
    return;
  }
  const owner = frame === undefined ? session : draft.frame(frame);
  const stands = (timer: Timer) => timer.name === name && timer.gen === gen;
  if (!owner?.aside?.some(stands)) {
    draft.quiet = "stale";
    return;
  }
  keepTimers(owner, (timer) => !stands(timer));
  fireOne(draft, { owner, name, due });
}

interface Owned {
  readonly owner: Owner;
  readonly timer: Timer;
  readonly due: number;
}

/** In the order in which a turn looks for them. */
function firstOf(session: Session, now: number): Owned | undefined {
  const owners: Owner[] = [session, ...session.frames, ...session.requests];
  const all = owners.flatMap((owner) =>
    owner.timers.map((timer) => ({ owner, timer, due: timer.due })),
  );
  return firstDue(all, now);
}

/** A copy of the session, one revision on, in which the timer's owner is changed and has the timer no more, or as changed. */
function changed(
  session: Session,
  { owner, timer }: Owned,
  change: (of: Owner) => Partial<Pick<Owner, "timers" | "aside">>,
): Session {
  const of = <T extends Owner>(one: T): T =>
    one === owner
      ? { ...one, timers: one.timers.filter((other) => other !== timer), ...change(one) }
      : one;
  return {
    ...of(session),
    rev: session.rev + 1,
    frames: session.frames.map(of),
    requests: session.requests.map(of),
  };
}
