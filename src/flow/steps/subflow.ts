/** `subflow`: runs another flow with the same person. */
import { present } from "../../base/index.ts";
import type { SubflowStep } from "../ast/ast.ts";
import { exprs, type Repaired, repairOf, type Bag } from "../authoring/making.ts";
import { input, needId, waitingRepair } from "../yaml/common-fields.ts";
import { list, may, must, names, steps, text } from "../yaml/shape.ts";
import { end } from "./end.ts";
import { OF_OUTCOMES, pending } from "./outcomes.ts";
import type { Inputs, StepKind } from "./step-kind.ts";

interface SubflowOptions extends Repaired {
  readonly id: string;
  readonly input?: Bag;
  readonly fills?: readonly string[];
  readonly on?: Bag;
}

export const subflow: StepKind<SubflowStep> = {
  rests: true,
  methods: {
    subflow: {
      main: must(text, "Runs another flow with the same person."),
      fields: {
        id: needId,
        input,
        fills: may(list(text), "Slots that take what it ends with under their names."),
        on: may(names(steps), "Steps by outcome; without one it goes on."),
        repair: waitingRepair,
      },
      make(making, flow: string, o: SubflowOptions) {
        const { id, fills } = o;
        // Answers that will not come any more end this flow, too; else both would be asked in vain.
        const stopped = () => (fills ? [end.methods["end"]?.make(making)] : []);
        const given = { done: [], cancelled: stopped(), expired: stopped(), ...o.on };
        return present({
          t: "subflow",
          id,
          flow,
          input: exprs(o.input),
          fills,
          on: making.branches(id, given),
          repair: repairOf(o.repair),
        });
      },
    },
  },
  ...OF_OUTCOMES,
  name: ({ flow }) => flow,
  reads: (step) => Object.values(step.input),
  link: (step, linker) => ({
    ...step,
    input: linker.fill(step.input, linker.inputOf(step.flow)),
    on: linker.blocks(step.on),
  }),
  content: (step, model, facts) => ({
    flow: step.flow,
    input: model.resolve(facts, notFilled(step)),
  }),
  state: pending,
  demand: (step, { head, model, facts }) => ({
    type: "subflow",
    ...head,
    flow: step.flow,
    input: model.resolve(facts, step.input),
  }),
  cost: (step, way, counter) =>
    counter.branches(Object.values(step.on), counter.through(step.flow, counter.sent(way))),
};

/** What it may fill is handed over as it was said by then; its own answer, or a later one, does not begin it again. */
function notFilled({ input: given, fills = [] }: SubflowStep): Inputs {
  return Object.fromEntries(
    Object.entries(given).filter(([, expr]) => !("ref" in expr && fills.includes(expr.ref))),
  );
}
