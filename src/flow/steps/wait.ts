/** `wait`: waits for an event from outside. */
import { present } from "../../base/index.ts";
import { WAIT_OUTCOMES, type WaitStep } from "../ast/ast.ts";
import { type Repaired, repairOf, type Bag } from "../authoring/making.ts";
import { type Cond, refTo } from "../authoring/reference.ts";
import { needId, outcomes, waitingRepair } from "../yaml/common-fields.ts";
import { condition, duration, may, must, text } from "../yaml/shape.ts";
import { OF_OUTCOMES, pending, WITHIN_MS } from "./outcomes.ts";
import type { StepKind } from "./step-kind.ts";

interface WaitOptions extends Repaired {
  readonly id: string;
  readonly where?: Cond | ((event: unknown) => Cond);
  readonly within: string;
  readonly on: Bag;
}

export const wait: StepKind<WaitStep> = {
  rests: true,
  methods: {
    wait: {
      main: must(text, "Waits for something from outside."),
      fields: {
        id: needId,
        where: may(condition, "Which of such events counts: what it brings is read by the id."),
        within: must(duration, "How long to wait; then the branch late."),
        on: outcomes,
        repair: waitingRepair,
      },
      make(making, event: string, o: WaitOptions) {
        const where = typeof o.where === "function" ? o.where(refTo(o.id)) : o.where;
        return present({
          t: "wait",
          id: o.id,
          event,
          where: where?.expr,
          within: o.within,
          on: making.branches(o.id, o.on),
          repair: repairOf(o.repair),
        });
      },
    },
  },
  ...OF_OUTCOMES,
  name: ({ event }) => event,
  reads: ({ where }) => (where ? [where] : []),
  link: (step, linker) => ({ ...step, on: linker.blocks(step.on) }),
  content: ({ event }) => ({ event }),
  state: (step, next, states) => pending(step, next, states, { guards: { got: "matches" } }),
  demand: (step, { head, span }) => ({
    type: "wait",
    ...head,
    event: step.event,
    withinMs: span(step.within) ?? WITHIN_MS,
  }),
  outcomes: WAIT_OUTCOMES,
  closes: ({ on }, closes) => Object.values(on).every(closes),
  cost: (step, way, counter) => counter.branches(Object.values(step.on), counter.sent(way)),
};
