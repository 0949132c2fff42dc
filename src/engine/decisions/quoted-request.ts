/**
 * A reply to the very message that showed a request: it is for that one, whatever waits by now. Of one that is over it decides
 * nothing; what a reply to an unknown message would decide is shown first.
 */
import { decision } from "../../understanding/index.ts";
import { engage, fits, namesRequest, which } from "./operator-answer.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { reprompt } from "../stack/frames.ts";
import type { Content, InboundEvent } from "../session/inbound.ts";
import type { Mail } from "../session/mail.ts";
import { codeBehind } from "../session/outbound.ts";
import { programOf } from "../turn/programs.ts";
import { codesIn } from "../requests/request-code.ts";
import { type Frame, isRequest } from "../session/session.ts";
import { isShown, shownBy } from "../requests/request-messages.ts";

/**
 * The message of ours that a message points at. Replies by SMS always name one, the last that was sent there: nobody chose it.
 */
export function quotedIn(
  { channel }: Pick<Extract<Mail, { kind: "inbound" }>, "channel">,
  event: Extract<InboundEvent, { kind: "message" }>,
): string | undefined {
  if (channel === "sms") return undefined;
  return event.quoted ?? (event.content.type === "choice" ? event.content.of : undefined);
}

/** Whether it was such a reply, and is answered by now. `quoted`: the channel's id of the message it points at. */
export function toQuoted(draft: TurnDraft, content: Content, quoted: string | undefined): boolean {
  const { session, top } = draft;
  const shown = quoted === undefined ? undefined : shownBy(session, quoted);
  const words = wordsOf(content);
  if (!shown || words === undefined || namesOther(draft, content, shown.code)) return false;
  const open = openOnes(draft);
  const frame = open.find(({ id }) => id === shown.frame);
  if (frame) {
    delete session.pick;
    draft.proven = frame.id;
    engage(draft, frame, words);
    return true;
  }
  const isAnswer =
    decision(words, draft.context.business) !== undefined ||
    open.some((one) => fits(draft, one, content));
  if (!isAnswer) return false;
  draft.word("request-over", { code: shown.code });
  if (top) reprompt(draft);
  else showOpen(draft);
  return true;
}

/** Whether it would decide on a request by a reply to a message that did not show it; then what waits is shown. */
export function missesQuoted(
  draft: TurnDraft,
  content: Content,
  quoted: string | undefined,
): boolean {
  const { session, top } = draft;
  const words = wordsOf(content);
  if (quoted === undefined || words === undefined || namesRequest(draft, words)) return false;
  if (shownBy(session, quoted)) return false;
  // To a question of their own it is an answer.
  if (top && !isRequest(top) && !decision(words, draft.context.business)) return false;
  const meant = openOnes(draft).filter((frame) => fits(draft, frame, content));
  // Nobody knows which messages showed it: they may be older than what is remembered.
  if (meant.length === 0 || !meant.every(({ id }) => isShown(session, id))) return false;
  draft.word("request-which-reply");
  if (top && isRequest(top)) reprompt(draft);
  else showOpen(draft);
  return true;
}

function openOnes({ session }: TurnDraft): readonly Frame[] {
  return [...session.requests, ...session.frames].filter(isRequest);
}

/** What waits for this person's decision. */
export function showOpen(draft: TurnDraft): void {
  const { requests } = draft.session;
  const [only, second] = requests;
  if (second) which(draft, requests, "");
  else if (only) draft.sayOf(only, programOf(draft, only).prompt(only.state, draft.context));
}

/** What was written or pressed. A file or a place decides nothing. */
function wordsOf(content: Content): string | undefined {
  if (content.type === "text") return content.text;
  if (content.type !== "choice") return undefined;
  const [only, second] = content.picks;
  return only && !second ? (codeBehind(only.label)?.label ?? only.label) : undefined;
}

/** The code that is written says more than the message it stands under. */
function namesOther(draft: TurnDraft, content: Content, code: string): boolean {
  if (content.type !== "text" || !namesRequest(draft, content.text)) return false;
  return !codesIn(content.text).includes(code);
}
