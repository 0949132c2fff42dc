/** Commands inside a flow: what "cancelar", "voltar" and "ajuda" do at the current step. */
import type { TurnDraft } from "../session/turn-draft.ts";
import { beginCommand } from "../stack/entrance.ts";
import { hasRoom, reprompt, send, start } from "../stack/frames.ts";
import { beginHandoff } from "../policies/handoff.ts";
import type { Content } from "../session/inbound.ts";
import { type Command, current } from "../answers/meaning-result.ts";
import { isElsewhere } from "./not-understood.ts";
import { isMenu, menuOf, roleOf, programOf } from "../turn/programs.ts";
import { cancelsOwn } from "../requests/own-requests.ts";
import type { Expectation, FlowEvent } from "../turn/program.ts";
import type { ReaderCommand } from "../turn/reader.ts";
import { commandOf, saidTo } from "../turn/readers.ts";
import { setAside } from "../requests/open-requests.ts";
import { isRequest, type Frame } from "../session/frame.ts";
import { take } from "../stack/frame-event.ts";

/** Carries out a command at the current step. */
export function command(
  draft: TurnDraft,
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
  if (type === "CANCEL" && isRequest(frame)) {
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
  const ofReader = commandOf(draft, name);
  if (ofReader) {
    if (ofReader.doubt === undefined) told(draft, frame, expectation, content, ofReader);
    else meantFor(draft, frame, expectation, content, { ...ofReader, doubt: ofReader.doubt });
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
      // The question has its whole time again. It is not repeated, because the person knows it.
      const before = draft.paragraphs.length;
      send(draft, frame, { type: "REPEAT" });
      draft.paragraphs.length = before;
      draft.word("take-your-time");
      return;
    }
    case "needed":
      reprompt(draft, "only-asked");
      return;
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

/** What is said of something that exists: an answer of the very flow that asks for it, or the beginning of that flow. */
function told(
  draft: TurnDraft,
  frame: Frame,
  expectation: Expectation,
  content: Content,
  by: ReaderCommand,
): void {
  const isOwn = roleOf(draft, frame.flow) === by.role;
  const answer = isOwn ? answerIn(draft, expectation, content, by.answers) : undefined;
  if (answer) take(draft, frame, answer);
  else if (!expectation.sealed && hasRoom(draft)) beginCommand(draft, content, by, frame);
  else reprompt(draft);
}

/** Something that exists, or the request that is being made? Where both can be meant, the person says which. */
function meantFor(
  draft: TurnDraft,
  frame: Frame,
  expectation: Expectation,
  content: Content,
  by: ReaderCommand & { readonly doubt: string },
): void {
  const isNamed = () => content.type === "text" && saidTo(draft, content.text).isNamed;
  // Who would be called is the one who writes: what they asked for is just being done, and that is said.
  if (expectation.sealed && draft.session.role === "operator")
    take(draft, frame, { type: "CANCEL" });
  else if (expectation.sealed || !hasRoom(draft)) {
    draft.word(by.otherwise);
    beginHandoff(draft, frame, by.otherwise);
  } else if (isMenu(draft, frame) || isNamed()) beginCommand(draft, content, by, frame);
  else draft.word(by.doubt);
}

/** The flow asks for this very thing: the repeated sentence is the answer. */
function answerIn(
  draft: TurnDraft,
  expectation: Expectation,
  content: Content,
  kind: string | undefined,
): FlowEvent | undefined {
  const asked = current(expectation);
  if (asked?.kind !== kind || !asked || content.type !== "text") return undefined;
  const reading = asked.read(content.text, draft.context);
  return reading.ok ? { type: "ANSWER", values: { [asked.name]: reading.value } } : undefined;
}

/** A choice at which nothing was said yet, of this or of what went before. */
function isUntold(draft: TurnDraft, frame: Frame, { rests }: Expectation): boolean {
  const said = programOf(draft, frame).answers?.(frame.state) ?? {};
  return rests === "choose" && Object.keys(said).length === 0;
}

function isMarks(content: Content): boolean {
  return content.type === "text" && /^[\s?!.]+$/.test(content.text);
}
