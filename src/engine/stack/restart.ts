/**
 * A flow that `restarts`, begun by its own words in the middle of itself: it begins anew, and what stood of it goes without a word,
 * so that nothing waits for what it offered before.
 */
import type { TurnDraft } from "../session/turn-draft.ts";
import { current } from "../answers/meaning-result.ts";
import { taskIn } from "../routing/offered-flows.ts";
import { programOf } from "../turn/programs.ts";
import type { Frame } from "../session/session.ts";

/** The task that a text begins anew, alone and by its own words, from amid it. */
export function begunAnew(draft: TurnDraft, frame: Frame, text: string): string | undefined {
  const flow = taskIn(draft, text)?.flow;
  return flow !== undefined && isOwnTask(draft, frame, flow) && mayGo(draft, frame)
    ? flow
    : undefined;
}

/** Whether a frame stands in such a flow. A sentence that only holds its words begins nothing there: what is open stays good. */
export function isOwnTask(draft: TurnDraft, frame: Frame, flow: string): boolean {
  return restarts(draft, flow) && chainOf(draft, frame).some((one) => one.flow === flow);
}

/** The frame of such a flow that goes when the flow begins once more. */
export function olderOf(draft: TurnDraft, flow: string): Frame | undefined {
  if (!restarts(draft, flow)) return undefined;
  const older = draft.session.frames.findLast((frame) => isOwnTask(draft, frame, flow));
  return older && mayGo(draft, older) ? older : undefined;
}

function restarts({ env }: TurnDraft, flow: string): boolean {
  return env.library.get(flow)?.restarts === true;
}

/** Not at a password, which may be any word, and not while something of it is on its way. */
function mayGo(draft: TurnDraft, frame: Frame): boolean {
  const expectation = programOf(draft, frame).expects(frame.state, draft.context);
  const { rests, sealed } = expectation;
  return !sealed && rests !== "effect" && current(expectation)?.kind !== "password";
}

/** A frame and those it was called by, of this conversation. */
function chainOf(draft: TurnDraft, frame: Frame): readonly Frame[] {
  const chain: Frame[] = [];
  for (let one: Frame | undefined = frame; one;) {
    chain.push(one);
    const { caller }: Frame = one;
    one = caller?.kind === "frame" ? draft.frame(caller.waiter.frame) : undefined;
  }
  return chain;
}
