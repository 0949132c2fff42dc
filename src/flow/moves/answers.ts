/**
 * Moves of answers: they are taken, corrected, asked again, skipped, or gone back over. And moves of repair: what is said and
 * asked again when no answer came, or an answer to another question.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import type { AskStep, ChooseStep, SubflowStep } from "../ast/ast.ts";
import type { FlowIndex } from "../machine/flow-index.ts";
import { isAsk } from "../machine/steps.ts";
import { differ, isCarriedOutSince, isSent } from "./completed-calls.ts";
import { type Facts, pieceMark, unfitMark, withoutSteps } from "./facts.ts";
import {
  asking,
  asks,
  type MachineEvent,
  type Move,
  stay,
  stepOf,
  word,
  promptAgain,
  type Out,
} from "./move.ts";
import { quietOf } from "../machine/limits.ts";

/** Facts with values put in: consumed focus, digests of the context of dependent answers. */
export function taken(model: FlowIndex, facts: Facts, values: JsonObject): Facts {
  const slots: Record<string, Json> = { ...facts.slots };
  for (const [slot, value] of Object.entries(values)) if (value !== undefined) slots[slot] = value;
  const given = Object.keys(values);
  const next: Facts = {
    ...facts,
    slots,
    focus: facts.focus.filter((slot) => !given.includes(slot)),
    tries: 0,
    offer: [],
  };
  let marks: Record<string, string> | undefined;
  for (const slot of given) {
    for (const mark of [unfitMark(slot), pieceMark(slot)])
      if (Object.hasOwn(facts.marks, mark)) delete (marks ??= { ...facts.marks })[mark];
    for (const { step } of model.asks.get(slot) ?? [])
      if (step.t === "ask" && step.from)
        (marks ??= { ...facts.marks })[slot] = model.stamp(next, step);
  }
  return marks ? { ...next, marks } : next;
}

/** Values that came in, and what was wrong with those that did not. */
function takenWith(model: FlowIndex, facts: Facts, event: MachineEvent): Facts {
  const next = taken(model, facts, event.values ?? {});
  const unfit = Object.entries(event.unfit ?? {}).filter(
    ([slot]) => !Object.hasOwn(next.slots, slot),
  );
  if (unfit.length === 0) return next;
  const marks = Object.fromEntries(unfit.map(([slot, hint]) => [unfitMark(slot), hint]));
  return { ...next, marks: { ...next.marks, ...marks } };
}

export const answer: Move = (model, facts, event) => {
  const next = takenWith(model, facts, event);
  const step = asking(model, facts);
  const repeat = step && model.repeats.mores.get(step.slot);
  if (!step || model.isFilled(next, step)) return stay(next);
  if (repeat && model.repeats.goesOn(next, repeat)) return stay(next);
  const noted = word(next, "noted", Object.keys(event.values ?? {}));
  const asked = asks(model, next, step, true);
  return stay(asked.facts, noted, ...asked.outs);
};

export const correct: Move = (model, facts, event) => {
  const next = takenWith(model, facts, event);
  const given = Object.keys(event.values ?? {});
  const known = given.filter((slot) => facts.slots[slot] != null);
  const changed = known.filter((slot) => differ(facts.slots[slot], next.slots[slot]));
  if (changed.length === 0) return stay(next, word(next, "noted", given));
  // Of what was new the next question tells that it was heard, unless the same one stands.
  const added = given.filter((slot) => !known.includes(slot));
  const step = asking(model, facts);
  const stands = added.length > 0 && step && !model.isFilled(next, step);
  return stay(
    next,
    word(next, "corrected", changed),
    ...(stands ? [word(next, "noted", added)] : []),
  );
};

/** Where these slots are asked, as far as they are live. A list is changed where it is asked for another item. */
export function placesOf(model: FlowIndex, facts: Facts, slots: readonly string[]): string[] {
  return slots
    .map((slot) => model.repeats.lists.get(slot)?.step.more?.slot ?? slot)
    .filter((slot) => model.isLive(facts, slot));
}

