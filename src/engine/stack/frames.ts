/**
 * The stack of flows: start a flow, apply a step of its program, end it and give its outcome to its caller.
 *
 * A digression is a frame on top of another. When it ends, the frame below asks its question again.
 */
import { Fault, type JsonObject } from "../../base/index.ts";
import { olderOf, programOf, titleOf } from "../turn/programs.ts";
import { rememberDecision } from "../requests/request-memory.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { beforeErasure, ERASE } from "../policies/erasure.ts";
import type { Demand, FlowEvent, Program, ProgramState, ProgramStep } from "../turn/program.ts";
import { beginHandoff, tellClosed } from "../policies/handoff.ts";
import { dropEvent, keptEvents } from "./early-events.ts";
import { invoke, isQuiet, leaveSteps } from "./invocations.ts";
import { announce, withdraw, contactView, waitingRows } from "../requests/outreach.ts";
import { type Frame, type Invocation, isRequest, keepTimers } from "../session/frame.ts";

/** Deeper stacks are refused: people cannot follow so many interrupted conversations. */
const MAX_FRAMES = 8;

/** What a digression may start in its turn: a menu, the flow it leads to, and a person called from there. */
const ROOM_FRAMES = 3;

/** Whether a digression may go on top of the stack; without room the question in progress is asked again. */
export function hasRoom(draft: TurnDraft): boolean {
  return draft.session.frames.length + ROOM_FRAMES <= MAX_FRAMES;
}

/** Outcomes of a request that decide nothing; every flow has them. */
export const UNDECIDED: ReadonlySet<string> = new Set(["done", "cancelled", "expired"]);

export interface StartFrame {
  readonly input?: JsonObject;
  readonly prefill?: JsonObject;
  readonly likely?: JsonObject;
  readonly caller?: Frame["caller"];
}

/** Starts a flow on top of the stack (or beside it, for a request). */
export function start(
  draft: TurnDraft,
  flow: string,
  options: StartFrame = {},
  beside = false,
): Frame {
  const program = draft.env.library.get(flow);
  if (!program) throw new Fault("FLOW_UNKNOWN", `Flow ${flow} is not loaded.`);
  if (!beside && draft.session.frames.length >= MAX_FRAMES)
    throw new Fault(
      "FLOW_FAILED",
      `More than ${MAX_FRAMES} flows are stacked in one conversation.`,
    );
  const older = beside ? undefined : olderOf(draft, flow);
  if (older) silently(draft, () => send(draft, older, { type: "CANCEL" }));
  const step = program.start(
    {
      input: options.input ?? {},
      ...(options.prefill ? { prefill: options.prefill } : {}),
      ...(options.likely ? { likely: options.likely } : {}),
      account: draft.accountView,
      contact: contactView(draft),
    },
    draft.context,
  );
  const frame: Frame = {
    id: `f${draft.next()}`,
    flow,
    version: program.version,
    hash: program.hash,
    state: step.state as Frame["state"],
    invocations: [],
    timers: [],
    ...(options.caller ? { caller: options.caller } : {}),
  };
  if (beside && isRequest(frame)) draft.session.requests.push(frame);
  else draft.session.frames.push(frame);
  apply(draft, frame, program, step, { event: "start" });
  return frame;
}

/** The step at which a state waits. */
export function stepOf(draft: TurnDraft, program: Program, state: ProgramState): string {
  return program.at?.(state) ?? program.expects(state, draft.context).step;
}

/** Gives one event to a frame. False when its flow did not take it. */
export function send(draft: TurnDraft, frame: Frame, event: FlowEvent): boolean {
  const program = programOf(draft, frame);
  const from = stepOf(draft, program, frame.state);
  const step = program.step(frame.state, event, draft.context);
  apply(draft, frame, program, step, { event: event.type, from });
  return step.handled;
}

/** Gives what happened outside to a step. Whether it takes it; which events count is the flow's to say. */
export function takes(draft: TurnDraft, frame: Frame, call: Invocation, data: JsonObject): boolean {
  if (call.kind !== "wait" || !frame.invocations.includes(call)) return false;
  // Once taken, the frame has moved on and holds the call no more.
  return send(draft, frame, { type: `${call.step}.got`, for: call.for, out: data });
}

