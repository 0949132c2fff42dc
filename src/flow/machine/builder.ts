/**
 * Builds the states of a flow's steps. Each block is built from its end, so every target exists before it is referred to.
 */
import {
  COMMON_OUTCOMES,
  type AskStep,
  type Ast,
  type Block,
  type ChooseStep,
  type ConfirmStep,
  type GotoStep,
  type PendingStep,
  type Repair,
  type RepairRule,
  type RepeatStep,
  type Step,
} from "../ast/ast.ts";
import { BAD, guard, move, type EdgeConfig, type StateConfig } from "./config.ts";
import { blocksOf, eachStep, repairBlocks } from "./steps.ts";

type BareState = Omit<StateConfig, "meta">;

export class Builder {
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

  /** Builds the states of a block; the answer is where it begins. */
  block(block: Block, next: string, group: string | undefined): string {
    let target = next;
    for (const step of [...block].reverse()) target = this.step(step, target, group);
    return target;
  }

  private step(step: Step, next: string, group: string | undefined): string {
    if (step.t === "form") return this.block(step.asks, next, step.id);
    const state = this.state(step, next);
    this.states[step.id] = {
      ...state,
      ...this.overrides(step, state),
      meta: { step: step.id, t: step.t, group },
    };
    return step.id;
  }

  private state(step: Exclude<Step, { t: "form" }>, next: string): BareState {
    switch (step.t) {
      case "say":
        return { entry: [move("say", { step: step.id })], always: [{ target: this.to(next) }] };
      case "ask":
        return {
          entry: [move("ask", { step: step.id })],
          always: [{ guard: guard("filled", { step: step.id }), target: this.to(next) }],
          ...this.onMax(step, next),
        };
      case "choose":
        return this.choose(step, next);
      case "confirm":
        return this.confirm(step, next);
      case "repeat":
        return this.repeat(step, next);
      case "effect":
      case "subflow":
      case "notify":
      case "wait":
        return this.pending(step, next);
      case "when":
        return {
          always: [
            {
              guard: guard("is", { if: step.if }),
              target: this.to(this.block(step.then, next, undefined)),
            },
            { target: this.to(this.block(step.else ?? [], next, undefined)) },
          ],
        };
      case "goto":
        return this.goto(step);
      case "handoff":
        return {
          entry: [move("handoff", { step: step.id })],
          always: [
            { guard: guard("settled", { step: step.id, is: "back" }), target: this.to(next) },
          ],
          on: { RESUME: [{ actions: [move("settle", { step: step.id, is: "back" })] }] },
        };
      case "end":
        return {
          entry: [move("finish", { step: step.id, is: step.outcome })],
          always: [{ target: this.to(`ended-${step.outcome}`) }],
        };
    }
  }

  private choose(step: ChooseStep, next: string): BareState {
    const always = Object.entries(step.branches).map(([option, block]) => ({
      guard: guard("picked", { step: step.id, option }),
      target: this.to(this.block(block, next, undefined)),
    }));
    return { entry: [move("ask", { step: step.id })], always, ...this.onMax(step, next) };
  }

  /** The questions of an item, then "another one?"; after a yes they begin again. */
  private repeat(step: RepeatStep, next: string): BareState {
    const { more } = step;
    if (!more) throw new TypeError(`repeat "${step.id}" is not linked`);
    const state: BareState = {
      entry: [move("ask", { step: more.id })],
      always: [
        {
          guard: guard("again", { step: step.id }),
          actions: [move("again", { step: step.id })],
          target: this.to(step.id),
        },
        { guard: guard("filled", { step: more.id }), target: this.to(next) },
      ],
      ...this.onMax(more, next),
    };
    this.states[more.id] = {
      ...state,
      ...this.overrides(more, state),
      meta: { step: more.id, t: "ask", group: step.id },
    };
    return { always: [{ target: this.to(this.block(step.of, more.id, step.id)) }] };
  }

