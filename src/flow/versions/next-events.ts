/**
 * Events that are possible at a place where a flow waits: an answer of each sort, each outcome, and every repair that
 * leads away.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import type { FlowEvent, ProgramContext, ProgramState } from "../../engine/index.ts";
import type { Step } from "../ast/ast.ts";
import type { Facts } from "../moves/facts.ts";
import type { FlowProgram } from "../machine/program.ts";
import { onOf } from "../machine/raw.ts";
import { isAsk } from "../machine/steps.ts";
import type { Samples } from "./samples.ts";

/** Events that carry nothing. */
const PLAIN: ReadonlySet<string> = new Set(
  ["CANCEL", "BACK", "SKIP", "REPEAT", "HELP", "WHY", "HUMAN", "YES", "NO", "RESUME"].concat([
    "quiet.nudge",
    "quiet.expire",
  ]),
);
const LOST: FlowEvent = { type: "send.failed", reason: "unreachable" };

export class Ways {
  readonly #program: FlowProgram;
  readonly #context: ProgramContext;
  readonly #samples: Samples;

  constructor(program: FlowProgram, context: ProgramContext, samples: Samples) {
    this.#program = program;
    this.#context = context;
    this.#samples = samples;
  }

  at(state: ProgramState): readonly FlowEvent[] {
    const facts = state.facts as unknown as Facts;
    const { model, machine } = this.#program;
    const step = model.steps.get(facts.at);
    if (!step) return [];
    const own = machine.config.states[state.value as string]?.on ?? {};
    return [...this.#answers(step, facts, own), ...this.#repairs(step, facts, own)];
  }

  #answers(step: Step, facts: Facts, own: object): FlowEvent[] {
    const { model, speaker } = this.#program;
    switch (step.t) {
      case "ask":
      case "choose": {
        const { slot } = step;
        const { params, options } = speaker.kindContext(facts, slot, this.#context);
        const chosen: readonly Json[] =
          options.length > 0 ? options.map(({ id }) => id) : this.#samples.of(slot, params);
        const answers = chosen.map((value): FlowEvent => ({
          type: "ANSWER",
          values: { [slot]: value },
        }));
        return [
          ...answers,
          ...(model.isOptional(step) ? [{ type: "SKIP" } as const] : []),
          ...(step.onMax === undefined ? [] : [{ type: "BAD", reason: "absent" } as const]),
        ];
      }
      case "confirm": {
        const edits = model
          .liveSlots(facts)
          .filter((slot) => facts.focus.length === 0 && (step.edit?.includes(slot) ?? true))
          .map((slot): FlowEvent => ({ type: "EDIT", slots: [slot] }));
        return [{ type: "YES" }, { type: "NO" }, ...edits];
      }
      case "effect":
      case "subflow":
      case "notify":
      case "wait": {
        const digest = facts.pending?.for;
        if (digest === undefined) return [];
        const outcomes = new Set([
          ...Object.keys(step.on),
          ...(step.t === "notify" ? ["late"] : []),
          ...Object.keys(own).flatMap((type) =>
            type.startsWith(`${step.id}.`) ? [type.slice(step.id.length + 1)] : [],
          ),
        ]);
        return [...outcomes].flatMap((outcome) =>
          this.#samples.results(step.id).map((out): FlowEvent => ({
            type: `${step.id}.${outcome}`,
            for: digest,
            out: out satisfies JsonObject,
          })),
        );
      }
      case "handoff":
        return [{ type: "RESUME" }];
      default:
        return [];
    }
  }

  /** Repair as this flow and this step have it, and what a machine made by hand takes beside it. */
  #repairs(step: Step, facts: Facts, on: object): FlowEvent[] {
    const { ast } = this.#program.model;
    const own = "repair" in step ? step.repair : undefined;
    const rules = { ...ast.policy.repair, ...own, ...(ast.machine ? onOf(ast.machine) : {}) };
    const plain = Object.keys(ast.machine ? { ...rules, ...on } : rules);
    const events = plain.flatMap((type): FlowEvent[] =>
      PLAIN.has(type) ? [{ type } as FlowEvent] : type === "send.failed" ? [LOST] : [],
    );
    const back: FlowEvent[] = isAsk(step) && facts.focus.length === 0 ? [{ type: "BACK" }] : [];
    return [...events, ...back];
  }
}
