/**
 * Builds the states of a flow's steps. Each block is built from its end, so every target exists before it is referred to.
 */
import {
  COMMON_OUTCOMES,
  type AskStep,
  type Ast,
  type Block,
  type ChooseStep,
  type Repair,
  type RepairRule,
  type Step,
} from "../ast/ast.ts";
import type { BareState, States } from "../steps/step-kind.ts";
import { BAD, guard, move, type EdgeConfig, type StateConfig } from "./config.ts";
import { blocksOf, eachStep, kindOf, repairBlocks } from "./steps.ts";

export class Builder implements States {
  readonly states: Record<string, StateConfig> = {};
  private readonly ast: Ast;
  private readonly order: ReadonlyMap<string, number>;
  private readonly steps: ReadonlyMap<string, Step>;

  constructor(ast: Ast) {
    this.ast = ast;
    const all = eachStep(ast);
    this.order = new Map(all.map((step, index) => [step.id, index]));
    this.steps = new Map(all.map((step) => [step.id, step]));
  }

  to(id: string): string {
    return `#${this.ast.flow}.${id}`;
  }

  block(block: Block, next: string, group?: string): string {
    let target = next;
    for (const step of [...block].reverse()) target = this.state(step, target, group);
    return target;
  }

  private state(step: Step, next: string, group: string | undefined): string {
    const state = kindOf(step).state(step, next, this);
    if (typeof state === "string") return state;
    this.add(step, state, group);
    return step.id;
  }

  add(step: Step, state: BareState, group: string | undefined): void {
    this.states[step.id] = {
      ...state,
      ...this.overrides(step, state),
      meta: { step: step.id, t: step.t, group },
    };
  }

  addBeside(id: string, state: StateConfig): void {
    this.states[id] = state;
  }

  step(id: string): Step | undefined {
    return this.steps.get(id);
  }

  from(id: string): readonly string[] {
    const after = this.order.get(id) ?? 0;
    return [...this.order].filter(([, index]) => index >= after).map(([one]) => one);
  }

  onMax(step: AskStep | ChooseStep, next: string): BareState {
    const exhausted = guard("exhausted", {});
    if (step.onMax === "cancel")
      return { on: { BAD: [{ guard: exhausted, target: this.to("ended-cancelled") }, BAD] } };
    if (step.onMax === "skip" && step.t === "ask")
      return {
        on: {
          BAD: [{ guard: exhausted, actions: [move("skip", {})], target: this.to(next) }, BAD],
        },
      };
    return {};
  }

  /** A step's own repair: declared on its state, and a deeper state wins. */
  private overrides(step: Step, state: BareState): Partial<StateConfig> {
    const repair = "repair" in step ? step.repair : undefined;
    if (!repair) return {};
    return { on: { ...state.on, ...this.rules(repair, step.id) } };
  }

  rules(repair: Repair, back: string): Record<string, readonly EdgeConfig[]> {
    const on: Record<string, readonly EdgeConfig[]> = {};
    for (const [event, rule] of Object.entries(repair)) on[event] = [this.rule(rule, back)];
    return on;
  }

  private rule(rule: RepairRule, back: string): EdgeConfig {
    if (rule === "off") return { actions: [move("wordThenAsk", { word: "off" })] };
    if (typeof rule === "string") return { actions: [move("wordThenAsk", { text: rule })] };
    const ids = flat(rule).map((step) => step.id);
    return {
      target: this.to(this.block(rule, back)),
      actions: [move("refresh", { ids })],
    };
  }

  ends(): Record<string, StateConfig> {
    const states: Record<string, StateConfig> = {};
    const words: Record<string, string> = { cancelled: "cancelled", expired: "expired" };
    for (const is of new Set([...COMMON_OUTCOMES, ...this.ast.outcomes])) {
      const said = words[is];
      states[`ended-${is}`] = {
        type: "final",
        entry: [
          ...(is === "done" || said ? [move("finish", { is })] : []),
          move("close", { is, word: said }),
        ],
        meta: { step: `ended-${is}`, t: "end" },
      };
    }
    return states;
  }
}

function flat(block: Block): Step[] {
  return block.flatMap((step) => [
    step,
    ...[...blocksOf(step), ...repairBlocks(step)].flatMap((inner) => flat(inner.block)),
  ]);
}
