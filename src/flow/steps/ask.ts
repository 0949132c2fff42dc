/** `ask`: asks for one slot; `form`: several asks, one group on the chart. */
import { present } from "../../base/index.ts";
import type { FlowEvent } from "../../engine/index.ts";
import type { AskStep, ChooseStep, FormStep, Step } from "../ast/ast.ts";
import type { AskOptions } from "../authoring/kit-options.ts";
import { limits, type Making, type Bag } from "../authoring/making.ts";
import { pathOf } from "../authoring/reference.ts";
import { guard, move } from "../machine/config.ts";
import { id, limitFields, prompt } from "../yaml/common-fields.ts";
import {
  either,
  type Fields,
  fields,
  list,
  may,
  must,
  names,
  path,
  text,
  yes,
} from "../yaml/shape.ts";
import type { Reading, StepKind, Trial } from "./step-kind.ts";

export function makeAsk(making: Making, slot: string, o: AskOptions<Bag> = {}): AskStep {
  if (o.ask !== undefined) making.prompts[slot] = o.ask;
  const { options } = o;
  return present({
    t: "ask",
    id: o.id ?? slot,
    slot,
    optional: o.optional || undefined,
    from: o.from?.map((one) => pathOf(one) ?? (one as string)),
    options: options && {
      from: pathOf(options.from) ?? "",
      value: options.value,
      label: options.label,
    },
    ...limits(o),
  });
}

/** Options of an ask by the names the kit has for them: YAML calls the prompt `prompt`, because the key `ask` is taken. */
export function askOptions({ prompt: ask, ...options }: Bag): Bag {
  return ask === undefined ? options : { ...options, ask };
}

/** The step a jump lands at. */
export function firstOf(step: Step): string {
  return step.t === "form" ? (step.asks[0]?.id ?? step.id) : step.id;
}

const askFields: Fields = {
  id: id(),
  prompt,
  optional: may(yes, "May be skipped."),
  from: may(
    list(text),
    "What this answer depends on: when it changes, the answer must still fit, or it is asked again.",
  ),
  options: may(
    fields({
      from: must(path, "A list: account.services, or a lookup's result."),
      value: must(text, "Field of a row that is the answer."),
      label: must(text, "Field of a row that people read."),
    }),
    "Rows of a choice.",
  ),
  ...limitFields,
};

/** What a question of one slot expects, `ask` and `choose` alike. */
export function answersOf(step: AskStep | ChooseStep, { model, answers }: Trial): FlowEvent[] {
  return [
    ...answers(step.slot).map(
      (value) => ({ type: "ANSWER", values: { [step.slot]: value } }) as const,
    ),
    ...(model.isOptional(step) ? [{ type: "SKIP" } as const] : []),
    ...(step.onMax === undefined ? [] : [{ type: "BAD", reason: "absent" } as const]),
  ];
}

export const ask: StepKind<AskStep> = {
  rests: true,
  methods: {
    ask: {
      main: must(text, "Asks for one slot."),
      fields: askFields,
      make: makeAsk,
      args: (slot, options) => [slot, askOptions(options)],
    },
  },
  name: ({ slot }) => slot,
  reads: ({ options, from = [] }) => [
    ...(options ? [{ ref: options.from }] : []),
    ...from.map((one) => ({ ref: one })),
  ],
  content: ({ from = [] }, model, facts) =>
    model.resolve(facts, Object.fromEntries(from.map((one) => [one, { ref: one }]))),
  state: (step, next, states) => ({
    entry: [move("ask", { step: step.id })],
    always: [{ guard: guard("filled", { step: step.id }), target: states.to(next) }],
    ...states.onMax(step, next),
  }),
  cost: (_step, way, counter) => [counter.asked(way)],
  place: (step, { model, facts }: Reading) => (model.isFilled(facts, step) ? null : step.id),
  events: answersOf,
};

export const form: StepKind<FormStep> = {
  rests: false,
  methods: {
    form: {
      main: must(text, "Asks for several slots, one group on the chart."),
      fields: {
        ask: must(
          list(either(text, names(fields(askFields)))),
          "Slots in order: a name, or a map of one name to the options of ask.",
        ),
      },
      make: (making, own: string, asked: Readonly<Record<string, true | AskOptions<Bag>>>) => ({
        t: "form",
        id: own,
        asks: Object.entries(asked).map(([slot, o]) => makeAsk(making, slot, o === true ? {} : o)),
      }),
      args: (own, options) => [
        own,
        Object.fromEntries(
          (options["ask"] as readonly (string | Bag)[]).flatMap((one): [string, unknown][] =>
            typeof one === "string"
              ? [[one, true]]
              : Object.entries(one).map(([slot, o]) => [slot, askOptions(o as Bag)]),
          ),
        ),
      ],
    },
  },
  blocks: ({ asks }) => [{ name: "asks", block: asks }],
  link: (step, { repair }) => ({
    ...step,
    asks: step.asks.map((one) => ({ ...one, ...repair(one) })),
  }),
  state: (step, next, states) => states.block(step.asks, next, step.id),
  cost: (step, way, counter) => counter.block(step.asks, [way]),
  place: (step, reading) => reading.block(step.asks),
};
