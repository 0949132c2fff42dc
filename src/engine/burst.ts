/**
 * Free text comes in bursts: "corte de cabelo" / "e barba" / "do meu filho". What may go on is held a moment.
 */
import type { Draft } from "./draft.ts";
import { meaning } from "./meaning.ts";
import type { Expectation } from "./program.ts";

/** Free text waits this long for the rest of it; anything that is a clear answer goes at once. */
export const BURST_MS = 1_000;
/** A burst never waits longer than this in all. */
const BURST_MAX_MS = 5_000;
/** A burst of more messages than this is taken as it is. */
const BURST_MESSAGES = 20;

/** Whether this text is the beginning of a free answer that may go on in the next bubbles. */
export function waits(draft: Draft, expectation: Expectation, text: string): boolean {
  const { session, env } = draft;
  const asked = expectation.slots.find((slot) => slot.name === expectation.slot);
  if (expectation.rests !== "ask" || asked?.kind !== "text") return false;
  const meant = meaning(expectation, { type: "text", text }, draft.context);
  if (meant.kind === "command") return false;
  const since = session.burst?.since ?? env.now;
  const texts = [...(session.burst?.texts ?? []), text].slice(0, BURST_MESSAGES);
  const full = texts.length >= BURST_MESSAGES;
  const due = full ? env.now : Math.min(env.now + BURST_MS, since + BURST_MAX_MS);
  session.burst = { texts, since, due, of: expectation.step };
  draft.setTimer(session, "burst", due);
  draft.quiet = "burst";
  return true;
}
