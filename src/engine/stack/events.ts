/**
 * Events that no person of the conversation caused: something outside, such as a payment or a parcel, and a message of the bot that
 * failed for good.
 */
import type { TurnDraft } from "../session/turn-draft.ts";
import { reprompt, takes, send } from "./frames.ts";
import { keepEvent } from "./early-events.ts";
import type { Mail } from "../session/mail.ts";
import { expects } from "../turn/programs.ts";

/** An outside event: the step that waits for one takes it. */
export function happened(draft: TurnDraft, mail: Extract<Mail, { kind: "event" }>): void {
  const { session } = draft;
  // The conversation on top has been waiting for the shortest time, and is what the person thinks of.
  for (const frame of [...session.requests, ...session.frames].reverse())
    for (const call of [...frame.invocations]) {
      const { top } = draft;
      if (call.name !== mail.name || !takes(draft, frame, call, mail.data)) continue;
      // What it began on top asks by itself.
      if (top && top !== frame && draft.top === top) reprompt(draft, "resume");
      return;
    }
  keepEvent(draft, mail);
  draft.quiet = "kept";
}

/** Reason of a failed message: its number is on no messenger. */
export const NUMBER_UNKNOWN = "failed:number_unknown";

/**
 * The flow that sent the message may handle this (`onSendFailed`). Otherwise the person's next message gets the question
 * again.
 */
export function undelivered(draft: TurnDraft, mail: Extract<Mail, { kind: "send-failed" }>): void {
  const { session } = draft;
  const hadPerson = session.handoff !== undefined;
  draft.quiet = "send-failed";
  if (mail.reason === NUMBER_UNKNOWN) session.unreachable = draft.env.now;
  const frame = mail.frame === undefined ? undefined : draft.frame(mail.frame);
  // Once until the person writes: what the flow says now may fail as well.
  if (frame && !hadPerson && !session.optOut && !session.amended) {
    // A call that counts is on its way: a lost message is no reason to leave it.
    const { sealed } = expects(draft, frame);
    if (!sealed && send(draft, frame, { type: "send.failed", reason: mail.reason }))
      session.amended = true;
  }
  // What is said instead stands in the place of what was lost; a person who was called asks for themselves.
  if (draft.paragraphs.length > 0) delete session.unsaid;
  else if (!session.handoff || hadPerson) session.unsaid = true;
}
