/** `say`: says a text once per set of its variables. */
import { present } from "../../base/index.ts";
import type { SayStep } from "../ast/ast.ts";
import { exprs, maybe, type Bag } from "../authoring/making.ts";
import { move } from "../machine/config.ts";
import { id } from "../yaml/common-fields.ts";
import { may, must, names, text, value } from "../yaml/shape.ts";
import type { StepKind } from "./step-kind.ts";

export const say: StepKind<SayStep> = {
  rests: false,
  methods: {
    say: {
      main: must(text, "Says a text of the catalogue's say group."),
      fields: {
        id: id(),
        with: may(names(value), "Values for the text."),
        media: may(value, "A file to send with it."),
        location: may(value, "A place to send with it."),
      },
      make(
        _making,
        key: string,
        o: { id?: string; with?: Bag; media?: unknown; location?: unknown } = {},
      ) {
        const own = o.id ?? key;
        return present({
          t: "say",
          id: own,
          text: own === key ? undefined : key,
          vars: o.with && exprs(o.with),
          media: maybe(o.media),
          location: maybe(o.location),
        });
      },
    },
  },
  name: (step) => step.text ?? step.id,
  reads: ({ vars, media, location }) => [
    ...Object.values(vars ?? {}),
    ...(media ? [media] : []),
    ...(location ? [location] : []),
  ],
  content: (step, model, facts) => model.resolve(facts, step.vars ?? {}),
  state: (step, next, states) => ({
    entry: [move("say", { step: step.id })],
    always: [{ target: states.to(next) }],
  }),
  cost: (_step, way) => [{ ...way, words: true }],
  place(step, reading) {
    reading.say(step.id);
    return null;
  },
};
