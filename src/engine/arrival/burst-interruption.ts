/**
 * A message that ends a waiting burst: "cancelar" in the same second as "Maria Souza". The burst is answered first, then
 * the message. The question that the burst would have led to is not sent. A deletion that waits for its edit ends in the
 * same way.
 */
import { flushBurst } from "../routing/inside-flow.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import type { Paragraph } from "../turn/program.ts";
import { tellRevised } from "./edited-message.ts";
import { isWaiting } from "./recent-messages.ts";

/** Ends the waiting burst and answers the message, in one reply with one question. */
export function interrupt(draft: TurnDraft, answer: () => void): void {
  const said = draft.paragraphs.length;
  if (isWaiting(draft.session)) tellRevised(draft);
  else flushBurst(draft);
  const frame = draft.top;
  const held = draft.paragraphs.splice(said);
  answer();
  const isSilent = draft.paragraphs.length === said;
  const isCancelled =
    frame !== undefined &&
    draft.moves.some((move) => move.frame === frame.id && move.to === "ended-cancelled");
  const kept = isSilent ? held : isCancelled ? [] : held.filter((one) => !asks(one));
  draft.paragraphs.splice(said, 0, ...kept);
}

/** A question, with what was wrong with the answer to it. */
export function asks({ key = "", choices = [] }: Paragraph): boolean {
  return choices.length > 0 || /^(?:ask|bad|confirm)\./.test(key);
}
