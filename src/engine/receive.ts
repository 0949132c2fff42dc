/**
 * A person wrote: which conversation it belongs to.
 *
 * Order of precedence: opt-out, hand-off, a code of an open request, the question in progress, the only open request,
 * a phrase that starts a flow, the menu.
 */
import { decision } from "../understanding/index.ts";
import {
  namesRequest,
  toAnswer,
  toAnyRequest,
  toConsent,
  toDecision,
  toList,
  toRequest,
  toTask,
} from "./answering.ts";
import { isFurther } from "./album.ts";
import { tellsAside } from "./asides.ts";
import { joins } from "./burst.ts";
import { inFlow } from "./conversation.ts";
import { crosses } from "./crossed.ts";
import { takesBack } from "./decided.ts";
import { asRefusal } from "./denial.ts";
import type { Draft } from "./draft.ts";
import { begins, outsideFlow } from "./entrance.ts";
import { isFlood } from "./flood.ts";
import { reprompt } from "./frames.ts";
import type { Content, WrittenEvent } from "./inbound.ts";
import { interrupt } from "./interrupted.ts";
import { resumes } from "./kept-draft.ts";
import { meaning } from "./meaning.ts";
import { type Command, current } from "./meant.ts";
import { endHandoff } from "./operator.ts";
import { tellsLater } from "./later.ts";
import { tellsHours } from "./opening.ts";
import { taskIn } from "./offered.ts";
import { toOther } from "./other-request.ts";
import { isOptOut, optOut, reopen } from "./opt-out.ts";
import { toOwn } from "./own-requests.ts";
import { toPressed } from "./pressed.ts";
import type { Expectation } from "./program.ts";
import { programOf } from "./programs.ts";
import { commandOf } from "./readers.ts";
import { missesQuoted, toQuoted } from "./quoted.ts";
import { isWaiting } from "./revisions.ts";
import { isMenu } from "./roles.ts";
import type { Session } from "./session.ts";
import { shownBy } from "./shown.ts";
import { toStray } from "./stray-code.ts";
import { follow, tongueIn } from "./tongue.ts";
import { wouldWithdraw } from "./withdrawal.ts";

const NOTHING: Expectation = {
  step: "",
  rests: "ended",
  slots: [],
  sealed: false,
  optional: false,
};

interface Reading {
  /** When it was written, ms. */
  readonly at: number;
  /** The message of ours that it replies to. */
  readonly quoted: string | undefined;
  /** The reply is to messages before it as well. */
  readonly isSameReply: boolean;
}

/** A person's message, from whatever conversation. */
export function wrote(
  draft: Draft,
  { content: given, messageId }: WrittenEvent,
  { at, quoted, isSameReply }: Reading,
): void {
  const { session, env } = draft;
  const content = worded(draft, given);
  draft.writtenAt = at;
  draft.proven = undefined;
  const text = content.type === "text" ? content.text : "";
  draft.written = text;
  if (content.type === "choice" && content.picks.length === 0) {
    draft.quiet = "ignored"; // A vote that was taken back: the next one is the answer.
    return;
  }
  if (isOptOut(draft, text)) {
    optOut(draft);
    return;
  }
  if (isFurther(draft, given, messageId)) {
    draft.quiet = "album";
    return;
  }
  if (isFlood(draft, text, isSameReply)) {
    draft.quiet = "loop-cut";
    return;
  }
  const tongue = text === "" || session.optOut || session.handoff ? undefined : tongueIn(text);
  if (tongue && (tongue.isSentence || isHeardForTongue(draft)))
    if (follow(draft, tongue)) {
      if (draft.top) reprompt(draft, "language");
      else {
        draft.word("language");
        outsideFlow(draft, content, "menu");
      }
      return;
    }
  if (session.optOut) {
    const command = outside(draft, content);
    // What follows in the same breath is no wish to hear again.
    const asks =
      command === "none"
        ? begins(draft, text)
        : OPENS.has(command) || commandOf(draft, command) !== undefined;
    if (command === "thanks" || command === "stop" || !asks) {
      draft.quiet = "opt-out";
      return;
    }
    reopen(draft);
  }
  if (session.handoff && (session.handoff.until ?? Infinity) <= env.now)
    endHandoff(draft, "handoff-over");
  // Nobody has taken it yet, and the person would rather go on with the bot.
  if (session.handoff && isUnclaimed(session.handoff) && outside(draft, content) === "menu") {
    endHandoff(draft, "handoff-returned");
    // What had called for a person may be over with it: then there is nothing to go on with but what they asked for.
    if (!draft.top) outsideFlow(draft, content, "menu");
    return;
  }
  if (session.handoff) {
    if (answersRequest(draft, asRefusal(draft, content), quoted)) return;
    if (!goesOnAlone(draft, text)) {
      draft.quiet = "handoff";
      return;
    }
  }
  delete session.amended;
  if (session.unsaid) {
    delete session.unsaid;
    if (draft.top) {
      reprompt(draft);
      return;
    }
  }
  const isOther = namesRequest(draft, text) || (quoted !== undefined && !!shownBy(session, quoted));
  const goesOn = joins(draft, content) && !isOther;
  const about = { at, goesOn, quoted };
  // What the burst answered may change what a refusal is.
  const reply = (): void => answer(draft, asRefusal(draft, content), about);
  if ((session.burst || isWaiting(session)) && !goesOn) interrupt(draft, reply);
  else reply();
}

