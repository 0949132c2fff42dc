/**
 * A message that was edited or deleted by its sender. While no call is on its way, it counts as a correction; later it is
 * ignored.
 */
import { canonicalJson, type JsonObject } from "../../base/index.ts";
import { decision } from "../../understanding/index.ts";
import { namesRequest, showWaiting } from "../requests/open-requests.ts";
import { endBurst, flushBurst } from "../routing/inside-flow.ts";
import { decidedLately } from "../requests/request-memory.ts";
import { confirmAt, unread } from "../answers/premature-decision.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { reprompt } from "../stack/frames.ts";
import {
  holdRevision,
  isSameEdit,
  recordRevision,
  revisionOf,
  slotsGiven,
  slotsOf,
  takeWaiting,
} from "./recent-messages.ts";
import type { InboundEvent } from "../session/inbound.ts";
import { meaning } from "../answers/meaning.ts";
import { saidAnew } from "../answers/meaning-sentence.ts";
import { STRICT } from "../answers/meaning-values.ts";
import { edits } from "../answers/meaning-result.ts";
import type { Expectation, ExpectedSlot, FlowEvent } from "../turn/program.ts";
import { expects } from "../turn/programs.ts";
import type { Frame } from "../session/frame.ts";
import { take, taken } from "../stack/frame-event.ts";

type Edit = Extract<InboundEvent, { kind: "edit" }>;
type Deletion = Extract<InboundEvent, { kind: "delete" }>;

/**
 * An edit of an answer that is not confirmed yet counts as a correction; of one that is, it is too late. Answers `new` where the
 * words have to be read as a message of their own: those before were never answered.
 */
export function edited(draft: TurnDraft, event: Edit, isUnheard: boolean): "new" | "done" {
  const { session, top } = draft;
  const { messageId: id, text } = event;
  draft.quiet = "ignored";
  const before = revisionOf(session, id);
  const inBurst = session.burst?.ids?.indexOf(id) ?? -1;
  const slots = top ? slotsGiven(session, top.id, id) : [];
  // Of the business's side, as far as anybody knows.
  if (event.own && inBurst < 0 && slots.length === 0 && !before) return "done";
  if (text === undefined) {
    if (before && isSameEdit(draft, before)) return "done";
    lostWords(draft, id, { inBurst, slots, isUnheard });
    return "done";
  }
  recordRevision(draft, id, { how: "edit" });
  if (session.burst && inBurst >= 0) {
    session.burst.texts[inBurst] = text;
    draft.quiet = "burst";
    return "done";
  }
  if (isUnheard || before?.unused) return "new";
  if (session.handoff || session.optOut) return "done";
  if (top && slots.length > 0 && isOpen(draft, top)) corrected(draft, top, slots, text);
  else if (session.role === "operator" && decidesIn(draft, text))
    return tellsDecided(draft) ? "done" : "new";
  else if (top && isOpen(draft, top)) guessed(draft, top, text);
  return "done";
}

/** An edit of a message that is not remembered as an answer. Its new words count only where they fit a single slot. */
function guessed(draft: TurnDraft, frame: Frame, text: string): void {
  const expectation = expects(draft, frame);
  const meant = meaning(expectation, { type: "text", text }, draft.context);
  if (meant.kind === "flow" && isEdit(expectation, meant.event)) take(draft, frame, meant.event);
  // Its words may be in what is about to be confirmed.
  else if (expectation.rests === "confirm") tellUnread(draft, frame, "edit-unread");
}

interface Known {
  readonly inBurst: number;
  readonly slots: readonly string[];
  readonly isUnheard: boolean;
}

/** An edit without its new words: the earlier answers are dropped, and the person is asked for them. */
function lostWords(draft: TurnDraft, id: string, { inBurst, slots, isUnheard }: Known): void {
  const { session, top } = draft;
  if (session.handoff || session.optOut) return recordRevision(draft, id, { how: "unread" });
  if (inBurst >= 0) unsay(draft, inBurst);
  const isAsked =
    top && isOpen(draft, top) && (slots.length > 0 || confirmAt(draft, top) !== undefined);
  const unused = inBurst >= 0 || isUnheard;
  if (unused || isAsked) holdRevision(draft, id, { how: "unread", unused });
  else if (session.role === "operator") tellsDecided(draft);
}

