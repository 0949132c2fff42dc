/**
 * A decision that does not count yet. It was written before its question was shown, by its sender's clock, or a wish for a
 * change is open at the summary that it would confirm. The current question or summary is shown again instead.
 */
import type { TurnDraft } from "../session/turn-draft.ts";
import { reprompt } from "../stack/frames.ts";
import type { Expectation, FlowEvent } from "../turn/program.ts";
import { expects, isMenu } from "../turn/programs.ts";
import type { Frame } from "../session/frame.ts";

/**
 * Allowed difference between the clocks of a phone, an engine and this machine, ms. People also write "EMITIR" some
 * seconds ahead.
 */
const SKEW_MS = 60_000;
/** People need at least this time to read a summary and answer it, ms. */
const READING_MS = 3_000;
/** A slow clock runs at our speed, up to this difference, ms: stamps are whole seconds, and messages take a moment. */
const DRIFT_MS = 5_000;

/** Whether a decision was written before its question was shown. If so, the question has been shown again. */
export function isEarly(draft: TurnDraft, frame: Frame, event: FlowEvent): boolean {
  const { writtenAt, env } = draft;
  const { asked, early } = frame;
  if (writtenAt === undefined || !wasShownLater(draft, asked)) return false;
  if (draft.proven === frame.id || !decides(draft, frame, event)) return false;
  delete frame.early;
  // Of a phone whose clock is behind, every answer would seem to come too soon: it goes on by as much as ours. Such a clock is
  // behind from the first message on: what was written before that one is a replay.
  const isReplay = writtenAt < (draft.session.began ?? writtenAt);
  const passed = early ? env.now - early.at : 0;
  const isBehind =
    early !== undefined &&
    !isReplay &&
    passed >= READING_MS &&
    Math.abs(writtenAt - early.written - passed) <= DRIFT_MS;
  if (isBehind) return false;
  frame.early = { written: writtenAt, at: env.now };
  draft.word("written-before");
  reprompt(draft);
  return true;
}

/** Whether the message that is being read was written before something was shown. */
export function wasShownLater({ writtenAt }: TurnDraft, shown: number | undefined): boolean {
  return writtenAt !== undefined && shown !== undefined && writtenAt < shown - SKEW_MS;
}

/** A yes, or a choice that another contact waits for. A choice from a menu only begins something and is never early. */
function decides(draft: TurnDraft, frame: Frame, { type }: FlowEvent): boolean {
  if (type === "YES") return true;
  if (type !== "ANSWER" || isMenu(draft, frame)) return false;
  return expects(draft, frame).rests === "choose";
}

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
