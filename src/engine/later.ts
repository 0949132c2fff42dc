/** "Amanhã faz a nota": nothing begins now, and nothing is put off, so that is said. */
import { noteAsked } from "../understanding/index.ts";
import type { Draft } from "./draft.ts";
import { reprompt } from "./frames.ts";
import { isMenu } from "./roles.ts";

/** Says that a note is not put off for another day; false when the text is another one, or another question is in progress. */
export function tellsLater(draft: Draft, text: string): boolean {
  const { top, session } = draft;
  // "Emite a nota amanhã" of a request that waits is about that request.
  if ((top && !isMenu(draft, top)) || session.requests.length > 0) return false;
  if (noteAsked(text)?.how !== "later") return false;
  draft.word("note-later");
  if (top) reprompt(draft);
  return true;
}
