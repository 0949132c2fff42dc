/** `repeat`: asks the same for each item of a list, then "another one?". After a yes its questions begin again. */
import type { Bag } from "../authoring/making.ts";
import { present } from "../../base/index.ts";
import type { RepeatStep } from "../ast/ast.ts";
import type { AskOptions, Block } from "../authoring/kit-options.ts";
import { guard, move } from "../machine/config.ts";
import { id, limitFields, prompt } from "../yaml/common-fields.ts";
import { amount, fields, may, must, steps, text } from "../yaml/shape.ts";
import { ask, askOptions, makeAsk } from "./ask.ts";
import type { StepKind } from "./step-kind.ts";

interface RepeatOptions {
  readonly id?: string;
  readonly max?: number | string;
  readonly more?: AskOptions<Bag>;
}

export const repeat: StepKind<RepeatStep> = {
  rests: false,
  methods: {
    repeat: {
      main: must(text, "Asks the same for each item of a slot of kind list, then for another one."),
      fields: {
        id: id("An id of its own."),
        of: must(steps, "The questions of one item."),
        max: may(amount(1), "Most items; 10."),
        more: may(fields({ prompt, ...limitFields }), "How another one is asked for."),
      },
      make(making, slot: string, of: Block, o: RepeatOptions = {}) {
        const own = o.id ?? slot;
        const more = o.more && makeAsk(making, `${slot}_more`, { ...o.more, id: `${own}-more` });
        return present({ t: "repeat", id: own, slot, of, max: o.max, more });
      },
      args: (slot, { of, more, ...options }) => [
        slot,
        of,
        { ...options, more: more && askOptions(more as Bag) },
      ],
    },
  },
  blocks: ({ of, more }) => [
    { name: "of", block: of },
    ...(more ? [{ name: "more", block: [more] }] : []),
  ],
  link(step, linker) {
    const slot = `${step.slot}_more`;
    linker.slot(slot, { kind: "choice", params: { more: step.slot } });
    const more = step.more ?? { t: "ask", id: `${step.id}-more`, slot };
    return { ...step, of: linker.block(step.of), more: { ...more, ...linker.repair(more) } };
  },
  state(step, next, states) {
    const { more } = step;
    if (!more) throw new TypeError(`repeat "${step.id}" is not linked`);
    const again = {
      guard: guard("again", { step: step.id }),
      actions: [move("again", { step: step.id })],
      target: states.to(step.id),
    };
    const filled = { guard: guard("filled", { step: more.id }), target: states.to(next) };
    states.add(
      more,
      {
        entry: [move("ask", { step: more.id })],
        always: [again, filled],
        ...states.onMax(more, next),
      },
      step.id,
    );
    return { always: [{ target: states.to(states.block(step.of, more.id, step.id)) }] };
  },
  // One item: its questions, and whether there is another.
  cost: (step, way, counter) => counter.block(step.of, [way]).map(counter.asked),
  place: (step, reading) =>
    reading.block(step.of) ?? (step.more ? ask.place(step.more, reading) : null),
};
