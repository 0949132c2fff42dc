/**
 * Raw XState machines as flows: `machineFlow()` for those who would rather draw the chart by hand. The config is data and
 * flat, its guards and actions are the kit's own by name; repair is merged in, the author's entries first.
 */
import { setup } from "xstate";
import type { z } from "zod";
import { Fault, isJsonObject, type Json, type JsonObject } from "../base/index.ts";
import { assembled } from "./assemble.ts";
import { notJson, type Ast, type Step } from "./ast.ts";
import { GUARD_NAMES, type EdgeConfig, type GuardConfig, type StateConfig } from "./config.ts";
import type { FlowOptions, Scope, SlotName } from "./kit-options.ts";
import type { Kit } from "./kit-types.ts";
import { Maker } from "./maker.ts";
import type { MachineEvent, MoveParams } from "./move.ts";
import { MOVES, type MoveName } from "./moves.ts";
import { refTo } from "./reference.ts";
import type { FlowRegistry } from "./registry.ts";
import { slotDefs } from "./slot.ts";

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
  const maker = new Maker(prompts);
  const asks = Object.entries(options.asks).map(([state, { slot, ask }]) =>
    maker.ask(slot, { id: state, ...(ask === undefined ? {} : { ask }) }),
  );
  const others = options.steps?.(maker as never, refTo("") as never) ?? [];
  const { steps: _steps, asks: _asks, slots, input, ...rest } = options;
  const inputs = Object.entries((input?.shape ?? {}) as Record<string, z.ZodType>).map(
    ([name, schema]) => [name, schema.safeParse(undefined).success ? { optional: true } : {}],
  );
  const plain = {
    ...rest,
    slots: slotDefs(slots.shape),
    ...(input ? { input: Object.fromEntries(inputs) as NonNullable<Ast["input"]> } : {}),
  };
  const ast = assembled(id, plain, [...asks, ...(others as Step[])], prompts);
  // The id is the flow's; `schemas` is what `setup` leaves behind of its types.
  const { id: _id, schemas: _schemas, ...config } = machine.config as Record<string, unknown>;
  const lost = notJson(config, "machine");
  if (lost) throw new Fault("FLOW_INVALID", `Flow ${id} is not plain data: ${lost}.`);
  return { ...ast, machine: config as JsonObject };
}

export interface RawProblem {
  readonly rule: string;
  readonly message: string;
  readonly state?: string;
}

/** What a hand-made machine must not have: it would be lost, or could not be restored. */
const FORBIDDEN: readonly { readonly rule: string; readonly name: string; readonly why: string }[] =
  [
    { rule: "raw/invoke", name: "invoke", why: "calls are steps; their outcome comes as an event" },
    { rule: "raw/after", name: "after", why: "time is a question's quiet time or a step's within" },
    { rule: "raw/history", name: "history", why: "facts remember, states do not" },
    { rule: "raw/nested", name: "states", why: "where a machine stands is one word" },
    { rule: "raw/nested", name: "onDone", why: "where a machine stands is one word" },
    { rule: "raw/spawn", name: "spawn", why: "another flow is a subflow step" },
    { rule: "raw/context", name: "context", why: "what is remembered are the facts" },
  ];

/** Why a machine cannot be a flow; empty when it can. */
export function rawProblems(ast: Ast): RawProblem[] {
  const { machine } = ast;
  if (!machine) return [];
  const states = statesOf(machine);
  const found: RawProblem[] = [];
  for (const { rule, name, why } of FORBIDDEN)
    if (name !== "states" && Object.hasOwn(machine, name))
      found.push({ rule, message: `The machine has ${name}: ${why}.` });
  if (typeof machine["initial"] !== "string" || !Object.hasOwn(states, machine["initial"]))
    found.push({ rule: "raw/initial", message: "The machine names no state to begin with." });
  for (const [id, state] of Object.entries(states)) found.push(...stateProblems(ast, id, state));
  return found;
}

