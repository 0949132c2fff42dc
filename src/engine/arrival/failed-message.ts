/**
 * A message that failed for good. The flow that sent it may handle this (`onSendFailed`). Otherwise the person's next
 * message gets the question again.
 */
import type { TurnDraft } from "../session/turn-draft.ts";
import { send } from "../stack/frames.ts";
import type { Mail } from "../session/mail.ts";
import { expects } from "../turn/programs.ts";

/** Reason of a failed message: its number is on no messenger. */
export const NUMBER_UNKNOWN = "failed:number_unknown";

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
