/**
 * Entry of every event of a channel: what it is, and whether it is answered now. What a person wrote goes on to
 * `routing/message.ts`.
 */
import { answerBacklog, isOld, revisesBacklog, waitsInBacklog } from "./backlog.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { type WrittenMail, writtenAt } from "../session/inbound.ts";
import type { Mail } from "../session/mail.ts";
import { isOptOut, optOut } from "../policies/opt-out.ts";
import { quotedIn } from "../requests/pointed-request.ts";
import { wrote } from "../routing/message.ts";
import { deleted, edited } from "./edited-message.ts";
import { heardFrom } from "../session/session.ts";
import { revisionOf } from "./recent-messages.ts";
import { begun, typed } from "./staff-message.ts";
import { awaitWords, hasWords } from "./unreadable-message.ts";

type InboundMail = Extract<Mail, { kind: "inbound" }>;

export function received(draft: TurnDraft, mail: InboundMail): void {
  const { session, env } = draft;
  const { event } = mail;
  if (mail.again) {
    draft.quiet = "again";
    return;
  }
  if (event.kind === "own") {
    if (session.address !== undefined) heardFrom(session, mail.channel, event.from);
    typed(draft, event);
    return;
  }
  if (!("from" in event) || !event.from) {
    draft.quiet = "ignored";
    return;
  }
  session.channel = mail.channel;
  heardFrom(session, mail.channel, event.from);
  const name = nameOf(event.from.name);
  if (name !== "") session.name = name;
  if (event.kind !== "unreadable" && "messageId" in event) hasWords(draft, event.messageId ?? "");
  if (mail.late) {
    kept(draft, event);
    return;
  }
  begun(draft, event.at);
  if (session.lastSeen !== undefined) draft.seenBefore = session.lastSeen;
  session.lastSeen = env.now;
  delete session.unreachable;
  if ("messageId" in event && event.messageId !== undefined) draft.messages = [event.messageId];
  const came = { kind: "inbound", channel: mail.channel, acceptedAt: mail.acceptedAt } as const;
  if (event.kind === "edit") {
    const { text = "", kind: _edit, own: _own, ...head } = event;
    if (revisesBacklog(draft, event) || edited(draft, event, mail.unheard === true) === "done")
      return;
    // The words before were never answered: these are the message.
    heard(draft, { ...came, event: { ...head, kind: "message", content: { type: "text", text } } });
  } else if (event.kind === "delete") {
    if (!revisesBacklog(draft, event)) deleted(draft, event);
  } else if (event.kind === "unreadable") awaitWords(draft, event.messageId);
  else if (event.kind === "message") {
    // It came later than its edit, or than its deletion: those are what counts.
    if (revisionOf(session, event.messageId)) draft.quiet = "revised";
    else heard(draft, { ...came, event });
  } else draft.quiet = "ignored"; // Reactions are not answers.
}

/** Answers a message now, or puts it into the backlog of old messages. */
function heard(draft: TurnDraft, mail: WrittenMail): void {
  // A turn failed before: what fails must not fail again among others.
  const isAlone = draft.env.oneTimer === true || (!draft.session.backlog && !isOld(draft, mail));
  if (isAlone) read(draft, mail);
  else if (!waitsInBacklog(draft, mail)) answerOld(draft);
}

/** A message too old to be answered. Only an opt-out still counts; it takes effect without a reply. */
function kept(draft: TurnDraft, event: InboundMail["event"]): void {
  const text = event.kind === "message" && event.content.type === "text" ? event.content.text : "";
  if (!draft.session.optOut && isOptOut(draft, text)) {
    optOut(draft);
    draft.paragraphs.length = 0;
  }
  draft.quiet = "late";
}

function read(draft: TurnDraft, mail: WrittenMail, isSameReply = false): void {
  const { event } = mail;
  wrote(draft, event, { at: writtenAt(mail), quoted: quotedIn(mail, event), isSameReply });
}

/** Answers the messages that wait in the backlog. */
export function answerOld(draft: TurnDraft): void {
  answerBacklog(draft, (mail, isSameReply) => read(draft, mail, isSameReply));
}

/** A display name as one line, because requests to the business show it. */
function nameOf(given: string | undefined): string {
  return (given ?? "")
    .replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/gu, " ")
    .trim();
}
