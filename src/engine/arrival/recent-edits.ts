/**
 * Which messages were edited or deleted lately. Engines announce one edit in several forms (with its words, without them,
 * as a deletion), in any order. A form without words waits a moment for the form that has them.
 *
 * Only contacts who edit messages store this.
 */
import type { TurnDraft } from "../session/turn-draft.ts";
import { digestOf } from "./recent-answers.ts";
import type { Session } from "../session/session.ts";

export type Revision = NonNullable<Session["revised"]>[number];

export const REVISED_TIMER = "revised";
/** A form without words waits this long for one with words, ms. Engines post the forms of one edit within a second. */
const WAIT_MS = 1_000;
/**
 * A form without words this soon after one with words is the same edit, ms. People take longer to edit and then delete a
 * message.
 */
const SAME_MS = 3_000;
/** Revisions remembered, as many as answers are. */
const REMEMBERED = 20;

/** What happened last to a message; undefined when it is as it was sent. */
export function revisionOf({ revised }: Session, message: string): Revision | undefined {
  if (!revised) return undefined;
  const digest = digestOf(message);
  return revised.find(({ id }) => id === digest);
}

/** Whether a form without words tells of nothing new after the words of an edit. */
export function isSameEdit({ env }: TurnDraft, { how, at }: Revision): boolean {
  return how === "edit" && env.now - at < SAME_MS;
}

/** Remembers what happened to a message; what happened to it before is over. */
export function recordRevision(
  { session, env }: TurnDraft,
  message: string,
  revision: Omit<Revision, "id" | "at">,
): void {
  const id = digestOf(message);
  const others = (session.revised ?? []).filter((other) => other.id !== id);
  session.revised = [...others, { id, at: env.now, ...revision }].slice(-REMEMBERED);
  session.timers = session.timers.filter(
    ({ name }) => name !== REVISED_TIMER || isWaiting(session),
  );
}

/** The same, and the person hears of it in a moment unless its words follow. */
export function holdRevision(
  draft: TurnDraft,
  message: string,
  revision: Omit<Revision, "id" | "at" | "waits">,
): void {
  recordRevision(draft, message, { ...revision, waits: true });
  draft.setTimer(draft.session, REVISED_TIMER, draft.env.now + WAIT_MS);
  draft.quiet = "revised";
}

/** Whether the person has not yet heard of an edit or a deletion. */
export function isWaiting({ revised }: Session): boolean {
  return revised?.some(({ waits }) => waits === true) === true;
}

/** Edits and deletions that the person must hear of now. */
export function takeWaiting({ session }: TurnDraft): readonly Revision[] {
  const waiting = session.revised?.filter(({ waits }) => waits) ?? [];
  session.revised = session.revised?.map(({ waits: _over, ...rest }) => rest);
  session.timers = session.timers.filter(({ name }) => name !== REVISED_TIMER);
  return waiting;
}
