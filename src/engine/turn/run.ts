/**
 * The turn: `(session, mail) → (session', effects, journal)`. Pure; the same input gives the same effect ids.
 *
 * Events are applied in order. One that throws changes nothing: the turn ends before it and names it. The events before it
 * are committed, and the bad one can be parked.
 */
import { Fault, type Json, type JsonObject } from "../../base/index.ts";
import { fold } from "../../brazil/index.ts";
import { speak } from "./compose.ts";
import { TurnDraft, newSession, type TurnEnv } from "../session/turn-draft.ts";
import { shownAgain } from "../answers/premature-decision.ts";
import type { Effect } from "../session/effect.ts";
import { happened, undelivered } from "../stack/events.ts";
import { tidy } from "../arrival/recent-messages.ts";
import { dropLost, refresh } from "../stack/adopting.ts";
import { countReply } from "../policies/flood.ts";
import { reprompt, send } from "../stack/frames.ts";
import type { JournalRecord } from "../session/journal.ts";
import type { Mail } from "../session/mail.ts";
import { programOf } from "./programs.ts";
import { operated } from "../policies/operator.ts";
import { tellOperators } from "../requests/outreach.ts";
import { received } from "../arrival/arrival.ts";
import { answered, reminded, requested, withdrawn } from "../requests/requests.ts";
import { joined, redirected, withoutSession } from "../stack/merged-contact.ts";
import { hushed, journalled } from "./secret-fields.ts";
import { resolved, leave, readSession, type Session } from "../session/session.ts";
import { retire } from "../policies/opt-out.ts";
import { rememberShown } from "../requests/request-memory.ts";
import { fireAgain, fire, nextDue } from "./timers.ts";
import { provedAutomatic } from "../arrival/staff-message.ts";

export interface TurnItem {
  /** Event id of the mail. */
  readonly event: string;
  readonly mail: Mail;
}

export interface TurnResult {
  readonly session: Session;
  readonly effects: readonly Effect[];
  readonly journal: readonly JournalRecord[];
  /** Next timer, ms; null = none. */
  readonly due: number | null;
  readonly applied: number;
  /** The event that threw; it is not among the applied ones. */
  readonly failed?: {
    readonly event: string;
    readonly reason: string;
    /**
     * Of a tick that failed before any timer was reached, so none of them is to blame: file, step and kind of error, for alarms.
     * The error's own words stay out of it, since a rule may throw what a person said.
     */
    readonly unfired?: string;
  };
}

/** Applies mail to a session. `session.rev` is raised by one for the whole batch: it is one commit. */
export function run(session: Session | null, items: readonly TurnItem[], env: TurnEnv): TurnResult {
  let current = session ?? newSession(env);
  const effects: Effect[] = [];
  const journal: JournalRecord[] = [];
  let applied = 0;
  let failed: TurnResult["failed"];
  let index = 0;
  for (const item of items) {
    let draft: TurnDraft | undefined;
    try {
      draft = new TurnDraft(current, env, item.event, index);
      const record = apply(draft, item.mail);
      if (!readSession(draft.session))
        throw new Error("the turn left a session that could not be read again");
      current = draft.session;
      effects.push(...draft.effects);
      journal.push(record);
      index = draft.index;
      applied++;
    } catch (error) {
      failed = {
        event: item.event,
        reason: reasonOf(error, draft),
        ...(item.mail.kind === "tick" && !draft?.fired ? { unfired: placeOf(error, draft) } : {}),
      };
      break;
    }
  }
  const next = leave({ ...current, rev: (session?.rev ?? 0) + 1 });
  return {
    session: next,
    effects,
    journal,
    due: nextDue(next),
    applied,
    ...(failed ? { failed } : {}),
  };
}

/** Why a turn failed, with the file and the step it had come to; a fault of the flow itself names them already. */
function reasonOf(error: unknown, draft: TurnDraft | undefined): string {
  const why = error instanceof Error ? error.message : String(error);
  const place = Fault.is(error) ? undefined : placeIn(draft);
  return place === undefined ? why : `${place}: ${why}`;
}

/** The same without a word of the error. */
function placeOf(error: unknown, draft: TurnDraft | undefined): string {
  const { place = placeIn(draft) } = Fault.is(error) ? error.details : {};
  const cause = Fault.is(error) ? (error.cause ?? error) : error;
  const kind = Fault.is(cause) ? cause.code : cause instanceof Error ? cause.name : typeof cause;
  // An author may name an error by what it is about.
  const known = /^[A-Za-z_]{1,40}$/.test(kind) ? kind : "Error";
  return typeof place === "string" ? `${place}: ${known}` : known;
}

/** File and step a turn had come to. */
function placeIn(draft: TurnDraft | undefined): string | undefined {
  const last = draft?.moves.at(-1);
  if (!draft || !last) return undefined;
  const file = draft.env.library.get(last.flow)?.file ?? last.flow;
  return `${file}, step "${last.to ?? last.from ?? "start"}"`;
}

/** The address of a contact who never wrote, or wrote only a first message that could not be applied. */
function reachable(session: Session, to: Extract<Mail, { kind: "notice" }>["to"]): void {
  if (!to || session.address !== undefined) return;
  session.channel = to.channel;
  session.address = to.address;
}

