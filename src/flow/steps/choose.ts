/** `choose`: a menu over a slot of kind choice, one branch per option. */
import { present } from "../../base/index.ts";
import type { Block, ChooseStep } from "../ast/ast.ts";
import type { AskOptions } from "../authoring/kit-options.ts";
import { limits, type Bag } from "../authoring/making.ts";
import { guard, move } from "../machine/config.ts";
import { id, limitFields, prompt } from "../yaml/common-fields.ts";
import { must, names, steps, text } from "../yaml/shape.ts";
import { answersOf, askOptions } from "./ask.ts";
import { named } from "./outcomes.ts";
import type { StepKind } from "./step-kind.ts";

export const choose: StepKind<ChooseStep> = {
  rests: true,
  methods: {
    choose: {
      main: must(text, "A menu over a slot of kind choice."),
      fields: {
        id: id(),
        prompt,
        branches: must(names(steps), "Steps by option; [] goes on."),
        ...limitFields,
      },
      make(making, slot: string, branches: Bag, o: AskOptions<Bag> = {}) {
        if (o.ask !== undefined) making.prompts[slot] = o.ask;
        return present({ t: "choose", id: o.id ?? slot, slot, branches, ...limits(o) });
      },
      args: (slot, { branches, ...options }) => [slot, branches, askOptions(options)],
    },
  },
  name: ({ slot }) => slot,
  blocks: ({ branches }) => named(branches),
  under: ({ slot }, option) => [{ cmp: "==", l: { ref: slot }, r: { val: option } }],
  link: (step, linker) => ({ ...step, branches: linker.blocks(step.branches) }),
  state: (step, next, states) => ({
    entry: [move("ask", { step: step.id })],
    always: Object.entries(step.branches).map(([option, block]) => ({
      guard: guard("picked", { step: step.id, option }),
      target: states.to(states.block(block, next)),
    })),
    ...states.onMax(step, next),
  }),
  closes: ({ branches }, closes) => Object.values(branches).every(closes),
  cost: (step, way, counter) => counter.branches(Object.values(step.branches), counter.asked(way)),
  place: (step, { model, facts, block }) =>
    model.isFilled(facts, step) ? block(branchOf(step, facts.slots[step.slot])) : step.id,
  events: answersOf,
};

function branchOf({ branches }: ChooseStep, picked: unknown): Block {
  return typeof picked === "string" && Object.hasOwn(branches, picked)
    ? (branches[picked] ?? [])
    : [];
}
