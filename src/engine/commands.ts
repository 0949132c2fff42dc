/** "Cancelar", "voltar", "ajuda" inside a flow: what each does where the flow stands. */
import type { Draft } from "./draft.ts";
import { cancelNote, namesNote } from "./entrance.ts";
import { hasRoom, reprompt, send, start } from "./frames.ts";
import { beginHandoff } from "./handoff.ts";
import type { Content } from "./inbound.ts";
import { type Command, current } from "./meant.ts";
import { isElsewhere } from "./not-understood.ts";
import { menuOf } from "./offered.ts";
import { cancelsOwn } from "./own-requests.ts";
import type { Expectation, FlowEvent } from "./program.ts";
import { programOf } from "./programs.ts";
import { setAside } from "./requests.ts";
import { isMenu, roleOf } from "./roles.ts";
import type { Frame } from "./session.ts";
import { take } from "./taking.ts";

/** Does what a command asks for, in the step that rests. */
export function command(
  draft: Draft,
  frame: Frame,
  expectation: Expectation,
  name: Command,
  content: Content,
): void {
  const simple: Partial<Record<Command, FlowEvent["type"]>> = {
    cancel: "CANCEL",
    stop: "CANCEL",
    back: "BACK",
    repeat: "REPEAT",
    help: "HELP",
    why: "WHY",
    skip: "SKIP",
    human: "HUMAN",
  };
  const type = simple[name];
  if (type === "CANCEL" && frame.caller?.kind === "request") {
    setAside(draft, frame);
    return;
  }
  if (type === "CANCEL" && cancelsOwn(draft, frame, expectation)) return;
  if (type === "HELP" && isElsewhere(expectation) && isMarks(content)) {
    // "??" to a wait: what is waited for.
    reprompt(draft);
    return;
  }
  if (type) {
    take(draft, frame, { type } as FlowEvent);
    return;
  }
  switch (name) {
    case "edit":
      if (!frame.caller && isUntold(draft, frame, expectation))
        reprompt(draft, "nothing-to-change");
      else if (expectation.rests === "confirm") take(draft, frame, { type: "NO" });
      else take(draft, frame, { type: "EDIT", slots: [] });
      return;
    case "moment": {
      // The question has its whole time again, and is not asked anew: the person knows it.
      const before = draft.paragraphs.length;
      send(draft, frame, { type: "REPEAT" });
      draft.paragraphs.length = before;
      draft.word("take-your-time");
      return;
    }
    case "needed":
      reprompt(draft, "only-asked");
      return;
    case "cancel_invoice":
      cancelled(draft, frame, expectation, content);
      return;
    case "note_cancelled": {
      const which =
        roleOf(draft, frame.flow) === "note-cancelled"
          ? noteIn(draft, expectation, content)
          : undefined;
      if (which) take(draft, frame, which);
      else if (!expectation.sealed && hasRoom(draft))
        cancelNote(draft, content, frame, "note-cancelled");
      else reprompt(draft);
      return;
    }
    case "menu": {
      const menu = menuOf(draft);
      if (menu && menu.flow !== frame.flow && !expectation.sealed && hasRoom(draft))
        start(draft, menu.flow);
      else reprompt(draft);
      return;
    }
    case "thanks": {
      // Where nothing was said yet, thanks are a good-bye: the question waits, and is not asked again.
      if (isUntold(draft, frame, expectation)) draft.word("welcome");
      else reprompt(draft, expectation.rests === "confirm" ? "welcome-unsent" : "welcome-on");
      return;
    }
    default: // A greeting in the middle: the question stands.
      reprompt(
        draft,
        name === "greeting" && expectation.rests !== "notify" ? "still-here" : undefined,
      );
  }
}

/** A note that is out, or the request that is being made? Where both can be meant, the person says which. */
function cancelled(draft: Draft, frame: Frame, expectation: Expectation, content: Content): void {
  const text = content.type === "text" ? content.text : "";
  // Who would be called to cancel it is the one who writes: their own note is just being issued, and that is said.
  if (expectation.sealed && draft.session.role === "operator")
    take(draft, frame, { type: "CANCEL" });
  else if (expectation.sealed || !hasRoom(draft)) {
    draft.word("cancel-invoice");
    beginHandoff(draft, frame, "cancel-invoice");
  } else if (isMenu(draft, frame) || namesNote(draft, text)) cancelNote(draft, content, frame);
  else {
    draft.word("cancel-which");
  }
}

/** Asked which note was cancelled: the sentence said anew, with its number. */
function noteIn(draft: Draft, expectation: Expectation, content: Content): FlowEvent | undefined {
  const asked = current(expectation);
  if (asked?.kind !== "note" || content.type !== "text") return undefined;
  const reading = asked.read(content.text, draft.context);
  return reading.ok ? { type: "ANSWER", values: { [asked.name]: reading.value } } : undefined;
}

/** A choice at which nothing was said yet, of this or of what went before. */
function isUntold(draft: Draft, frame: Frame, { rests }: Expectation): boolean {
  const said = programOf(draft, frame).answers?.(frame.state) ?? {};
  return rests === "choose" && Object.keys(said).length === 0;
}

function isMarks(content: Content): boolean {
  return content.type === "text" && /^[\s?!.]+$/.test(content.text);
}
