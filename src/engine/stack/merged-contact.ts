/**
 * Two contacts that proved to be one person: the conversation of the younger contact becomes part of the older one's.
 *
 * A flow with something in progress goes on; otherwise the flow of the latest message does. The other flow stays below it,
 * like any interrupted flow, and continues afterwards. So no waiting question or call result is lost, and nothing begins
 * again.
 */
import type { TurnDraft } from "../session/turn-draft.ts";
import type { ShownRequest } from "../session/effect.ts";
import { REMEMBERED, renameFrames } from "../arrival/recent-messages.ts";
import { keepDraft } from "./expired-request.ts";
import type { Mail } from "../session/mail.ts";
import { quieten } from "../policies/opt-out.ts";
import { withdraw } from "../requests/outreach.ts";
import { codeOf } from "../requests/request-code.ts";
import { expects, isMenu } from "../turn/programs.ts";
import { joinedAddress, openRequests, restoreSession, type Session } from "../session/session.ts";
import { type Frame, isRequest, type RequestFrame } from "../session/frame.ts";
import { renameShown, SHOWN } from "../requests/request-memory.ts";

type JoinedMail = Extract<Mail, { kind: "joined" }>;

/** Frames of both, with room for a digression on top of them. */
const FRAMES = 5;
const REQUESTS = 200;
const EVENTS = 20;
const ASKED = 200;
/** Most former contacts of a person. */
const BEFORE = 20;
/** Characters of a contact id that tell its frames from those of others of the same person. */
const ID = 8;

/** The name a frame of a contact that was merged has here. Kept over a second merge. */
function nameOf(frame: string, from: string): string {
  return frame.includes(".") ? frame : `${from.slice(0, ID)}.${frame}`;
}

/** Mail that was sent to a contact that was merged, about a frame as it is named here. */
export function redirected(mail: Mail): Mail {
  if (!("via" in mail) || mail.via === undefined) return mail;
  const { via } = mail;
  if (mail.kind === "send-failed")
    return mail.frame === undefined ? mail : { ...mail, frame: nameOf(mail.frame, via) };
  if (mail.kind === "shown") return { ...mail, request: ofFrame(mail.request, via) };
  if (mail.kind === "resolved" || mail.kind === "send-arrived") {
    const { shown } = mail;
    return shown ? { ...mail, shown: { ...shown, request: ofFrame(shown.request, via) } } : mail;
  }
  if (mail.kind === "timer") {
    const { frame, burst } = mail;
    return {
      ...mail,
      ...(frame === undefined ? {} : { frame: nameOf(frame, via) }),
      ...(burst ? { burst: { ...burst, of: placeNamed(burst.of, via) } } : {}),
    };
  }
  return { ...mail, waiter: { ...mail.waiter, frame: nameOf(mail.waiter.frame, via) } };
}

function ofFrame(request: ShownRequest, from: string): ShownRequest {
  return { ...request, frame: nameOf(request.frame, from) };
}

/** The place of a burst: a frame and, behind a dot, its step. */
function placeNamed(place: string, from: string): string {
  return /^f\d+\./.test(place) ? `${from.slice(0, ID)}.${place}` : place;
}

/** What a journal keeps of it: the conversation stands in the session, and so does its origin; so do words said before. */
export function withoutSession(mail: Mail): Mail {
  if (mail.kind === "timer") {
    const { burst: _said, ...timer } = mail;
    return timer;
  }
  return mail.kind === "joined" ? { kind: "joined", from: mail.from } : mail;
}

export function joined(draft: TurnDraft, mail: JoinedMail): void {
  const { session, env } = draft;
  draft.quiet = "joined";
  if (mail.session === undefined) return;
  // A merge that a crash cut off is done again, perhaps by way of a second one: what it brings is part of this already.
  if (session.joined?.some(({ contact }) => contact === mail.from)) return;
  const stored = restoreSession(mail.session);
  if (typeof stored === "string") throw new Error(`the session of a merged contact is ${stored}`);
  const other = renamed(stored, mail.from);
  const isWork = (frame: Frame) => !isMenu(draft, frame);
  const front = frontOf(session, other, isWork);
  const below = new Set((front === other ? session : other).frames.map(({ id }) => id));
  const whole = merged(session, other, { from: mail.from, now: env.now, isWork });
  for (const key of Object.keys(session) as (keyof Session)[]) delete session[key];
  Object.assign(session, whole);
  shorten(draft, below);
  recode(draft, other);
  if (session.optOut) quieten(draft);
}

