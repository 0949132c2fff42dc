/** What a person says to a request in hand: its decision, with the reason in the same message, or the reason alone. */
import {
  decision,
  isNamedIn,
  type Refusal,
  refusalIn,
  refusedOf,
} from "../../understanding/index.ts";
import { inFlow } from "../routing/inside-flow.ts";
import type { Content } from "../session/inbound.ts";
import type { Frame } from "../session/frame.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { take } from "../stack/frame-event.ts";
import { reprompt, send } from "../stack/frames.ts";
import { expects, programOf, promptOf } from "../turn/programs.ts";
import { textOf } from "./open-requests.ts";
import { codesIn } from "./request-code.ts";

/**
 * A message to the request in progress. A single word that is another decision than the one taken ("aprovar" where the
 * reason of a refusal is asked) is no reason: the decision is asked again, because what costs may hang on it.
 */
export function toAnswer(draft: TurnDraft, frame: Frame, content: Content): void {
  const { business } = draft.context;
  const { slots, slot } = expects(draft, frame);
  const asked = slots.find((one) => one.name === slot);
  const written = content.type === "text" ? content.text.trim() : "";
  const decided = decision(written, business);
  const text = decided?.word ?? written;
  if (asked?.kind === "text" && /^\S{1,20}$/.test(text)) {
    const turned = slots.find((one) => {
      if (one.kind !== "choice" || !one.filled) return false;
      const reading = one.read(text, draft.context);
      return reading.ok && reading.value !== one.value;
    });
    if (turned) {
      send(draft, frame, { type: "EDIT", slots: [turned.name] });
      return;
    }
    // The decision once more says nothing of why.
    if (decided) {
      reprompt(draft);
      return;
    }
  }
  const named = refusedOf(written, business);
  if (named) {
    const shown = promptOf(draft, frame);
    const isTheirs = isNamedIn(named.of, shown.map(({ text: line }) => line).join(" "));
    // Said where the reason is asked, or of somebody else: nothing is refused by it.
    if (asked?.kind !== "text" && isTheirs) inFlow(draft, frame, textOf(named.word));
    else {
      const [code] = codesIn(named.of);
      if (code !== undefined) draft.word("request-unknown", { code });
      else if (asked?.kind !== "text") draft.word("not-understood");
      reprompt(draft);
    }
    return;
  }
  const refusal = refusalIn(written, business);
  if (refusal && refuse(draft, frame, refusal)) return;
  // Said once more where its reason is asked.
  const isAgain = refusal && asked?.kind === "text";
  inFlow(draft, frame, isAgain ? textOf(refusal.reason) : content);
}

/** "Recusar, valor errado": refuses, and answers the question that follows. False when the word refuses nothing here. */
function refuse(draft: TurnDraft, frame: Frame, { word, reason }: Refusal): boolean {
  const program = programOf(draft, frame);
  const { asked, rests } = program.expects(frame.state, draft.context);
  const reading = rests === "choose" ? asked?.read(word, draft.context) : undefined;
  if (!asked || !reading?.ok) return false;
  const said = draft.paragraphs.length;
  take(draft, frame, { type: "ANSWER", values: { [asked.name]: reading.value } });
  if (!draft.session.frames.includes(frame)) return true;
  const next = program.expects(frame.state, draft.context).asked;
  const why = next?.kind === "text" ? next.read(reason, draft.context) : undefined;
  if (!next || !why?.ok) return true;
  draft.paragraphs.length = said;
  take(draft, frame, { type: "ANSWER", values: { [next.name]: why.value } });
  return true;
}
