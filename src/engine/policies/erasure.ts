/**
 * A person's rights over what is kept of them: flows that are reached by their own words anywhere, also where any text would
 * be an answer, and what happens to the rest of the conversation before it is erased.
 */
import { foldWords } from "../../brazil/index.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { isOffered } from "../routing/offered-flows.ts";
import { withdraw } from "../requests/outreach.ts";
import type { Program } from "../turn/program.ts";
import { programOf } from "../turn/programs.ts";
import type { Frame } from "../session/session.ts";

const RIGHTS: ReadonlySet<string | undefined> = new Set(["my-data", "export", "erase"]);
/** The effect after which nothing of the contact is left. */
export const ERASE = "privacy.erase";

/** The flow of a right that a text names, and names alone. */
export function rightIn(draft: TurnDraft, text: string): Program | undefined {
  const said = foldWords(text);
  return draft.env.library
    .list()
    .find((one) => RIGHTS.has(one.role) && one.starts.includes(said) && isOffered(draft, one));
}

/** Nobody else must be left waiting for an answer that will never come. What is under way keeps everything as it is. */
export function beforeErasure(draft: TurnDraft, frame: Frame): void {
  const { session } = draft;
  const kept = new Set<Frame>([frame]);
  for (let one: Frame | undefined = frame; one?.caller?.kind === "frame";) {
    one = draft.frame(one.caller.waiter.frame);
    if (one) kept.add(one);
  }
  const others = session.frames.filter((other) => !kept.has(other));
  const isSealed = (other: Frame) =>
    programOf(draft, other).expects(other.state, draft.context).sealed;
  if (others.some(isSealed)) return;
  for (const other of others)
    for (const call of other.invocations) withdraw(draft, call, "cancelled");
  session.frames = session.frames.filter((other) => kept.has(other));
}
