/**
 * "Recusar A7" where no A7 waits: another operator decided it, it expired, or the code has a typing error. The message
 * decides no other request, and its words are not taken as a reason.
 */
import {
  beginsToDecide,
  decision,
  refusalIn,
  refusedOf,
  saysApproval,
  saysRefusal,
  standsBehind,
  understand,
  ungreeted,
} from "../../understanding/index.ts";
import { isMenu } from "../turn/programs.ts";
import { isRequest, type RequestFrame } from "../session/frame.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { begins } from "../stack/entrance.ts";
import type { Act, Heard } from "./act.ts";
import { fits, isDecided, textOf } from "./open-requests.ts";
import { codedIn, codesIn } from "./request-code.ts";

/** Most words of a plain yes or no; a longer text says more. */
const PLAIN_WORDS = 4;
/** A heart, where no request has that code: "ok s2". */
const HEART = "S2";

/** A code and what is said with it. */
interface Coded {
  readonly code: string;
  /** What stands in front of it. */
  readonly before: string;
  /** The text without it and without a greeting. */
  readonly rest: string;
}

/** What a message is answered that would decide a request that is not open here. */
export function byUnknownCode(draft: TurnDraft, { open, text }: Heard): Act | undefined {
  const { session } = draft;
  const found = text === undefined ? undefined : codedIn(text);
  if (text === undefined || !found) return undefined;
  if (open.some(({ caller }) => caller.code === found.code)) return undefined;
  if (session.role !== "operator" && open.length === 0) return undefined;
  const coded = { ...found, rest: ungreeted(found.rest) };
  if (saysElse(draft, text, coded, open) || !isAboutIt(draft, coded, open)) return undefined;
  const { decided } = session;
  // Who refuses it now must hear that it was approved. Who approves it again need not.
  const { code } = coded;
  if (decided?.code === code && decided.outcome === "approved" && refuses(draft, coded))
    return { says: ["request-decided", { code, outcome: decided.outcome }] };
  return { says: ["request-unknown", { code }] };
}

/** What has the form of a code is a part of something else: an open request is named, or a task begins that decides on none. */
function saysElse(
  draft: TurnDraft,
  text: string,
  coded: Coded,
  open: readonly RequestFrame[],
): boolean {
  if (isDecidedAtOnce(draft, coded)) return false;
  const { top } = draft;
  const codes = codesIn(text);
  // A reason takes any text, and the menu none of a request: there it is said, and what waits is shown.
  const isHeard = !top || isDecided(draft, top);
  if (isHeard && open.some(({ caller }) => codes.includes(caller.code ?? ""))) return true;
  return begins(draft, text) && !open.some((frame) => fits(draft, frame, textOf(text)));
}

function isAboutIt(draft: TurnDraft, coded: Coded, open: readonly RequestFrame[]): boolean {
  const { session, top } = draft;
  const { rest } = coded;
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
  return open.some((frame) => isDecided(draft, frame) && fits(draft, frame, textOf(rest)));
}

function isDecidedAtOnce(draft: TurnDraft, coded: Coded): boolean {
  return (
    decision(coded.rest, draft.context.business) !== null ||
    isRefusedAtOnce(draft, coded) ||
    isApprovedAtOnce(draft, coded)
  );
}

/** "Emitir o pedido A7", "A7 pode emitir, valor certo". */
function isApprovedAtOnce(draft: TurnDraft, coded: Coded): boolean {
  return (
    beginsToDecide(coded.rest) && standsBehind("approving", coded.before, draft.context.business)
  );
}

/** "Recusar A7, valor errado", "A7: recusar, valor errado". */
function isRefusedAtOnce({ context }: TurnDraft, { before, rest }: Coded): boolean {
  const { business } = context;
  const isRefused = refusalIn(rest, business) ?? refusedOf(rest, business);
  return !rest.includes("?") && !!isRefused && standsBehind("refusing", before, business);
}

function refuses(draft: TurnDraft, { rest }: Coded): boolean {
  if (saysRefusal(rest)) return true;
  const reply = understand("yesno", rest, draft.context);
  return reply.ok && reply.value === "no";
}
