/**
 * What is heard of requests in a message of a person of the business, what is done about it, as data, and how a request in hand is
 * answered: with a decision, with the reason in the same message, or with the reason alone.
 */
import type { JsonObject } from "../../base/index.ts";
import {
  type Decision,
  decision,
  isNamedIn,
  type Refusal,
  refusalIn,
  refusedOf,
} from "../../understanding/index.ts";
import { outsideFlow } from "../routing/outside-flow.ts";
import type { Content } from "../session/inbound.ts";
import { codeBehind } from "../session/effect.ts";
import { isRequest, type RequestFrame, type Frame } from "../session/frame.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { reprompt, send } from "../stack/frames.ts";
import { askWhich, putBack, showWaiting, textOf, turnTo } from "./open-requests.ts";
import { openRequests } from "../session/session.ts";
import { inFlow } from "../routing/inside-flow.ts";
import { take } from "../stack/frame-event.ts";
import { expects, programOf, promptOf } from "../turn/programs.ts";
import { codesIn } from "./request-code.ts";

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

/**
 * A message to the request in progress. A single word that is another decision than the one taken ("aprovar" where the
 * reason of a refusal is asked) is no reason: the decision is asked again, because what costs may hang on it.
 */
function toAnswer(draft: TurnDraft, frame: Frame, content: Content): void {
  const { business } = draft.context;
  const { slots, slot } = expects(draft, frame);
  const asked = slots.find((one) => one.name === slot);
  const written = content.type === "text" ? content.text.trim() : "";
  const decided = decision(written, business);
  const text = decided?.word ?? written;
  if (asked?.kind === "text" && /^\S{1,20}$/.test(text)) {
    const turned = slots.find((one) => {
      if (one.kind !== "choice" || !one.filled) return false;
      const reading = one.read(text, draft.context);
      return reading.ok && reading.value !== one.value;
    });
    if (turned) {
      send(draft, frame, { type: "EDIT", slots: [turned.name] });
      return;
    }
    // The decision once more says nothing of why.
    if (decided) {
      reprompt(draft);
      return;
    }
  }
  const named = refusedOf(written, business);
  if (named) {
    const shown = promptOf(draft, frame);
    const isTheirs = isNamedIn(named.of, shown.map(({ text: line }) => line).join(" "));
    // Said where the reason is asked, or of somebody else: nothing is refused by it.
    if (asked?.kind !== "text" && isTheirs) inFlow(draft, frame, textOf(named.word));
    else {
      const [code] = codesIn(named.of);
      if (code !== undefined) draft.word("request-unknown", { code });
      else if (asked?.kind !== "text") draft.word("not-understood");
      reprompt(draft);
    }
    return;
  }
  const refusal = refusalIn(written, business);
  if (refusal && refuse(draft, frame, refusal)) return;
  // Said once more where its reason is asked.
  const isAgain = refusal && asked?.kind === "text";
  inFlow(draft, frame, isAgain ? textOf(refusal.reason) : content);
}

/** "Recusar, valor errado": refuses, and answers the question that follows. False when the word refuses nothing here. */
function refuse(draft: TurnDraft, frame: Frame, { word, reason }: Refusal): boolean {
  const program = programOf(draft, frame);
  const { asked, rests } = program.expects(frame.state, draft.context);
  const reading = rests === "choose" ? asked?.read(word, draft.context) : undefined;
  if (!asked || !reading?.ok) return false;
  const said = draft.paragraphs.length;
  take(draft, frame, { type: "ANSWER", values: { [asked.name]: reading.value } });
  if (!draft.session.frames.includes(frame)) return true;
  const next = program.expects(frame.state, draft.context).asked;
  const why = next?.kind === "text" ? next.read(reason, draft.context) : undefined;
  if (!next || !why?.ok) return true;
  draft.paragraphs.length = said;
  take(draft, frame, { type: "ANSWER", values: { [next.name]: why.value } });
  return true;
}
