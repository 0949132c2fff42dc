/** `handoff`: a person takes over; the flow goes on when the conversation is given back. */
import { present } from "../../base/index.ts";
import type { HandoffStep } from "../ast/ast.ts";
import { type Repaired, repairOf } from "../authoring/making.ts";
import { guard, move } from "../machine/config.ts";
import { id, waitingRepair } from "../yaml/common-fields.ts";
import { must, text } from "../yaml/shape.ts";
import type { StepKind } from "./step-kind.ts";

export const handoff: StepKind<HandoffStep> = {
  rests: true,
  methods: {
    handoff: {
      main: must(text, "A person takes over; goes on when given back."),
      fields: { id: id("An id of its own."), repair: waitingRepair },
      make: (_making, reason: string, o: { id?: string } & Repaired = {}) =>
        present({
          t: "handoff",
          id: o.id ?? `handoff-${reason}`,
          reason,
          repair: repairOf(o.repair),
        }),
    },
  },
  name: ({ reason }) => reason,
  state: (step, next, states) => ({
    entry: [move("handoff", { step: step.id })],
    always: [{ guard: guard("settled", { step: step.id, is: "back" }), target: states.to(next) }],
    on: { RESUME: [{ actions: [move("settle", { step: step.id, is: "back" })] }] },
  }),
  closes: () => true,
  cost: (_step, way, counter) => [counter.plus(counter.sent(way), 1)],
  place: (step, { model, facts }) => (model.settled(facts, step) === undefined ? step.id : null),
  events: () => [{ type: "RESUME" }],
};
