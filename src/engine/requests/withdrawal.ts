/**
 * "Cancela o pedido da Maria" from the business: a request is its customer's, who alone takes it back. It is shown with what can be
 * done with it here, and nothing is decided.
 */
import { foldWords } from "../../brazil/index.ts";
import { engage, which } from "../decisions/answering.ts";
import type { Draft } from "../session/draft.ts";
import { reprompt } from "../stack/frames.ts";
import type { Content } from "../session/inbound.ts";
import { isNamed } from "../decisions/other-request.ts";
import { putBack } from "./requests.ts";
import { isMenu } from "../session/roles.ts";
import { isRequest } from "../session/session.ts";
import { withThings } from "../turn/things.ts";

/** Longer than any such wish. */
const LONGEST = 80;
const TAKES_BACK =
  /^(?:(?:oi|opa|ah|por favor|pf|eu|quero|queria|preciso|pode|podem|da pra|tem como|como|please|i|we|want to|can you|you can) )*(?:cancel\w*|desist\w*|apag\w*|exclu\w*|retir\w*|tira|drop|withdraw|delete)\b/;
const A_REQUEST = /\b(?:pedidos?|solicitac(?:ao|oes)|requests?)\b/;
/** What exists is given up in another way. */
const NO_REQUEST = withThings(({ things }) => new RegExp(`\\b(?:${things})\\b`));

/** Whether a message was such a wish. `how`: only of a request that waits from whom it names, or of any. */
export function wouldWithdraw(draft: Draft, content: Content, how: "named" | "any"): boolean {
  const { session, top } = draft;
  if (session.role !== "operator" || content.type !== "text") return false;
  if (top && !isMenu(draft, top) && !isRequest(top)) return false;
  const said = foldWords(content.text);
  if (content.text.length > LONGEST || !TAKES_BACK.test(said)) return false;
  if (!A_REQUEST.test(said) || NO_REQUEST(draft.context).test(said)) return false;
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
