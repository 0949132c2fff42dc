/** "Quanto custa o corte?", "manda no meu e-mail": said what of it is not done here, and the question in progress asked again. */
import { aside, bidsEmail } from "../understanding/index.ts";
import type { Draft } from "./draft.ts";
import { enter, wantedBy } from "./entrance.ts";
import { reprompt } from "./frames.ts";
import { current } from "./meant.ts";
import { programOf } from "./programs.ts";
import { isMenu } from "./roles.ts";

/** Kinds to which the same words may be the answer. */
const TAKES: ReadonlySet<string> = new Set(["text", "email", "password"]);

/** False when the text is no aside, or may be the answer to what is asked. */
export function tellsAside(draft: Draft, text: string): boolean {
  const { top, session } = draft;
  const what = aside(text);
  if (!what || session.role === "operator") return false;
  const asked = top && current(programOf(draft, top).expects(top.state, draft.context));
  if (asked && TAKES.has(asked.kind) && !(asked.kind === "text" && bidsEmail(text))) return false;
  draft.word(what === "email" ? "no-email" : "not-about-notes");
  // "Manda a nota no meu e-mail": the note is shown all the same, with its link.
  const wanted =
    what === "email" && (!top || isMenu(draft, top)) ? wantedBy(draft, text) : undefined;
  if (top && !wanted) reprompt(draft);
  if (wanted) {
    session.frames = session.frames.filter((frame) => frame !== top);
    enter(draft, wanted, text);
  }
  return true;
}
