/** A message inside a flow: what it means to the current step, and what is done with it. */
import { begunAnew, expects, programOf } from "../turn/programs.ts";
import { putDown, hold, isBeside, isHeld, placeOf, waits } from "../arrival/burst.ts";
import { command } from "./commands.ts";
import type { TurnDraft, Moved } from "../session/turn-draft.ts";
import { enter, sentenceAtMenu } from "../stack/entrance.ts";
import { rightIn } from "../policies/erasure.ts";
import { another, followUp, standsBeside, unlessTask } from "./other-task.ts";
import { meant as meantHere, takeFormAddress } from "../answers/address-pieces.ts";
import { hasRoom, start } from "../stack/frames.ts";
import type { Content } from "../session/inbound.ts";
import { meaning } from "../answers/meaning.ts";
import { current, type Meaning } from "../answers/meaning-result.ts";
import { notUnderstood } from "./not-understood.ts";
import type { Expectation } from "../turn/program.ts";
import { isRequest, type Frame } from "../session/frame.ts";
import { take, taken, toCaller } from "../stack/frame-event.ts";
import { phraseIn, type Row, route } from "./row.ts";

interface InForm {
  readonly frame: Frame;
  readonly content: Content;
  /** Undefined for a message without words. */
  readonly text: string | undefined;
  /** Whether the message is complete, so that no continuation is waited for. */
  readonly isWhole: boolean;
  /** What the current step expects. */
  readonly expectation: Expectation;
  /** What the message is to it. */
  readonly meant: Meaning;
}

export const FORM: readonly Row<InForm>[] = [
  {
    name: "moved",
    what: "The flow moved on to another question in this turn: the message answers the one before.",
    takes(draft, { frame, content }) {
      if (draft.moved?.frame !== frame) return false;
      sinceMoved(draft, draft.moved, content);
      return true;
    },
  },
  {
    name: "rights",
    what: "A start phrase of a flow with the role my-data, export or erase, alone: also where any text is an answer.",
    takes(draft, { frame, text }) {
      const right = text === undefined ? undefined : rightIn(draft, text);
      if (!right || right.flow === frame.flow || !hasRoom(draft)) return false;
      if (draft.session.burst) flushBurst(draft);
      start(draft, right.flow);
      return true;
    },
  },
  {
    name: "restart",
    what: "The start phrase of this very flow, where it restarts.",
    takes(draft, { frame, text }) {
      const anew = text === undefined ? undefined : begunAnew(draft, frame, text);
      if (anew !== undefined) enter(draft, { flow: anew, prefill: {} });
      return anew !== undefined;
    },
  },
  {
    name: "burst",
    what: "Free text waits a second for more of it.",
    takes(draft, { frame, expectation, text, isWhole }) {
      if (text === undefined || isWhole || !waits(draft, frame, expectation, text)) return false;
      // A burst that is full or long enough is an answer now: what comes after it belongs to the next question.
      if (isDue(draft)) flushBurst(draft);
      return true;
    },
  },
  {
    name: "sentence",
    what: "A whole sentence at the menu says more than a choice; an option, word for word, is chosen.",
    asks: "opens",
    takes(draft, { frame, content, expectation, text = "" }) {
      const sentence = sentenceAtMenu(draft, frame, content, expectation.choices);
      if (!sentence || expectation.rests !== "choose") return false;
      draft.session.frames = draft.session.frames.filter((other) => other !== frame);
      enter(draft, sentence, text);
      return true;
    },
  },
  {
    name: "follow-up",
    what: "What goes on with the flow that was just answered by this one.",
    asks: "continues",
    takes(draft, { frame, expectation, text }) {
      const wanted = text === undefined ? undefined : followUp(draft, text, frame);
      if (!wanted || expectation.sealed || frame.caller) return false;
      draft.session.frames = draft.session.frames.filter((other) => other !== frame);
      enter(draft, wanted);
      return true;
    },
  },
  {
    name: "start-phrase",
    what: "The start phrase of another flow, word for word, where it would be taken for a command.",
    takes(draft, { frame, content, expectation, meant }) {
      const other = meant.kind === "command" ? phraseIn(draft, content) : undefined;
      if (!other || other.flow === frame.flow || expectation.sealed || !hasRoom(draft))
        return false;
      if (isRequest(frame)) return false;
      if (draft.session.burst) flushBurst(draft);
      enter(draft, { flow: other.flow, prefill: {} });
      return true;
    },
  },
  {
    name: "command",
    what: '"Cancelar", "voltar", "ajuda", and the commands of plugins.',
    asks: "commands",
    takes(draft, { frame, content, expectation, meant }) {
      if (meant.kind !== "command") return false;
      command(draft, frame, expectation, meant.command, content);
      return true;
    },
  },
  {
    name: "caller",
    what: "An answer of the flow that called this one.",
    asks: "sentence",
    takes: (draft, { frame, meant, text }) =>
      text !== undefined && toCaller(draft, frame, meant, text),
  },
  {
    name: "another-task",
    what: "No answer: another flow by its start phrase, or by a whole sentence of a plugin.",
    asks: "opens",
    takes(draft, { frame, expectation, meant, text }) {
      const isNone = meant.kind === "none" || (meant.kind === "flow" && meant.event.type === "BAD");
      if (!isNone || text === undefined) return false;
      const other = another(draft, frame, expectation, text);
      if (!other || (expectation.sealed && !standsBeside(draft, other)) || !hasRoom(draft))
        return false;
      if (draft.session.burst) flushBurst(draft);
      enter(draft, other);
      return true;
    },
  },
  {
    name: "beside",
    what: "What is said beside the answer waits a second for the answer.",
    takes(draft, { frame, expectation, meant, text, isWhole }) {
      if (text === undefined || isWhole) return false;
      const waitsOn = isBeside(draft, frame, expectation, meant);
      if (!waitsOn && !isHeld(draft, frame, expectation)) return false;
      hold(draft, frame, expectation, text);
      // The answer itself waits for nothing.
      if (!waitsOn || isDue(draft)) flushBurst(draft);
      return true;
    },
  },
  {
    name: "answer",
    what: "The answer to the question, a correction of an earlier one, or several at once.",
    asks: "amends",
    takes(draft, { frame, meant, text }) {
      if (meant.kind !== "flow") return false;
      const before = draft.paragraphs.length;
      taken(draft, frame, meant);
      if (text !== undefined) takeFormAddress(draft, frame, text, before);
      return true;
    },
  },
  {
    name: "not-understood",
    what: "Nobody understood it: that is said, and the question asked again.",
    takes(draft, { content, expectation }) {
      notUnderstood(draft, content, expectation);
      return true;
    },
  },
];