export const edit: Move = (model, facts, event) => {
  const focus = placesOf(model, facts, event.slots ?? []);
  const left = event.anew ? dropped(model, facts, event.anew) : facts.slots;
  const next = { ...facts, slots: left, focus: [...new Set([...facts.focus, ...focus])] };
  if (focus.length > 0) return stay(next);
  const open = unconfirmed(model, next);
  return stay(open, word(open, "what-to-change"));
};

/**
 * What was confirmed and waits for somebody else, of which something is to be changed: it is not wanted as it is, so nobody is to
 * approve it meanwhile. It is confirmed anew once it is known what to change; where it was carried out since, there is nothing left
 * to confirm.
 */
function unconfirmed(model: FlowIndex, facts: Facts): Facts {
  const step = model.steps.get(facts.at);
  if (!step || isAsk(step) || step.t === "confirm") return facts;
  const last = model.places.findLast(
    (place) => place.step.t === "confirm" && model.settled(facts, place.step) === "yes",
  );
  if (!last || isCarriedOutSince(model, facts, last.step.id)) return facts;
  return { ...withoutSteps(facts, [last.step.id]), pending: null };
}

/** Answers without these, and without hidden ones: were they asked again, what was said of another would come back. */
function dropped(model: FlowIndex, facts: Facts, slots: readonly string[]): Facts["slots"] {
  return Object.fromEntries(
    Object.entries(facts.slots).filter(
      ([slot]) => !slots.includes(slot) && model.isLive(facts, slot),
    ),
  );
}

/** The question before the one at rest, still live. */
export function backTarget(model: FlowIndex, facts: Facts): AskStep | ChooseStep | undefined {
  for (const id of [...facts.trail].reverse()) {
    const step = model.steps.get(id);
    if (id !== facts.at && step && isAsk(step) && model.isLive(facts, step.slot)) return step;
  }
  return undefined;
}

export const back: Move = (model, facts) => {
  const target = backTarget(model, facts);
  if (!target) return stay(facts);
  const trail = facts.trail.slice(0, facts.trail.indexOf(target.id));
  const current = asking(model, facts)?.slot;
  const repeat = model.repeats.mores.get(target.slot);
  const next = repeat ? model.repeats.undo(facts, repeat) : facts;
  const focus = [...next.focus.filter((slot) => slot !== current), target.slot];
  return stay({ ...next, trail, focus: [...new Set(focus)] });
};

/** There is no way back: because nothing was asked before, or because what was asked has been sent. */
export const noBack: Move = (model, facts, event, params) => {
  const name = isSent(model, facts) ? "too-late" : params.word;
  return wordThenAsk(model, facts, event, { ...params, ...(name ? { word: name } : {}) });
};

/** After an item: the next one begins, or one goes. */
export const again: Move = (model, facts, _event, params) => {
  const step = stepOf(model, params.step);
  const repeat = step.t === "repeat" ? model.repeats.lists.get(step.slot) : undefined;
  return stay(repeat ? model.repeats.next(facts, repeat) : facts);
};

export const skip: Move = (model, facts) => {
  const step = asking(model, facts);
  return stay(step ? taken(model, facts, { [step.slot]: null }) : facts);
};

/** What another flow came back with for this flow's slots, as far as it fits them. */
export function brought(
  model: FlowIndex,
  facts: Facts,
  step: SubflowStep,
  out: JsonObject = {},
): JsonObject {
  const fits = (slot: string): boolean => {
    const value = out[slot];
    return value != null && model.accepts(slot, value, model.params(facts, slot));
  };
  const slots = (step.fills ?? []).filter(fits);
  return Object.fromEntries(slots.map((slot) => [slot, out[slot] ?? null]));
}

export const bad: Move = (model, facts, event) => {
  const step = asking(model, facts);
  const isKept = event.piece !== undefined && step && !model.ast.slots[step.slot]?.secret;
  const next: Facts = {
    ...facts,
    ...(isKept ? { marks: { ...facts.marks, [pieceMark(step.slot)]: event.piece ?? "" } } : {}),
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