  private confirm(step: ConfirmStep, next: string): BareState {
    const always: EdgeConfig[] = [
      { guard: guard("settled", { step: step.id, is: "yes" }), target: this.to(next) },
    ];
    if (step.no)
      always.push({
        guard: guard("settled", { step: step.id, is: "no" }),
        target: this.to(this.block(step.no, next, undefined)),
      });
    return {
      entry: [move("ask", { step: step.id })],
      always,
      on: {
        YES: [{ actions: [move("settle", { step: step.id, is: "yes" })] }],
        NO: [
          {
            actions: [
              step.no
                ? move("settle", { step: step.id, is: "no" })
                : move("wordOnly", { word: "what-to-change" }),
            ],
          },
        ],
      },
    };
  }

  /** Effect, subflow, notify, wait: begin once per content, settle by a fresh outcome, go on by the fact. */
  private pending(step: PendingStep, next: string): BareState {
    const outcomes = Object.keys(step.on);
    const hasHeld = step.t === "effect" && Object.hasOwn(step.on, "held");
    const on: Record<string, readonly EdgeConfig[]> = {};
    for (const outcome of outcomes)
      on[`${step.id}.${outcome}`] = [
        {
          guard: guard(step.t === "wait" && outcome === "got" ? "matches" : "fresh", {
            step: step.id,
          }),
          actions: [move("settle", { step: step.id, is: outcome })],
        },
      ];
    // Only grave calls may stay held; what ends unknown elsewhere has failed as far as the flow can tell.
    if (step.t === "effect" && !hasHeld && on[`${step.id}.failed`])
      on[`${step.id}.held`] = on[`${step.id}.failed`] ?? [];
    const always = outcomes.map((outcome) => ({
      guard: guard("settled", { step: step.id, is: outcome }),
      target: this.to(
        outcome === "held" && hasHeld
          ? `${step.id}-held`
          : this.block(step.on[outcome] ?? [], next, undefined),
      ),
    }));
    if (hasHeld) this.held(step, on, always, step.on.held ?? []);
    return { entry: [move("begin", { step: step.id })], always, on };
  }

  /** A held call: the interim words once, then a rest with the same endings. */
  private held(
    step: Step,
    on: Readonly<Record<string, readonly EdgeConfig[]>>,
    always: readonly EdgeConfig[],
    words: Block,
  ): void {
    const rest = `${step.id}-held-rest`;
    const first = this.block(words, rest, undefined);
    this.states[`${step.id}-held`] = {
      always: [{ target: this.to(first) }],
      meta: { step: step.id, t: "held" },
    };
    this.states[rest] = {
      always: always.filter((edge) => edge.guard?.params.is !== "held"),
      on: Object.fromEntries(Object.entries(on).filter(([event]) => !event.endsWith(".held"))),
      meta: { step: step.id, t: "held-rest" },
    };
  }

  private goto(step: GotoStep): BareState {
    const target = this.steps.get(step.to);
    const landing = target?.t === "form" ? (target.asks[0]?.id ?? step.to) : step.to;
    if (!this.isBackward(step)) return { always: [{ target: this.to(landing) }] };
    const after = this.order.get(step.to) ?? 0;
    const ids = [...this.order].filter(([, index]) => index >= after).map(([id]) => id);
    const asked = target && (target.t === "ask" || target.t === "choose") ? [target.slot] : [];
    const clear = step.clear ?? asked;
    return {
      entry: [
        move("forget", "ref" in clear ? { ids, clearFrom: clear.ref } : { ids, clear: [...clear] }),
      ],
      always: [{ target: this.to("start") }],
    };
  }

  /** A jump to something already passed: it goes through `start`, so that what it cleared is asked on the way. */
  private isBackward(step: GotoStep): boolean {
    return (this.order.get(step.to) ?? 0) <= (this.order.get(step.id) ?? 0);
  }

  private onMax(step: AskStep | ChooseStep, next: string): Partial<StateConfig> {
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
      target: this.to(this.block(rule, back, undefined)),
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
