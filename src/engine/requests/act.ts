/** What is heard of requests in a message of a person of the business, and what is done about it, as data. */
import type { JsonObject } from "../../base/index.ts";
import { type Decision, decision } from "../../understanding/index.ts";
import { outsideFlow } from "../routing/outside-flow.ts";
import type { Content } from "../session/inbound.ts";
import { codeBehind } from "../session/outbound.ts";
import { isRequest, type RequestFrame } from "../session/frame.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { reprompt } from "../stack/frames.ts";
import { toAnswer } from "./answer-request.ts";
import { askWhich, putBack, showWaiting, textOf, turnTo } from "./open-requests.ts";
import { openRequests } from "../session/session.ts";

/** A message, as far as requests are concerned. */
export interface Spoken {
  readonly content: Content;
  /** When it was written, ms. */
  readonly at: number;
  /** The bot's message that it quotes. */
  readonly quoted: string | undefined;
}

/** What is read of it, once. */
export interface Heard extends Spoken {
  readonly open: readonly RequestFrame[];
  /** Undefined for any content but text. */
  readonly text: string | undefined;
  /** The text, or the pressed label without its code; undefined for files and places, which decide nothing. */
  readonly words: string | undefined;
  /** Those words as a decision and nothing else. */
  readonly decision: Decision | null;
}

export function hear({ session, context }: TurnDraft, spoken: Spoken): Heard {
  const { content } = spoken;
  const text = content.type === "text" ? content.text : undefined;
  const [only, second] = content.type === "choice" ? content.picks : [];
  const label = only && !second ? (codeBehind(only.label)?.label ?? only.label) : undefined;
  const words = text ?? label;
  return {
    ...spoken,
    open: openRequests(session),
    text,
    words,
    decision: words === undefined ? null : decision(words, context.business),
  };
}

/** Where neither a request, a choice of several nor a task is named, the question in progress or what waits is shown. */
export interface Act {
  /** A common word that is said first, and its variables. */
  readonly says?: readonly [key: string, vars?: JsonObject];
  /** The request that is turned to. */
  readonly to?: RequestFrame;
  /** What it gets as its answer; undefined or an empty text: it is shown. */
  readonly content?: Content;
  /** A quote proves that its question was read. */
  readonly isProven?: true;
  /** Requests that are shown; of several it is asked which one is meant. */
  readonly which?: readonly RequestFrame[];
  /** The words that are the answer to the one that is picked. */
  readonly keep?: string;
  /** A text that begins a task: the request in hand goes back to the others. */
  readonly task?: string;
  /** The last decision is not told once more. */
  readonly forgets?: true;
}

/** Does it; false where there is nothing to do. */
export function carryOut(draft: TurnDraft, act: Act | undefined): boolean {
  // Who turns to a request, or to a task, may not have read of the end of another one yet.
  if (!act?.to && act?.task === undefined) delete draft.session.dropped;
  if (!act) return false;
  const { says, to, content, isProven, which, keep, task, forgets } = act;
  if (forgets) delete draft.session.decided;
  if (says) draft.word(...says);
  if (to) {
    if (isProven) draft.proven = to.id;
    turnTo(draft, to);
    if (!content || (content.type === "text" && content.text === "")) reprompt(draft);
    else toAnswer(draft, to, content);
  } else if (which) askWhich(draft, which, keep);
  else if (task !== undefined) {
    if (draft.top && isRequest(draft.top)) putBack(draft, draft.top);
    outsideFlow(draft, textOf(task), "none");
  } else showWaiting(draft, keep);
  return true;
}
