/**
 * "Recusa a outra", "aprova o da Ana", "aprovar todos": a decision about another request than the current one, or about
 * several. Nothing is decided yet; the request that is meant, or the list, is shown.
 */
import { foldWords } from "../../brazil/index.ts";
import { engage, namesRequest, which } from "./operator-answer.ts";
import { decidesOn } from "../../understanding/index.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import type { Content } from "../session/inbound.ts";
import { putBack } from "../requests/requests.ts";
import { type Frame, isRequest } from "../session/session.ts";

/** Longer texts are never such a wish, characters. */
const LONGEST = 80;
/** Shorter names could be other words. Letters. */
const NAME_LETTERS = 3;

/** Whether a message was about such a request. */
export function toOther(draft: TurnDraft, content: Content): boolean {
  const { session, top } = draft;
  if (session.role !== "operator" || content.type !== "text") return false;
  const decided = content.text.length > LONGEST ? undefined : decidesOn(content.text);
  if (!decided) return false;
  if (namesRequest(draft, content.text)) return false;
  const inHand = top && isRequest(top) ? top : undefined;
  const open = [...session.requests, ...session.frames.filter(isRequest)];
  if (open.length < 2) return false;
  const others = open.filter((frame) => frame !== inHand);
  const said = foldWords(content.text);
  const meant = decided.other ? others : open.filter((frame) => isNamed(frame, said));
  const [only, second] = meant;
  if (only && !second && !decided.several) {
    engage(draft, only, "");
    return true;
  }
  if (!decided.other && !decided.several) return false;
  for (const frame of session.frames.filter(isRequest)) putBack(draft, frame);
  if (decided.several) draft.word("request-one-by-one");
  which(draft, session.requests, "");
  return true;
}

/** Whether a text has the first name of the person who sent the request. */
export function isNamed({ caller }: Frame, said: string): boolean {
  const [first = ""] = foldWords(caller?.from ?? "").split(" ");
  return first.length >= NAME_LETTERS && ` ${said} `.includes(` ${first} `);
}
