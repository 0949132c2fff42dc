/**
 * A compiled flow as an XState machine: one implementation table for all flows, pure transitions, plain data out.
 *
 * The table's guards and moves are closures over the flow's model; XState sees names only. A throw inside leaves this
 * file as it is: the caller keeps the old state.
 */
import { assign, createActor, createMachine, type AnyStateMachine } from "xstate";
import type { Expr } from "../ast/expression.ts";
import { NO_FACTS, type Facts } from "../moves/facts.ts";
import { isChangeTooLate } from "../moves/completed-calls.ts";
import { compile } from "./compile.ts";
import {
  type FlowConfig,
  type GuardConfig,
  type MoveParams,
  watched,
  type Probe,
} from "./config.ts";
import type { FlowIndex } from "./flow-index.ts";
import { maxTries } from "./limits.ts";
import { backTarget } from "../moves/answers.ts";
import { MOVES } from "../moves/moves.ts";
import { asking, type MachineEvent, type Out } from "../moves/move.ts";
import { isAsk } from "./steps.ts";

/** Where a flow stands: all that is stored of a machine. */
export interface Position {
  readonly value: string;
  readonly facts: Facts;
}

export interface Turned extends Position {
  readonly handled: boolean;
  readonly outs: readonly Out[];
  readonly ended: boolean;
  readonly trace: readonly string[];
}

type Guard = (model: FlowIndex, facts: Facts, event: MachineEvent, params: GuardParams) => boolean;
interface GuardParams {
  readonly step?: string;
  readonly is?: string;
  readonly option?: string;
  readonly if?: Expr;
  /** Name of the edge, where a probe watches. */
  readonly edge?: string;
}

const GUARDS: Record<GuardConfig["type"], Guard> = {
  // A call under way seals everything, one that was carried out the answers it was made of.
  open: (model, facts, event) => facts.sealed === null && !isChangeTooLate(model, facts, event),
  // An answer to something already answered is a correction, whatever it was called: it must walk from the start.
  atAsk: (model, facts, event) => {
    const step = asking(model, facts);
    return (
      facts.sealed === null &&
      step !== undefined &&
      Object.keys(event.values ?? {}).every(
        (slot) => slot === step.slot || !Object.hasOwn(facts.slots, slot),
      )
    );
  },
  fresh: (_model, facts, event, params) =>
    facts.pending?.step === params.step &&
    event.for !== undefined &&
    facts.pending?.for === event.for,
  filled: (model, facts, _event, params) => {
    const step = model.steps.get(params.step ?? "");
    return step !== undefined && isAsk(step) && model.isFilled(facts, step);
  },
  picked: (model, facts, _event, params) => {
    const step = model.steps.get(params.step ?? "");
    return (
      step?.t === "choose" &&
      model.isFilled(facts, step) &&
      facts.slots[step.slot] === params.option
    );
  },
  again: (model, facts, _event, params) => {
    const step = model.steps.get(params.step ?? "");
    const repeat = step?.t === "repeat" ? model.repeats.lists.get(step.slot) : undefined;
    return repeat !== undefined && model.repeats.goesOn(facts, repeat);
  },
  // What came from outside is looked at as the step's result, before it is one.
  matches: (model, facts, event, params) => {
    const step = model.steps.get(params.step ?? "");
    if (!GUARDS.fresh(model, facts, event, params) || step?.t !== "wait") return false;
    const is = { for: event.for ?? "", is: "got", out: event.out ?? {} };
    return (
      !step.where || model.holds({ ...facts, done: { ...facts.done, [step.id]: is } }, step.where)
    );
  },
  settled: (model, facts, _event, params) => {
    const step = model.steps.get(params.step ?? "");
    return step !== undefined && model.settled(facts, step) === params.is;
  },
  // At a question of a machine made by hand nothing is decided before it is answered: it may be asked again.
  is: (model, facts, _event, params) => {
    const step = model.steps.get(params.step ?? "");
    if (step && isAsk(step) && !model.isFilled(facts, step)) return false;
    return params.if !== undefined && model.holds(facts, params.if);
  },
  exhausted: (model, facts, event) => {
    const step = model.steps.get(facts.at);
    return (
      step !== undefined && event.nearer !== true && facts.tries + 1 >= maxTries(model, facts, step)
    );
  },
  canBack: (model, facts) => facts.sealed === null && backTarget(model, facts) !== undefined,
  optional: (model, facts) => {
    const step = asking(model, facts);
    return facts.sealed === null && step !== undefined && model.isOptional(step);
  },
};

/** What the machine carries: the facts as one value, so that a move which changes nothing leaves them the same. */
interface Context {
  readonly facts: Facts;
}

