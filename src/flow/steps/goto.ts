/** `goto`: goes on at another step. Backward, what came after that step is forgotten. */
import { present } from "../../base/index.ts";
import type { GotoStep } from "../ast/ast.ts";
import { pathOf } from "../authoring/reference.ts";
import { move } from "../machine/config.ts";
import { either, list, may, must, path, text } from "../yaml/shape.ts";
import { firstOf } from "./ask.ts";
import type { StepKind } from "./step-kind.ts";

export const goto: StepKind<GotoStep> = {
  rests: false,
  methods: {
    goto: {
      main: must(text, "Goes on at another step."),
      fields: {
        clear: may(either(path, list(text)), "Slots to ask again: names, or where names stand."),
      },
      make(making, to: string, o: { clear?: unknown } = {}) {
        const ref = pathOf(o.clear);
        const clear = ref === undefined ? o.clear : { ref };
        return present({ t: "goto", id: making.free(`to-${to}`), to, clear });
      },
    },
  },
  name: ({ to }) => to,
  reads: ({ clear }) => (clear && "ref" in clear ? [{ ref: clear.ref }] : []),
  state(step, _next, states) {
    const target = states.step(step.to);
    const ids = states.from(step.to);
    if (!ids.includes(step.id))
      return { always: [{ target: states.to(target ? firstOf(target) : step.to) }] };
    // Back to something passed: the way is gone again from `start`, so that what was cleared is asked on it.
    const asked = target && (target.t === "ask" || target.t === "choose") ? [target.slot] : [];
    const clear = step.clear ?? asked;
    return {
      entry: [
        move("forget", "ref" in clear ? { ids, clearFrom: clear.ref } : { ids, clear: [...clear] }),
      ],
      always: [{ target: states.to("start") }],
    };
  },
  closes: () => true,
  cost: () => [],
  place: (step, reading) => reading.jump(step.to),
};
