/**
 * A flow with `restarts` whose start phrase comes while it is running: it begins again. Its former state is dropped
 * without a message, so that nothing waits for its former offers.
 */
import type { TurnDraft } from "../session/turn-draft.ts";
import { current } from "../answers/meaning-result.ts";
import { taskIn } from "../routing/flows.ts";
import { expects } from "../turn/programs.ts";
import type { Frame } from "../session/frame.ts";

/** The task that a text restarts while it runs: the text is its start phrase and nothing else. */
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

/** The older frame of such a flow, which is removed when the flow begins again. */
export function olderOf(draft: TurnDraft, flow: string): Frame | undefined {
  if (!restarts(draft, flow)) return undefined;
  const older = draft.session.frames.findLast((frame) => isOwnTask(draft, frame, flow));
  return older && mayGo(draft, older) ? older : undefined;
}

function restarts({ env }: TurnDraft, flow: string): boolean {
  return env.library.get(flow)?.restarts === true;
}

/** Whether a frame may be removed: not at a password, which may be any word, and not while a call of it is in progress. */
function mayGo(draft: TurnDraft, frame: Frame): boolean {
  const expectation = expects(draft, frame);
  const { rests, sealed } = expectation;
  return !sealed && rests !== "effect" && current(expectation)?.kind !== "password";
}

/** A frame and its callers in this conversation. */
function chainOf(draft: TurnDraft, frame: Frame): readonly Frame[] {
  const chain: Frame[] = [];
  for (let one: Frame | undefined = frame; one;) {
    chain.push(one);
    one = draft.parentOf(one);
  }
  return chain;
}
