/** `end`: ends the flow with an outcome. */
import { present } from "../../base/index.ts";
import type { EndStep } from "../ast/ast.ts";
import { exprs, type Bag } from "../authoring/making.ts";
import { move } from "../machine/config.ts";
import { id } from "../yaml/common-fields.ts";
import { may, names, text, value } from "../yaml/shape.ts";
import type { StepKind } from "./step-kind.ts";

export const end: StepKind<EndStep> = {
  rests: false,
  methods: {
    end: {
      main: may(text, "Ends the flow with an outcome; done."),
      fields: {
        id: id("An id of its own."),
        output: may(names(value), "The answer to whoever called; all answers that are not secret."),
      },
      make: (making, outcome = "done", o: { id?: string; output?: Bag } = {}) =>
        present({
          t: "end",
          id: o.id ?? making.free(`end-${String(outcome)}`),
          outcome,
          output: o.output && exprs(o.output),
        }),
    },
  },
  name: ({ outcome }) => (outcome === "done" ? "" : outcome),
  reads: ({ output }) => Object.values(output ?? {}),
  state: (step, _next, states) => ({
    entry: [move("finish", { step: step.id, is: step.outcome })],
    always: [{ target: states.to(`ended-${step.outcome}`) }],
  }),
  closes: () => true,
  cost(step, way, counter) {
    counter.end(step.outcome, way);
    return [];
  },
  place: ({ outcome }) => `ended-${outcome}`,
};
