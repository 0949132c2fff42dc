/**
 * Gives a frame the event that a person's message means, with further values of the message; what only the caller of a flow can use
 * goes to the caller. The session remembers which message it was.
 */
import {
  confirmAt,
  doubted,
  leavesDoubt,
  passesOver,
  isEarly,
} from "../answers/premature-decision.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { reprompt, send } from "./frames.ts";
import { remember } from "../arrival/recent-messages.ts";
import { type MeantFlow, flow, type Meaning, wrong } from "../answers/meaning-result.ts";
import type { FlowEvent, Paragraph, Expectation } from "../turn/program.ts";
import { expects, programOf } from "../turn/programs.ts";
import type { Frame } from "../session/frame.ts";
import { unheardBefore } from "../arrival/unreadable-message.ts";
import { understand } from "../../understanding/index.ts";
import { labelled } from "../answers/meaning-labels.ts";
import { severalLabelled } from "../answers/meaning-several.ts";
import { otherValue } from "../answers/meaning-values.ts";
import { saidAnew } from "../answers/meaning-sentence.ts";
import { withdraw } from "../requests/outreach.ts";

/** An answer, and before it the reason that was asked for beside it. */
export function taken(draft: TurnDraft, frame: Frame, meant: MeantFlow): void {
  if (meant.asks) {
    const before = draft.paragraphs.length;
    send(draft, frame, { type: "WHY" });
    // Only the reason: the question after it is being answered.
    draft.paragraphs.length = Math.min(draft.paragraphs.length, before + 1);
  }
  const said = draft.paragraphs.length;
  take(draft, frame, meant.event);
  if (meant.beside && draft.top === frame) {
    // After it: what is asked again is not shown as known in between.
    draft.paragraphs.length = said;
    take(draft, frame, { type: "CORRECT", values: meant.beside });
    without(draft, said, ({ key }) => key === "current");
  }
  // How a flow begins is no news to somebody in the middle of it, whoever it is for now.
  if (meant.event.type === "EDIT" && meant.event.anew && draft.top === frame)
    without(draft, said, ({ key }) => key?.startsWith("say.") === true);
  if (!meant.wrong || draft.top !== frame) return;
  const { slot } = expects(draft, frame);
  if (meant.event.type !== "EDIT" || slot !== meant.event.slots[0]) return;
  // Asked again for what is wrong with it, and by nothing else.
  if (meant.beside) {
    without(draft, said, ({ key }) => key?.startsWith("ask.") === true);
    send(draft, frame, meant.wrong);
    return;
  }
  // What stands is told after what is wrong with the new one; beside a choice it would only be in the way.
  const isChoice = meant.wrong.type === "BAD" && meant.wrong.options !== undefined;
  const standing = draft.paragraphs.slice(said).filter(({ key }) => key === "current" && !isChoice);
  draft.paragraphs.length = said;
  send(draft, frame, meant.wrong);
  draft.paragraphs.push(...standing);
}

function without(draft: TurnDraft, from: number, isOut: (one: Paragraph) => boolean): void {
  const kept = draft.paragraphs.filter((one, at) => at < from || !isOut(one));
  draft.paragraphs.splice(0, Infinity, ...kept);
}

/** Gives an event to a frame; what no state takes is answered with the question again, never with silence. */
export function take(draft: TurnDraft, frame: Frame, event: FlowEvent): void {
  if (isEarly(draft, frame, event)) return;
  if (event.type === "YES") {
    unheardBefore(draft, frame);
    if (passesOver(draft, frame)) return;
  }
  const before = draft.paragraphs.length;
  const at = leavesDoubt(event) ? confirmAt(draft, frame) : undefined;
  if (event.type === "ANSWER" || event.type === "CORRECT")
    remember(draft.session, draft.messages, frame.id, Object.keys(event.values));
  const handled = send(draft, frame, event);
  if (draft.session.frames.includes(frame)) doubted(draft, frame, event, at);
  if (draft.paragraphs.length > before || !draft.session.frames.includes(frame)) return;
  if (!handled || event.type === "REPEAT") reprompt(draft);
}

/** "Quero mudar uma coisa", where nothing can be changed: which one is asked by whoever has the answers. */
function wishes(draft: TurnDraft, frame: Frame, text: string): MeantFlow | undefined {
  const here = expects(draft, frame);
  const { value } = understand("command", text, draft.context) as { value?: unknown };
  return value === "edit" && here.slots.length === 0
    ? flow({ type: "EDIT", slots: [] })
    : undefined;
}

/** A document or "100 reais", where neither a yes nor a no was said: an answer of the caller's that it has not yet. */
function another(
  expectation: Expectation,
  meant: Meaning,
  text: string,
  { context }: TurnDraft,
): MeantFlow | undefined {
  const isBad = meant.kind === "none" || (meant.kind === "flow" && meant.event.type === "BAD");
  const event = isBad && !expectation.sealed ? otherValue(expectation, text, context) : undefined;
  return event?.type === "ANSWER" ? flow(event) : undefined;
}

/**
 * "O valor é 160" to a question of a flow that knows no value: it is an answer of whoever called it, which is changed there, and
 * the flow that was called begins anew when it is wanted still. False when nobody below has an answer of that name.
 */
export function toCaller(draft: TurnDraft, frame: Frame, meant: Meaning, text: string): boolean {
  const { session } = draft;
  const unknown =
    meant.kind === "none" ||
    (meant.kind === "command" && meant.command === "edit") ||
    (meant.kind === "flow" && (meant.event.type === "BAD" || meant.event.type === "NO"));
  const { caller } = frame;
  const parent = draft.parentOf(frame);
  if (!unknown || !parent) return false;
  const program = programOf(draft, parent);
  const expectation = program.expects(parent.state, draft.context);
  const several = expectation.sealed
    ? undefined
    : severalLabelled(expectation, text, draft.context);
  const label =
    several || expectation.sealed ? undefined : labelled(expectation, text, draft.context);
  // "Mesmo endereço da última vez?" answered by a whole order for somebody else.
  const anew =
    several ??
    (label || expectation.sealed ? undefined : saidAnew(expectation, text, draft.context));
  const changes = label?.ok
    ? { ...flow(label.event), ...wrong(label.reading) }
    : (anew ?? another(expectation, meant, text, draft) ?? wishes(draft, frame, text));
  if (!changes || !program.step(parent.state, changes.event, draft.context).handled) return false;
  session.frames = session.frames.filter((other) => other !== frame);
  taken(draft, parent, changes);
  if (parent.invocations.some(({ epoch }) => epoch === caller?.waiter.epoch)) {
    // It is asked the same as before: its question stands.
    session.frames.push(frame);
    reprompt(draft);
  } else for (const call of frame.invocations) withdraw(draft, call, "cancelled");
  return true;
}