/** Asks the question of the current frame again. */
export function reprompt(draft: TurnDraft, key?: string): void {
  const frame = draft.top;
  if (!frame) return;
  const program = programOf(draft, frame);
  const title = titleOf(draft, program);
  if (key) draft.word(key, { title, flow: frame.flow });
  draft.sayOf(frame, program.prompt(frame.state, draft.context));
  const waits = program.expects(frame.state, draft.context).rests === "notify";
  if (waits) tellWaiting(draft);
  if (waits && !draft.paragraphs.some((said) => said.key === "hours-closed")) tellClosed(draft);
  wind(draft, frame, program);
}

/** Calling a person, or a digression, stopped the timers of a question: asked again, it has them again. */
function wind(draft: TurnDraft, frame: Frame, program: Program): void {
  const { rests } = program.expects(frame.state, draft.context);
  const isQuestion = rests === "ask" || rests === "choose" || rests === "confirm";
  // One that failed is not given another turn by that: it would fail again, for ever.
  const runs = [...frame.timers, ...(frame.aside ?? [])].some(({ name }) => isQuiet(name));
  if (!isQuestion || runs || isRequest(frame) || draft.session.handoff) return;
  // The question was said above, in its long form.
  silently(draft, () => send(draft, frame, { type: "REPEAT" }));
}

/** Acts, and drops what was said meanwhile. */
function silently(draft: TurnDraft, act: () => void): void {
  const said = draft.paragraphs.length;
  act();
  draft.paragraphs.length = said;
}

/** Where several wait, which ones: "your request" could be any. */
function tellWaiting(draft: TurnDraft): void {
  const rows = waitingRows(draft);
  if (rows.length < 2) return;
  const lines = rows.map((row) => `• ${row}`).join("\n");
  draft.word("own-waiting", { count: rows.length, lines });
}

export function apply(
  draft: TurnDraft,
  frame: Frame,
  program: Program,
  step: ProgramStep,
  { event, from }: { readonly event: string; readonly from?: string | undefined },
): void {
  if (event === "ANSWER" && step.handled && program.role === "menu")
    draft.answersMenu = program.expects(frame.state, draft.context).rests === "ask";
  frame.state = step.state as Frame["state"];
  draft.shows(frame, event);
  const to = step.ended ? `ended-${step.ended.outcome}` : stepOf(draft, program, step.state);
  draft.moves.push({
    frame: frame.id,
    flow: frame.flow,
    ...(from === undefined ? {} : { from }),
    to,
    event,
    handled: step.handled,
    trace: [...step.trace],
  });
  draft.sayOf(frame, step.say);
  leaveSteps(draft, frame, to, step.ended?.outcome);
  // A sub-flow goes last, as does a wait for what has happened already: it may end at once and move this frame on, over which an older demand must not fall.
  const late = (demand: Demand) => demand.type === "subflow" || demand.type === "wait";
  for (const demand of step.demands.filter((one) => !late(one))) demanded(draft, frame, demand);
  for (const demand of step.demands.filter(late)) demanded(draft, frame, demand);
  if (step.ended) end(draft, frame, step.ended.outcome, step.ended.out);
}

