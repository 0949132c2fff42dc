/**
 * The shared table of moves: how facts change and what is put out, as pure functions of facts, event and parameters.
 *
 * Values are resolved at the moment of the move. What is put out is plain data: `out.say`, `out.ask`, `out.word`,
 * `out.bad`, and the demands.
 */
import type { JsonObject } from "../../base/index.ts";
import type { PendingStep } from "../ast/ast.ts";
import type { MoveName } from "../machine/config.ts";
import type { FlowIndex } from "../machine/flow-index.ts";
import { isAsk } from "../machine/steps.ts";
import * as answers from "./answers.ts";
import { isSent } from "./completed-calls.ts";
import {
  type Done,
  type Facts,
  pieceMark,
  TRAIL_LIMIT,
  wantedMark,
  withoutSteps,
} from "./facts.ts";
import { asks, type Move, stay, stepOf, word } from "./move.ts";

const say: Move = (model, facts, _event, params) => {
  const step = stepOf(model, params.step);
  if (step.t !== "say") return stay(facts);
  const stamp = model.stamp(facts, step).slice(0, 16);
  if (facts.marks[step.id] === stamp) return stay(facts);
  const media = step.media ? model.value(facts, step.media) : undefined;
  const location = step.location ? model.value(facts, step.location) : undefined;
  const next = { ...facts, marks: { ...facts.marks, [step.id]: stamp } };
  return stay(next, {
    type: "out.say",
    text: step.text ?? step.id,
    vars: model.resolve(facts, step.vars ?? {}),
    media,
    location,
    facts,
  });
};

const ask: Move = (model, facts, _event, params) => {
  const step = stepOf(model, params.step);
  if (!isAsk(step) && step.t !== "confirm") return stay(facts);
  if (isAsk(step) ? model.isFilled(facts, step) : model.settled(facts, step)) return stay(facts);
  const trail = isAsk(step) ? shown(facts.trail, step.id) : facts.trail;
  const next: Facts = {
    ...facts,
    at: step.id,
    tries: 0,
    trail,
    marks: isAsk(step) ? withoutPiece(facts.marks, step.slot) : facts.marks,
    pending: null,
    offer: [],
    focus: step.t === "confirm" ? [] : facts.focus,
  };
  return asks(model, next, step, facts.at === step.id);
};

/** A question that is asked anew begins anew. */
function withoutPiece(marks: Facts["marks"], slot: string): Facts["marks"] {
  const { [pieceMark(slot)]: piece, ...rest } = marks;
  return piece === undefined ? marks : rest;
}

/** The trail with a question at its end; each question stands in it once. */
function shown(trail: readonly string[], id: string): readonly string[] {
  const next = trail.includes(id) ? trail.filter((one) => one !== id) : trail.slice();
  next.push(id);
  return next.length > TRAIL_LIMIT ? next.slice(-TRAIL_LIMIT) : next;
}

const begin: Move = (model, facts, _event, params) => {
  const step = stepOf(model, params.step) as PendingStep;
  const stamp = model.stamp(facts, step);
  if (model.settled(facts, step) !== undefined) return stay(facts);
  if (facts.pending?.step === step.id && facts.pending.for === stamp) return stay(facts);
  const { [step.id]: _stale, ...done } = facts.done;
  const next: Facts = {
    ...facts,
    done,
    at: step.id,
    tries: 0,
    focus: [],
    pending: { step: step.id, for: stamp },
    sealed: model.isSealing(step) ? step.id : facts.sealed,
  };
  return stay(
    next,
    { type: "out.begin", step: step.id, for: stamp, facts: next },
    { type: "out.quiet", facts: next },
  );
};

const handoff: Move = (model, facts, _event, params) => {
  const step = stepOf(model, params.step);
  if (step.t !== "handoff" || facts.done[step.id]) return stay(facts);
  const next: Facts = { ...facts, at: step.id, tries: 0, focus: [], pending: null };
  return stay(
    next,
    { type: "out.handoff", step: step.id, reason: step.reason },
    { type: "out.quiet", facts: next },
  );
};

