/**
 * "Cancela o pedido da Maria" from the business. Only the customer can withdraw a request, so nothing is decided. The
 * request is shown with what the business can do with it.
 */
import { foldWords } from "../../brazil/index.ts";
import { withdrawsRequest } from "../../understanding/index.ts";
import { engage, which } from "../decisions/operator-answer.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { reprompt } from "../stack/frames.ts";
import type { Content } from "../session/inbound.ts";
import { isNamed } from "../decisions/other-request.ts";
import { putBack } from "./requests.ts";
import { isMenu } from "../session/roles.ts";
import { isRequest } from "../session/session.ts";

/** Longer texts are never such a wish, characters. */
const LONGEST = 80;
/** Whether a message was such a wish. `how`: only of a request that waits from whom it names, or of any. */
export function wouldWithdraw(draft: TurnDraft, content: Content, how: "named" | "any"): boolean {
  const { session, top } = draft;
  if (session.role !== "operator" || content.type !== "text") return false;
  if (top && !isMenu(draft, top) && !isRequest(top)) return false;
  const said = foldWords(content.text);
  if (content.text.length > LONGEST) return false;
  if (!withdrawsRequest(said, draft.context.business)) return false;
  const open = [...session.requests, ...session.frames.filter(isRequest)];
  const named = open.filter((frame) => isNamed(frame, said));
  if (open.length === 0 || (how === "named" && named.length === 0)) return false;
  const meant = named.length > 0 ? named : open;
  const [only, second] = meant;
  draft.word("request-not-ours");
  if (only && !second) {
    if (only === top) reprompt(draft);
    else engage(draft, only, "");
    return true;
  }
  for (const frame of session.frames.filter(isRequest)) putBack(draft, frame);
  which(draft, meant, "");
  return true;
}