type Scope = Parameters<AnyStateMachine["transition"]>[2];

const nothing = (): void => undefined;

/**
 * What a machine is given beside its state. XState's own `transition()` makes an actor for it at each call; ours start no
 * children, raise nothing and keep nothing there, so one unstarted actor serves all turns. The rest is made for each: XState
 * changes it on the way, and a turn may be cut off in its middle.
 */
function scopeOf(self: Scope["self"]): Scope {
  return {
    self,
    system: self.system,
    id: "",
    sessionId: "",
    logger: nothing,
    defer: nothing,
    emit: nothing,
    stopChild: nothing,
    actionExecutor: nothing,
  };
}

export class Machine {
  readonly model: FlowIndex;
  readonly config: FlowConfig;
  private readonly probe: Probe | undefined;
  private readonly machine: AnyStateMachine;
  private readonly actor: Scope["self"];
  /** Snapshots by state, as XState makes them; only their context differs from turn to turn. */
  private readonly resolved = new Map<string, ReturnType<AnyStateMachine["resolveState"]>>();
  /** Guards that held in the turn being made, and what its moves put out. */
  private trace: string[] = [];
  private outs: Out[] = [];

  constructor(model: FlowIndex, probe?: Probe) {
    this.model = model;
    this.probe = probe;
    const compiled = compile(model.ast);
    this.config = probe?.shape?.(compiled) ?? compiled;
    const context: Context = { facts: NO_FACTS };
    const config = probe ? watched(this.config) : this.config;
    this.machine = createMachine({ ...config, context }, {
      guards: this.guards(),
      actions: this.moves(),
    } as unknown as Parameters<typeof createMachine>[1]);
    this.actor = createActor(this.machine);
  }

  private guards(): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(GUARDS).map(([name, guard]) => [
        name,
        ({ context, event }: { context: Context; event: MachineEvent }, params: GuardParams) => {
          const held = guard(this.model, context.facts, event, params);
          if (params.edge !== undefined) this.probe?.tried?.(params.edge, held);
          if (held) this.record(name, params);
          return held;
        },
      ]),
    );
  }

  private record(name: string, params: GuardParams): void {
    const about = [params.step, params.is ?? params.option].filter((part) => part !== undefined);
    const line = about.length > 0 ? `${name} ${about.join(" ")}` : name;
    if (!this.trace.includes(line)) this.trace.push(line);
  }

  private moves(): Record<string, unknown> {
    const took = assign((_scope, params: { readonly edge: string }) => {
      this.probe?.took?.(params.edge);
      return {};
    });
    const table = Object.fromEntries(
      Object.entries(MOVES).map(([name, move]) => [
        name,
        assign(({ context, event }, params) => {
          const { facts } = context as Context;
          const moved = move(this.model, facts, event, params as MoveParams);
          this.outs.push(...moved.outs);
          return { facts: moved.facts };
        }),
      ]),
    );
    return { ...table, took };
  }

  /** The machine's own snapshot of a position. The compiled machines are flat and remember nothing else: no actor is made. */
  private restore(position: Position): unknown {
    if (!Object.hasOwn(this.config.states, position.value))
      throw new TypeError(`flow ${this.model.ast.flow}: no state "${position.value}"`);
    const context: Context = { facts: position.facts };
    let at = this.resolved.get(position.value);
    if (!at) {
      at = this.machine.resolveState({ value: position.value, context: { facts: NO_FACTS } });
      this.resolved.set(position.value, at);
    }
    return { ...at, context };
  }

  /** One event. Throws what a guard or a move throws, and on a walk without end. */
  turn(position: Position, event: MachineEvent): Turned {
    this.trace = [];
    this.outs = [];
    const after = this.machine.transition(
      this.restore(position) as never,
      event,
      scopeOf(this.actor),
    ) as {
      value: string;
      context: Context;
      status: string;
    };
    if (after.status === "error")
      throw new TypeError(`flow ${this.model.ast.flow}: failed at "${position.value}"`);
    const { value, context } = after;
    const { outs, trace } = this;
    const moved = value !== position.value || context.facts !== position.facts;
    return {
      value,
      facts: context.facts,
      outs,
      trace,
      handled: moved || outs.length > 0,
      ended: after.status === "done",
    };
  }

  /** Enters a state of a machine made by hand, as if it had just been led to. */
  enter(state: string, facts: Facts): Turned {
    return this.turn({ value: "idle", facts }, { type: `GO ${state}` });
  }

  /** Enters at `start` and walks to the first step that the facts do not pass. */
  walk(facts: Facts): Turned {
    return this.turn({ value: "idle", facts }, { type: "GO" });
  }
}
