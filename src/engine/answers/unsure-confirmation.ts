/**
 * A yes does not confirm while a wish for a change is open. The person at a summary asked for a change, or sent words that
 * could not be read. Then the summary is shown again, and only a yes written after that confirms it.
 */
import type { TurnDraft } from "../session/turn-draft.ts";
import { reprompt } from "../stack/frames.ts";
import type { Expectation, FlowEvent } from "../turn/program.ts";
import { expects } from "../turn/programs.ts";
import type { Frame } from "../session/frame.ts";

/** Nobody reads a summary and answers it in less: what comes sooner was written before it was seen. */
const READING_MS = 3_000;

/** Events that leave what stands as it was although something was wished, as far as anybody can tell. */
export function leavesDoubt(event: FlowEvent): boolean {
  switch (event.type) {
    case "NO":
      return true;
    case "EDIT":
      return event.slots.length === 0;
    // Only the word is wanting: nothing was said that could be a change.
    case "BAD":
      return event.reason !== "word-needed";
    default:
      return false;
  }
}

/** Events by which an answer changes, or is asked again: the summary that follows is another one. */
function settlesDoubt({ type }: FlowEvent): boolean {
  return type === "ANSWER" || type === "CORRECT" || type === "EDIT" || type === "BACK";
}

/** A mark, a smile, a number of at most two digits: whatever was meant, nothing of what stands was to become another. */
const NO_CHANGE = /^[^\p{L}\d]*\d{0,2}[^\p{L}\d]*$/u;

/** Before a yes: true when it must not count yet. What stands was shown again then. */
export function passesOver(draft: TurnDraft, frame: Frame): boolean {
  const { doubt } = frame;
  if (!doubt) return false;
  if (doubt.step !== confirmAt(draft, frame)) {
    delete frame.doubt;
    return false;
  }
  const { shown } = doubt;
  const written = draft.writtenAt ?? draft.env.now;
  const isRead = doubt.again === true || (shown !== undefined && written - shown >= READING_MS);
  if (isRead) {
    delete frame.doubt;
    return false;
  }
  // Once: of a phone whose clock is behind, every answer would seem to come too soon.
  doubt.again = true;
  draft.word("unchanged");
  reprompt(draft);
  return true;
}

/** After an event that somebody's message meant, at the step where it rested before. */
export function doubted(
  draft: TurnDraft,
  frame: Frame,
  event: FlowEvent,
  at: string | undefined,
): void {
  if (settlesDoubt(event) && !leavesDoubt(event)) delete frame.doubt;
  else if (event.type === "BAD" && draft.written !== "" && NO_CHANGE.test(draft.written)) return;
  else if (leavesDoubt(event)) doubtAt(draft, frame, at);
}

/** What was sent could not be read, or came as a picture or a voice: it may have been a change. */
export function unread(draft: TurnDraft, frame: Frame): void {
  if (draft.written !== "" && NO_CHANGE.test(draft.written)) return;
  doubtAt(draft, frame, confirmAt(draft, frame));
}

/** A summary was said in this turn: what is in doubt there has been seen, once it is read. */
export function shownAgain(draft: TurnDraft): void {
  const { top, env } = draft;
  if (!top?.doubt || top.doubt.shown !== undefined) return;
  const key = `confirm.${top.doubt.step}`;
  if (draft.paragraphs.some((one) => one.key === key)) top.doubt.shown = env.now;
}

/** The step at which a frame rests, where that is one that is confirmed. */
export function confirmAt(draft: TurnDraft, frame: Frame): string | undefined {
  const { rests, step }: Expectation = expects(draft, frame);
  return rests === "confirm" ? step : undefined;
}

/** Where it rests now, unless a no that is an answer led there from another summary. */
function doubtAt(draft: TurnDraft, frame: Frame, before: string | undefined): void {
  const step = confirmAt(draft, frame);
  if (step !== undefined && (before ?? step) === step) frame.doubt = { step };
}