/** Takes a text out of the burst that waits. */
function unsay(draft: TurnDraft, index: number): void {
  const { burst } = draft.session;
  burst?.texts.splice(index, 1);
  burst?.ids?.splice(index, 1);
  if (burst?.texts.length === 0) endBurst(draft);
}

/** A message was taken back before anything was confirmed: what it answered is asked again. */
export function deleted(draft: TurnDraft, { messageId: id, unsure, own }: Deletion): void {
  const { session, top } = draft;
  draft.quiet = "ignored";
  const before = revisionOf(session, id);
  if (before?.how === "delete") return;
  if (before && (unsure || isSameEdit(draft, before))) return;
  const inBurst = session.burst?.ids?.indexOf(id) ?? -1;
  const slots = top ? slotsGiven(session, top.id, id) : [];
  if (own && inBurst < 0 && slots.length === 0) return;
  recordRevision(draft, id, { how: "delete", ...(inBurst >= 0 ? { unused: true } : {}) });
  if (inBurst >= 0) unsay(draft, inBurst);
  else if (top && !session.handoff && !session.optOut && slots.length > 0 && asks(draft, top))
    holdRevision(draft, id, { how: "delete" });
}

/** The wait for the words of an edit is over: the answers that they would have changed are asked for again. */
export function tellRevised(draft: TurnDraft): void {
  const { session } = draft;
  const waiting = takeWaiting(draft);
  draft.quiet = "ignored";
  if (session.burst) flushBurst(draft);
  const { top } = draft;
  if (waiting.length === 0 || session.handoff || session.optOut) return;
  const unread = waiting.some(({ how }) => how === "unread");
  const word = unread ? "edit-unseen" : "taken-back";
  if (!top || !isOpen(draft, top)) {
    // The bot never used the message.
    if (!top && unread) draft.word(word);
    return;
  }
  const { slots: known } = expects(draft, top);
  // It is unknown which of several answers the edit changed.
  const slots = waiting.flatMap(({ id, how }) => {
    const given = slotsOf(session, top.id, id);
    return how === "unread" && given.length > 1 ? [] : given;
  });
  const asked = known.map(({ name }) => name).filter((name) => slots.includes(name));
  if (asked.length === 0) return tellUnread(draft, top, word);
  draft.word(word);
  take(draft, top, { type: "EDIT", slots: asked, anew: asked });
  const shown = draft.paragraphs.filter(({ key }) => key !== "current");
  draft.paragraphs.splice(0, Infinity, ...shown);
}

/** The earlier answers stay. The person hears of it and can confirm only after they were shown again. */
function tellUnread(draft: TurnDraft, frame: Frame, word: string): void {
  draft.word(word);
  // Nor does anybody else decide on it.
  if (isWithOther(draft, frame)) return void take(draft, frame, { type: "EDIT", slots: [] });
  unread(draft, frame);
  reprompt(draft);
}

/** A decision of the business that was edited after it counted. It stays, and the waiting requests are shown. */
function tellsDecided(draft: TurnDraft): boolean {
  const decided = decidedLately(draft);
  if (!decided) return false;
  draft.word("edit-decided", { code: decided.code, outcome: decided.outcome });
  showWaiting(draft);
  return true;
}

/** Whether it would decide on a request, or names one. */
function decidesIn(draft: TurnDraft, text: string): boolean {
  return decision(text, draft.context.business) !== null || namesRequest(draft, text);
}

/** Whether nothing has been sent yet: the flow still asks, or another contact still decides. */
function isOpen(draft: TurnDraft, frame: Frame): boolean {
  return asks(draft, frame) || isWithOther(draft, frame);
}

