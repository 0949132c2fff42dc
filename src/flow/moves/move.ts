/** The signature of a move: it takes facts and an event, and returns facts and plain data. */
import type { Json, JsonObject } from "../../base/index.ts";
import type { AskingStep, AskStep, ChooseStep, Step } from "../ast/ast.ts";
import { type Facts, likelyMark, unfitMark } from "./facts.ts";
import type { FlowIndex } from "../machine/flow-index.ts";
import type { MoveParams } from "../machine/config.ts";
import { quietOf } from "../machine/limits.ts";
import { isAsk } from "../machine/steps.ts";

/** The event as the machine sees it: already checked by the program. */
export interface MachineEvent {
  readonly type: string;
  readonly values?: JsonObject;
  /** What was wrong with values that are not among them, as hints by slot. */
  readonly unfit?: { readonly [slot: string]: string };
  readonly slots?: readonly string[];
  /** Of these what was answered is dropped. */
  readonly anew?: readonly string[];
  readonly reason?: string;
  readonly hint?: string;
  readonly options?: readonly { readonly id: string; readonly label: string }[];
  readonly nearer?: true;
  readonly piece?: string;
  /** The slot of a bad answer, where it is not the current one. */
  readonly of?: string;
  readonly for?: string;
  readonly out?: JsonObject;
}

export type Out =
  | {
      readonly type: "out.say";
      readonly text: string;
      readonly vars: JsonObject;
      readonly media?: Json;
      readonly location?: Json;
      readonly facts: Facts;
    }
  | {
      readonly type: "out.ask";
      readonly step: string;
      readonly again: boolean;
      readonly facts: Facts;
    }
  | {
      readonly type: "out.word";
      readonly word: string;
      readonly slots: readonly string[];
      readonly facts: Facts;
    }
  | {
      readonly type: "out.bad";
      readonly slot: string;
      readonly reason: string;
      readonly hint?: string;
      readonly facts: Facts;
    }
  | {
      readonly type: "out.begin";
      readonly step: string;
      readonly for: string;
      readonly facts: Facts;
    }
  | { readonly type: "out.handoff"; readonly step: string; readonly reason: string }
  /** Durations as texts; both absent = no timers. */
  | {
      readonly type: "out.quiet";
      readonly facts: Facts;
      readonly nudge?: string;
      readonly expire?: string;
    };

export interface Moved {
  readonly facts: Facts;
  readonly outs: readonly Out[];
}

export type Move = (
  model: FlowIndex,
  facts: Facts,
  event: MachineEvent,
  params: MoveParams,
) => Moved;

export const stay = (facts: Facts, ...outs: Out[]): Moved => ({ facts, outs });
export const word = (facts: Facts, name: string, slots: readonly string[] = []): Out => ({
  type: "out.word",
  word: name,
  slots,
  facts,
});

export function stepOf(model: FlowIndex, id: string | undefined): Step {
  const step = model.steps.get(id ?? "");
  if (!step) throw new TypeError(`flow ${model.ast.flow}: no step "${id ?? ""}"`);
  return step;
}

/** The question at rest, if the flow rests at one. */
export function asking(model: FlowIndex, facts: Facts): AskStep | ChooseStep | undefined {
  const step = model.steps.get(facts.at);
  return step && isAsk(step) ? step : undefined;
}

/** The question, or what was wrong with the answer that came before it. That is said once. */
export function asks(model: FlowIndex, facts: Facts, step: AskingStep, again: boolean): Moved {
  const quiet: Out = { type: "out.quiet", facts, ...quietOf(model, facts, step) };
  if (isAsk(step) && Object.hasOwn(facts.marks, likelyMark(step.slot)))
    return proposes(facts, step.slot, quiet);
  const mark = isAsk(step) ? unfitMark(step.slot) : "";
  if (!isAsk(step) || !Object.hasOwn(facts.marks, mark))
    return stay(facts, { type: "out.ask", step: step.id, again, facts }, quiet);
  const { [mark]: hint = "", ...marks } = facts.marks;
  const bad: Out = { type: "out.bad", slot: step.slot, reason: "invalid", hint, facts };
  return stay({ ...facts, marks }, bad, quiet);
}

/** The question as one whether it is what was most likely meant. Proposed once. */
function proposes(facts: Facts, slot: string, quiet: Out): Moved {
  const { [likelyMark(slot)]: likely = "", ...marks } = facts.marks;
  const next: Facts = { ...facts, marks, offer: [JSON.parse(likely) as Facts["offer"][number]] };
  const bad: Out = { type: "out.bad", slot, reason: "ambiguous", hint: "confirm", facts: next };
  return stay(next, bad, { ...quiet, facts: next } as Out);
}

/** The prompt of the current step, with its quiet timers set again. */
export function promptAgain(model: FlowIndex, facts: Facts): Out[] {
  const step = model.steps.get(facts.at);
  if (!step) return [];
  const ask: Out = { type: "out.ask", step: step.id, again: true, facts };
  return isAsk(step) || step.t === "confirm"
    ? [ask, { type: "out.quiet", facts, ...quietOf(model, facts, step) }]
    : [ask];
}
