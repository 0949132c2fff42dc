/** `raw/`: why a hand-written machine cannot be a flow, in terms of its own states. */
import type { JsonObject } from "../../base/index.ts";
import { COMMON_OUTCOMES, type Ast, type Step } from "../ast/ast.ts";
import { GUARD_NAMES } from "./config.ts";
import { didYouMean } from "../ast/finding.ts";
import { MOVES } from "../moves/moves.ts";
import { edgesOf, namedOf, onOf, stateOf, statesOf } from "./raw.ts";
import { ROOT_EVENTS } from "./compile.ts";

/** Why each of these rules exists and how its findings are mended: rows of the table of lint rules. */
export const RAW_RULE_TEXTS = {
  "raw/invoke": row(
    "What is awaited inside a machine is lost at a restart.",
    'Make the call a step in steps (f.call, f.submit), begin it by entry "begin" in the state of its id, and take its outcomes in on.',
  ),
  "raw/after": row(
    "Timers inside a machine are lost at a restart.",
    "Give the question quiet: { nudge, expire }, or the step within, and take quiet.expire or the step's late in on.",
  ),
  "raw/spawn": row(
    "Actors inside a machine are lost at a restart.",
    'Make the other flow a subflow step with a state of its id, begun by entry "begin".',
  ),
  "raw/history": row(
    "Where it was must be readable from its state.",
    "Take the type out: guards read facts (filled, settled, is), so the way back is found by going from the beginning.",
  ),
  "raw/parallel": row(
    "A conversation is at one place.",
    "Ask one after the other: an answer that comes early is kept and its question passed over by the guard filled.",
  ),
  "raw/nested": row(
    "A conversation is at one place.",
    "Lift the inner states to the top, with names of their own, and lead to them by targets.",
  ),
  "raw/context": row(
    "Answers live in facts, not in a context of its own.",
    'Keep answers in slots and results in steps; read them in a guard is, as { ref: "slot" }.',
  ),
  "raw/initial": row(
    "It must be known where it begins.",
    "Write initial with the name of one of its states.",
  ),
  "raw/final": row(
    "It must be known how it ends.",
    "Call it ended-done, or ended- and one of the flow's outcomes.",
  ),
  "raw/unregistered-action": row(
    "Nobody would do it.",
    "Take one of the actions and guards that prosaSetup() knows; calls and words are steps.",
  ),
  "raw/silent-rest": row(
    "A person would wait for a question.",
    "Add the state to asks, or a step of its id to steps; or lead on by an always without guard.",
  ),
  "raw/not-passed": row(
    "Coming past again, it would ask again.",
    'Add always: { guard: "filled", target: … }, so that an answer that is there is passed over.',
  ),
  "raw/no-step": row(
    "It works on a step, and there is none.",
    "Give the state a step of its id in steps or asks, or name one by params.step.",
  ),
  "raw/unknown-event": row(
    "The edge would never be taken.",
    "Take an event of every flow, YES, NO, RESUME, send.failed, or step.outcome of a step.",
  ),
  "raw/unknown-target": row(
    "The edge leads nowhere.",
    "Name one of the machine's states, or ended- and an outcome of the flow.",
  ),
  "raw/outcome-unhandled": row(
    "A conversation whose call ends so would wait for ever.",
    "Take step.outcome in on of its state: guard fresh, action settle, and an always that reads it.",
  ),
};
type RawRule = keyof typeof RAW_RULE_TEXTS;

function row(why: string, how: string) {
  return { severity: "error" as const, why, how };
}

interface RawProblem {
  readonly rule: RawRule;
  readonly message: string;
  readonly state?: string;
}

/** What a hand-made machine must not have: it would be lost, or could not be restored. */
const FORBIDDEN: readonly {
  readonly rule: RawRule;
  readonly name: string;
  readonly why: string;
}[] = [
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
  const { on = {} } = machine;
  return [...found, ...nameProblems(ast, "", { on })];
}

function stateProblems(ast: Ast, id: string, state: JsonObject): RawProblem[] {
  const found: RawProblem[] = [];
  const say = (rule: RawRule, message: string) => found.push({ rule, message, state: id });
  for (const { rule, name, why } of FORBIDDEN)
    if (Object.hasOwn(state, name)) say(rule, `State "${id}" has ${name}: ${why}.`);
  if (state["type"] === "parallel")
    say("raw/parallel", `State "${id}" is parallel: where a machine stands is one word.`);
  else if (state["type"] !== undefined && state["type"] !== "final")
    say("raw/history", `State "${id}" has a type: only final ones may.`);
  found.push(...nameProblems(ast, id, state));
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
  if (step) found.push(...outcomeProblems(ast, step, state));
  return found;
}