const settle: Move = (model, facts, event, params) => {
  const step = stepOf(model, params.step);
  const is = params.is ?? "done";
  const held = is === "held";
  const entry: Done = {
    for: event.for ?? model.stamp(facts, step),
    is,
    ...(event.out && Object.keys(event.out).length > 0 ? { out: event.out } : {}),
  };
  const next: Facts = {
    ...facts,
    done: { ...facts.done, [step.id]: entry },
    pending: held ? facts.pending : null,
    sealed: held || facts.sealed !== step.id ? facts.sealed : null,
    // What cost or counted was done for what was answered until then: "back" does not lead behind it.
    trail: is === "done" && facts.sealed === step.id ? [] : facts.trail,
  };
  const given =
    is === "done" && step.t === "subflow" ? answers.brought(model, facts, step, event.out) : {};
  return stay(Object.keys(given).length > 0 ? answers.taken(model, next, given) : next);
};

const forget: Move = (model, facts, _event, params) => {
  const listed = params.clearFrom ? model.get(facts, params.clearFrom) : params.clear;
  const wanted = Array.isArray(listed) ? listed.map(String) : [];
  // What the flow's own conditions leave out is asked all the same: the world wants it, here of this person.
  const hidden = wanted.filter((slot) => model.asks.has(slot) && !model.isLive(facts, slot));
  const marks = {
    ...facts.marks,
    ...Object.fromEntries(hidden.map((slot) => [wantedMark(slot), ""])),
  };
  const focus = answers.placesOf(model, { ...facts, marks }, wanted);
  const slots = { ...facts.slots };
  const next = withoutSteps({ ...facts, marks }, params.ids ?? []);
  return stay({ ...next, slots, focus, pending: null, sealed: null, at: "start" });
};

/** Before an override's own words run: it may be asked for more than once. */
const refresh: Move = (_model, facts, _event, params) =>
  stay(withoutSteps(facts, params.ids ?? []));

const finish: Move = (model, facts, _event, params) => {
  const step = model.steps.get(params.step ?? "");
  const is = params.is ?? "done";
  // An end that was written comes first, with its own output.
  if (!step && facts.done.end?.is === is) return stay(facts);
  const out =
    step?.t === "end" && step.output
      ? model.resolve(facts, step.output)
      : liveAnswers(model, facts);
  const next: Facts = {
    ...facts,
    done: { ...facts.done, end: { for: "", is, ...(Object.keys(out).length > 0 ? { out } : {}) } },
  };
  return stay(next);
};

/** The live answers, secrets left out: what a caller gets when `end` names nothing else. */
function liveAnswers(model: FlowIndex, facts: Facts): JsonObject {
  const open = model.order.filter((slot) => !model.ast.slots[slot]?.secret && !model.isPart(slot));
  return model.shown(facts, open);
}

const close: Move = (model, facts, _event, params) => {
  // "Cancelled" would be a lie of what a call carried out before.
  const stands = params.word === "cancelled" && isSent(model, facts);
  const said = stands ? "cancelled-after" : params.word;
  return stay(
    { ...facts, at: `ended-${params.is ?? "done"}`, pending: null, focus: [] },
    ...(said ? [word(facts, said)] : []),
    { type: "out.quiet", facts },
  );
};

export const MOVES = {
  say,
  ask,
  begin,
  handoff,
  answer: answers.answer,
  correct: answers.correct,
  edit: answers.edit,
  again: answers.again,
  back: answers.back,
  noBack: answers.noBack,
  skip: answers.skip,
  settle,
  forget,
  refresh,
  finish,
  close,
  bad: answers.bad,
  exhausted: answers.exhausted,
  wordThenAsk: answers.wordThenAsk,
  repeat: answers.repeat,
  wordOnly: answers.wordOnly,
  tooLate: answers.tooLate,
  nudge: answers.nudge,
  human: answers.human,
} as const satisfies Record<MoveName, Move>;
