/**
 * Observes a machine for coverage: which edges were taken, and what guards returned. It can also replace the compiled
 * machine by a mutant, to see whether tests notice. Flows in production have no probe.
 */
import type { FlowEvent } from "../../engine/index.ts";
import type { EdgeConfig, FlowConfig, StateConfig } from "./config.ts";
import type { Facts } from "../moves/facts.ts";

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
export function edgeId(state: string, event: string, index: number): string {
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