/** What means nothing without a step: where it stands, or the one its parameters name. */
const OF_A_STEP = new Set(
  ["say", "ask", "begin", "handoff", "settle", "filled", "picked", "settled", "fresh"].concat([
    "again",
    "matches",
  ]),
);

/** Actions, guards, events and targets that name nothing. */
function nameProblems(ast: Ast, id: string, state: JsonObject): RawProblem[] {
  const found: RawProblem[] = [];
  const at = id === "" ? {} : { state: id };
  const say = (rule: RawRule, message: string) => found.push({ rule, message, ...at });
  const on = onOf(state);
  const edges = [...edgesOf(state["always"]), ...Object.values(on).flatMap(edgesOf)];
  const actions = [state["entry"], state["exit"], ...edges.map((edge) => edge["actions"])];
  const names = [
    ...actions.flatMap(namedOf).map((one) => [one, Object.keys(MOVES)] as const),
    ...edges.flatMap((edge) => namedOf(edge["guard"])).map((one) => [one, GUARD_NAMES] as const),
  ];
  for (const [{ type, params }, known] of names) {
    if (!(known as readonly string[]).includes(type)) {
      const near = didYouMean(type, known);
      say(
        "raw/unregistered-action",
        `${where(id)} names "${type}", which is none of the kit's.${near}`,
      );
      continue;
    }
    const named = typeof params["step"] === "string" ? params["step"] : id;
    if (OF_A_STEP.has(type) && !ast.steps.some((step) => step.id === named))
      say(
        "raw/no-step",
        `${where(id)} has "${type}", but there is no step "${named}".${didYouMean(named, stepIds(ast))}`,
      );
  }
  const events = eventsOf(ast);
  for (const event of Object.keys(on))
    if (!events.includes(event))
      say(
        "raw/unknown-event",
        `${where(id)} waits for "${event}", which nobody sends.${didYouMean(event, events)}`,
      );
  const targets = [...Object.keys(statesOf(ast.machine ?? {})), ...endsOf(ast)];
  for (const { target } of edges) {
    if (typeof target !== "string") continue;
    const name = stateOf(ast, target);
    if (!targets.includes(name))
      say(
        "raw/unknown-target",
        `${where(id)} leads to "${name}", which is no state.${didYouMean(name, targets)}`,
      );
  }
  return found;
}

/** A call with an outcome that no branch handles leaves its person waiting for ever. */
function outcomeProblems(ast: Ast, step: Step, state: JsonObject): RawProblem[] {
  if (step.t !== "effect" && step.t !== "subflow" && step.t !== "notify" && step.t !== "wait")
    return [];
  const heard = [...Object.keys(onOf(state)), ...Object.keys(onOf(ast.machine ?? {}))];
  const missing = outcomesOf(step).filter((outcome) => !heard.includes(`${step.id}.${outcome}`));
  return missing.map((outcome) => ({
    rule: "raw/outcome-unhandled",
    message: `${where(step.id)} does not take "${step.id}.${outcome}".`,
    state: step.id,
  }));
}

function outcomesOf(step: Extract<Step, { on: object }>): string[] {
  return [...new Set([...Object.keys(step.on), ...(step.t === "notify" ? ["late"] : [])])];
}

function stepIds({ steps }: Ast): string[] {
  return steps.map(({ id }) => id);
}

/** Every event that can reach a state. */
function eventsOf(ast: Ast): string[] {
  const outcomes = ast.steps.flatMap((step) =>
    "on" in step
      ? [...outcomesOf(step), ...(step.t === "effect" ? ["held"] : [])].map(
          (name) => `${step.id}.${name}`,
        )
      : [],
  );
  return [...ROOT_EVENTS, "YES", "NO", "RESUME", "send.failed", ...new Set(outcomes)];
}

/** Final states that the kit makes where the machine has none. */
function endsOf({ outcomes }: Ast): string[] {
  return [...COMMON_OUTCOMES, ...outcomes].map((outcome) => `ended-${outcome}`);
}

function where(id: string): string {
  return id === "" ? "The machine" : `State "${id}"`;
}
