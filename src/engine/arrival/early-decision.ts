/**
 * A decision counts only for what was shown before it was written, by its sender's clock: what waited for hours on its way must not
 * confirm what was shown since. What is being asked is shown again instead.
 */
import type { TurnDraft } from "../session/turn-draft.ts";
import { reprompt } from "../stack/frames.ts";
import type { FlowEvent } from "../turn/program.ts";
import { programOf } from "../turn/programs.ts";
import { isMenu } from "../session/roles.ts";
import type { Frame } from "../session/session.ts";

/** So far the clocks of a phone, an engine and ours may be apart, ms; also people write "EMITIR" ahead by some seconds. */
const SKEW_MS = 60_000;
/** Nobody reads what was shown again and answers it in less, ms. */
const READING_MS = 3_000;
/** A clock that is behind goes on as ours does, up to this, ms: stamps are whole seconds, and messages take a moment. */
const DRIFT_MS = 5_000;

/** Whether a decision was written before it was asked for; then it was shown again. */
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

/** A yes, or a choice that somebody waits for. What is chosen from a menu only begins something. */
function decides(draft: TurnDraft, frame: Frame, { type }: FlowEvent): boolean {
  if (type === "YES") return true;
  if (type !== "ANSWER" || isMenu(draft, frame)) return false;
  return programOf(draft, frame).expects(frame.state, draft.context).rests === "choose";
}