function demanded(draft: TurnDraft, frame: Frame, demand: Demand): void {
  const { env } = draft;
  switch (demand.type) {
    case "effect": {
      if (demand.name === ERASE) beforeErasure(draft, frame);
      const call = invoke(draft, frame, demand, "effect", demand.name);
      call.class = demand.class;
      draft.ask({
        type: "call",
        class: demand.class,
        name: demand.name,
        input: demand.input as Record<string, never>,
        waiter: { frame: frame.id, step: demand.step, for: demand.for, epoch: call.epoch },
      });
      return;
    }
    case "notify": {
      const call = invoke(draft, frame, demand, "notify", demand.flow);
      // Without a recipient there will be no answer: the flow hears it now, not after `within`.
      const withinMs = demand.to.length === 0 ? 0 : demand.withinMs;
      draft.setTimer(frame, `${demand.step}.late`, env.now + withinMs);
      if (demand.remindMs !== undefined)
        draft.setTimer(frame, `${demand.step}.remind`, env.now + demand.remindMs);
      announce(draft, frame, call, demand);
      if (demand.to.length > 0) tellClosed(draft);
      return;
    }
    case "subflow": {
      const call = invoke(draft, frame, demand, "subflow", demand.flow);
      const waiter = { frame: frame.id, step: demand.step, for: demand.for, epoch: call.epoch };
      // What is handed in under the name of a slot is its answer, where it fits: asked for no second time.
      const { input } = demand;
      start(draft, demand.flow, { input, prefill: input, caller: { kind: "frame", waiter } });
      return;
    }
    case "wait": {
      const call = invoke(draft, frame, demand, "wait", demand.event);
      draft.setTimer(frame, `${demand.step}.late`, env.now + demand.withinMs);
      // What it waits for may have happened already.
      for (const event of keptEvents(draft, call.name)) {
        if (!takes(draft, frame, call, event.data)) continue;
        dropEvent(draft, event);
        return;
      }
      return;
    }
    case "handoff":
      beginHandoff(draft, frame, demand.reason);
      return;
    case "quiet":
      keepTimers(frame, ({ name }) => !isQuiet(name));
      if (isRequest(frame)) return; // The asker's step has its own `within`.
      if (demand.nudgeMs !== undefined)
        draft.setTimer(frame, "quiet.nudge", env.now + demand.nudgeMs);
      if (demand.expireMs !== undefined)
        draft.setTimer(frame, "quiet.expire", env.now + demand.expireMs);
      return;
  }
}

/** Removes a frame and gives its outcome to its caller. */
function end(draft: TurnDraft, frame: Frame, outcome: string, out: JsonObject): void {
  const { session, env } = draft;
  const wasTop = draft.top === frame;
  session.frames = session.frames.filter((other) => other !== frame);
  session.requests = session.requests.filter((other) => other !== frame);
  if (isRequest(frame)) {
    const { caller } = frame;
    if (!UNDECIDED.has(outcome)) rememberDecision(draft, frame, outcome);
    draft.post(`contact:${caller.contact}`, {
      kind: "answer",
      request: caller.request,
      waiter: caller.waiter,
      outcome,
      out: { ...out } as Record<string, never>,
      by: { contact: session.contact, ...named(draft) },
    });
  }
  const parent = draft.parentOf(frame);
  if (parent) {
    const epoch = frame.caller?.waiter.epoch;
    const call = parent.invocations.find((other) => other.epoch === epoch);
    const event = { type: `${call?.step ?? ""}.${outcome}`, for: call?.for ?? "", out } as const;
    if (call && !send(draft, parent, event)) strand(draft, parent);
    return;
  }
  if (session.frames.length === 0) {
    session.endedAt = env.now;
    session.endedFlow = frame.flow;
  } else if (wasTop) reprompt(draft, "resume");
}

/** The operator's name by the account, otherwise by the profile, which may hold anything. */
function named({ session, env }: TurnDraft): { readonly name?: string } {
  const known = env.account.operators.find(({ alias }) => alias === env.alias)?.name;
  const name = known ?? session.name;
  return name ? { name } : {};
}

/** Removes a frame from the stack, and withdraws its requests. */
export function takeOff(draft: TurnDraft, { id, invocations }: Frame): void {
  const { session } = draft;
  for (const call of invocations) withdraw(draft, call, "cancelled");
  session.frames = session.frames.filter((other) => other.id !== id);
  session.requests = session.requests.filter((other) => other.id !== id);
}

/**
 * Another flow ended with an outcome that this one has no branch for, so it could never continue. It is removed, with
 * the frames that wait for it, and a person takes over.
 */
export function strand(draft: TurnDraft, frame: Frame): void {
  const { session } = draft;
  draft.word("outcome-lost");
  beginHandoff(draft, frame, "flow-lost");
  for (let lost: Frame | undefined = frame; lost;) {
    const parent: Frame | undefined = draft.parentOf(lost);
    takeOff(draft, lost);
    lost = parent;
  }
  if (session.frames.length === 0) session.endedAt = draft.env.now;
}
