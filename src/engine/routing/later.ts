/** "Amanhã eu quero": nothing begins now, and nothing is put off, so that is said. */
import type { Draft } from "../session/draft.ts";
import { reprompt } from "../stack/frames.ts";
import { openingOf } from "../turn/readers.ts";
import { isMenu } from "../session/roles.ts";

/** Says that nothing is put off for another day; false when the text is another one, or another question is in progress. */
export function tellsLater(draft: Draft, text: string): boolean {
  const { top, session } = draft;
  // "Pode fazer amanhã" of a request that waits is about that request.
  if ((top && !isMenu(draft, top)) || session.requests.length > 0) return false;
  const word = openingOf(draft, text)?.putOff;
  if (word === undefined) return false;
  draft.word(word);
  if (top) reprompt(draft);
  return true;
}
