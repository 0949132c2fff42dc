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
import { expects } from "../turn/programs.ts";
import { isMenu } from "../routing/flows.ts";
import { isRequest, type Frame } from "../session/frame.ts";

/** Free text waits this long for its continuation, ms. A clear answer is handled at once. */
export const BURST_MS = 1_000;
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
