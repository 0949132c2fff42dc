/** A place at which properties are checked: the flow, its turns, and the list of violations. */
import { canonicalJson, type Json } from "../../base/index.ts";
import type { FlowEvent, ProgramContext, ProgramState, ProgramStep } from "../../engine/index.ts";
import type { Step } from "../ast/ast.ts";
import type { Facts } from "../moves/facts.ts";
import type { FlowProgram } from "../machine/program.ts";
import { onOf, statesOf } from "../machine/raw.ts";
import { blocksOf } from "../machine/steps.ts";
import { landing } from "./expected-place.ts";
import { Samples } from "../versions/samples.ts";

/** A property that does not hold: at which place, and how to get there. */
export interface Broken {
  readonly property: string;
  readonly at: string;
  readonly path: readonly string[];
  readonly why: string;
}

export class Ground {
  protected readonly program: FlowProgram;
  protected readonly context: ProgramContext;
  protected readonly report: (broken: Broken) => void;
  /** Steps of repair's own blocks: one rests there beside the list. */
  protected readonly beside: ReadonlySet<string>;
  protected readonly samples: Samples;
  protected path: readonly FlowEvent[] = [];

  constructor(program: FlowProgram, context: ProgramContext, report: (broken: Broken) => void) {
    this.program = program;
    this.context = context;
    this.report = report;
    this.beside = besides(program);
    this.samples = new Samples(program.model);
  }

  /** Other values for what was answered. */
  protected changes(facts: Facts): [string, Json][] {
    const { model, speaker } = this.program;
    return Object.entries(facts.slots).flatMap(([slot, value]): [string, Json][] => {
      if (value === null || model.isPart(slot) || model.repeats.lists.has(slot)) return [];
      const { params, options } = speaker.kindContext(facts, slot, this.context);
      const all: readonly Json[] =
        options.length > 0 ? options.map(({ id }) => id) : this.samples.of(slot, params);
      const other = all.find((one) => canonicalJson(one) !== canonicalJson(value));
      return other === undefined ? [] : [[slot, other]];
    });
  }

  /**
   * Whether facts alone say where a conversation rests: so it is in every flow that is written as steps. A machine made by
   * hand may go by events; what comes next is then its author's.
   */
  protected derivable(facts: Facts): boolean {
    return !this.program.model.ast.machine || landing(this.program.model, facts)?.at === facts.at;
  }

  protected overridden(at: string, event: string): boolean {
    const { model } = this.program;
    const step = model.steps.get(at);
    const own = step && "repair" in step ? step.repair : undefined;
    const { machine = {} } = model.ast;
    const by = [onOf(machine), onOf(statesOf(machine)[at] ?? {}), model.ast.policy.repair, own];
    return by.some((one) => one !== undefined && Object.hasOwn(one, event));
  }

  protected turn(state: ProgramState, event: FlowEvent): ProgramStep {
    try {
      return this.program.step(state, event, this.context);
    } catch (error) {
      this.broken("never throws", factsOf(state).at, `${event.type}: ${String(error)}`);
      return { state, handled: false, say: [], demands: [], trace: [] };
    }
  }

  protected broken(property: string, at: string, why: string): void {
    this.report({ property, at, path: this.path.map(nameOf), why });
  }
}

/** An event as a line of a path: its type and what it is about, no values. */
function nameOf(event: FlowEvent): string {
  if ("values" in event) return `${event.type} ${Object.keys(event.values).join(",")}`;
  const slots = ("slots" in event && event.slots) || [];
  return `${event.type} ${slots.join(",")}`.trimEnd();
}

export function factsOf(state: ProgramState): Facts {
  return state["facts"] as unknown as Facts;
}

/** Where a turn left the conversation. */
export function restOf(step: ProgramStep): string {
  return step.ended ? `ended-${step.ended.outcome}` : factsOf(step.state).at;
}

/** Steps that stand in blocks of repair. */
function besides(program: FlowProgram): ReadonlySet<string> {
  const { model } = program;
  const inside = new Set<string>();
  const rules = [
    model.ast.policy.repair,
    ...model.places.map(({ step }) => ("repair" in step ? step.repair : undefined)),
  ];
  for (const repair of rules)
    for (const rule of Object.values(repair ?? {}))
      if (typeof rule !== "string") for (const step of flat(rule)) inside.add(step.id);
  return inside;
}

function flat(block: readonly Step[]): Step[] {
  return block.flatMap((step) => [
    step,
    ...blocksOf(step).flatMap(({ block: inner }) => flat(inner)),
  ]);
}

/** The machine's own word for where it stands. */
export function valueOf(state: ProgramState): string {
  const { value } = state;
  return typeof value === "string" ? value : "";
}
