/**
 * "Recusar A7" where no A7 waits: another operator decided it, it expired, or the code has a typing error. The message
 * decides no other request, and its words are not taken as a reason.
 */
import {
  beginsToDecide,
  decision,
  refusalIn,
  saysApproval,
  saysRefusal,
  standsBehind,
  understand,
  ungreeted,
} from "../../understanding/index.ts";
import { fits, isDecided, which } from "./operator-answer.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { begins } from "../stack/entrance.ts";
import { reprompt } from "../stack/frames.ts";
import type { Content } from "../session/inbound.ts";
import { programOf } from "../turn/programs.ts";
import { type Coded, codedIn, codesIn } from "../requests/request-code.ts";
import { isMenu } from "../session/roles.ts";
import { type Frame, isRequest } from "../session/session.ts";

/** Most words of a plain yes or no; a longer text says more. */
const PLAIN_WORDS = 4;
/** A heart, where no request has that code: "ok s2". */
const HEART = "S2";

/**
 * Whether a message would decide a request that is not open here. If so, the sender has heard that, and the waiting
 * requests have been shown.
 */
export function toStray(draft: TurnDraft, content: Content): boolean {
  const { session } = draft;
  if (content.type !== "text") return false;
  const coded = codedIn(content.text);
  const open = [...session.requests, ...session.frames].filter(isRequest);
  if (!coded || open.some(({ caller }) => caller?.code === coded.code)) return false;
  if (session.role !== "operator" && open.length === 0) return false;
  if (saysElse(draft, content.text, coded, open) || !isAboutIt(draft, coded, open)) return false;
  const { decided } = session;
  // Who refuses it now must hear that it was approved. Who approves it again need not.
  if (decided?.code === coded.code && decided.outcome === "approved" && refuses(draft, coded))
    draft.word("request-decided", { code: decided.code, outcome: decided.outcome });
  else draft.word("request-unknown", { code: coded.code });
  delete session.dropped;
  showOpen(draft);
  return true;
}

/** Shows the current question, or the waiting requests. */
function showOpen(draft: TurnDraft): void {
  const { session, top } = draft;
  const [only, second] = session.requests;
  if (top && (!isMenu(draft, top) || !only)) reprompt(draft);
  else if (second) which(draft, session.requests, session.pick?.text ?? "");
  else if (only) draft.sayOf(only, programOf(draft, only).prompt(only.state, draft.context));
}

/** What has the form of a code is a part of something else: an open request is named, or a task begins that decides on none. */
function saysElse(draft: TurnDraft, text: string, coded: Coded, open: readonly Frame[]): boolean {
  if (isDecidedAtOnce(draft, coded)) return false;
  const { top } = draft;
  const codes = codesIn(text);
  // A reason takes any text, and the menu none of a request: there it is said, and what waits is shown.
  const isHeard = !top || isDecided(draft, top);
  if (isHeard && open.some(({ caller }) => codes.includes(caller?.code ?? ""))) return true;
  return begins(draft, text) && !open.some((frame) => fits(draft, frame, { type: "text", text }));
}

function isAboutIt(draft: TurnDraft, coded: Coded, open: readonly Frame[]): boolean {
  const { session, top } = draft;
  const rest = restOf(coded);
  if (decision(rest, draft.context.business) || isRefusedAtOnce(draft, coded)) return true;
  // What else is asked of the person may be answered by anything with such a word in it.
  if (top && !isMenu(draft, top) && !isRequest(top)) return false;
  if (isApprovedAtOnce(draft, coded)) return true;
  const nothingWaits = open.length === 0;
  if (nothingWaits && coded.code === HEART && !session.over?.includes(HEART)) return false;
  if (rest === "") return true;
  // Where nothing waits, "liberar acesso A1" is said of something else.
  if (beginsToDecide(rest) && !(nothingWaits && saysApproval(rest))) return true;
  // Said first, it is what the rest is about, and no part of the reason of another.
  if (top && isRequest(top) && !isDecided(draft, top) && coded.before.trim() === "") return true;
  if (refusalIn(rest, draft.context.business) || rest.split(" ").length > PLAIN_WORDS) return false;
  const reply = understand("yesno", rest, draft.context);
  if (reply.ok && reply.value !== "edit") return true;
  return open.some(
    (frame) => isDecided(draft, frame) && fits(draft, frame, { type: "text", text: rest }),
  );
}

function restOf({ rest }: Coded): string {
  return ungreeted(rest);
}

function isDecidedAtOnce(draft: TurnDraft, coded: Coded): boolean {
  return (
    decision(restOf(coded), draft.context.business) !== null ||
    isRefusedAtOnce(draft, coded) ||
    isApprovedAtOnce(draft, coded)
  );
}

/** "Emitir o pedido A7", "A7 pode emitir, valor certo". */
function isApprovedAtOnce(draft: TurnDraft, coded: Coded): boolean {
  return (
    beginsToDecide(restOf(coded)) && standsBehind("approving", coded.before, draft.context.business)
  );
}

/** "Recusar A7, valor errado", "A7: recusar, valor errado". */
function isRefusedAtOnce({ context }: TurnDraft, { before, rest }: Coded): boolean {
  if (rest.includes("?") || !refusalIn(rest, context.business)) return false;
  return standsBehind("refusing", before, context.business);
}

function refuses(draft: TurnDraft, { rest }: Coded): boolean {
  if (saysRefusal(rest)) return true;
  const reply = understand("yesno", rest, draft.context);
  return reply.ok && reply.value === "no";
}
