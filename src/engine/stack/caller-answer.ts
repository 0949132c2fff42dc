/** A person's words to a called flow that only its caller can use. */
import { understand } from "../../understanding/index.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { reprompt } from "./frames.ts";
import { labelled } from "../answers/meaning-labels.ts";
import { severalLabelled } from "../answers/meaning-several.ts";
import { otherValue } from "../answers/meaning-values.ts";
import { saidAnew } from "../answers/meaning-sentence.ts";
import { flow, type Meaning, type MeantFlow, wrong } from "../answers/meaning-result.ts";
import { withdraw } from "../requests/outreach.ts";
import type { Expectation } from "../turn/program.ts";
import { expects, programOf } from "../turn/programs.ts";
import type { Frame } from "../session/frame.ts";
import { taken } from "./frame-event.ts";

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
