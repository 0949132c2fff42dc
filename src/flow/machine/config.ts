/**
 * The shape of a compiled machine: names and plain parameters only. And what observes one: which edges were taken, and what guards
 * returned.
 */
import type { Json } from "../../base/index.ts";
import type { FlowEvent } from "../../engine/index.ts";
import type { Facts } from "../moves/facts.ts";

/** Names of the moves: the only actions a machine can have. */
export type MoveName =
  | "say"
  | "ask"
  | "begin"
  | "handoff"
  | "answer"
  | "correct"
  | "edit"
  | "again"
  | "back"
  | "noBack"
  | "skip"
  | "settle"
  | "forget"
  | "refresh"
  | "finish"
  | "close"
  | "bad"
  | "exhausted"
  | "wordThenAsk"
  | "repeat"
  | "wordOnly"
  | "tooLate"
  | "nudge"
  | "human";
export interface MoveParams {
  readonly step?: string;
  readonly word?: string;
  readonly text?: string;
  readonly is?: string;
  readonly ids?: readonly string[];
  readonly clear?: readonly string[];
  readonly clearFrom?: string;
}
interface MoveConfig {
  readonly type: MoveName;
  readonly params: MoveParams;
}
/** Names of the guards: the only conditions a machine can have. */
export const GUARD_NAMES = [
  "open",
  "fresh",
  "filled",
  "picked",
  "settled",
  "is",
  "exhausted",
  "canBack",
  "optional",
  "atAsk",
  "again",
  "matches",
] as const;
export interface GuardConfig {
  readonly type: (typeof GUARD_NAMES)[number];
  readonly params: { readonly [name: string]: Json };
}
export interface EdgeConfig {
  readonly target?: string;
  readonly guard?: GuardConfig;
  readonly actions?: readonly MoveConfig[];
}
export interface StateConfig {
  readonly type?: "final";
  readonly entry?: readonly MoveConfig[];
  readonly always?: readonly EdgeConfig[];
  readonly on?: { readonly [event: string]: readonly EdgeConfig[] };
  readonly meta: { readonly step: string; readonly t: string; readonly group?: string };
}
export interface FlowConfig {
  readonly id: string;
  readonly initial: "idle";
  readonly states: { readonly [id: string]: StateConfig };
  readonly on: { readonly [event: string]: readonly EdgeConfig[] };
  /** Bound of eventless moves in one turn: a walk over the whole flow four times over. */
  readonly options: { readonly maxIterations: number };
}

/** An answer that was not understood, on a step that has candidates of its own. */
export const BAD: EdgeConfig = { actions: [{ type: "bad", params: {} }] };

export function move(type: MoveName, params: MoveParams): MoveConfig {
  return { type, params };
}

export function guard(type: GuardConfig["type"], params: GuardConfig["params"]): GuardConfig {
  return { type, params };
}

/** The state that an edge leads to; undefined for one that stays. */
export function targetOf(
  { id }: { readonly id: string },
  { target }: EdgeConfig,
): string | undefined {
  return target?.slice(`#${id}.`.length);
}

/** For coverage. It can also run a mutant, to see whether tests notice. Flows in production have no probe. */
export interface Probe {
  /** The machine to run in place of the compiled one. */
  shape?(config: FlowConfig): FlowConfig;
  took?(edge: string): void;
  /** A guard was asked. */
  tried?(edge: string, held: boolean): void;
  /** An event reached the flow. */
  event?(facts: Facts, event: FlowEvent): void;
}

/** Name of an edge: `state/always/0`, `state/YES/0`, `*`+`/CANCEL/1` for those of every state. */
function edgeId(state: string, event: string, index: number): string {
  return `${state}/${event}/${index}`;
}

/** Every edge of a machine with its name, in the order of the machine. */
export function edgesOf(
  config: FlowConfig,
): { id: string; state: string; event: string; index: number; edge: EdgeConfig }[] {
  const list = (state: string, event: string, edges: readonly EdgeConfig[]) =>
    edges.map((edge, index) => ({ id: edgeId(state, event, index), state, event, index, edge }));
  return [
    ...Object.entries(config.states).flatMap(([state, { always, on }]) => [
      ...list(state, "always", always ?? []),
      ...Object.entries(on ?? {}).flatMap(([event, edges]) => list(state, event, edges)),
    ]),
    ...Object.entries(config.on).flatMap(([event, edges]) => list("*", event, edges)),
  ];
}

/** The machine with every edge and guard saying its name. */
export function watched(config: FlowConfig): FlowConfig {
  const name = (state: string, event: string) => (edge: EdgeConfig, index: number) => {
    const params = { edge: edgeId(state, event, index) };
    return {
      ...edge,
      ...(edge.guard
        ? { guard: { ...edge.guard, params: { ...edge.guard.params, ...params } } }
        : {}),
      actions: [{ type: "took", params }, ...(edge.actions ?? [])],
    } as EdgeConfig;
  };
  const named = (state: string, on: StateConfig["on"]) =>
    Object.fromEntries(
      Object.entries(on ?? {}).map(([event, edges]) => [event, edges.map(name(state, event))]),
    );
  const states = Object.entries(config.states).map(([id, state]): [string, StateConfig] => [
    id,
    {
      ...state,
      ...(state.always ? { always: state.always.map(name(id, "always")) } : {}),
      ...(state.on ? { on: named(id, state.on) } : {}),
    },
  ]);
  const inside: FlowConfig["states"] = Object.fromEntries<StateConfig>(states);
  return { ...config, states: inside, on: named("*", config.on) };
}