/** Nothing was confirmed yet. Later a message that is taken back changes nothing: people tidy up their chats. */
function asks(draft: TurnDraft, frame: Frame): boolean {
  const { rests, sealed } = expects(draft, frame);
  return !sealed && (rests === "ask" || rests === "choose" || rests === "confirm");
}

/** Somebody else decides on it: a change withdraws it from them. */
function isWithOther(draft: TurnDraft, frame: Frame): boolean {
  const { rests, sealed } = expects(draft, frame);
  return !sealed && rests === "notify";
}

/** The new words of a message that gave these answers. */
function corrected(draft: TurnDraft, frame: Frame, given: readonly string[], text: string): void {
  const expectation = expects(draft, frame);
  const slots = expectation.slots.filter(({ name }) => given.includes(name));
  const [only, second] = slots;
  const read = second ? severalIn(draft, expectation, slots, text) : oneIn(draft, only, text);
  // Taken back a moment ago, as it seemed: what is asked again is answered, also by the same value.
  const isAsked = expectation.rests !== "confirm" && given.includes(expectation.slot ?? "");
  if (read.values && (isAsked || isNews(expectation, read.values)))
    take(draft, frame, { type: "CORRECT", values: read.values });
  else if (read.wrong) taken(draft, frame, read.wrong);
  else if (!read.values) tellUnread(draft, frame, "edit-unread");
}

interface Read {
  readonly values?: JsonObject;
  /** What is asked again, with what is wrong with the new words. */
  readonly wrong?: Parameters<typeof taken>[2];
}

function oneIn({ context }: TurnDraft, slot: ExpectedSlot | undefined, text: string): Read {
  const reading = slot?.read(text, context);
  if (!slot || !reading) return {};
  if (reading.ok) return { values: { [slot.name]: reading.value } };
  if (reading.reason === "absent") return {};
  return { wrong: edits([slot.name], { reading }) };
}

/**
 * Of a message with several answers, each is read from the whole of it, as at the question for one of them. A single value out
 * of many words is not enough: the others may have been changed as well.
 */
function severalIn(
  { context }: TurnDraft,
  expectation: Expectation,
  slots: readonly ExpectedSlot[],
  text: string,
): Read {
  const whole = saidAnew(expectation, text, context);
  if (whole) {
    const { event } = whole;
    return "values" in event ? { values: event.values } : { wrong: whole };
  }
  const inOrder = [...slots].sort((one, other) => rank(one) - rank(other));
  for (const asked of inOrder) {
    const { choices: _, ...rest } = expectation;
    const at: Expectation = { ...rest, rests: "ask", slot: asked.name, asked };
    const meant = meaning(at, { type: "text", text }, context);
    if (meant.kind !== "flow") continue;
    if (meant.event.type === "EDIT" && (meant.wrong ?? meant.beside)) return { wrong: meant };
    if (meant.event.type !== "ANSWER" && meant.event.type !== "CORRECT") continue;
    const { values } = meant.event;
    if (Object.keys(values).length > 1) return { values };
  }
  return {};
}

/** A list first: at its question a sentence tells everything; then what cannot be mistaken for free text. */
function rank({ kind }: ExpectedSlot): number {
  return kind === "choice" ? 0 : STRICT.has(kind) ? 1 : 2;
}

function isNews({ slots }: Expectation, values: JsonObject): boolean {
  return Object.entries(values).some(([name, value]) => {
    const slot = slots.find((one) => one.name === name);
    return canonicalJson(slot?.value ?? null) !== canonicalJson(value ?? null);
  });
}

/**
 * Whether an edited text may count: which message it was is not known, so an older answer must not become the answer to
 * a question that takes any text.
 */
function isEdit(expectation: Expectation, event: FlowEvent): boolean {
  if (event.type !== "ANSWER") return event.type === "CORRECT";
  return expectation.slots.every(
    (slot) => !Object.hasOwn(event.values, slot.name) || STRICT.has(slot.kind),
  );
}
