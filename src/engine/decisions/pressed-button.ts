/**
 * A vote or button under a request. It answers the request it was sent with, whichever requests wait now. When that
 * request is over, nothing is decided, and what waits is shown.
 */
import { engage, which } from "./operator-answer.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { reprompt } from "../stack/frames.ts";
import type { Content } from "../session/inbound.ts";
import { codeBehind } from "../session/outbound.ts";
import { programOf } from "../turn/programs.ts";
import { type Frame, isRequest } from "../session/session.ts";

const ROW = /^([A-Z]\d{1,6}) \u00b7 /;

/** Whether it was such a press. */
export function toPressed(draft: TurnDraft, content: Content): boolean {
  const { session, top } = draft;
  if (content.type !== "choice") return false;
  const [only, second] = content.picks;
  const pressed = only && !second ? (codeBehind(only.label) ?? rowOf(only.label)) : undefined;
  if (!only || !pressed || isOffered(draft, only.label)) return false;
  const open = [...session.requests, ...session.frames].filter(isRequest);
  const frame = open.find(({ caller }) => caller?.code === pressed.code);
  if (frame) {
    engage(draft, frame, pressed.label);
    return true;
  }
  if (session.role !== "operator" && open.length === 0) return false;
  draft.word("request-over", { code: pressed.code });
  if (top) reprompt(draft);
  else if (session.requests.length > 1) which(draft, session.requests, "");
  else if (session.requests[0]) show(draft, session.requests[0]);
  return true;
}

/** A row of an older "which one?" list: it names a request and decides nothing. */
function rowOf(label: string): { readonly label: string; readonly code: string } | undefined {
  const code = ROW.exec(label)?.[1];
  return code === undefined ? undefined : { label: "", code };
}

/** Whether the current question has a row with exactly this label. */
function isOffered(draft: TurnDraft, label: string): boolean {
  const { top } = draft;
  if (!top || isRequest(top)) return false;
  const { choices = [] } = programOf(draft, top).expects(top.state, draft.context);
  return choices.some((choice) => choice.label === label);
}

function show(draft: TurnDraft, frame: Frame): void {
  draft.sayOf(frame, programOf(draft, frame).prompt(frame.state, draft.context));
}
