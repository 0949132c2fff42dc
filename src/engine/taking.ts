/** An event given to a frame by what a person said: what comes beside it, and that it is remembered which message it was. */
import type { Draft } from "./draft.ts";
import { reprompt, send } from "./frames.ts";
import { remember } from "./given.ts";
import type { Meaning } from "./meant.ts";
import type { FlowEvent } from "./program.ts";
import { programOf } from "./programs.ts";
import type { Frame } from "./session.ts";

/** An answer, and before it the reason that was asked for beside it. */
export function taken(draft: Draft, frame: Frame, meant: Extract<Meaning, { kind: "flow" }>): void {
  if (meant.asks) {
    const before = draft.paragraphs.length;
    send(draft, frame, { type: "WHY" });
    // Only the reason: the question after it is being answered.
    draft.paragraphs.length = Math.min(draft.paragraphs.length, before + 1);
  }
  const said = draft.paragraphs.length;
  take(draft, frame, meant.event);
  if (!meant.wrong || draft.top !== frame) return;
  const { slot } = programOf(draft, frame).expects(frame.state, draft.context);
  if (meant.event.type !== "EDIT" || slot !== meant.event.slots[0]) return;
  // Asked again for what is wrong with it, and by nothing else.
  draft.paragraphs.length = said;
  send(draft, frame, meant.wrong);
}

/** Gives an event to a frame; what no state takes is answered with the question again, never with silence. */
export function take(draft: Draft, frame: Frame, event: FlowEvent): void {
  const before = draft.paragraphs.length;
  if (event.type === "ANSWER" || event.type === "CORRECT")
    remember(draft.session, draft.messages, frame.id, Object.keys(event.values));
  const handled = send(draft, frame, event);
  if (draft.paragraphs.length > before || !draft.session.frames.includes(frame)) return;
  if (!handled || event.type === "REPEAT") reprompt(draft);
}
