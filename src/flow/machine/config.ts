/** The shape of a compiled machine: names and plain parameters only. */
import type { Json } from "../../base/index.ts";
import type { MoveName } from "../moves/moves.ts";
import type { MoveParams } from "../moves/move.ts";

export interface MoveConfig {
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
