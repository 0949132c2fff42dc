/** `submit` and `call`: have an effect done, once per input. */
import { present } from "../../base/index.ts";
import { type Block, EFFECT_OUTCOMES, type EffectStep } from "../ast/ast.ts";
import { exprs, type Making, type Repaired, repairOf, type Bag } from "../authoring/making.ts";
import { input, needId, waitingRepair } from "../yaml/common-fields.ts";
import { type Field, type Fields, may, must, steps, text } from "../yaml/shape.ts";
import { OF_OUTCOMES, pending } from "./outcomes.ts";
import type { BareState, States, StepKind } from "./step-kind.ts";

type EffectOptions = { readonly id: string; readonly input?: Bag } & Bag & Repaired;

function make(making: Making, effect: string, o: EffectOptions): unknown {
  const on = making.branches(o.id, { done: [], ...o }, EFFECT_OUTCOMES);
  const given = exprs(o.input);
  return present({ t: "effect", id: o.id, effect, input: given, on, repair: repairOf(o.repair) });
}

const branch = (when: string): Field => may(steps, `Steps to run ${when}.`);
const fields: Fields = {
  id: needId,
  input,
  done: branch("when it was done"),
  rejected: branch("on a definite no"),
  held: branch("while nobody knows how it ended; costly and fiscal effects need it"),
  failed: branch("when it was not done"),
  repair: waitingRepair,
};

export const effect: StepKind<EffectStep> = {
  rests: true,
  methods: {
    submit: { main: must(text, "Has an effect done, once per input."), fields, make },
    call: {
      main: must(text, "Calls an effect that only looks something up."),
      fields,
      make: (making, name: string, o: EffectOptions) =>
        make(making, name, { rejected: [], failed: [], ...o }),
    },
  },
  ...OF_OUTCOMES,
  name: (step) => step.effect,
  reads: (step) => Object.values(step.input),
  link(step, linker) {
    const takes = linker.words.effects.get(step.effect)?.input ?? [];
    const isGiven = (name: string): boolean =>
      Object.hasOwn(step.input, name) || Object.hasOwn(linker.fill({}, [name]), name);
    const filled = takes
      .filter(({ explicit, unless }) => !explicit && !(unless !== undefined && isGiven(unless)))
      .map(({ name }) => name);
    return { ...step, input: linker.fill(step.input, filled), on: linker.blocks(step.on) };
  },
  content: (step, model, facts) => ({
    effect: step.effect,
    input: model.resolve(facts, step.input),
  }),
  state(step, next, states) {
    const { held } = step.on;
    if (held) return heldState(step, held, next, states);
    const state = pending(step, next, states);
    // Only grave calls may stay held; what ends unknown elsewhere has failed as far as the flow can tell.
    const failed = state.on[`${step.id}.failed`];
    return failed ? { ...state, on: { ...state.on, [`${step.id}.held`]: failed } } : state;
  },
  demand(step, { head, model, facts }) {
    const info = model.words.effects.get(step.effect);
    if (!info) throw new TypeError(`no effect "${step.effect}"`);
    const given = model.resolve(facts, step.input);
    return { type: "effect", ...head, name: step.effect, class: info.class, input: given };
  },
  // Held is no end: the step goes on by one of the others.
  closes: ({ on }, closes) =>
    Object.entries(on).every(([outcome, block]) => outcome === "held" || closes(block)),
  cost(step, way, counter) {
    const { calls = 0, brl = 0 } = counter.words.effects.get(step.effect) ?? {};
    return counter.branches(Object.values(step.on), counter.plus(counter.sent(way), calls, brl));
  },
  place: (step, reading) =>
    reading.settled(step, (is) =>
      is === "held" ? (reading.block(step.on["held"] ?? []) ?? step.id) : (step.on[is] ?? []),
    ),
};

/** A call that may be held: the interim words once, then a rest with the same endings. */
function heldState(step: EffectStep, words: Block, next: string, states: States): BareState {
  const state = pending(step, next, states, { states: { held: `${step.id}-held` } });
  const rest = `${step.id}-held-rest`;
  const first = states.block(words, rest);
  states.addBeside(`${step.id}-held`, {
    always: [{ target: states.to(first) }],
    meta: { step: step.id, t: "held" },
  });
  states.addBeside(rest, {
    always: state.always.filter((edge) => edge.guard?.params.is !== "held"),
    on: Object.fromEntries(Object.entries(state.on).filter(([event]) => !event.endsWith(".held"))),
    meta: { step: step.id, t: "held-rest" },
  });
  return state;
}
