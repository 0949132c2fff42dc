/** `confirm`: shows answers and wants a yes to exactly them. */
import { present } from "../../base/index.ts";
import type { ConfirmStep } from "../ast/ast.ts";
import type { AskOptions, Block } from "../authoring/kit-options.ts";
import { limits, type Bag } from "../authoring/making.ts";
import { type EdgeConfig, guard, move } from "../machine/config.ts";
import { quiet, repair } from "../yaml/common-fields.ts";
import { list, may, must, steps, text } from "../yaml/shape.ts";
import type { StepKind } from "./step-kind.ts";

interface ConfirmOptions extends AskOptions<Bag> {
  readonly show: readonly string[];
  readonly edit?: readonly string[];
  readonly word?: string;
  readonly no?: Block;
}

export const confirm: StepKind<ConfirmStep> = {
  rests: true,
  methods: {
    confirm: {
      main: must(text, "Shows answers and wants a yes to exactly them."),
      fields: {
        show: must(list(text), "Slots shown."),
        edit: may(list(text), "Slots that may be changed here; all."),
        word: may(text, "The word that means yes, when a plain yes is not enough."),
        no: may(steps, "Steps to run on a no, instead of asking what to change."),
        quiet: may(quiet, "When to remind and when to give up."),
        repair: may(repair, "Own answers to cancel, back, help and the like."),
      },
      make(_making, id: string, o: ConfirmOptions) {
        const { show, edit, word, no } = o;
        return present({ t: "confirm", id, show, edit, word, no, ...limits(o) });
      },
    },
  },
  blocks: ({ no }) => (no ? [{ name: "no", block: no }] : []),
  reads: ({ show }) => show.map((slot) => ({ ref: slot })),
  link: (step, linker) => ({ ...step, ...(step.no ? { no: linker.block(step.no) } : {}) }),
  content: (step, model, facts) => model.shown(facts, step.show),
  state(step, next, states) {
    const settles = (is: "yes" | "no", target: string): EdgeConfig => ({
      guard: guard("settled", { step: step.id, is }),
      target: states.to(target),
    });
    const no = step.no
      ? move("settle", { step: step.id, is: "no" })
      : move("wordOnly", { word: "what-to-change" });
    return {
      entry: [move("ask", { step: step.id })],
      always: [
        settles("yes", next),
        ...(step.no ? [settles("no", states.block(step.no, next))] : []),
      ],
      on: {
        YES: [{ actions: [move("settle", { step: step.id, is: "yes" })] }],
        NO: [{ actions: [no] }],
      },
    };
  },
  cost: (step, way, counter) => [
    counter.asked(way),
    ...(step.no ? counter.block(step.no, [counter.asked(way)]) : []),
  ],
  place: (step, reading) => reading.settled(step, (is) => (is === "no" ? (step.no ?? []) : [])),
  events: (step, { model, facts }) => [
    { type: "YES" },
    { type: "NO" },
    ...model
      .liveSlots(facts)
      .filter((slot) => facts.focus.length === 0 && (step.edit?.includes(slot) ?? true))
      .map((slot) => ({ type: "EDIT", slots: [slot] }) as const),
  ],
};