function apply(draft: TurnDraft, given: Mail): JournalRecord {
  const mail = redirected(given);
  const { session, env } = draft;
  session.role = env.role;
  const { pick } = session;
  dropLost(draft);
  const kept = withoutSession(hushed(draft, mail));
  if (draft.top && mail.kind !== "operator") refresh(draft, draft.top);
  // Requests of customers reach the operator also while a person has taken over the operator's conversation.
  const toStaff = ["request", "withdrawn", "remind", "notice"].includes(mail.kind);
  if (toStaff && session.role === "operator" && !session.optOut) draft.loudness = "always";
  switch (mail.kind) {
    case "inbound":
      received(draft, mail);
      break;
    case "tick":
      fire(draft);
      break;
    case "timer":
      fireAgain(draft, mail);
      break;
    case "result":
      resulted(draft, mail);
      break;
    case "request":
      requested(draft, mail);
      break;
    case "answer":
      answered(draft, mail);
      break;
    case "withdrawn":
      withdrawn(draft, mail);
      break;
    case "remind":
      reminded(draft, mail.request);
      break;
    case "notice":
      if (mail.fiscal && !session.optOut) draft.loudness = "always"; // It is sent like a result.
      reachable(session, mail.to);
      draft.word(mail.key, { role: session.role, ...mail.vars });
      for (const line of mail.lines ?? []) draft.word(line.key, line.vars);
      break;
    case "event":
      happened(draft, mail);
      break;
    case "operator":
      operated(draft, mail);
      break;
    case "automatic":
      provedAutomatic(draft, mail);
      break;
    case "joined":
      joined(draft, mail);
      break;
    case "retired":
      retire(draft);
      break;
    case "parked":
      reachable(session, mail.to);
      draft.word("sorry");
      reprompt(draft);
      break;
    case "send-failed":
      undelivered(draft, mail);
      break;
    case "resolved":
      resolved(session, mail);
      if (mail.shown) rememberShown(session, mail.shown.message, mail.shown.request);
      draft.quiet = "resolved";
      break;
    case "shown":
      rememberShown(session, mail.message, mail.request);
      draft.quiet = "shown";
      break;
    case "send-arrived":
      delete session.unsaid;
      if (mail.shown) rememberShown(session, mail.shown.message, mail.shown.request);
      draft.quiet = "send-arrived";
      break;
  }
  const said = speak(draft);
  if (draft.messages.length > 0) countReply(draft, said !== undefined);
  if (said !== undefined) shownAgain(draft);
  // "Which one?" is answered next or not at all: a later "2" belongs to what was said since.
  if (said !== undefined && session.pick === pick) delete session.pick;
  tidy(session);
  return {
    rev: session.rev + 1,
    at: env.now,
    event: draft.event,
    mail: kept,
    moves: draft.moves,
    ...(said === undefined ? {} : { said }),
    effects: draft.effects.map(journalled),
    timers: draft.timers().map(({ name, due }) => ({ name, due })),
    ...(draft.lateMs === undefined ? {} : { lateMs: draft.lateMs }),
    ...(said === undefined ? { quiet: draft.quiet ?? "ignored" } : {}),
    ...(draft.cut ? { cut: true } : {}),
    ...(draft.automatic ? { automatic: true } : {}),
  };
}

/** The result of a call counts only for the invocation (epoch) and the content (`for`) it was made for. */
function resulted(draft: TurnDraft, mail: Extract<Mail, { kind: "result" }>): void {
  const { waiter, result } = mail;
  const frame = draft.frame(waiter.frame);
  const call = frame?.invocations.find(
    (other) => other.step === waiter.step && other.epoch === waiter.epoch,
  );
  if (!frame || !call || call.for !== waiter.for) {
    draft.quiet = "stale";
    return;
  }
  const fiscal = call.class === "fiscal";
  // The outcome is sent even while a person has the conversation: the customer waits for it.
  // But not to who wants to hear no more: it is recorded, and theirs to ask for.
  if (fiscal && !draft.session.optOut) draft.loudness = "always";
  if (fiscal && result.outcome === "done") draft.session.served = draft.env.now;
  if (result.outcome !== "held")
    frame.invocations = frame.invocations.filter((other) => other !== call);
  const wasTop = draft.top === frame;
  // The flow may end with the result: whom it is for is asked before.
  const whom = fiscal ? programOf(draft, frame).answers?.(frame.state)["name"] : undefined;
  const title = draft.env.library.get(frame.flow)?.title ?? frame.flow;
  send(draft, frame, {
    type: `${call.step}.${result.outcome}`,
    for: call.for,
    out: result.out,
  });
  if (!wasTop && draft.top) reprompt(draft, "resume");
  if (fiscal && draft.session.role === "customer") {
    const text = (name: string) => {
      const value = (result.out as JsonObject)[name];
      return typeof value === "string" || typeof value === "number" ? String(value) : "";
    };
    tellOperators(draft, `fiscal-${result.outcome}`, {
      title,
      ...peopleOf(draft, whom),
      number: text("number"),
      text: text("text"),
      code: text("code"),
      support: [townWords(draft, text("words")), supportOf(draft, text("support"))]
        .filter((part) => part !== "")
        .join(" "),
    });
  }
}

/** The code that support finds the record by, in a sentence; empty where there is none. */
function supportOf({ env, context }: TurnDraft, code: string): string {
  return code === "" ? "" : env.library.word("support-code", { code }, context);
}

/** What the town said itself, in a sentence; empty where there is nothing to tell. */
function townWords({ env, context }: TurnDraft, words: string): string {
  return words === "" ? "" : env.library.word("town-words", { words }, context);
}

/** Who asked for it and whom it is for, by their names as far as they are known. */
function peopleOf({ session, env, context }: TurnDraft, whom: Json | undefined): JsonObject {
  const name = session.name ?? env.library.word("unnamed-customer", {}, context);
  const to = typeof whom === "string" && whom !== "" ? whom : name;
  return { name, recipient: to, own: fold(to) === fold(name) ? "true" : "false" };
}