/** The session that goes on: the one with something in progress, otherwise the one of the latest message. */
function frontOf(own: Session, other: Session, isWork: IsWork): Session {
  const [mine, theirs] = [own.frames.some(isWork), other.frames.some(isWork)];
  if (mine !== theirs) return mine ? own : other;
  return (other.lastSeen ?? 0) > (own.lastSeen ?? 0) ? other : own;
}

/** Whether a frame is more than a menu without a choice. */
type IsWork = (frame: Frame) => boolean;

/** Names of frames are unique only within a session, so the frames of the other one get new names. */
function renamed(session: Session, from: string): Session {
  const ofFrame = (frame: Frame): Frame => ({
    ...frame,
    id: nameOf(frame.id, from),
    ...(frame.caller?.kind === "frame"
      ? {
          caller: {
            ...frame.caller,
            waiter: { ...frame.caller.waiter, frame: nameOf(frame.caller.waiter.frame, from) },
          },
        }
      : {}),
  });
  const { burst, given, shown } = session;
  const top = session.frames.at(-1);
  return {
    ...session,
    frames: session.frames.map(ofFrame),
    requests: session.requests.map((frame) => ({ ...frame, id: nameOf(frame.id, from) })),
    ...(burst && top && burst.of.startsWith(`${top.id}.`)
      ? { burst: { ...burst, of: `${nameOf(top.id, from)}${burst.of.slice(top.id.length)}` } }
      : {}),
    ...(given ? { given: renameFrames(given, (frame) => nameOf(frame, from)) } : {}),
    ...(shown ? { shown: renameShown(shown, (frame) => nameOf(frame, from)) } : {}),
  };
}

function merged(
  own: Session,
  other: Session,
  { from, now, isWork }: { readonly from: string; readonly now: number; readonly isWork: IsWork },
): Session {
  const front = frontOf(own, other, isWork);
  const back = front === own ? other : own;
  const [last, first] =
    (other.lastSeen ?? 0) > (own.lastSeen ?? 0) ? ([other, own] as const) : ([own, other] as const);
  const spoken = first.localeAsked && !last.localeAsked ? first : last;
  const isAlone = front.frames.length === 0;
  const { stack, requests } = isAlone
    ? { stack: back.frames, requests: [] }
    : resting(back.frames, isWork);
  const seen = latest(own.lastSeen, other.lastSeen);
  const burst = front.burst ?? (isAlone ? back.burst : undefined);
  const optOut = optOutOf(own, other);
  const whole: { [K in keyof Session]: Session[K] | undefined } = {
    schema: own.schema,
    account: own.account,
    contact: own.contact,
    rev: own.rev,
    frames: [...stack, ...front.frames],
    requests: [...own.requests, ...other.requests, ...requests].slice(0, REQUESTS),
    channel: last.channel ?? first.channel,
    ...joinedAddress(last, first),
    name: last.name ?? first.name,
    role: own.role,
    locale: spoken.locale,
    localeAsked: spoken.localeAsked,
    handoff: front.handoff ?? back.handoff,
    optOut,
    noticeAt: latest(own.noticeAt, other.noticeAt),
    unreachable: seen === undefined ? latest(own.unreachable, other.unreachable) : undefined,
    lastSeen: seen,
    began: last.began ?? first.began,
    endedAt: latest(own.endedAt, other.endedAt),
    served: latest(own.served, other.served),
    lastSaid: front.lastSaid ?? back.lastSaid,
    unsaid: front.unsaid,
    amended: front.amended,
    flood: floodOf(own, other),
    asked: orNone(
      [...(own.asked ?? []), ...(other.asked ?? [])].sort((a, b) => a - b),
      ASKED,
    ),
    given: orNone([...(back.given ?? []), ...(front.given ?? [])], REMEMBERED),
    shown: orNone([...(back.shown ?? []), ...(front.shown ?? [])], SHOWN),
    revised: orNone([...(back.revised ?? []), ...(front.revised ?? [])], REMEMBERED),
    kept: front.kept ?? back.kept,
    burst,
    backlog: backlogOf(own, other),
    pick: front.pick,
    unreadable: front.unreadable ?? back.unreadable,
    hushed: front.hushed ?? back.hushed,
    events: orNone([...(back.events ?? []), ...(front.events ?? [])], EVENTS),
    joined: [...(own.joined ?? []), ...(other.joined ?? []), { contact: from, at: now }].slice(
      -BEFORE,
    ),
    timers: [
      ...front.timers,
      ...back.timers.filter(({ name }) => !front.timers.some((timer) => timer.name === name)),
    ].filter(({ name }) => name !== "burst" || burst !== undefined),
    aside: front.aside ?? back.aside,
    // Whatever gets a number from here on has one that neither gave.
    count: Math.max(own.count, other.count),
  };
  return Object.fromEntries(
    Object.entries(whole).filter(([, value]) => value !== undefined),
  ) as unknown as Session;
}

