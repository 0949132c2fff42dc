/**
 * An answer that crosses the end of the request it was meant for: the customer changed theirs, another operator was faster.
 * What still waits may be something its writer has not read yet, so it is shown, and asked for once more.
 */
import { fits, namesRequest, which } from "./operator-answer.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import type { Content } from "../session/inbound.ts";
import { programOf } from "../turn/programs.ts";
import type { Frame } from "../session/session.ts";

/** How long after the end of a request a bare decision may still be for it: reading what came since takes a moment. */
const CROSSING_MS = 60_000;

/** Whether a message, written at `at` ms, may have been meant for a request that is gone; then what waits was shown. */
export function crosses(draft: TurnDraft, content: Content, at: number): boolean {
  const { session } = draft;
  const { dropped } = session;
  delete session.dropped;
  if (dropped === undefined) return false;
  // A button stays where it is, and may be pressed at any time.
  if (content.type !== "choice" && at - dropped > CROSSING_MS) return false;
  if (content.type === "text" && namesRequest(draft, content.text)) return false;
  const open = [...session.requests, ...session.frames].filter(
    ({ caller }) => caller?.kind === "request",
  );
  const [only, second] = open.filter((frame) => decides(draft, frame, content));
  if (!only) return false;
  draft.word("request-crossed");
  if (second) which(draft, session.requests, "");
  else draft.sayOf(only, programOf(draft, only).prompt(only.state, draft.context));
  return true;
}

/** Whether it would choose between yes and no there; a reason that is being written belongs to its own request. */
function decides(draft: TurnDraft, frame: Frame, content: Content): boolean {
  const { rests } = programOf(draft, frame).expects(frame.state, draft.context);
  return rests === "choose" && fits(draft, frame, content);
}
