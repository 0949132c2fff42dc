/**
 * A decision counts only for what was shown before it was written, by its sender's clock. A message that was on its way
 * for hours cannot confirm a newer summary. The current question is shown again instead.
 */
import type { TurnDraft } from "../session/turn-draft.ts";
import { reprompt } from "../stack/frames.ts";
import type { FlowEvent } from "../turn/program.ts";
import { expects } from "../turn/programs.ts";
import { isMenu } from "../routing/flows.ts";
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
