/**
 * Flow to machine config: plain JSON, flat states (one per step, key = step id), eventless edges that read facts.
 *
 * No `invoke`, `after`, `spawn`, history, delayed raise or inline function exists in it, so stale completions, lost
 * timers and volatile ids cannot occur.
 */
import type { Ast } from "../ast/ast.ts";
import { Builder } from "./builder.ts";
import {
  BAD,
  type EdgeConfig,
  type FlowConfig,
  guard,
  move,
  type MoveName,
  type StateConfig,
} from "./config.ts";
import { rawInitial, rawRoot, rawStates } from "./raw.ts";
import { eachStep } from "./steps.ts";

export function compile(ast: Ast): FlowConfig {
  if (ast.machine) return compileRaw(ast);
  const builder = new Builder(ast);
  const first = builder.block(ast.steps, "ended-done");
  const on = {
    ...rootEdges((id) => builder.to(id)),
    ...builder.rules(ast.policy.repair ?? {}, "start"),
  };
  const steps = eachStep(ast).length;
  return {
    id: ast.flow,
    initial: "idle",
    states: {
      idle: { on: { GO: [{ target: builder.to("start") }] }, meta: { step: "idle", t: "start" } },
      start: { always: [{ target: builder.to(first) }], meta: { step: "start", t: "start" } },
      ...builder.states,
      ...builder.ends(),
    },
    on,
    options: { maxIterations: 4 * steps + 50 },
  };
}

/** A machine made by hand: its own states and entries, with the kit's ends and its repair behind them. */
function compileRaw(ast: Ast): FlowConfig {
  const builder = new Builder(ast);
  const own = rawRoot(ast);
  const root = {
    ...rootEdges((id) => builder.to(id)),
    ...builder.rules(ast.policy.repair ?? {}, "start"),
  };
  const on = Object.fromEntries(
    [...new Set([...Object.keys(own), ...Object.keys(root)])].map((event) => [
      event,
      upTo([
        ...(own[event] ?? []),
        ...((root as Record<string, readonly EdgeConfig[]>)[event] ?? []),
      ]),
    ]),
  );
  const states = rawStates(ast);
  const ends = Object.entries(builder.ends()).map(([id, end]): [string, StateConfig] => [
    id,
    { ...end, entry: [...(states[id]?.entry ?? []), ...(end.entry ?? [])] },
  ]);
  return {
    id: ast.flow,
    initial: "idle",
    states: {
      idle: {
        on: {
          GO: [{ target: builder.to("start") }],
          // Where those go on who come from an older version.
          ...Object.fromEntries(
            Object.keys(states).map((id) => [`GO ${id}`, [{ target: builder.to(id) }]]),
          ),
        },
        meta: { step: "idle", t: "start" },
      },
      start: {
        always: [{ target: builder.to(rawInitial(ast)) }],
        meta: { step: "start", t: "start" },
      },
      ...builder.states,
      ...states,
      ...Object.fromEntries(ends),
    },
    on,
    options: { maxIterations: 4 * Object.keys(states).length + 50 },
  };
}

/** Candidates up to the first that always holds: what stands behind it is never asked. */
function upTo(edges: readonly EdgeConfig[]): readonly EdgeConfig[] {
  const always = edges.findIndex((edge) => edge.guard === undefined);
  return always < 0 ? edges : edges.slice(0, always + 1);
}

/** The events every flow takes in every state. */
export const ROOT_EVENTS = [
  "ANSWER",
  "CORRECT",
  "EDIT",
  "BACK",
  "SKIP",
  "CANCEL",
  "BAD",
  "REPEAT",
  "HELP",
  "WHY",
  "HUMAN",
  "quiet.nudge",
  "quiet.expire",
] as const;

/** Candidates of each root event. `to` makes a target of a state's id. */
function rootEdges(
  to: (id: string) => string,
): Record<(typeof ROOT_EVENTS)[number], readonly EdgeConfig[]> {
  const open = guard("open", {});
  const tooLate: EdgeConfig = { actions: [move("tooLate", { word: "too-late" })] };
  const restart = (name: MoveName): EdgeConfig => ({
    guard: open,
    target: to("start"),
    actions: [move(name, {})],
  });
  const says = (name: string): EdgeConfig => ({ actions: [move("wordThenAsk", { word: name })] });
  return {
    ANSWER: [
      { guard: guard("atAsk", {}), actions: [move("answer", {})] },
      restart("correct"),
      tooLate,
    ],
    CORRECT: [restart("correct"), tooLate],
    EDIT: [restart("edit"), tooLate],
    BACK: [
      { ...restart("back"), guard: guard("canBack", {}) },
      { guard: open, actions: [move("noBack", { word: "nothing-before" })] },
      tooLate,
    ],
    SKIP: [{ guard: guard("optional", {}), actions: [move("skip", {})] }, says("no-skip")],
    CANCEL: [{ guard: open, target: to("ended-cancelled") }, tooLate],
    BAD: [{ guard: guard("exhausted", {}), actions: [move("exhausted", {})] }, BAD],
    REPEAT: [{ actions: [move("repeat", {})] }],
    HELP: [says("help")],
    WHY: [says("why")],
    HUMAN: [{ actions: [move("human", {})] }],
    "quiet.nudge": [{ guard: open, actions: [move("nudge", {})] }],
    "quiet.expire": [{ guard: open, target: to("ended-expired") }],
  };
}
