/** Moves of repair: what is said and asked again when no answer came, or an answer to another question. */
import type { Facts } from "./facts.ts";
import { asking, promptAgain, stay, word, type Move, type Out } from "./move.ts";
import { quietOf } from "../machine/limits.ts";
import { isAsk } from "../machine/steps.ts";

export const bad: Move = (model, facts, event) => {
  const step = asking(model, facts);
  const next: Facts = {
    ...facts,
    tries: event.nearer ? 0 : facts.tries + 1,
    offer: (event.options ?? []).map(({ id, label }) => ({ id, label })),
  };
  const at = model.steps.get(facts.at);
  const quiet: Out[] =
    at && (isAsk(at) || at.t === "confirm")
      ? [{ type: "out.quiet", facts: next, ...quietOf(model, facts, at) }]
      : [];
  // It may have been a change: the current answers are shown, so that the person knows what a yes confirms.
  const stands: Out[] =
    at?.t === "confirm" && event.reason !== "word-needed"
      ? [{ type: "out.ask", step: at.id, again: true, facts: next }]
      : [];
  return stay(
    next,
    {
      type: "out.bad",
      slot: event.of ?? step?.slot ?? "",
      reason: event.reason ?? "invalid",
      hint: event.hint,
      facts: next,
    },
    ...stands,
    ...quiet,
  );
};

export const exhausted: Move = (_model, facts) => {
  const next: Facts = { ...facts, tries: 0 };
  return stay(
    next,
    word(next, "exhausted"),
    { type: "out.handoff", step: facts.at, reason: "exhausted" },
    { type: "out.quiet", facts: next },
  );
};

/** Says a common word (or the step's own text in its place), then asks the question again. */
export const wordThenAsk: Move = (model, facts, event, params) =>
  stay(
    facts,
    params.text === undefined
      ? word(facts, params.word ?? "repeat", params.word === "why" ? event.slots : [])
      : { type: "out.say", text: params.text, vars: {}, facts },
    ...promptAgain(model, facts),
  );

export const repeat: Move = (model, facts) => stay(facts, ...promptAgain(model, facts));

export const wordOnly: Move = (_model, facts, _event, params) =>
  stay(facts, word(facts, params.word ?? "repeat"));

/** It is too late for a change: said alone while a call is in progress, otherwise with the current question. */
export const tooLate: Move = (model, facts, event, params) =>
  (facts.sealed === null ? wordThenAsk : wordOnly)(model, facts, event, params);

export const nudge: Move = (model, facts) =>
  // The timers stay as they are: a nudge must not put off the end, nor follow a nudge.
  stay(
    facts,
    word(facts, "nudge"),
    ...promptAgain(model, facts).filter((out) => out.type === "out.ask"),
  );

export const human: Move = (_model, facts) =>
  stay(
    facts,
    word(facts, "human"),
    { type: "out.handoff", step: facts.at, reason: "asked" },
    { type: "out.quiet", facts },
  );
