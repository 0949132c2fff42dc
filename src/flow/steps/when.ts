/** `when`: goes one way or the other, by a condition. */
import { present } from "../../base/index.ts";
import type { WhenStep } from "../ast/ast.ts";
import type { Block } from "../authoring/kit-options.ts";
import type { Cond } from "../authoring/reference.ts";
import { guard } from "../machine/config.ts";
import { condition, may, must, steps } from "../yaml/shape.ts";
import type { StepKind } from "./step-kind.ts";

export const when: StepKind<WhenStep> = {
  rests: false,
  methods: {
    when: {
      main: must(condition, "Goes one way or the other, by a condition."),
      fields: {
        then: must(steps, "Steps to run when it holds."),
        else: may(steps, "Steps to run when it does not."),
      },
      make(making, holds: Cond, then: Block, otherwise?: Block) {
        const first = then[0]?.id ?? otherwise?.[0]?.id ?? "nothing";
        const rest = otherwise && otherwise.length > 0 ? otherwise : undefined;
        const id = making.free(`if-${first}`);
        return present({ t: "when", id, if: holds.expr, then, else: rest });
      },
      args: (holds, options) => [holds, options["then"], options["else"]],
    },
  },
  name: () => "",
  blocks: (step) => [
    { name: "then", block: step.then },
    ...(step.else ? [{ name: "else", block: step.else }] : []),
  ],
  under: (step, block) => [block === "then" ? step.if : { not: step.if }],
  reads: (step) => [step.if],
  link: (step, linker) => ({
    ...step,
    then: linker.block(step.then),
    ...(step.else ? { else: linker.block(step.else) } : {}),
  }),
  state: (step, next, states) => ({
    always: [
      {
        guard: guard("is", { if: step.if }),
        target: states.to(states.block(step.then, next)),
      },
      { target: states.to(states.block(step.else ?? [], next)) },
    ],
  }),
  closes: (step, closes) => closes(step.then) && closes(step.else ?? []),
  cost: (step, way, counter) => counter.branches([step.then, step.else ?? []], way),
  place: (step, { model, facts, block }) =>
    block(model.holds(facts, step.if) ? step.then : (step.else ?? [])),
};
