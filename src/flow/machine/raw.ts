/**
 * Hand-written XState machines as flows: `machineFlow()`. The config is flat data; its guards and actions are the kit's
 * own, by name. Repair is merged in after the author's entries.
 */
import { setup } from "xstate";
import type { z } from "zod";
import { Fault, isJsonObject, type Json, type JsonObject } from "../../base/index.ts";
import { type Ast, notJson, type Step } from "../ast/ast.ts";
import { assembled, plainOf, makerOf } from "../authoring/kit.ts";
import type { Block, FlowOptions, Scope, SlotName } from "../authoring/kit-options.ts";
import type { Kit } from "../authoring/kit-types.ts";
import { Making } from "../authoring/making.ts";
import { refTo } from "../authoring/reference.ts";
import { makeAsk } from "../steps/ask.ts";
import type { FlowRegistry } from "../authoring/registry.ts";
import type { MachineEvent } from "../moves/move.ts";
import { MOVES } from "../moves/moves.ts";
import {
  type EdgeConfig,
  GUARD_NAMES,
  type GuardConfig,
  type MoveName,
  type MoveParams,
  type StateConfig,
} from "./config.ts";

interface RawOptions<
  Id extends string,
  S extends z.ZodRawShape,
  I extends z.ZodObject | undefined,
> extends FlowOptions<S, I> {
  /** States that ask for a slot. */
  readonly asks: {
    readonly [state: string]: { readonly slot: SlotName<S>; readonly ask?: string };
  };
  /** What other states say, confirm or call: steps whose ids the states have. Their branches are the machine's own edges. */
  readonly steps?: (f: Kit<Id, S, FlowRegistry>, $: Scope<S, I, FlowRegistry>) => readonly object[];
  /**
   * As in any flow: steps to run when a message of it could not be delivered. Then the machine starts again from its
   * facts.
   */
  readonly onSendFailed?: (
    f: Kit<Id, S, FlowRegistry>,
    $: Scope<S, I, FlowRegistry>,
  ) => readonly object[];
}

type Params = MoveParams | undefined;

/** XState's `setup` with the kit's guards and actions. What they do is the kit's; here they only have names. */
export function prosaSetup() {
  const nothing = (_args: unknown, _params: Params): void => undefined;
  const never = (_args: unknown, _params: (Params & { readonly if?: Json }) | undefined): boolean =>
    false;
  const actions = Object.fromEntries(Object.keys(MOVES).map((name) => [name, nothing]));
  const guards = Object.fromEntries(GUARD_NAMES.map((name) => [name, never]));
  return setup({
    types: { events: {} as MachineEvent },
    actions: actions as Record<MoveName, typeof nothing>,
    guards: guards as Record<GuardConfig["type"], typeof never>,
  });
}

/** A machine as a flow. Throws a `FLOW_INVALID` fault naming the first thing that is not data; everything else is lint's. */
export function machineFlow<
  const Id extends string,
  S extends z.ZodRawShape,
  I extends z.ZodObject | undefined = undefined,
>(id: Id, options: RawOptions<Id, S, I>, machine: { readonly config: object }): Ast {
  const prompts: Record<string, string> = {};
  const making = new Making(prompts);
  const asks = Object.entries(options.asks).map(([state, { slot, ask }]) =>
    makeAsk(making, slot, { id: state, ask }),
  );
  const maker = makerOf(making);
  const others = options.steps?.(maker as never, refTo("") as never) ?? [];
  const onSendFailed = options.onSendFailed?.(maker as never, refTo("") as never);
  const plain = plainOf(options, onSendFailed as Block | undefined);
  const ast = assembled(id, plain, [...asks, ...(others as Step[])], prompts);
  // The id is the flow's; `schemas` is what `setup` leaves behind of its types.
  const { id: _id, schemas: _schemas, ...config } = machine.config as Record<string, unknown>;
  const lost = notJson(config, "machine");
  if (lost) throw new Fault("FLOW_INVALID", `Flow ${id} is not plain data: ${lost}.`);
  return { ...ast, machine: config as JsonObject };
}

