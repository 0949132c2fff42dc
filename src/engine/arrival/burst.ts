/**
 * Free text comes in bursts: "corte de cabelo" / "e barba" / "do meu filho". A message that may continue is held for a
 * moment. At other questions, words beside the answer ("Maria Souza" / "150 reais" where the service is asked) are held
 * too, so that one reply answers all.
 */
import type { TurnDraft } from "../session/turn-draft.ts";
import type { Content } from "../session/inbound.ts";
import { meaning } from "../answers/meaning.ts";
import { current, type Meaning } from "../answers/meaning-result.ts";
import type { Expectation } from "../turn/program.ts";
import { expects, isMenu } from "../turn/programs.ts";
import { isRequest, type Frame } from "../session/frame.ts";
import type { Json, JsonObject } from "../../base/index.ts";
import { remember } from "./recent-messages.ts";
import { loneAmount } from "../answers/meaning-amount.ts";
import type { Session } from "../session/session.ts";
import { take } from "../stack/frame-event.ts";

/** Free text waits this long for its continuation, ms. A clear answer is handled at once. */
const BURST_MS = 1_000;
export const BURST_TIMER = "burst";
/** A burst never waits longer than this in all. */
const BURST_MAX_MS = 5_000;
/** A burst of more messages than this is taken as it is. */
const BURST_MESSAGES = 20;

/** Whether this text is the beginning of a free answer that may go on in the next messages. */
export function waits(
  draft: TurnDraft,
  frame: Frame,
  expectation: Expectation,
  text: string,
): boolean {
  if (!isFree(draft, expectation, text)) return false;
  hold(draft, frame, expectation, text);
  return true;
}

/** Whether a text does not answer the current question, so that the answer may follow in the next message. */
export function isBeside(
  draft: TurnDraft,
  frame: Frame,
  expectation: Expectation,
  meant: Meaning,
): boolean {
  const { rests, slot } = expectation;
  if ((rests !== "ask" && rests !== "choose") || slot === undefined) return false;
  // A menu is a beginning, and a decision is waited for by somebody.
  if (meant.kind !== "flow" || isMenu(draft, frame) || isRequest(frame)) return false;
  const { event } = meant;
  if (event.type === "ANSWER") return !Object.hasOwn(event.values, slot);
  const isNothing = event.type === "BAD" && event.reason === "absent" && !event.options;
  return isNothing && current(expectation)?.kind === "choice";
}

/** Whether a waiting burst has not answered this question yet. */
export function isHeld({ session }: TurnDraft, frame: Frame, expectation: Expectation): boolean {
  return session.burst?.of === placeOf(frame, expectation);
}

/** Adds a text to the waiting burst. */
export function hold(draft: TurnDraft, frame: Frame, expectation: Expectation, text: string): void {
  const { session, env } = draft;
  const since = session.burst?.since ?? env.now;
  const texts = [...(session.burst?.texts ?? []), text].slice(0, BURST_MESSAGES);
  const full = texts.length >= BURST_MESSAGES;
  const due = full ? env.now : Math.min(env.now + BURST_MS, since + BURST_MAX_MS);
  const known = [...(session.burst?.ids ?? []), draft.messages[0] ?? ""].slice(0, BURST_MESSAGES);
  session.burst = { texts, ids: known, since, due, of: placeOf(frame, expectation) };
  draft.setTimer(session, BURST_TIMER, due);
  draft.quiet = "burst";
}

/** Whether a message goes on with the burst that waits: more free text for the same question. */
export function joins(draft: TurnDraft, content: Content): boolean {
  const frame = draft.top;
  if (!frame || content.type !== "text" || !draft.session.burst) return false;
  const expectation =
    draft.moved?.frame === frame ? draft.moved.expectation : expects(draft, frame);
  if (!expectation) return false;
  return isHeld(draft, frame, expectation) && goesOn(draft, expectation, content.text);
}

/** Which question a burst answers: frame and step. */
export function placeOf(frame: Frame, expectation: Expectation): string {
  return `${frame.id}.${expectation.step}`;
}

function isFree(draft: TurnDraft, expectation: Expectation, text: string): boolean {
  if (expectation.rests !== "ask" || current(expectation)?.kind !== "text") return false;
  return goesOn(draft, expectation, text);
}

function goesOn(draft: TurnDraft, expectation: Expectation, text: string): boolean {
  return meaning(expectation, { type: "text", text }, draft.context).kind !== "command";
}

/** Kinds that any text answers: leftover text is not stored in them. */
const FREE: ReadonlySet<string> = new Set(["text", "address"]);

/**
 * Stores the answers of a burst at a question that takes no free text. Returns the text that the current question still has to
 * reply to, or an empty text.
 */
export function putDown(
  draft: TurnDraft,
  frame: Frame,
  expectation: Expectation,
  { texts, ids = [] }: NonNullable<Session["burst"]>,
): string {
  const values: Record<string, Json> = {};
  const given: { readonly id: string; readonly slots: readonly string[] }[] = [];
  const put = (at: number, said: JsonObject): void => {
    Object.assign(values, said);
    given.push({ id: ids[at] ?? "", slots: Object.keys(said) });
  };
  let left: { readonly at: number; readonly text: string }[] = [];
  let corrects = false;
  for (const [at, text] of texts.entries()) {
    const answers = valuesIn(draft, expectation, text);
    if (answers) put(at, answers.values);
    else left.push({ at, text });
    corrects ||= answers?.corrects === true;
  }
  const asked = current(expectation);
  const amounts = asked && Object.hasOwn(values, asked.name) ? left : [];
  for (const one of amounts) {
    const event = asked && loneAmount(expectation, asked, one.text, draft.context, true);
    if (event?.type !== "ANSWER" || isAnswered(values, event.values)) continue;
    put(one.at, event.values);
    left = left.filter((other) => other !== one);
  }
  if (texts.length === 1 || given.length === 0) return texts.join("\n");
  const said = draft.paragraphs.length;
  take(draft, frame, { type: corrects ? "CORRECT" : "ANSWER", values });
  for (const { id, slots } of given) if (id !== "") remember(draft.session, [id], frame.id, slots);
  if (left.length === 0 || draft.top !== frame) return "";
  const rest = left.map(({ text }) => text).join("\n");
  const now = expects(draft, frame);
  const isSame = now.step === expectation.step;
  const kind = current(now)?.kind ?? "text";
  // Of what the next question knows nothing of, nothing is said: it is being asked.
  if (!isSame && (FREE.has(kind) || !valuesIn(draft, now, rest))) return "";
  // The reply to the rest asks, too.
  const kept = draft.paragraphs.filter(({ key }, at) => at < said || !key?.startsWith("ask."));
  draft.paragraphs.splice(0, Infinity, ...kept);
  return rest;
}

/** Whether one of these is answered by another message of the burst. */
function isAnswered(values: JsonObject, event: JsonObject): boolean {
  return Object.keys(event).some((slot) => Object.hasOwn(values, slot));
}

/** The answers in a text, to any question. */
function valuesIn(
  draft: TurnDraft,
  expectation: Expectation,
  text: string,
): { readonly values: JsonObject; readonly corrects: boolean } | undefined {
  const meant = meaning(expectation, { type: "text", text }, draft.context);
  if (meant.kind !== "flow") return undefined;
  const { event } = meant;
  if (event.type === "ANSWER") return { values: event.values, corrects: false };
  return event.type === "CORRECT" ? { values: event.values, corrects: true } : undefined;
}
