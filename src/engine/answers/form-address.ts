/**
 * An address among the lines of a message that answers other questions too. It answers the address question, so that the
 * person need not send it again.
 */
import { addressBlock } from "../../understanding/index.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { expects } from "../turn/programs.ts";
import type { Frame } from "../session/frame.ts";
import { take } from "../stack/frame-event.ts";

/** `before`: paragraphs of the turn when the message came; a question asked since then is answered, and not shown. */
export function takeFormAddress(
  draft: TurnDraft,
  frame: Frame,
  text: string,
  before: number,
): void {
  if (draft.top !== frame) return;
  const line = addressBlock(text);
  if (line === undefined) return;
  const { slots } = expects(draft, frame);
  const [slot, second] = slots.filter(({ kind }) => kind === "address");
  if (!slot || second || slot.filled) return;
  const reading = slot.read(line, draft.context);
  if (!reading.ok) return;
  const kept = draft.paragraphs.filter(({ key }, at) => at < before || !key?.startsWith("ask."));
  draft.paragraphs.splice(0, Infinity, ...kept);
  take(draft, frame, { type: "ANSWER", values: { [slot.name]: reading.value } });
}
