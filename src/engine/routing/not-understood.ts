/** Replies to messages inside a flow that could not be understood. */
import { isClosing } from "../../understanding/index.ts";
import { unread } from "../answers/premature-decision.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { reprompt } from "../stack/frames.ts";
import type { Content } from "../session/inbound.ts";
import type { Expectation } from "../turn/program.ts";
import { programOf } from "../turn/programs.ts";
import { openingOf, traitsOf } from "../turn/readers.ts";
import type { Frame } from "../session/frame.ts";

/**
 * Whether the flow waits for something other than the person: another contact, an outside event or a call. Then the
 * person's messages need not be understood.
 */
export function isElsewhere({ rests }: Expectation): boolean {
  return rests === "notify" || rests === "wait" || rests === "effect";
}

/** Says so, and asks again; while somebody else has to answer it is heard as far as it may be something. */
export function notUnderstood(draft: TurnDraft, content: Content, of?: Expectation): void {
  if (of && isElsewhere(of) && content.type !== "choice") {
    whileWaiting(draft, content);
    return;
  }
  if (draft.top && mayTell(content)) unread(draft, draft.top);
  if (content.type === "text" || content.type === "choice") draft.word("not-understood");
  else draft.word(content.type === "media" ? `got-${content.media}` : `got-${content.type}`);
  reprompt(draft);
}

/** Content that was not understood or cannot be read. A smile or a place says nothing about the current answers. */
function mayTell(content: Content): boolean {
  if (content.type !== "media") return content.type === "text";
  return SPOKEN.has(content.media) || content.media === "document";
}

/**
 * Another one told in a sentence while one is on its way, and not that one once more: key of the word that says so, because it must
 * not be thought to be taken.
 */
function otherOne(draft: TurnDraft, frame: Frame, text: string): string | undefined {
  if (!traitsOf(draft, frame.flow).fills) return undefined;
  const other = openingOf(draft, text)?.wanted?.other;
  if (!other) return undefined;
  const known = programOf(draft, frame).answers?.(frame.state) ?? {};
  const telling = Object.entries(other.tells);
  const isOther = telling.length > 1 && telling.some(([slot, value]) => known[slot] !== value);
  return isOther ? other.word : undefined;
}

/** Content that the bot cannot see or hear. */
const SPOKEN: ReadonlySet<string> = new Set(["audio", "image", "video"]);

/** While the person is asked nothing: a smile gets no reply, and only content that may hold words is asked for as text. */
function whileWaiting(draft: TurnDraft, content: Content): void {
  const other =
    content.type === "text" && draft.top ? otherOne(draft, draft.top, content.text) : undefined;
  if (other !== undefined) {
    draft.word(other, { role: draft.session.role });
    return;
  }
  const media = content.type === "media" ? content.media : "";
  if (media === "sticker" || (content.type === "text" && isClosing(content.text))) {
    draft.quiet = "thanks";
    return;
  }
  if (SPOKEN.has(media)) draft.word(`got-${media}`);
  reprompt(draft);
}
