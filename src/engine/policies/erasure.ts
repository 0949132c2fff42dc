/**
 * A person's rights over their stored data. Flows for them begin by their own words anywhere, even at questions that take
 * any text. The rest of the conversation is closed before it is erased.
 */
import { foldWords } from "../../brazil/index.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { isOffered, expects } from "../turn/programs.ts";
import { withdraw } from "../requests/outreach.ts";
import type { Program } from "../turn/program.ts";
import type { Frame } from "../session/frame.ts";

const RIGHTS: ReadonlySet<string | undefined> = new Set(["my-data", "export", "erase"]);
/** The effect after which nothing of the contact is left. */
export const ERASE = "privacy.erase";

/** The flow of a right, when a text names that right and nothing else. */
export function rightIn(draft: TurnDraft, text: string): Program | undefined {
  const said = foldWords(text);
  return draft.env.library
    .list()
    .find((one) => RIGHTS.has(one.role) && one.starts.includes(said) && isOffered(draft, one));
}

/**
 * Withdraws what others wait for, so that they do not wait for an answer that never comes. While a call is in progress
 * nothing changes.
 */
export function beforeErasure(draft: TurnDraft, frame: Frame): void {
  const { session } = draft;
  const kept = new Set<Frame>([frame]);
  for (let one = draft.parentOf(frame); one; one = draft.parentOf(one)) kept.add(one);
  const others = session.frames.filter((other) => !kept.has(other));
  const isSealed = (other: Frame) => expects(draft, other).sealed;
  if (others.some(isSealed)) return;
  for (const other of others)
    for (const call of other.invocations) withdraw(draft, call, "cancelled");
  session.frames = session.frames.filter((other) => kept.has(other));
}
