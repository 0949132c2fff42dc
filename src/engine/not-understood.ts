/** What nobody understood inside a flow, and what is said to it. */
import { unread } from "./doubted.ts";
import type { Draft } from "./draft.ts";
import { isClosing, isIssuing } from "./entrance.ts";
import { reprompt } from "./frames.ts";
import type { Content } from "./inbound.ts";
import { invoiceSentence } from "../plugins/invoicing/talk/note-wanted.ts";
import type { Expectation } from "./program.ts";
import { programOf } from "./programs.ts";
import type { Frame } from "./session.ts";

/** Somebody else has to answer: what the person writes meanwhile is nothing to be understood. */
export function isElsewhere({ rests }: Expectation): boolean {
  return rests === "notify" || rests === "wait" || rests === "effect";
}

/** Says so, and asks again; while somebody else has to answer it is heard as far as it may be something. */
export function notUnderstood(draft: Draft, content: Content, of?: Expectation): void {
  if (of && isElsewhere(of) && content.type !== "choice") {
    whileWaiting(draft, content);
    return;
  }
  if (draft.top && mayTell(content)) unread(draft, draft.top);
  if (content.type === "text" || content.type === "choice") draft.word("not-understood");
  else draft.word(content.type === "media" ? `got-${content.media}` : `got-${content.type}`);
  reprompt(draft);
}

/** Words that nobody understood, or could read: a smile or a place says nothing of what stands. */
function mayTell(content: Content): boolean {
  if (content.type !== "media") return content.type === "text";
  return SPOKEN.has(content.media) || content.media === "document";
}

/** A note told in a sentence while one is being issued, and not that one once more: it must not be thought to be on its way. */
function isOtherSale(draft: Draft, frame: Frame, text: string): boolean {
  if (!isIssuing(draft, frame.flow)) return false;
  const wanted = invoiceSentence(draft, text);
  const said = Object.entries({ ...wanted?.prefill, ...wanted?.input });
  const known = programOf(draft, frame).answers?.(frame.state) ?? {};
  const telling = said.filter(([slot]) => TELLING.has(slot));
  return telling.length > 1 && telling.some(([slot, value]) => known[slot] !== value);
}

/** What tells one sale from another. */
const TELLING: ReadonlySet<string> = new Set(["document", "name", "value"]);

/** What people say something with, that nobody here sees or hears. */
const SPOKEN: ReadonlySet<string> = new Set(["audio", "image", "video"]);

/** Nothing is asked of the person: a smile is a smile, and of the rest only what may hold words is wanted as words. */
function whileWaiting(draft: Draft, content: Content): void {
  if (content.type === "text" && draft.top && isOtherSale(draft, draft.top, content.text)) {
    draft.word("note-not-taken", { role: draft.session.role });
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
