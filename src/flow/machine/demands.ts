/** Turns the machine's output into the engine's demands. */
import { durationMs, type Json } from "../../base/index.ts";
import type { Demand, ProgramContext } from "../../engine/index.ts";
import { spanMs } from "../ast/durations.ts";
import type { Facts } from "../moves/facts.ts";
import type { FlowIndex } from "./flow-index.ts";
import { durationOf } from "./limits.ts";
import type { Out } from "../moves/move.ts";

/** How long others are waited for where the account, which is to say it, says nothing. */
const WITHIN_MS = 24 * 3_600_000;

export function demandsOf(
  outs: readonly Out[],
  model: FlowIndex,
  context: ProgramContext,
): Demand[] {
  const span = (facts: Facts, text: string | undefined): number | undefined => {
    const duration = durationOf(model, facts, text);
    if (duration === undefined || duration === "off") return undefined;
    // Hours are the business's only where it is open for them; any other time is what it says.
    const fixed = durationMs(duration);
    // The business opens by its own zone, whatever zone its days are counted in.
    const zone = model.get(facts, "account.zone");
    const at = { now: context.now, zone: typeof zone === "string" ? zone : context.zone };
    return fixed ?? spanMs(duration, model.get(facts, "account.hours"), at) ?? undefined;
  };
  return outs.flatMap((out): Demand[] => {
    if (out.type === "out.begin") return begun(out, model, (text) => span(out.facts, text));
    if (out.type === "out.handoff")
      return [{ type: "handoff", step: out.step, reason: out.reason }];
    if (out.type !== "out.quiet") return [];
    const nudgeMs = span(out.facts, out.nudge);
    const expireMs = span(out.facts, out.expire);
    return [{ type: "quiet", nudgeMs, expireMs }];
  });
}

function begun(
  out: Extract<Out, { type: "out.begin" }>,
  model: FlowIndex,
  span: (text: string | undefined) => number | undefined,
): Demand[] {
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
      const remindMs = span(step.remind);
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
          withinMs: span(step.within) ?? WITHIN_MS,
          ...(remindMs === undefined ? {} : { remindMs }),
        },
      ];
    }
    case "wait":
      return [
        { type: "wait", ...head, event: step.event, withinMs: span(step.within) ?? WITHIN_MS },
      ];
    default:
      return [];
  }
}
