/** A question of somebody that a reader answers in passing: its word is said, and the question in progress asked again. */
import type { Draft } from "../session/draft.ts";
import { enter, wantedBy } from "../stack/entrance.ts";
import { reprompt } from "../stack/frames.ts";
import { current } from "../answers/meant.ts";
import { programOf } from "../turn/programs.ts";
import { passingIn } from "../turn/readers.ts";
import { isMenu } from "../session/roles.ts";

/** False when no reader answers it, or it may be the answer to what is asked. */
export function tellsAside(draft: Draft, text: string): boolean {
  const { top, session } = draft;
  const passing = passingIn(
    draft,
    text,
    () => top && current(programOf(draft, top).expects(top.state, draft.context))?.kind,
  );
  if (!passing) return false;
  draft.word(passing.word);
  const isFree = !top || isMenu(draft, top);
  const wanted = passing.begins && isFree ? wantedBy(draft, text) : undefined;
  if (top && !wanted) reprompt(draft);
  if (wanted) {
    session.frames = session.frames.filter((frame) => frame !== top);
    enter(draft, wanted, text);
  }
  return true;
}
