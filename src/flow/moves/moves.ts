/**
 * The shared table of moves: how facts change and what is put out, as pure functions of facts, event and parameters.
 *
 * Values are resolved at the moment of the move. What is put out is plain data: `out.say`, `out.ask`, `out.word`,
 * `out.bad`, and the demands.
 */
import { canonicalJson, type Json, type JsonObject } from "../../base/index.ts";
import type { AskingStep, AskStep, ChooseStep, PendingStep, SubflowStep } from "../ast/ast.ts";
import { isCarriedOutSince } from "./completed-calls.ts";
import { TRAIL_LIMIT, type Done, type Facts } from "./facts.ts";
import { likelyMark, type FlowIndex, unfitMark, wantedMark } from "../machine/flow-index.ts";
import { asking, type Move, type Moved, type Out, stay, stepOf, word } from "./move.ts";
import * as repairs from "./repair-moves.ts";
import { isAsk } from "../machine/steps.ts";
import { taken, takenWith } from "./taken-answers.ts";

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
    ...(media === undefined ? {} : { media }),
    ...(location === undefined ? {} : { location }),
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
    pending: null,
    offer: [],
    focus: step.t === "confirm" ? [] : facts.focus,
  };
  return asks(model, next, step, facts.at === step.id);
};

/** The question, or what was wrong with the answer that came before it. That is said once. */
function asks(model: FlowIndex, facts: Facts, step: AskingStep, again: boolean): Moved {
  const quiet: Out = { type: "out.quiet", facts, ...model.quiet(facts, step) };
  if (isAsk(step) && Object.hasOwn(facts.marks, likelyMark(step.slot)))
    return proposes(facts, step.slot, quiet);
  const mark = isAsk(step) ? unfitMark(step.slot) : "";
  if (!isAsk(step) || !Object.hasOwn(facts.marks, mark))
    return stay(facts, { type: "out.ask", step: step.id, again, facts }, quiet);
  const { [mark]: hint = "", ...marks } = facts.marks;
  const bad: Out = { type: "out.bad", slot: step.slot, reason: "invalid", hint, facts };
  return stay({ ...facts, marks }, bad, quiet);
}

/** The question as one whether it is what was most likely meant. Proposed once. */
function proposes(facts: Facts, slot: string, quiet: Out): Moved {
  const { [likelyMark(slot)]: likely = "", ...marks } = facts.marks;
  const next: Facts = { ...facts, marks, offer: [JSON.parse(likely) as Facts["offer"][number]] };
  const bad: Out = { type: "out.bad", slot, reason: "ambiguous", hint: "confirm", facts: next };
  return stay(next, bad, { ...quiet, facts: next } as Out);
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

const answer: Move = (model, facts, event) => {
  const next = takenWith(model, facts, event);
  const step = asking(model, facts);
  const repeat = step && model.repeats.mores.get(step.slot);
  if (!step || model.isFilled(next, step)) return stay(next);
  if (repeat && model.repeats.goesOn(next, repeat)) return stay(next);
  const noted = word(next, "noted", Object.keys(event.values ?? {}));
  const asked = asks(model, next, step, true);
  return stay(asked.facts, noted, ...asked.outs);
};

const correct: Move = (model, facts, event) => {
  const next = takenWith(model, facts, event);
  const given = Object.keys(event.values ?? {});
  const known = given.filter((slot) => facts.slots[slot] != null);
  const changed = known.filter((slot) => !isSame(facts.slots[slot], next.slots[slot]));
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

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null);
}

/** Where these slots are asked, as far as they are live. A list is changed where it is asked for another item. */
function asked(model: FlowIndex, facts: Facts, slots: readonly string[]): string[] {
  return slots
    .map((slot) => model.repeats.lists.get(slot)?.step.more?.slot ?? slot)
    .filter((slot) => model.isLive(facts, slot));
}

const edit: Move = (model, facts, event) => {
  const focus = asked(model, facts, event.slots ?? []);
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
  return { ...without(facts, [last.step.id]), pending: null };
}

