/** What the machine put out for the world, as the engine's demands. */
import { durationMs, type Json } from "../base/index.ts";
import type { Demand } from "../engine/index.ts";
import type { Model } from "./model.ts";
import type { Out } from "./move.ts";

export function demandsOf(outs: readonly Out[], model: Model): Demand[] {
  return outs.flatMap((out): Demand[] => {
    if (out.type === "out.begin") return begun(out, model);
    if (out.type === "out.handoff")
      return [{ type: "handoff", step: out.step, reason: out.reason }];
    if (out.type !== "out.quiet") return [];
    const { nudgeMs, expireMs } = out;
    return [
      {
        type: "quiet",
        ...(nudgeMs === undefined ? {} : { nudgeMs }),
        ...(expireMs === undefined ? {} : { expireMs }),
      },
    ];
  });
}

function begun(out: Extract<Out, { type: "out.begin" }>, model: Model): Demand[] {
  const step = model.steps.get(out.step);
  const { facts } = out;
  const head = { step: out.step, for: out.for };
  switch (step?.t) {
    case "effect": {
      const info = model.words.effects.get(step.effect);
      if (!info) throw new TypeError(`no effect "${step.effect}"`);
      const input = model.resolve(facts, step.input);
      return [{ type: "effect", ...head, name: step.effect, class: info.class, input }];
    }
    case "subflow":
      return [
        { type: "subflow", ...head, flow: step.flow, input: model.resolve(facts, step.input) },
      ];
    case "notify": {
      const to = model.value(facts, step.to);
      const remindMs = step.remind === undefined ? null : durationMs(step.remind);
      return [
        {
          type: "notify",
          ...head,
          flow: step.flow,
          to: Array.isArray(to)
            ? to.map((one: Json) => String(one as string))
            : typeof to === "string"
              ? [to]
              : [],
          input: model.resolve(facts, step.input),
          withinMs: durationMs(step.within) ?? 0,
          ...(remindMs === null ? {} : { remindMs }),
        },
      ];
    }
    case "wait":
      return [{ type: "wait", ...head, event: step.event, withinMs: durationMs(step.within) ?? 0 }];
    default:
      return [];
  }
}
