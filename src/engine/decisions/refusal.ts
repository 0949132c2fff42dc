/** "Recusar, valor errado": a refusal with its reason in the same message. */
import type { Refusal } from "../../understanding/index.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { programOf } from "../turn/programs.ts";
import type { Frame } from "../session/session.ts";
import { take } from "../stack/frame-event.ts";

/** Refuses, and answers the question that follows. False when the word refuses nothing here. */
export function refuse(draft: TurnDraft, frame: Frame, { word, reason }: Refusal): boolean {
  const program = programOf(draft, frame);
  const { asked, rests } = program.expects(frame.state, draft.context);
  const reading = rests === "choose" ? asked?.read(word, draft.context) : undefined;
  if (!asked || !reading?.ok) return false;
  const said = draft.paragraphs.length;
  take(draft, frame, { type: "ANSWER", values: { [asked.name]: reading.value } });
  if (!draft.session.frames.includes(frame)) return true;
  const next = program.expects(frame.state, draft.context).asked;
  const why = next?.kind === "text" ? next.read(reason, draft.context) : undefined;
  if (!next || !why?.ok) return true;
  draft.paragraphs.length = said;
  take(draft, frame, { type: "ANSWER", values: { [next.name]: why.value } });
  return true;
}