/** Answers without these, and without hidden ones: were they asked again, what was said of another would come back. */
function dropped(model: FlowIndex, facts: Facts, slots: readonly string[]): Facts["slots"] {
  return Object.fromEntries(
    Object.entries(facts.slots).filter(
      ([slot]) => !slots.includes(slot) && model.isLive(facts, slot),
    ),
  );
}

/** Whether a call that counts was carried out for what is known now. */
function isSent(model: FlowIndex, facts: Facts): boolean {
  return model.places.some(
    ({ step }) => model.isSealing(step) && model.settled(facts, step) === "done",
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

const back: Move = (model, facts) => {
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
const noBack: Move = (model, facts, event, params) => {
  const name = isSent(model, facts) ? "too-late" : params.word;
  return repairs.wordThenAsk(model, facts, event, { ...params, ...(name ? { word: name } : {}) });
};

/** After an item: the next one begins, or one goes. */
const again: Move = (model, facts, _event, params) => {
  const step = stepOf(model, params.step);
  const repeat = step.t === "repeat" ? model.repeats.lists.get(step.slot) : undefined;
  return stay(repeat ? model.repeats.next(facts, repeat) : facts);
};

const skip: Move = (model, facts) => {
  const step = asking(model, facts);
  return stay(step ? taken(model, facts, { [step.slot]: null }) : facts);
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
  const given = is === "done" && step.t === "subflow" ? brought(model, facts, step, event.out) : {};
  return stay(Object.keys(given).length > 0 ? taken(model, next, given) : next);
};

/** What another flow came back with for this flow's slots, as far as it fits them. */
function brought(
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

/** Drops what is known of the given steps, so that they happen again. */
function without(facts: Facts, ids: readonly string[]): Facts {
  const drop = new Set(ids);
  const keep = <V>(record: { readonly [id: string]: V }) =>
    Object.fromEntries(Object.entries(record).filter(([id]) => !drop.has(id)));
  return { ...facts, done: keep(facts.done), marks: keep(facts.marks) };
}

const forget: Move = (model, facts, _event, params) => {
  const listed = params.clearFrom ? model.get(facts, params.clearFrom) : params.clear;
  const wanted = Array.isArray(listed) ? listed.map(String) : [];
  // What the flow's own conditions leave out is asked all the same: the world wants it, here of this person.
  const hidden = wanted.filter((slot) => model.asks.has(slot) && !model.isLive(facts, slot));
  const marks = {
    ...facts.marks,
    ...Object.fromEntries(hidden.map((slot) => [wantedMark(slot), ""])),
  };
  const focus = asked(model, { ...facts, marks }, wanted);
  const slots = { ...facts.slots };
  const next = without({ ...facts, marks }, params.ids ?? []);
  return stay({ ...next, slots, focus, pending: null, sealed: null, at: "start" });
};

/** Before an override's own words run: it may be asked for more than once. */
const refresh: Move = (_model, facts, _event, params) => stay(without(facts, params.ids ?? []));

const finish: Move = (model, facts, _event, params) => {
  const step = model.steps.get(params.step ?? "");
  const is = params.is ?? "done";
  // An end that was written comes first, with its own output.
  if (!step && facts.done.end?.is === is) return stay(facts);
  const out =
    step?.t === "end" && step.output ? model.resolve(facts, step.output) : answers(model, facts);
  const next: Facts = {
    ...facts,
    done: { ...facts.done, end: { for: "", is, ...(Object.keys(out).length > 0 ? { out } : {}) } },
  };
  return stay(next);
};

/** The live answers, secrets left out: what a caller gets when `end` names nothing else. */
function answers(model: FlowIndex, facts: Facts): JsonObject {
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
  answer,
  correct,
  edit,
  again,
  back,
  noBack,
  skip,
  settle,
  forget,
  refresh,
  finish,
  close,
  ...repairs,
} as const satisfies Record<string, Move>;

export type MoveName = keyof typeof MOVES;
