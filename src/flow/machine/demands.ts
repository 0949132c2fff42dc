/** Turns the machine's output into the engine's demands. */
import { durationMs } from "../../base/index.ts";
import type { Demand, ProgramContext } from "../../engine/index.ts";
import { spanMs } from "../ast/durations.ts";
import type { Facts } from "../moves/facts.ts";
import type { FlowIndex } from "./flow-index.ts";
import { durationOf } from "./limits.ts";
import type { Out } from "../moves/move.ts";
import { kindOf } from "./steps.ts";

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
    if (out.type === "out.begin") {
      const { facts } = out;
      const step = model.steps.get(out.step);
      const head = { step: out.step, for: out.for };
      const demand =
        step &&
        kindOf(step).demand?.(step, { model, facts, head, span: (text) => span(facts, text) });
      return demand ? [demand] : [];
    }
    if (out.type === "out.handoff")
      return [{ type: "handoff", step: out.step, reason: out.reason }];
    if (out.type !== "out.quiet") return [];
    const nudgeMs = span(out.facts, out.nudge);
    const expireMs = span(out.facts, out.expire);
    return [{ type: "quiet", nudgeMs, expireMs }];
  });
}
