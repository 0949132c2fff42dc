/** `notify`: asks somebody else by another flow, and waits for the answer. */
import { present } from "../../base/index.ts";
import type { NotifyStep } from "../ast/ast.ts";
import { exprs, type Repaired, repairOf, type Bag } from "../authoring/making.ts";
import { exprOf } from "../authoring/reference.ts";
import { input, needId, outcomes, waitingRepair } from "../yaml/common-fields.ts";
import { duration, may, must, text, value } from "../yaml/shape.ts";
import { OF_OUTCOMES, pending, WITHIN_MS } from "./outcomes.ts";
import type { Model, StepKind } from "./step-kind.ts";

interface NotifyOptions extends Repaired {
  readonly id: string;
  readonly to: unknown;
  readonly input?: Bag;
  readonly within: string;
  readonly remind?: string;
  readonly on: Bag;
}

export const notify: StepKind<NotifyStep> = {
  rests: true,
  methods: {
    notify: {
      main: must(text, "Asks somebody else by another flow."),
      fields: {
        id: needId,
        to: must(value, "One alias or a list: account.operators."),
        input,
        within: must(duration, "How long to wait; then the branch late."),
        remind: may(duration, "When to repeat the question, once."),
        on: outcomes,
        repair: waitingRepair,
      },
      make: (making, flow: string, o: NotifyOptions) =>
        present({
          t: "notify",
          id: o.id,
          flow,
          to: exprOf(o.to),
          input: exprs(o.input),
          within: o.within,
          remind: o.remind,
          on: making.branches(o.id, o.on),
          repair: repairOf(o.repair),
        }),
    },
  },
  ...OF_OUTCOMES,
  name: ({ flow }) => flow,
  reads: (step) => [step.to, ...Object.values(step.input)],
  link: (step, linker) => ({
    ...step,
    input: linker.fill(step.input, linker.inputOf(step.flow)),
    on: linker.blocks(step.on),
  }),
  content: (step, model, facts) => ({
    flow: step.flow,
    to: model.value(facts, step.to) ?? null,
    input: model.resolve(facts, step.input),
    // Whatever was answered before counts too: a yes is a yes to this state of things and no other.
    answers: model.shown(facts, askedBefore(model, step.id)),
  }),
  state: pending,
  demand(step, { head, model, facts, span }) {
    const to = model.value(facts, step.to);
    const remindMs = span(step.remind);
    return {
      type: "notify",
      ...head,
      flow: step.flow,
      to: (Array.isArray(to) ? to : typeof to === "string" ? [to] : []).map(String),
      input: model.resolve(facts, step.input),
      withinMs: span(step.within) ?? WITHIN_MS,
      ...(remindMs === undefined ? {} : { remindMs }),
    };
  },
  closes: ({ on }, closes) => Object.values(on).every(closes),
  // What is asked of somebody else is a message there, even before that flow says anything.
  cost: (step, way, counter) =>
    counter.branches(Object.values(step.on), counter.through(step.flow, counter.sent(way), 1)),
  events: (step, trial) => OF_OUTCOMES.events(step, { ...trial, taken: ["late", ...trial.taken] }),
};

/** Slots first asked before a step, in order. */
function askedBefore(model: Model, id: string): string[] {
  const index = model.places.findIndex(({ step }) => step.id === id);
  const slots = model.places
    .slice(0, index)
    .flatMap(({ step }) => ("slot" in step && !model.isPart(step.slot) ? [step.slot] : []));
  return [...new Set(slots)];
}