/** Words under a picture or a file that ask for something by themselves count as written, where no question may take the file. */
function worded(draft: Draft, content: Content): Content {
  const caption = content.type === "media" ? content.caption : undefined;
  if (caption === undefined) return content;
  const isFree = !draft.top || draft.top.flow === "menu";
  return isOptOut(draft, caption) || (isFree && begins(draft, caption))
    ? { type: "text", text: caption }
    : content;
}

interface About {
  readonly at: number;
  readonly goesOn: boolean;
  readonly quoted: string | undefined;
}

/** What a message that counts is the answer to. `goesOn`: more of the free text that waits. `quoted`: as in {@link wrote}. */
function answer(draft: Draft, content: Content, { at, goesOn, quoted }: About): void {
  const text = content.type === "text" ? content.text : "";
  if (toStray(draft, content) || toQuoted(draft, content, quoted)) return;
  if (toOwn(draft, content)) return;
  if (toList(draft, content) || toPressed(draft, content)) return;
  if (toTask(draft, content) || missesQuoted(draft, content, quoted)) return;
  if (crosses(draft, content, at) || toOther(draft, content)) return;
  if (wouldWithdraw(draft, content, "named")) return;
  if (content.type === "text" && toRequest(draft, content.text)) return;
  if (content.type === "text" && toDecision(draft, content.text)) return;
  if (content.type === "text" && toConsent(draft, content.text)) return;
  if (takesBack(draft, text, () => outside(draft, content))) {
    if (draft.top) reprompt(draft);
    return;
  }
  if (wouldWithdraw(draft, content, "any")) return;
  if (content.type === "text" && !goesOn && tellsHours(draft, content.text)) return;
  if (content.type === "text" && tellsLater(draft, content.text)) return;
  if (content.type === "text" && !goesOn && tellsAside(draft, content.text)) return;
  if (draft.top?.caller?.kind === "request") toAnswer(draft, draft.top, content);
  else if (draft.top) inFlow(draft, draft.top, content);
  else toNobody(draft, content);
}

/** No question is in progress: a request may wait for an answer, and anything may begin. */
function toNobody(draft: Draft, content: Content): void {
  const command = outside(draft, content);
  if (draft.session.requests.length > 0 && toAnyRequest(draft, content, command)) return;
  const isPlain = ["none", "greeting", "menu", "thanks"].includes(command);
  if (!resumes(draft, content, isPlain && !(command === "thanks" && isFresh(draft))))
    outsideFlow(draft, content, command);
}

/** "obrigado" right after the end is no wish to go on. */
function isFresh({ session, env }: Draft): boolean {
  return session.endedAt !== undefined && env.now - session.endedAt < 3_600_000;
}

/** Commands of somebody who wants to talk again. */
const OPENS: ReadonlySet<string> = new Set([...["greeting", "menu", "help", "human"]]);
const FREE: ReadonlySet<string> = new Set(["text", "name", "address"]);

/** Where any text may be an answer, its language says nothing of the person's. */
function isHeardForTongue(draft: Draft): boolean {
  const { top } = draft;
  if (!top || isMenu(draft, top)) return true;
  const kind = current(programOf(draft, top).expects(top.state, draft.context))?.kind;
  return kind === undefined || !FREE.has(kind);
}

/** A person has the operator's own conversation, but customers still wait for this operator's answers. */
function answersRequest(draft: Draft, content: Content, quoted: string | undefined): boolean {
  const { top, session } = draft;
  if (session.role !== "operator" || content.type !== "text") return false;
  const isAnswer = toQuoted(draft, content, quoted) || toRequest(draft, content.text);
  if (!isAnswer && top?.caller?.kind !== "request") return false;
  if (!isAnswer && taskIn(draft, content.text)) return false;
  if (!isAnswer && top && !toStray(draft, content)) toAnswer(draft, top, content);
  draft.loudness = "always";
  return true;
}

/**
 * Nobody has taken the conversation of a person of the business, who has work for the bot: a task, an answer to
 * customers. The bot is back without a word, and the message is taken as any other.
 */
function goesOnAlone(draft: Draft, text: string): boolean {
  const { session } = draft;
  if (session.role !== "operator" || !session.handoff || !isUnclaimed(session.handoff))
    return false;
  const decides = session.requests.length > 0 && decision(text) !== null;
  if (!decides && !begins(draft, text)) return false;
  endHandoff(draft, "handoff-returned");
  draft.paragraphs.length = 0;
  return true;
}

/** What a message means to nobody in particular. */
function outside(draft: Draft, content: Content): Command {
  const meant = meaning(NOTHING, content, draft.context);
  return meant.kind === "command" ? meant.command : "none";
}

/** Asked for by a flow or by the person, and no one of the business has claimed it or typed in it. */
function isUnclaimed(handoff: NonNullable<Session["handoff"]>): boolean {
  return handoff.by === undefined && handoff.reason !== "typed";
}
