/**
 * Messages that came without their words: the messenger cannot open them yet, or never will. The words may follow under
 * the same id, so such a message begins nothing and answers nothing. After a moment the engine is asked for it. The person
 * is asked to send it again only when nothing came.
 */
import { unread } from "../answers/premature-decision.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { reprompt } from "../stack/frames.ts";
import { type Frame, keepTimers } from "../session/frame.ts";

/** The messenger's own second delivery arrives within this time, ms. */
const ASK_MS = 6_000;
/** By this time after the message the answer to a recall has arrived, ms. */
const TELL_MS = 15_000;
/** A late recall is answered within this time, ms. */
const ANSWER_MS = 4_000;
/** After this time at the latest the person hears of a stream of them, ms. */
const LONGEST_MS = 60_000;
/** When no message of a person can be opened, the person hears of it once in this time, ms. */
const AGAIN_MS = 300_000;
/** Most messages that are waited for at once. With more, the wait for the first ones ends. */
const WAITING = 20;

export const ASK_TIMER = "unreadable.ask";
export const TELL_TIMER = "unreadable.tell";
/** Counts what stays unreadable, and asks for it where the engine can be asked. */
const RECALL = "messages.recall";

/** A message came without its words: it is waited for. */
export function awaitWords(draft: TurnDraft, id: string): void {
  const { session, env } = draft;
  const { waiting = [], told } = session.unreadable ?? {};
  draft.quiet = "unreadable";
  if (waiting.some((one) => one.id === id)) return;
  const since = waiting.length > 0 ? (session.unreadable?.since ?? env.now) : env.now;
  session.unreadable = {
    waiting: [...waiting, { id }].slice(-WAITING),
    since,
    ...(told === undefined ? {} : { told }),
  };
  if (!session.timers.some(({ name }) => name === ASK_TIMER))
    draft.setTimer(session, ASK_TIMER, env.now + ASK_MS);
  const due = Math.min(env.now + TELL_MS, since + LONGEST_MS);
  draft.setTimer(session, TELL_TIMER, Math.max(due, (told ?? -Infinity) + AGAIN_MS));
}

/** Readable content came under this id: the wait for it ends. */
export function hasWords({ session }: TurnDraft, id: string): void {
  const { unreadable } = session;
  if (!unreadable) return;
  const waiting = unreadable.waiting.filter((one) => one.id !== id);
  // Messages can be read again: the next unreadable one is reported to the person at once.
  const { told: _before, ...rest } = unreadable;
  session.unreadable = { ...rest, waiting };
  if (waiting.length === 0) forget(session);
}

/** Asks for what is still without words. Tried on every engine, since it is counted as well. */
export function askWords(draft: TurnDraft): void {
  const { session, env } = draft;
  const { unreadable, channel } = session;
  draft.quiet = "unreadable";
  const ids = unreadable?.waiting.filter(({ asked }) => !asked).map(({ id }) => id) ?? [];
  if (!unreadable || ids.length === 0 || channel === undefined) return;
  session.unreadable = {
    ...unreadable,
    waiting: unreadable.waiting.map(({ id }) => ({ id, asked: true })),
  };
  draft.ask({ type: "call", class: "read", name: RECALL, input: { channel, ids } });
  // Late, after a time in which nothing ran: what is asked for still has its time to come.
  const due = session.timers.find(({ name }) => name === TELL_TIMER)?.due ?? 0;
  draft.setTimer(session, TELL_TIMER, Math.max(due, env.now + ANSWER_MS));
}

/** No words came: the person gets one message for all unreadable ones, and the question stays. */
export function tellUnreadable(draft: TurnDraft): void {
  const { session, env, top } = draft;
  if (!session.unreadable) {
    draft.quiet = "stale";
    return;
  }
  say(draft);
  if (session.handoff || session.optOut) return;
  session.unreadable = { waiting: [], since: env.now, told: env.now };
  if (!top) return;
  unread(draft, top);
  reprompt(draft);
}

/**
 * Before a yes: what is waited for may have been a change. So it is told of now, and what stands is shown again before a yes
 * counts.
 */
export function unheardBefore(draft: TurnDraft, frame: Frame): void {
  const { unreadable } = draft.session;
  if (!unreadable || unreadable.waiting.length === 0) return;
  say(draft);
  unread(draft, frame);
}

function say(draft: TurnDraft): void {
  const { session } = draft;
  const count = session.unreadable?.waiting.length ?? 0;
  if (count > 0) draft.word("unreadable", { count });
  forget(session);
}

function forget(session: TurnDraft["session"]): void {
  delete session.unreadable;
  keepTimers(session, ({ name }) => name !== ASK_TIMER && name !== TELL_TIMER);
}
