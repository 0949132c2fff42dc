/**
 * A message inside a flow: what it means to the step that rests there, and what is done with it.
 */
import { begunAnew } from "./anew.ts";
import { putDown } from "./bubbles.ts";
import { hold, isBeside, isHeld, placeOf, waits } from "./burst.ts";
import { command } from "./commands.ts";
import type { Draft, Moved } from "./draft.ts";
import { enter, sentenceAtMenu } from "./entrance.ts";
import { rightIn } from "./erasure.ts";
import { followUp } from "./follow-up.ts";
import { takeFormAddress } from "./form-address.ts";
import { hasRoom, start } from "./frames.ts";
import type { Content } from "./inbound.ts";
import { meaning } from "./meaning.ts";
import { current } from "./meant.ts";
import { notUnderstood } from "./not-understood.ts";
import { another, standsBeside, unlessTask } from "./other-task.ts";
import { meant as meantHere } from "./pieces.ts";
import { programOf } from "./programs.ts";
import type { Frame } from "./session.ts";
import { take, taken } from "./taking.ts";
import { toCaller } from "./to-caller.ts";

/** `isWhole`: nothing is waited for that may follow. */
export function inFlow(draft: Draft, frame: Frame, content: Content, isWhole = false): void {
  if (draft.moved?.frame === frame) {
    sinceMoved(draft, draft.moved, content);
    return;
  }
  const right = content.type === "text" ? rightIn(draft, content.text) : undefined;
  if (right && right.flow !== frame.flow && hasRoom(draft)) {
    if (draft.session.burst) flushBurst(draft);
    start(draft, right.flow);
    return;
  }
  const program = programOf(draft, frame);
  const expectation = program.expects(frame.state, draft.context);
  const anew = content.type === "text" ? begunAnew(draft, frame, content.text) : undefined;
  if (anew !== undefined) {
    enter(draft, { flow: anew, prefill: {} });
    return;
  }
  if (content.type === "text" && !isWhole && waits(draft, frame, expectation, content.text)) {
    // A burst that is full or long enough is an answer now: what comes after it belongs to the next question.
    if ((draft.session.burst?.due ?? Infinity) <= draft.env.now) flushBurst(draft);
    return;
  }
  const sentence = sentenceAtMenu(draft, frame, content, expectation.choices);
  if (sentence && expectation.rests === "choose") {
    draft.session.frames = draft.session.frames.filter((other) => other !== frame);
    enter(draft, sentence, content.type === "text" ? content.text : "");
    return;
  }
  const goesOn = content.type === "text" ? followUp(draft, content.text, frame) : undefined;
  if (goesOn && !expectation.sealed && !frame.caller) {
    draft.session.frames = draft.session.frames.filter((other) => other !== frame);
    enter(draft, goesOn);
    return;
  }
  const meant = unlessTask(
    draft,
    expectation,
    content,
    meantHere(draft, frame, expectation, content),
  );
  if (meant.kind === "command") {
    command(draft, frame, expectation, meant.command, content);
    return;
  }
  if (content.type === "text" && toCaller(draft, frame, meant, content.text)) return;
  if (meant.kind === "none" || (meant.kind === "flow" && meant.event.type === "BAD")) {
    const other =
      content.type === "text" ? another(draft, frame, expectation, content.text) : undefined;
    if (other && (!expectation.sealed || standsBeside(draft, other)) && hasRoom(draft)) {
      if (draft.session.burst) flushBurst(draft);
      enter(draft, other);
      return;
    }
  }
  if (content.type === "text" && !isWhole) {
    const waits = isBeside(draft, frame, expectation, meant);
    if (waits || isHeld(draft, frame, expectation)) {
      hold(draft, frame, expectation, content.text);
      // The answer itself waits for nothing.
      if (!waits || (draft.session.burst?.due ?? Infinity) <= draft.env.now) flushBurst(draft);
      return;
    }
  }
  if (meant.kind === "flow") {
    const before = draft.paragraphs.length;
    taken(draft, frame, meant);
    if (content.type === "text") takeFormAddress(draft, frame, content.text, before);
  } else notUnderstood(draft, content, expectation);
}

/**
 * A message to the question that was asked before the flow's newer version moved on to another: it must not become the
 * answer to a question nobody has read yet. A value goes to the slot it was meant for, a yes counts for nothing.
 */
function sinceMoved(draft: Draft, moved: Moved, content: Content): void {
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

export function endBurst({ session }: Draft): void {
  delete session.burst;
  session.timers = session.timers.filter((timer) => timer.name !== "burst");
}

/** The wait is over: what came is one answer. */
export function flushBurst(draft: Draft): void {
  const { session } = draft;
  const { burst } = session;
  endBurst(draft);
  const frame = draft.top;
  const moved = draft.moved?.frame === frame ? draft.moved : undefined;
  const expectation = moved
    ? moved.expectation
    : frame && programOf(draft, frame).expects(frame.state, draft.context);
  const isSame = frame && expectation && burst?.of === placeOf(frame, expectation);
  const isTaken = session.handoff && frame?.caller?.kind !== "request";
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
