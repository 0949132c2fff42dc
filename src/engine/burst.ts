/**
 * Free text comes in bursts: "corte de cabelo" / "e barba" / "do meu filho". What may go on is held a moment.
 */
import type { Draft } from "./draft.ts";
import type { Content } from "./inbound.ts";
import { meaning } from "./meaning.ts";
import { current } from "./meant.ts";
import type { Expectation } from "./program.ts";
import { programOf } from "./programs.ts";
import type { Frame } from "./session.ts";

/** Free text waits this long for the rest of it; anything that is a clear answer goes at once. */
export const BURST_MS = 1_000;
/** A burst never waits longer than this in all. */
const BURST_MAX_MS = 5_000;
/** A burst of more messages than this is taken as it is. */
const BURST_MESSAGES = 20;

/** Whether this text is the beginning of a free answer that may go on in the next bubbles. */
export function waits(draft: Draft, frame: Frame, expectation: Expectation, text: string): boolean {
  const { session, env } = draft;
  if (!isFree(draft, expectation, text)) return false;
  const since = session.burst?.since ?? env.now;
  const texts = [...(session.burst?.texts ?? []), text].slice(0, BURST_MESSAGES);
  const full = texts.length >= BURST_MESSAGES;
  const due = full ? env.now : Math.min(env.now + BURST_MS, since + BURST_MAX_MS);
  const known = [...(session.burst?.ids ?? []), draft.messages[0] ?? ""].slice(0, BURST_MESSAGES);
  session.burst = { texts, ids: known, since, due, of: placeOf(frame, expectation) };
  draft.setTimer(session, "burst", due);
  draft.quiet = "burst";
  return true;
}

/** Whether a message goes on with the burst that waits: more free text for the same question. */
export function joins(draft: Draft, content: Content): boolean {
  const frame = draft.top;
  if (!frame || content.type !== "text" || !draft.session.burst) return false;
  const expectation =
    draft.moved?.frame === frame
      ? draft.moved.expectation
      : programOf(draft, frame).expects(frame.state, draft.context);
  if (!expectation) return false;
  return (
    draft.session.burst?.of === placeOf(frame, expectation) &&
    isFree(draft, expectation, content.text)
  );
}

/** Which question a burst answers: frame and step. */
export function placeOf(frame: Frame, expectation: Expectation): string {
  return `${frame.id}.${expectation.step}`;
}

function isFree(draft: Draft, expectation: Expectation, text: string): boolean {
  if (expectation.rests !== "ask" || current(expectation)?.kind !== "text") return false;
  return meaning(expectation, { type: "text", text }, draft.context).kind !== "command";
}