/** Drops menus without a choice. Requests of others that were being answered are open again. */
function resting(
  frames: readonly Frame[],
  isWork: IsWork,
): { stack: Frame[]; requests: RequestFrame[] } {
  const isIdle = (frame: Frame) => !isWork(frame) && frame === frames.at(-1);
  return {
    stack: frames.filter((frame) => !isRequest(frame) && !isIdle(frame)),
    requests: frames.filter(isRequest),
  };
}

/** An opt-out under either name holds until the person writes again. */
function optOutOf(own: Session, other: Session): Session["optOut"] {
  if (own.optOut && other.optOut)
    return own.optOut.since > other.optOut.since ? own.optOut : other.optOut;
  const [out, one] = own.optOut ? [own.optOut, other] : [other.optOut, own];
  return out && out.since >= (one.lastSeen ?? 0) ? out : undefined;
}

function floodOf({ flood: one }: Session, { flood: other }: Session): Session["flood"] {
  if (!one || !other) return one ?? other;
  const isWorse =
    (other.until ?? 0) > (one.until ?? 0) || (one.until === undefined && other.count > one.count);
  return isWorse ? other : one;
}

/** Written under both names. */
function backlogOf({ backlog: one }: Session, { backlog: other }: Session): Session["backlog"] {
  if (!one || !other) return one ?? other;
  return { mails: [...one.mails, ...other.mails], since: Math.min(one.since, other.since) };
}

function latest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

function orNone<T>(list: readonly T[], limit: number): T[] | undefined {
  return list.length === 0 ? undefined : list.slice(-limit);
}

/**
 * Shortens a stack that is too deep: frames that only ask are removed, the lowest first. Frames with a call or request
 * in progress stay.
 */
function shorten(draft: TurnDraft, below: ReadonlySet<string>): void {
  const { session } = draft;
  for (const frame of session.frames.filter(({ id }) => below.has(id))) {
    if (session.frames.length <= FRAMES) return;
    if (!draft.env.library.get(frame.flow, frame.hash)) continue;
    const { sealed } = expects(draft, frame);
    const isPending = frame.invocations.some(({ kind }) => kind === "effect" || kind === "notify");
    if (sealed || isPending) continue;
    if (!session.kept) keepDraft(draft, frame);
    for (const call of frame.invocations) withdraw(draft, call, "cancelled");
    session.frames = session.frames.filter((one) => one !== frame);
  }
}

/**
 * Makes short codes unique: of two requests with one code, the other contact's gets a new one, and the person hears of
 * it.
 */
function recode(draft: TurnDraft, other: Session): void {
  const { session } = draft;
  const theirs = new Set(openRequests(other).map(({ id }) => id));
  const all = openRequests(session);
  const taken = new Set(all.filter(({ id }) => !theirs.has(id)).map(({ caller }) => caller.code));
  for (const { id, caller } of all) {
    if (!theirs.has(id)) continue;
    if (taken.has(caller.code)) {
      for (let salt = 1; taken.has(caller.code); salt++)
        caller.code = codeOf(`${caller.request}#${salt}`);
      draft.word("request-reminder", { code: caller.code });
    }
    taken.add(caller.code);
  }
}
