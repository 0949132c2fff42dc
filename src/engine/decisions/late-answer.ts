/**
 * An answer that arrives after its request has ended: the customer changed the request, or another operator was faster.
 * The operator may not have read what still waits, so it is shown and a new answer is asked for.
 */
import { fits, namesRequest, which } from "./operator-answer.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import type { Content } from "../session/inbound.ts";
import { programOf } from "../turn/programs.ts";
import type { Frame } from "../session/session.ts";

/**
 * For this time after the end of a request, a decision without a code may still be about it, ms. The sender may not have
 * read what came since.
 */
const CROSSING_MS = 60_000;

/**
 * Whether a message written at `at` (ms) may be about a request that has ended. If so, the waiting requests have been
 * shown.
 */
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

/** Whether the content is a yes or no to that request. Text at the question for a reason belongs to that question. */
function decides(draft: TurnDraft, frame: Frame, content: Content): boolean {
  const { rests } = programOf(draft, frame).expects(frame.state, draft.context);
  return rests === "choose" && fits(draft, frame, content);
}
