/**
 * A timer whose turn failed in every attempt. It is set aside in the session, so that other timers go on. It stays there
 * until a person releases its dead letter, or the conversation has left what it was set for.
 */
import { BACKLOG_TIMER, inOrder } from "../arrival/backlog.ts";
import { BURST_TIMER } from "../arrival/burst.ts";
import { flushBurst } from "../routing/inside-flow.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import type { WrittenMail } from "../session/inbound.ts";
import type { Mail } from "../session/mail.ts";
import { type Frame, keepTimers } from "../session/frame.ts";
import type { Timer } from "../session/timer.ts";
import type { Session } from "../session/session.ts";
import { fireOne, firstDue, nextDue } from "./timers.ts";

type TimerMail = Extract<Mail, { kind: "timer" }>;
type Owner = Session | Frame;

/** What is written in place of the turn that failed. */
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

/** Sets the timer aside that a tick at `now` fires first: the one that fails, where each fires alone. Null: none is due. */
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
