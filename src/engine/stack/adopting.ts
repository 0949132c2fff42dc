/**
 * Frames that run on an older version of their flow. A frame moves to the newest version when it has nothing pending. It
 * is removed when no loaded version can continue it.
 */
import { contactView } from "../requests/outreach.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { apply, stepOf, strand, takeOff } from "./frames.ts";
import { renameSlots } from "../arrival/recent-messages.ts";
import { beginHandoff } from "../policies/handoff.ts";
import type { Program, ProgramState, ProgramStep } from "../turn/program.ts";
import { programOf } from "../turn/programs.ts";
import type { Frame } from "../session/frame.ts";

/** Most versions that a frame remembers having left. */
const MAX_LEFT = 4;

/** Whether a call or request of this frame is in progress. Then its version must not change. */
function isPinned(draft: TurnDraft, frame: Frame, program: Program): boolean {
  return (
    frame.invocations.some((call) => call.kind !== "effect" || call.class !== "read") ||
    program.expects(frame.state, draft.context).sealed
  );
}

/**
 * Moves a frame to the newest version of its flow when nothing of it is pending; a question that changed is told.
 */
export function refresh(draft: TurnDraft, frame: Frame): void {
  const newest = draft.env.library.get(frame.flow);
  const current = draft.env.library.get(frame.flow, frame.hash);
  if (!newest || newest.hash === frame.hash) return;
  if (current && isPinned(draft, frame, current)) return;
  // Of a build that came after this one, which may run beside it: two builds must not hand it to and fro.
  if (current && (newest.version < frame.version || isToAndFro(frame, newest))) return;
  const unheard = current ? unheeded(draft, frame, current, newest) : [];
  if (current && unheard.length > 0) {
    stays(draft, frame, current, `pinned: its caller has no branch for ${unheard.join(", ")}`);
    return;
  }
  const before = current && placeOf(draft, current, frame.state);
  const expectation = current?.expects(frame.state, draft.context);
  const from = { version: frame.version, hash: frame.hash };
  const step = adopted(draft, frame, newest, current);
  if (!step) return;
  if (newest.version === from.version)
    frame.left = [...(frame.left ?? []).filter((one) => one !== from.hash), from.hash].slice(
      -MAX_LEFT,
    );
  frame.version = newest.version;
  frame.hash = newest.hash;
  const after = placeOf(draft, newest, step.state);
  const names = newest.namesNow?.(from);
  const isSame =
    before?.question === after.question && (names?.step(before.at) ?? before.at) === after.at;
  if (!isSame) draft.word("flow-changed");
  if (!isSame && frame === draft.top)
    draft.moved = { frame, from, expectation, said: draft.paragraphs.length };
  if (before && isSame) rename(draft, frame, names, before.at, after.at);
  const { asked } = frame;
  apply(draft, frame, newest, isSame ? { ...step, say: [] } : step, {
    event: "adopt",
    from: before?.at,
  });
  if (isSame) frame.asked = asked;
}

/**
 * Whether it has been in both already. Once it goes back, as an author takes back what they changed; a second time means
 * that two builds with one version number take turns with it.
 */
function isToAndFro({ left = [], hash }: Frame, newest: Program): boolean {
  return left.includes(newest.hash) && left.includes(hash);
}

/** What the newest version makes of a frame. Where it fails, or leaves it, who is in a loaded version goes on in that. */
function adopted(
  draft: TurnDraft,
  frame: Frame,
  newest: Program,
  current: Program | undefined,
): ProgramStep | undefined {
  const surroundings = { account: draft.accountView, contact: contactView(draft) };
  try {
    const result = newest.adopt({ ...frame, ...surroundings }, draft.context);
    return result.ok ? result.step : undefined;
  } catch (error) {
    // A version that fails on the way in must not take with it who was well off without it.
    const why = error instanceof Error ? error.message : String(error);
    stays(draft, frame, current, `failed: ${why}`);
    return undefined;
  }
}

/** Keeps a frame in its version and writes the reason to the journal. */
function stays(draft: TurnDraft, frame: Frame, current: Program | undefined, why: string): void {
  const at = current && stepOf(draft, current, frame.state);
  draft.moves.push({
    frame: frame.id,
    flow: frame.flow,
    ...(at === undefined ? {} : { from: at, to: at }),
    event: "adopt",
    handled: false,
    trace: [why],
  });
}

/** New outcomes of a newer version that the caller of this frame has no branch for. */
function unheeded(draft: TurnDraft, frame: Frame, current: Program, newest: Program): string[] {
  const { caller } = frame;
  const parent = draft.parentOf(frame);
  const heeds =
    caller?.kind === "request"
      ? caller.heeds
      : parent && programOf(draft, parent).heeds?.(caller?.waiter.step ?? "");
  if (!heeds) return [];
  return newest.outcomes.filter(
    (outcome) => !heeds.includes(outcome) && !current.outcomes.includes(outcome),
  );
}

/** The step of a state, and the question there. */
function placeOf(draft: TurnDraft, program: Program, state: ProgramState) {
  const question = program.question?.(state, draft.context) ?? "";
  return { at: stepOf(draft, program, state), question };
}

/** What the session keeps about the steps and slots of a frame, under their new names. */
function rename(
  { session }: TurnDraft,
  frame: Frame,
  names: ReturnType<NonNullable<Program["namesNow"]>> | undefined,
  before: string,
  after: string,
): void {
  if (session.burst?.of === `${frame.id}.${before}`) session.burst.of = `${frame.id}.${after}`;
  if (names) renameSlots(session, frame.id, (slot) => names.slot(slot));
}

/**
 * Takes off the frames whose flow is not loaded in any version that could go on with them: they would fail every event
 * of this contact for ever. So do those they were called by, and what they called: nobody would end it, or hear its end.
 * When a fiscal effect was on its way, or somebody waited for a flow that is gone, a person takes over.
 */
export function dropLost(draft: TurnDraft): void {
  const { session, env } = draft;
  const isLost = (frame: Frame) => !env.library.get(frame.flow, frame.hash);
  // Whoever calls comes before what it called.
  const before = [...session.requests, ...session.frames];
  let isTold = false;
  for (const frame of before) {
    if (isLost(frame)) refresh(draft, frame);
    const { caller } = frame;
    const called = caller?.kind === "frame" ? caller.waiter.frame : undefined;
    const isAlone = before.some(({ id }) => id === called) && !draft.frame(called ?? "");
    if (!draft.frame(frame.id) || (!isLost(frame) && !isAlone)) continue;
    takeOff(draft, frame);
    if (session.frames.length === 0) session.endedAt = env.now;
    const waits = draft.frame(called ?? "");
    if (!waits && !isTold) draft.word("flow-changed");
    isTold = true;
    if (waits) strand(draft, waits);
    else if (frame.invocations.some((call) => call.class === "fiscal"))
      beginHandoff(draft, undefined, "flow-lost");
  }
}