/** `isWhole`: nothing is waited for that may follow. */
export function inFlow(draft: TurnDraft, frame: Frame, content: Content, isWhole = false): void {
  let expected: Expectation | undefined;
  let meant: Meaning | undefined;
  // Looked at once, by the first row that asks for it.
  const expectation = (): Expectation => (expected ??= expects(draft, frame));
  route(FORM, draft, {
    frame,
    content,
    isWhole,
    text: content.type === "text" ? content.text : undefined,
    get expectation() {
      return expectation();
    },
    get meant() {
      const of = expectation();
      return (meant ??= unlessTask(draft, of, content, meantHere(draft, frame, of, content)));
    },
  });
}

function isDue({ session, env }: TurnDraft): boolean {
  return (session.burst?.due ?? Infinity) <= env.now;
}

/**
 * A message to the question that was asked before the flow's newer version moved on to another: it must not become the
 * answer to a question nobody has read yet. A value goes to the slot it was meant for, a yes counts for nothing.
 */
function sinceMoved(draft: TurnDraft, moved: Moved, content: Content): void {
  const { frame, from, expectation, said } = moved;
  if (!expectation) return;
  const { burst } = draft.session;
  const goesOn = content.type === "text" && burst?.of === placeOf(frame, expectation);
  const whole: Content = goesOn
    ? { type: "text", text: [...burst.texts, content.text].join("\n") }
    : content;
  if (goesOn) endBurst(draft);
  const meant = meaning(expectation, whole, draft.context);
  if (meant.kind === "command") {
    draft.paragraphs.length = said;
    const program = programOf(draft, frame);
    const now = program.expects(frame.state, draft.context);
    command(draft, frame, now, meant.command, content);
    return;
  }
  if (meant.kind !== "flow") return;
  const { event } = meant;
  if (event.type !== "ANSWER" && event.type !== "CORRECT") return;
  const program = programOf(draft, frame);
  const values = program.answersNow ? program.answersNow(from, event.values) : event.values;
  if (Object.keys(values).length === 0) return;
  draft.paragraphs.length = said;
  take(draft, frame, { type: event.type, values });
}

export function endBurst({ session }: TurnDraft): void {
  delete session.burst;
  session.timers = session.timers.filter((timer) => timer.name !== "burst");
}

/** Ends the wait of a burst: its texts are one answer. */
export function flushBurst(draft: TurnDraft): void {
  const { session } = draft;
  const { burst } = session;
  endBurst(draft);
  const frame = draft.top;
  const moved = draft.moved?.frame === frame ? draft.moved : undefined;
  const expectation = moved ? moved.expectation : frame && expects(draft, frame);
  const isSame = frame && expectation && burst?.of === placeOf(frame, expectation);
  const isTaken = session.handoff && frame && !isRequest(frame);
  if (!isSame || isTaken || session.optOut) {
    draft.quiet = "stale";
    return;
  }
  if (session.handoff) draft.loudness = "always";
  draft.messages = (burst.ids ?? []).filter((id) => id !== "");
  const content = { type: "text", text: burst.texts.join("\n") } as const;
  if (moved) {
    sinceMoved(draft, moved, content);
    return;
  }
  if (current(expectation)?.kind !== "text") {
    const rest = putDown(draft, frame, expectation, burst);
    if (rest !== "") inFlow(draft, frame, { type: "text", text: rest }, true);
    return;
  }
  const meant = meaning(expectation, content, draft.context);
  if (meant.kind === "flow") taken(draft, frame, meant);
  else if (meant.kind === "command") command(draft, frame, expectation, meant.command, content);
  else notUnderstood(draft, content);
}
