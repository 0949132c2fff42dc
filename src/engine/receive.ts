/**
 * A person wrote: which conversation it belongs to.
 *
 * Order of precedence: opt-out, hand-off, a code of an open request, the question in progress, the only open request,
 * a phrase that starts a flow, the menu.
 */
import { toAnyRequest, toRequest } from "./answering.ts";
import { inFlow, take } from "./conversation.ts";
import type { Draft } from "./draft.ts";
import { outsideFlow } from "./entrance.ts";
import type { Content } from "./inbound.ts";
import type { Mail } from "./mail.ts";
import { type Command, meaning } from "./meaning.ts";
import { humanTyped } from "./operator.ts";
import { isOptOut, optOut } from "./opt-out.ts";
import type { Expectation, FlowEvent } from "./program.ts";
import { programOf } from "./programs.ts";

type InboundMail = Extract<Mail, { kind: "inbound" }>;

const NOTHING: Expectation = {
  step: "",
  rests: "ended",
  slots: [],
  sealed: false,
  optional: false,
};

export function received(draft: Draft, mail: InboundMail): void {
  const { session, env } = draft;
  const { event } = mail;
  if (event.kind === "own") {
    humanTyped(draft);
    return;
  }
  if (!("from" in event) || !event.from) {
    draft.quiet = "ignored";
    return;
  }
  session.channel = mail.channel;
  session.address = event.from.address;
  if (event.from.name) session.name = event.from.name;
  session.lastSeen = env.now;
  if (event.kind === "edit") edited(draft, event.text);
  else if (event.kind === "message") wrote(draft, event.content);
  else draft.quiet = "ignored"; // Deletions and reactions are not answers.
}

function wrote(draft: Draft, content: Content): void {
  const { session, env } = draft;
  const text = content.type === "text" ? content.text : "";
  if (isOptOut(text)) {
    optOut(draft);
    return;
  }
  const command = outside(draft, content);
  if (session.optOut) {
    if (command === "thanks" || command === "stop" || command === "none") {
      draft.quiet = "opt-out";
      return;
    }
    delete session.optOut;
    draft.word("opted-in");
  }
  if (session.handoff) {
    if ((session.handoff.until ?? Infinity) > env.now) {
      draft.quiet = "handoff";
      return;
    }
    delete session.handoff;
  }
  if (content.type === "text" && toRequest(draft, content.text)) return;
  if (draft.top) inFlow(draft, draft.top, content);
  else if (session.requests.length > 0 && toAnyRequest(draft, content, command)) return;
  else outsideFlow(draft, content, command);
}

/** An edit of an answer that is not confirmed yet counts as a correction; anything else is too late and ignored. */
function edited(draft: Draft, text: string): void {
  const frame = draft.top;
  if (!frame || draft.session.handoff || draft.session.optOut) {
    draft.quiet = "ignored";
    return;
  }
  const expectation = programOf(draft, frame).expects(frame.state, draft.context);
  const meant = meaning(expectation, { type: "text", text }, draft.context);
  if (expectation.sealed || meant.kind !== "flow" || !isValue(meant.event)) {
    draft.quiet = "ignored";
    return;
  }
  take(draft, frame, meant.event);
}

/** What a message means to nobody in particular. */
function outside(draft: Draft, content: Content): Command {
  const meant = meaning(NOTHING, content, draft.context);
  return meant.kind === "command" ? meant.command : "none";
}

function isValue(event: FlowEvent): boolean {
  return event.type === "ANSWER" || event.type === "CORRECT";
}
