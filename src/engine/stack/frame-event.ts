/**
 * Gives a frame the event that a person's message means, with further values of the message. The session remembers which
 * message it was.
 */
import { confirmAt, doubted, leavesDoubt, passesOver } from "../answers/unsure-confirmation.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { isEarly } from "../arrival/early-decision.ts";
import { reprompt, send } from "./frames.ts";
import { remember } from "../arrival/recent-messages.ts";
import type { MeantFlow } from "../answers/meaning-result.ts";
import type { FlowEvent, Paragraph } from "../turn/program.ts";
import { expects } from "../turn/programs.ts";
import type { Frame } from "../session/frame.ts";
import { unheardBefore } from "../arrival/unreadable-message.ts";

/** An answer, and before it the reason that was asked for beside it. */
export function taken(draft: TurnDraft, frame: Frame, meant: MeantFlow): void {
  if (meant.asks) {
    const before = draft.paragraphs.length;
    send(draft, frame, { type: "WHY" });
    // Only the reason: the question after it is being answered.
    draft.paragraphs.length = Math.min(draft.paragraphs.length, before + 1);
  }
  const said = draft.paragraphs.length;
  take(draft, frame, meant.event);
  if (meant.beside && draft.top === frame) {
    // After it: what is asked again is not shown as known in between.
    draft.paragraphs.length = said;
    take(draft, frame, { type: "CORRECT", values: meant.beside });
    without(draft, said, ({ key }) => key === "current");
  }
  // How a flow begins is no news to somebody in the middle of it, whoever it is for now.
  if (meant.event.type === "EDIT" && meant.event.anew && draft.top === frame)
    without(draft, said, ({ key }) => key?.startsWith("say.") === true);
  if (!meant.wrong || draft.top !== frame) return;
  const { slot } = expects(draft, frame);
  if (meant.event.type !== "EDIT" || slot !== meant.event.slots[0]) return;
  // Asked again for what is wrong with it, and by nothing else.
  if (meant.beside) {
    without(draft, said, ({ key }) => key?.startsWith("ask.") === true);
    send(draft, frame, meant.wrong);
    return;
  }
  // What stands is told after what is wrong with the new one; beside a choice it would only be in the way.
  const isChoice = meant.wrong.type === "BAD" && meant.wrong.options !== undefined;
  const standing = draft.paragraphs.slice(said).filter(({ key }) => key === "current" && !isChoice);
  draft.paragraphs.length = said;
  send(draft, frame, meant.wrong);
  draft.paragraphs.push(...standing);
}

function without(draft: TurnDraft, from: number, isOut: (one: Paragraph) => boolean): void {
  const kept = draft.paragraphs.filter((one, at) => at < from || !isOut(one));
  draft.paragraphs.splice(0, Infinity, ...kept);
}

/** Gives an event to a frame; what no state takes is answered with the question again, never with silence. */
export function take(draft: TurnDraft, frame: Frame, event: FlowEvent): void {
  if (isEarly(draft, frame, event)) return;
  if (event.type === "YES") {
    unheardBefore(draft, frame);
    if (passesOver(draft, frame)) return;
  }
  const before = draft.paragraphs.length;
  const at = leavesDoubt(event) ? confirmAt(draft, frame) : undefined;
  if (event.type === "ANSWER" || event.type === "CORRECT")
    remember(draft.session, draft.messages, frame.id, Object.keys(event.values));
  const handled = send(draft, frame, event);
  if (draft.session.frames.includes(frame)) doubted(draft, frame, event, at);
  if (draft.paragraphs.length > before || !draft.session.frames.includes(frame)) return;
  if (!handled || event.type === "REPEAT") reprompt(draft);
}