function stateProblems(ast: Ast, id: string, state: JsonObject): RawProblem[] {
  const found: RawProblem[] = [];
  const say = (rule: string, message: string) => found.push({ rule, message, state: id });
  for (const { rule, name, why } of FORBIDDEN)
    if (Object.hasOwn(state, name)) say(rule, `State "${id}" has ${name}: ${why}.`);
  if (state["type"] === "parallel")
    say("raw/parallel", `State "${id}" is parallel: where a machine stands is one word.`);
  else if (state["type"] !== undefined && state["type"] !== "final")
    say("raw/history", `State "${id}" has a type: only final ones may.`);
  const edges = [...edgesOf(state["always"]), ...Object.values(onOf(state)).flatMap(edgesOf)];
  const names = [
    ...[
      ...namedOf(state["entry"]),
      ...namedOf(state["exit"]),
      ...edges.flatMap((edge) => namedOf(edge["actions"])),
    ].map((one) => [one, Object.keys(MOVES)] as const),
    ...edges.flatMap((edge) => namedOf(edge["guard"])).map((one) => [one, GUARD_NAMES] as const),
  ];
  for (const [{ type }, known] of names)
    if (!(known as readonly string[]).includes(type))
      say("raw/unregistered-action", `State "${id}" names "${type}", which is none of the kit's.`);
  if (state["type"] === "final") {
    if (!/^ended-[a-z][a-z0-9-]*$/.test(id))
      say("raw/final", `Final state "${id}" must be called ended- and the outcome.`);
    return found;
  }
  const step = ast.steps.find((one) => one.id === id);
  const always = edgesOf(state["always"]);
  const passes = always.some((edge) => edge["guard"] === undefined);
  if (!step && !passes)
    say("raw/silent-rest", `Nobody knows what is waited for in "${id}": give it an ask or a step.`);
  if (
    step?.t === "ask" &&
    !always.some((edge) => namedOf(edge["guard"]).some(({ type }) => type === "filled"))
  )
    say(
      "raw/not-passed",
      `"${id}" must go on by an always with the guard filled: its answer may be there before it is asked.`,
    );
  return found;
}

/** The states of a machine as the compiler makes them: absolute targets, every guard and action with its state. */
export function rawStates(ast: Ast): Record<string, StateConfig> {
  const steps = new Map(ast.steps.map((step) => [step.id, step.t]));
  return Object.fromEntries(
    Object.entries(statesOf(ast.machine ?? {})).map(([id, state]) => [
      id,
      {
        ...(state["type"] === "final" ? { type: "final" as const } : {}),
        entry: named(state["entry"], id) as StateConfig["entry"] & object,
        always: edgesOf(state["always"]).map((edge) => edgeOf(ast, edge, id)),
        on: onEdges(ast, state, id),
        meta: { step: id, t: steps.get(id) ?? "state" },
      } satisfies StateConfig,
    ]),
  );
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
    ...(typeof target === "string"
      ? { target: target.startsWith("#") ? target : `#${ast.flow}.${target.replace(/^\./, "")}` }
      : {}),
    ...(guard ? { guard: guard as unknown as GuardConfig } : {}),
    ...(actions.length > 0 ? { actions: actions } : {}),
  };
}

function named(of: Json | undefined, step: string): { type: MoveName; params: MoveParams }[] {
  const own = step === "" ? {} : { step };
  return namedOf(of).map(({ type, params }) => ({
    type: type as MoveName,
    params: { ...own, ...(params as MoveParams) },
  }));
}

function namedOf(of: Json | undefined): { readonly type: string; readonly params: JsonObject }[] {
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

function edgesOf(of: Json | undefined): JsonObject[] {
  const list = Array.isArray(of) ? (of as readonly Json[]) : of === undefined ? [] : [of];
  return list.map((one) =>
    typeof one === "string" ? { target: one } : isJsonObject(one) ? one : {},
  );
}

function onOf(of: JsonObject): JsonObject {
  return isJsonObject(of["on"]) ? of["on"] : {};
}

function statesOf(machine: JsonObject): Record<string, JsonObject> {
  return isJsonObject(machine["states"]) ? (machine["states"] as Record<string, JsonObject>) : {};
}