/** The states of a machine as the compiler makes them: absolute targets, every guard and action with its state. */
export function rawStates(ast: Ast): Record<string, StateConfig> {
  const steps = new Map(ast.steps.map((step) => [step.id, step.t]));
  return Object.fromEntries(
    Object.entries(statesOf(ast.machine ?? {})).map(([id, state]) => [
      id,
      {
        type: state["type"] === "final" ? ("final" as const) : undefined,
        entry: named(state["entry"], id) as StateConfig["entry"] & object,
        always: edgesOf(state["always"]).map((edge) => edgeOf(ast, edge, id)),
        on: heldToo(ast, id, onEdges(ast, state, id)),
        meta: { step: id, t: steps.get(id) ?? "state" },
      } satisfies StateConfig,
    ]),
  );
}

/** Only grave calls may stay held: what ends unknown elsewhere has failed, here as in every flow. */
function heldToo(
  ast: Ast,
  id: string,
  on: Record<string, readonly EdgeConfig[]>,
): Record<string, readonly EdgeConfig[]> {
  const isCall = ast.steps.some((step) => step.id === id && step.t === "effect");
  const failed = on[`${id}.failed`];
  return isCall && failed ? { [`${id}.held`]: failed, ...on } : on;
}

/** Root entries of the machine's own. */
export function rawRoot(ast: Ast): Record<string, readonly EdgeConfig[]> {
  return onEdges(ast, ast.machine ?? {}, "");
}

export function rawInitial(ast: Ast): string {
  const initial = ast.machine?.["initial"];
  return typeof initial === "string" ? initial : "";
}

function onEdges(ast: Ast, of: JsonObject, id: string): Record<string, readonly EdgeConfig[]> {
  return Object.fromEntries(
    Object.entries(onOf(of)).map(([event, edges]) => [
      event,
      edgesOf(edges).map((edge) => edgeOf(ast, edge, id)),
    ]),
  );
}

function edgeOf(ast: Ast, edge: JsonObject, id: string): EdgeConfig {
  const { target } = edge;
  const [guard] = named(edge["guard"], id);
  const actions = named(edge["actions"], id);
  return {
    target: typeof target === "string" ? `#${ast.flow}.${stateOf(ast, target)}` : undefined,
    guard: guard as unknown as GuardConfig | undefined,
    actions: actions.length > 0 ? actions : undefined,
  };
}

function named(of: Json | undefined, step: string): { type: MoveName; params: MoveParams }[] {
  const own = step === "" ? {} : { step };
  return namedOf(of).map(({ type, params }) => ({
    type: type as MoveName,
    params: { ...own, ...(params as MoveParams) },
  }));
}

/** Guards or actions with their parameters. */
export function namedOf(
  of: Json | undefined,
): { readonly type: string; readonly params: JsonObject }[] {
  const list = Array.isArray(of) ? (of as readonly Json[]) : of === undefined ? [] : [of];
  return list.map((one) => {
    if (typeof one === "string") return { type: one, params: {} };
    if (!isJsonObject(one)) return { type: "", params: {} };
    const { type, params } = one;
    return {
      type: typeof type === "string" ? type : "",
      params: isJsonObject(params) ? params : {},
    };
  });
}

/** The edges of one event, or of `always`, in order. */
export function edgesOf(of: Json | undefined): JsonObject[] {
  const list = Array.isArray(of) ? (of as readonly Json[]) : of === undefined ? [] : [of];
  return list.map((one) =>
    typeof one === "string" ? { target: one } : isJsonObject(one) ? one : {},
  );
}

export function onOf(of: JsonObject): JsonObject {
  return isJsonObject(of["on"]) ? of["on"] : {};
}

export function statesOf(machine: JsonObject): Record<string, JsonObject> {
  return isJsonObject(machine["states"]) ? (machine["states"] as Record<string, JsonObject>) : {};
}

/** The state that a target means: written plain, with a dot, or absolute. */
export function stateOf({ flow }: { readonly flow: string }, target: string): string {
  return target.replace(`#${flow}.`, "").replace(/^\./, "");
}
