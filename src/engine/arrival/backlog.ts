/**
 * Messages that are read long after they were written: fetched by back-fill, delivered again after an outage, or left in a
 * mailbox. They come one by one and in any order, so they wait briefly for each other. They are answered in the order in
 * which they were written, with one reply.
 */
import { flushBurst } from "../routing/inside-flow.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { asks } from "./burst-interruption.ts";
import { type InboundEvent, type WrittenMail, writtenAt } from "../session/inbound.ts";
import type { Paragraph } from "../turn/program.ts";
import { tellRevised } from "./edited-message.ts";
import { isWaiting, recordRevision } from "./recent-messages.ts";
import { keepTimers } from "../session/frame.ts";

export const BACKLOG_TIMER = "backlog";
/** A message that was on its way for longer than this is old; engines need less, ms. */
const OLD_MS = 120_000;
/** How long the next message is waited for, ms. Engines deliver what they kept within seconds of each other. */
const NEXT_MS = 3_000;
/** Longest wait for all of them, ms. */
const LONGEST_MS = 30_000;
/** Messages that wait, and their size as JSON, characters; with more they are answered at once. A session must stay small. */
const MOST = { messages: 50, size: 100_000 } as const;
/** Free text written later than this after the text before does not continue it, ms. */
const CONTINUES_MS = 30_000;
/** The latest of them older than this calls for an apology, ms. */
const APOLOGY_MS = 3_600_000;

/** Whether a message was written long before now. */
export function isOld({ env }: TurnDraft, mail: WrittenMail): boolean {
  return env.now - writtenAt(mail) >= OLD_MS;
}

/** Adds a message to the backlog; false when the whole backlog is to be answered now. */
export function waitsInBacklog(draft: TurnDraft, mail: WrittenMail): boolean {
  const { session, env } = draft;
  const { mails = [], since = env.now } = session.backlog ?? {};
  const all = [...mails, mail];
  session.backlog = { mails: all, since };
  const due = Math.min(env.now + NEXT_MS, since + LONGEST_MS);
  const isMuch = all.length >= MOST.messages || JSON.stringify(all).length >= MOST.size;
  const isFull = isMuch || due <= env.now;
  // One that is new: its writer is there now, and everything is answered.
  if (isFull || !isOld(draft, mail)) return false;
  draft.setTimer(session, BACKLOG_TIMER, due);
  draft.quiet = "backlog";
  return true;
}

/** An edit or a deletion of a message that still waits. */
export function revisesBacklog(
  draft: TurnDraft,
  event: Extract<InboundEvent, { kind: "edit" | "delete" }>,
): boolean {
  const { session } = draft;
  const found = session.backlog?.mails.find((one) => one.event.messageId === event.messageId);
  if (!session.backlog || !found) return false;
  const text = event.kind === "edit" ? event.text : undefined;
  if (text !== undefined) {
    found.event.content = { type: "text", text };
    recordRevision(draft, event.messageId, { how: "edit" });
    draft.quiet = "backlog";
    return true;
  }
  session.backlog.mails = session.backlog.mails.filter((one) => one !== found);
  return false;
}

/** Answers what waits with one reply. `answer`: reads one message; `isSameReply`: the reply is to messages before it as well. */
export function answerBacklog(
  draft: TurnDraft,
  answer: (mail: WrittenMail, isSameReply: boolean) => void,
): void {
  const { session, env } = draft;
  const { mails: waiting = [], since = env.now } = session.backlog ?? {};
  const sorted = inOrder(waiting);
  // A turn failed before: each is read alone, so that the one that fails is known.
  const count = env.oneTimer ? 1 : sorted.length;
  const [mails, rest] = [sorted.slice(0, count), sorted.slice(count)];
  delete session.backlog;
  keepTimers(session, ({ name }) => name !== BACKLOG_TIMER);
  if (rest.length > 0) {
    session.backlog = { mails: rest, since };
    draft.setTimer(session, BACKLOG_TIMER, env.now);
  }
  draft.quiet = "stale";
  const said = draft.paragraphs.length;
  let last = -Infinity;
  for (const [index, mail] of mails.entries()) {
    if (session.burst && writtenAt(mail) - last >= CONTINUES_MS)
      replies(draft, said, () => {
        flushBurst(draft);
      });
    last = writtenAt(mail);
    replies(draft, said, () => {
      draft.messages = [mail.event.messageId];
      answer(mail, index > 0);
    });
  }
  // Nothing more follows of what was written long ago.
  replies(draft, said, () => {
    if (isWaiting(session)) tellRevised(draft);
    else if (session.burst) flushBurst(draft);
  });
  const old = mails.filter((one) => isOld(draft, one)).map(writtenAt);
  const isLate = old.length > 0 && env.now - Math.max(...old) >= APOLOGY_MS;
  if (draft.paragraphs.length > said && isLate) draft.paragraphs.splice(said, 0, apology(draft));
}

/** In the order in which they were written. */
export function inOrder(mails: readonly WrittenMail[]): readonly WrittenMail[] {
  return [...mails].sort((one, other) => writtenAt(one) - writtenAt(other));
}

/** One reply for all messages: earlier questions are dropped, and nothing is said twice. */
function replies(draft: TurnDraft, from: number, answer: () => void): void {
  const before = draft.paragraphs.splice(from);
  answer();
  const after = draft.paragraphs.splice(from);
  const isNew = ({ text }: Paragraph) => !after.some((one) => one.text === text);
  // Who wants to hear no more hears that alone.
  const isOut = draft.session.optOut !== undefined;
  const rest = isOut ? [] : before.filter((one) => !asks(one) && isNew(one));
  draft.paragraphs.push(...(after.length === 0 ? before : rest), ...after);
}

function apology({ env, context }: TurnDraft): Paragraph {
  const key = "heard-late";
  return { key, text: env.library.word(key, {}, context) };
}
