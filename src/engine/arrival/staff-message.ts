/**
 * A message that left from the business's phone and was not sent by the bot. Either a person typed it and takes the
 * conversation over, or the phone's own app sent a greeting or an away message, which changes nothing.
 */
import type { TurnDraft } from "../session/turn-draft.ts";
import type { InboundEvent } from "../session/inbound.ts";
import type { Mail } from "../session/mail.ts";
import { endHandoff } from "../policies/operator.ts";
import { keepTimers } from "../session/frame.ts";
import type { Session } from "../session/session.ts";

/** After a person typed on the business's phone, the bot is silent for this time since the last such message, ms. */
export const HUMAN_TYPED_MS = 30 * 60_000;
/** People need longer than this to read a message and type an answer, ms. Channels give whole seconds. */
const AT_ONCE_MS = 2_000;
/** A message after so long a silence begins a conversation, ms. */
const SILENCE_MS = 30 * 60_000;
/** This many messages are more than a greeting. */
const GREETING = 3;

/** A message left from the business's phone: a person has this chat there, unless the app answered by itself. */
export function typed(draft: TurnDraft, own: Extract<InboundEvent, { kind: "own" }>): void {
  const { session, env } = draft;
  if (isAtOnce(session.began, own.at)) {
    draft.automatic = true;
    draft.quiet = "automatic";
    return;
  }
  const { handoff } = session;
  const words = handoff ? handoff.typed : [];
  const until = env.now + HUMAN_TYPED_MS;
  session.handoff = {
    since: handoff?.since ?? env.now,
    reason: handoff?.reason ?? "typed",
    until,
    // While these are all of it, the hand-off can prove to be the app's.
    ...(words && words.length < GREETING
      ? { typed: [...words, { message: own.messageId, at: own.at }] }
      : {}),
  };
  draft.setTimer(session, "handoff.end", until);
  draft.quiet = "handoff";
}

/** Before the time of a message is noted: whether it begins a conversation. A greeting that overtook it takes nothing over. */
export function begun(draft: TurnDraft, at: number): void {
  const { session, env } = draft;
  if (session.lastSeen !== undefined && env.now - session.lastSeen <= SILENCE_MS) return;
  session.began = at;
  if (session.handoff?.typed?.every((words) => isAtOnce(at, words.at)) !== true) return;
  draft.automatic = true;
  takeBack(session);
}

/** The same words went to other contacts too: a hand-off that was caused only by them ends. */
export function provedAutomatic(
  draft: TurnDraft,
  { messages }: Extract<Mail, { kind: "automatic" }>,
): void {
  const { session } = draft;
  const { handoff } = session;
  draft.quiet = "automatic";
  if (!handoff?.typed) return;
  const others = handoff.typed.filter(({ message }) => !messages.includes(message));
  if (others.length > 0) {
    handoff.typed = others;
    return;
  }
  // Whoever wrote since was not answered.
  if ((session.lastSeen ?? 0) > handoff.since) endHandoff(draft, "handoff-returned");
  else takeBack(session);
}

function isAtOnce(began: number | undefined, at: number): boolean {
  return began !== undefined && at >= began && at - began <= AT_ONCE_MS;
}

function takeBack(session: Session): void {
  delete session.handoff;
  keepTimers(session, ({ name }) => name !== "handoff.end");
}
