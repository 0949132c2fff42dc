/**
 * A reply that quotes the message which showed a request. It answers that request, whichever requests wait now. When the
 * request is over, nothing is decided. When the quoted message is unknown, the request is shown before anything is
 * decided.
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
 * The bot's message that a message quotes. Replies by SMS always name the last one that was sent, so there the quote
 * means nothing.
 */
export function quotedIn(
  { channel }: Pick<Extract<Mail, { kind: "inbound" }>, "channel">,
  event: Extract<InboundEvent, { kind: "message" }>,
): string | undefined {
  if (channel === "sms") return undefined;
  return event.quoted ?? (event.content.type === "choice" ? event.content.of : undefined);
}

/** Whether the message was such a reply; if so, it has been handled. `quoted`: the channel's id of the quoted message. */
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
    decision(words, draft.context.business) !== null ||
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

/** Shows the requests that wait for this person's decision. */
export function showOpen(draft: TurnDraft): void {
  const { requests } = draft.session;
  const [only, second] = requests;
  if (second) which(draft, requests, "");
  else if (only) draft.sayOf(only, programOf(draft, only).prompt(only.state, draft.context));
}

/** The text or the pressed label; undefined for files and places, which decide nothing. */
function wordsOf(content: Content): string | undefined {
  if (content.type === "text") return content.text;
  if (content.type !== "choice") return undefined;
  const [only, second] = content.picks;
  return only && !second ? (codeBehind(only.label)?.label ?? only.label) : undefined;
}

/** Whether the text names another code. A written code counts more than the quoted message. */
function namesOther(draft: TurnDraft, content: Content, code: string): boolean {
  if (content.type !== "text" || !namesRequest(draft, content.text)) return false;
  return !codesIn(content.text).includes(code);
}
