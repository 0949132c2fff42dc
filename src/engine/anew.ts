/**
 * A flow that `restarts`, begun by its own words in the middle of itself: it begins anew, and what stood of it goes without a word,
 * so that nothing waits for what it offered before.
 */
import type { Draft } from "./draft.ts";
import { send } from "./frames.ts";
import { current } from "./meant.ts";
import { taskIn } from "./offered.ts";
import { programOf } from "./programs.ts";
import type { Frame } from "./session.ts";

/** The task that a text begins anew, alone and by its own words, from amid it. */
export function begunAnew(draft: Draft, frame: Frame, text: string): string | undefined {
  const flow = taskIn(draft, text)?.flow;
  return flow !== undefined && isOwnTask(draft, frame, flow) && mayGo(draft, frame)
    ? flow
    : undefined;
}

/** Whether a frame stands in such a flow. A sentence that only holds its words begins nothing there: what is open stays good. */
export function isOwnTask(draft: Draft, frame: Frame, flow: string): boolean {
  return restarts(draft, flow) && chainOf(draft, frame).some((one) => one.flow === flow);
}

/** Such a flow begins: the one before goes. */
export function leaveOlder(draft: Draft, flow: string): void {
  if (!restarts(draft, flow)) return;
  const { session } = draft;
  const [older] = session.frames
    .filter((frame) => isOwnTask(draft, frame, flow))
    .slice(-1)
    .filter((frame) => mayGo(draft, frame));
  if (!older) return;
  const said = draft.paragraphs.length;
  send(draft, older, { type: "CANCEL" });
  draft.paragraphs.length = said;
}

function restarts({ env }: Draft, flow: string): boolean {
  return env.library.get(flow)?.restarts === true;
}

/** Not at a password, which may be any word, and not while something of it is on its way. */
function mayGo(draft: Draft, frame: Frame): boolean {
  const expectation = programOf(draft, frame).expects(frame.state, draft.context);
  const { rests, sealed } = expectation;
  return !sealed && rests !== "effect" && current(expectation)?.kind !== "password";
}

/** A frame and those it was called by, of this conversation. */
function chainOf(draft: Draft, frame: Frame): readonly Frame[] {
  const chain: Frame[] = [];
  for (let one: Frame | undefined = frame; one;) {
    chain.push(one);
    const { caller }: Frame = one;
    one = caller?.kind === "frame" ? draft.frame(caller.waiter.frame) : undefined;
  }
  return chain;
}
