/**
 * The edges of a machine that can be taken at all. Repair is the same for every flow, so a small flow cannot use all of
 * it: without a costly call, no change is ever too late. Impossible edges do not count for coverage.
 */
import type { EdgeConfig } from "../machine/config.ts";
import type { FlowProgram } from "../machine/program.ts";
import { isAsk, STEP_KINDS } from "../machine/steps.ts";

export interface AnEdge {
  readonly state: string;
  readonly event: string;
  readonly edge: EdgeConfig;
  /** Asked of a guard: can it say no? */
  readonly denied?: boolean;
}

export function possible(program: FlowProgram, { state, event, edge, denied }: AnEdge): boolean {
  if (state === "idle") return false;
  const { model } = program;
  const steps = [...model.steps.values()];
  const asks = steps.filter(isAsk);
  const seals = steps.some((step) => model.isSealing(step));
  // An end that no step names.
  if (state !== "*") return true;
  const kind = edge.guard?.type;
  const word = edge.actions?.[0]?.params.word;
  const rests = steps.some((step) => isAsk(step) || step.t === "confirm");
  if (!seals && (word === "too-late" || (denied && kind === "open"))) return false;
  if (event === "ANSWER" && !denied && kind === "open") return model.order.length > 1;
  if ((event === "ANSWER" || event === "CORRECT") && asks.length === 0) return false;
  // With one question and nothing after it, no step waits with an answer that could be changed.
  const later = asks.length > 1 || steps.some((step) => STEP_KINDS[step.t].rests && !isAsk(step));
  if (!later && (event === "CORRECT" || (event === "ANSWER" && (denied || kind === "open"))))
    return false;
  if (event === "EDIT") return model.order.length > 0;
  if (event === "BACK" && kind === "canBack" && !denied) return asks.length > 1;
  if (event === "SKIP" && kind === "optional") {
    const optional = asks.filter((step) => model.isOptional(step)).length;
    return denied ? optional < asks.length || seals : optional > 0;
  }
  return event.startsWith("quiet.") ? rests : true;
}
