/**
 * A message that was edited or taken back: it counts as a correction as long as nothing is confirmed. Later it is ignored.
 */
import { canonicalJson, type JsonObject } from "../base/index.ts";
import { endBurst } from "./conversation.ts";
import { unread } from "./doubted.ts";
import type { Draft } from "./draft.ts";
import { reprompt } from "./frames.ts";
import { forget, slotsGiven } from "./given.ts";
import { meaning } from "./meaning.ts";
import { saidAnew, STRICT } from "./meaning-values.ts";
import { flow, wrong } from "./meant.ts";
import type { Expectation, ExpectedSlot, FlowEvent } from "./program.ts";
import { programOf } from "./programs.ts";
import type { Frame } from "./session.ts";
import { take, taken } from "./taking.ts";

/** An edit of an answer that is not confirmed yet counts as a correction; anything else is too late and ignored. */
export function edited(draft: Draft, id: string, text: string): void {
  const frame = draft.top;
  const { burst } = draft.session;
  const waiting = burst?.ids?.indexOf(id) ?? -1;
  if (burst && waiting >= 0) {
    burst.texts[waiting] = text;
    draft.quiet = "burst";
    return;
  }
  draft.quiet = "ignored";
  if (!frame || draft.session.handoff || draft.session.optOut || !isOpen(draft, frame)) return;
  const slots = slotsGiven(draft.session, frame.id, id);
  if (slots.length > 0) {
    corrected(draft, frame, slots, text);
    return;
  }
  const expectation = programOf(draft, frame).expects(frame.state, draft.context);
  const meant = meaning(expectation, { type: "text", text }, draft.context);
  if (meant.kind === "flow" && isEdit(expectation, meant.event)) take(draft, frame, meant.event);
}

/** A message was taken back before anything was confirmed: what it answered is asked again. */
export function deleted(draft: Draft, id: string): void {
  const { session, top } = draft;
  const { burst } = session;
  const waiting = burst?.ids?.indexOf(id) ?? -1;
  draft.quiet = "ignored";
  if (burst && waiting >= 0) {
    burst.texts.splice(waiting, 1);
    burst.ids?.splice(waiting, 1);
    if (burst.texts.length === 0) endBurst(draft);
    return;
  }
  if (!top || session.handoff || session.optOut || !isOpen(draft, top)) return;
  const slots = slotsGiven(session, top.id, id);
  if (slots.length === 0) return;
  forget(session, id);
  draft.word("taken-back");
  take(draft, top, { type: "EDIT", slots });
  const shown = draft.paragraphs.filter(({ key }) => key !== "current");
  draft.paragraphs.splice(0, Infinity, ...shown);
}

/** Nothing was confirmed yet: the flow still asks. */
function isOpen(draft: Draft, frame: Frame): boolean {
  const { rests, sealed } = programOf(draft, frame).expects(frame.state, draft.context);
  return !sealed && (rests === "ask" || rests === "choose" || rests === "confirm");
}

/** The new words of a message that gave these answers. */
function corrected(draft: Draft, frame: Frame, given: readonly string[], text: string): void {
  const expectation = programOf(draft, frame).expects(frame.state, draft.context);
  const slots = expectation.slots.filter(({ name }) => given.includes(name));
  const [only, second] = slots;
  const read = second ? severalIn(draft, expectation, slots, text) : oneIn(draft, only, text);
  if (read.values && isNews(expectation, read.values))
    take(draft, frame, { type: "CORRECT", values: read.values });
  else if (read.wrong) taken(draft, frame, read.wrong);
  else if (!read.values) {
    // What was said before stands: whoever changed it has to know.
    unread(draft, frame);
    draft.word("edit-unread");
    reprompt(draft);
  }
}

interface Read {
  readonly values?: JsonObject;
  /** What is asked again, with what is wrong with the new words. */
  readonly wrong?: Parameters<typeof taken>[2];
}

function oneIn({ context }: Draft, slot: ExpectedSlot | undefined, text: string): Read {
  const reading = slot?.read(text, context);
  if (!slot || !reading) return {};
  if (reading.ok) return { values: { [slot.name]: reading.value } };
  if (reading.reason === "absent") return {};
  return { wrong: { ...flow({ type: "EDIT", slots: [slot.name] }), ...wrong(reading) } };
}

/**
 * Of a message with several answers, each is read from the whole of it, as at the question for one of them. A single value out
 * of many words is not enough: the others may have been changed as well.
 */
function severalIn(
  { context }: Draft,
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
