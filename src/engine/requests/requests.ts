/**
 * Requests between contacts: a customer's flow sends one to the business's people. The first answer counts, and the others
 * are told.
 *
 * For the business's people each request is a frame beside the stack. It is announced at once with a short code and can be
 * answered in any order. A plain "aprovar" works only when exactly one is open; otherwise the bot asks which one is meant.
 */
import { Fault } from "../../base/index.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { reprompt, send, start, strand, UNDECIDED } from "../stack/frames.ts";
import type { Mail } from "../session/mail.ts";
import { openRequests } from "../session/session.ts";
import { withdraw } from "./outreach.ts";
import { codeOf } from "./request-code.ts";
import { codeKnown, forgetDecision, rememberOver } from "./request-memory.ts";
import { promptOf } from "../turn/programs.ts";

type RequestMail = Extract<Mail, { kind: "request" }>;
type AnswerMail = Extract<Mail, { kind: "answer" }>;
type WithdrawnMail = Extract<Mail, { kind: "withdrawn" }>;

/** Most requests that wait for one person; people do not read longer lists. It is also far below the number of codes. */
const MAX_REQUESTS = 100;

/** Sender's side: an answer counts only for the invocation and the content that it was asked for. */
export function answered(draft: TurnDraft, mail: AnswerMail): void {
  const frame = draft.frame(mail.waiter.frame);
  const call = frame?.invocations.find(
    (other) => other.epoch === mail.waiter.epoch && other.request === mail.request,
  );
  if (!frame || !call || call.for !== mail.waiter.for) {
    draft.quiet = "stale";
    return;
  }
  frame.invocations = frame.invocations.filter((other) => other !== call);
  const taken = send(draft, frame, {
    type: `${call.step}.${mail.outcome}`,
    for: call.for,
    out: mail.out,
  });
  // An outcome that the flow has no branch for is no answer: dropped or run out at the other side, it may still be decided, and
  // the step's own time still runs.
  if (!taken && UNDECIDED.has(mail.outcome)) {
    frame.invocations.push(call);
    return;
  }
  if ((call.to ?? []).length > 1)
    withdraw(draft, call, "answered", { ...mail.by, outcome: mail.outcome });
  // A decision nobody here understands is a person's now.
  if (!taken) strand(draft, frame);
}

/** Recipient's side: a request arrives and is announced. */
export function requested(draft: TurnDraft, mail: RequestMail): void {
  const { session } = draft;
  const open = openRequests(session);
  if (open.some((frame) => frame.caller.request === mail.request)) {
    draft.quiet = "stale";
    return;
  }
  if (session.requests.length >= MAX_REQUESTS)
    throw new Fault("FLOW_FAILED", `More than ${MAX_REQUESTS} requests wait for one contact.`);
  const taken = new Set([...open.map((frame) => frame.caller.code), ...(session.over ?? [])]);
  let code = mail.code;
  for (let salt = 1; taken.has(code); salt++) code = codeOf(`${mail.request}#${salt}`);
  start(
    draft,
    mail.flow,
    {
      input: { ...mail.input, code, from: mail.from.name || unnamed(draft) },
      caller: {
        kind: "request",
        waiter: mail.waiter,
        contact: mail.from.contact,
        request: mail.request,
        code,
        ...(mail.about ? { about: mail.about } : {}),
        ...(mail.heeds ? { heeds: mail.heeds } : {}),
        ...(mail.from.name ? { from: mail.from.name } : {}),
      },
    },
    true,
  );
}

/** Recipient's side: another recipient answered, or the sender changed or dropped the request. */
export function withdrawn(draft: TurnDraft, mail: WithdrawnMail): void {
  const { session } = draft;
  const frame = openRequests(session).find((other) => other.caller.request === mail.request);
  if (mail.answered === session.contact) {
    draft.quiet = "stale";
    return;
  }
  if (!frame) {
    overtaken(draft, mail);
    return;
  }
  const wasTop = draft.top === frame;
  session.requests = session.requests.filter((other) => other !== frame);
  session.frames = session.frames.filter((other) => other !== frame);
  session.dropped = draft.env.now;
  if (frame.caller.code) rememberOver(session, frame.caller.code);
  draft.wordOf(frame, `request-${mail.reason}`, {
    code: frame.caller.code ?? "",
    from: frame.caller.from ?? unnamed(draft),
    by: mail.by ?? "",
    outcome: mail.outcome ?? "",
  });
  if (wasTop) reprompt(draft, "resume");
}

/** The sender's name where the channel gives none. */
function unnamed({ env, context }: TurnDraft): string {
  return env.library.word("unnamed-customer", {}, context);
}

/** Decided here, too, but later, or after it had changed: what was said here of it does not hold, and the person hears what does. */
function overtaken(draft: TurnDraft, mail: WithdrawnMail): void {
  const code = codeKnown(draft, mail.request);
  forgetDecision(draft, code);
  const isAnothers = openRequests(draft.session).some((frame) => frame.caller.code === code);
  if (isAnothers) {
    draft.quiet = "stale";
    return;
  }
  if (mail.reason !== "answered") {
    draft.word("request-overtaken", { code });
    return;
  }
  draft.word("request-answered", {
    code,
    by: mail.by ?? "",
    outcome: mail.outcome ?? "",
    from: "",
  });
}

/** Recipient's side: the sender's reminder. */
export function reminded(draft: TurnDraft, request: string): void {
  const frame = draft.session.requests.find((other) => other.caller.request === request);
  if (!frame) {
    draft.quiet = "stale";
    return;
  }
  draft.word("request-reminder", { code: frame.caller.code ?? "" });
  draft.sayOf(frame, promptOf(draft, frame));
}
