/**
 * A request that is meant by where something is said: in a reply to a message, in a row of a list, on a button. The words alone
 * decide nothing where the person may not have read what waits now.
 */
import { codeBehind } from "../session/effect.ts";
import { wasShownLater } from "../answers/premature-decision.ts";
import type { Content, InboundEvent } from "../session/inbound.ts";
import type { Mail } from "../session/mail.ts";
import { isRequest, type RequestFrame } from "../session/frame.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { expects } from "../turn/programs.ts";
import { fits, namedByCode, namesRequest, rowOf, textOf } from "./open-requests.ts";
import { openRequests } from "../session/session.ts";
import { withoutCode } from "./request-code.ts";
import { isShown, shownBy } from "./request-memory.ts";
import type { Act, Heard } from "./act.ts";

/** "aprovar" with several open requests: for this long an answer to "which one?" counts, ms. */
const PICK_MS = 10 * 60_000;
/**
 * For this time after the end of a request, a decision without a code may still be about it, ms. The sender may not have
 * read what came since.
 */
const CROSSING_MS = 60_000;
export const NUMBER = /^\s*(\d{1,2})\s*[.)]?\s*$/;
/** A row of an older "which one?" list. */
const ROW = /^([A-Z]\d{1,6}) \u00b7 /;

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

/** A reply to the message that showed a request is for that one, whichever wait now; of one that is over nothing is decided. */
export function byQuote(draft: TurnDraft, heard: Heard): Act | undefined {
  const { content, quoted, open } = heard;
  const shown = quoted === undefined ? undefined : shownBy(draft.session, quoted);
  if (!shown || heard.words === undefined) return undefined;
  const frame = open.find(({ id }) => id === shown.frame);
  // A written code counts more.
  const named = content.type === "text" ? namedByCode(draft, content.text) : [];
  if (named.some((one) => one !== frame)) return undefined;
  const words = named.length > 0 ? withoutCode(heard.words, shown.code) : heard.words;
  if (frame) return { to: frame, content: textOf(words), isProven: true };
  const isAnswer = heard.decision !== null || open.some((one) => fits(draft, one, content));
  return isAnswer ? { says: ["request-over", { code: shown.code }] } : undefined;
}

/** A decision in a reply to a message that showed no request: what waits is shown before anything is decided. */
export function byOtherQuote(draft: TurnDraft, heard: Heard): Act | undefined {
  const { session, top } = draft;
  const { content, quoted, open, words } = heard;
  if (quoted === undefined || words === undefined || namesRequest(draft, words)) return undefined;
  if (shownBy(session, quoted)) return undefined;
  // To a question of their own it is an answer.
  if (top && !isRequest(top) && !heard.decision) return undefined;
  const meant = open.filter((frame) => fits(draft, frame, content));
  // Nobody knows which messages showed it: they may be older than what is remembered.
  if (meant.length === 0 || !meant.every(({ id }) => isShown(session, id))) return undefined;
  const which = top && isRequest(top) ? [top] : open;
  return { says: ["request-which-reply"], which };
}

/** A number or a row right after "which one?", even while another question waits. */
export function byRow(draft: TurnDraft, { content, open }: Heard): Act | undefined {
  const picked = pickedFrame(draft, content);
  const text = keptFor(draft);
  if (picked === "older") return { which: open, keep: text };
  return picked && { to: picked, content: textOf(text) };
}

/** The row of the last list that is named; "older": it was written before that list was shown, so it may name another one. */
export function pickedFrame(
  draft: TurnDraft,
  content: Content,
): RequestFrame | "older" | undefined {
  const { pick } = draft.session;
  if (!pick || draft.env.now - pick.at > PICK_MS) return undefined;
  const frame = rowIn(draft, content);
  return frame && wasShownLater(draft, pick.at) ? "older" : frame;
}

function rowIn({ session }: TurnDraft, content: Content): RequestFrame | undefined {
  const ids = session.pick?.requests ?? [];
  const find = (id: string | undefined) => session.requests.find((frame) => frame.id === id);
  if (content.type === "choice") {
    const [row] = content.picks;
    // A vote tells the row alone, which begins with the code.
    return (
      find(row?.id?.replace(/^request:/, "")) ??
      session.requests.find((frame) => row !== undefined && rowOf(frame) === row.label)
    );
  }
  const number = content.type === "text" ? NUMBER.exec(content.text) : null;
  return number ? find(ids[Number(number[1]) - 1]) : undefined;
}

/** What was said to "which one?", kept for the request that is named. */
export function keptFor({ session, env }: TurnDraft): string {
  const { pick } = session;
  return pick && env.now - pick.at <= PICK_MS ? pick.text : "";
}

/** A vote or button under a request answers the one it was sent with; a row of an older list names it. */
export function byPress(draft: TurnDraft, { content, open }: Heard): Act | undefined {
  if (content.type !== "choice") return undefined;
  const [only, second] = content.picks;
  if (!only || second || isOffered(draft, only.label)) return undefined;
  const behind = codeBehind(only.label);
  const code = behind?.code ?? ROW.exec(only.label)?.[1];
  if (code === undefined) return undefined;
  const frame = open.find(({ caller }) => caller.code === code);
  if (frame) return { to: frame, content: textOf(behind?.label ?? "") };
  return { says: ["request-over", { code }] };
}

/** Whether the current question has a row with exactly this label. */
function isOffered(draft: TurnDraft, label: string): boolean {
  const { top } = draft;
  if (!top || isRequest(top)) return false;
  const { choices = [] } = expects(draft, top);
  return choices.some((choice) => choice.label === label);
}

/**
 * An answer that arrives after its request has ended: the customer changed the request, or another operator was faster.
 * The operator may not have read what still waits, so it is shown and a new answer is asked for.
 */
export function crosses(draft: TurnDraft, { content, at }: Heard): Act | undefined {
  const { dropped } = draft.session;
  if (dropped === undefined) return undefined;
  // A button stays where it is, and may be pressed at any time.
  if (content.type !== "choice" && at - dropped > CROSSING_MS) return undefined;
  if (content.type === "text" && namesRequest(draft, content.text)) return undefined;
  // Text at the question for a reason belongs to that question.
  const decides = (frame: RequestFrame) =>
    expects(draft, frame).rests === "choose" && fits(draft, frame, content);
  const meant = openRequests(draft.session).filter(decides);
  return meant.length > 0 ? { says: ["request-crossed"], which: meant } : undefined;
}
