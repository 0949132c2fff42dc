/**
 * A message inside a flow: what it means to the step that rests there, and what is done with it.
 */
import { foldWords } from "../brazil/index.ts";
import { putDown } from "./bubbles.ts";
import { hold, isBeside, isHeld, placeOf, waits } from "./burst.ts";
import { unread } from "./doubted.ts";
import type { Draft, Moved } from "./draft.ts";
import {
  begins,
  cancelNote,
  enter,
  isClosing,
  ISSUING,
  namesNote,
  sentenceAtMenu,
  wantedBy,
} from "./entrance.ts";
import { rightIn } from "./erasure.ts";
import { followUp } from "./follow-up.ts";
import { takeFormAddress } from "./form-address.ts";
import { hasRoom, reprompt, send, start } from "./frames.ts";
import { beginHandoff } from "./handoff.ts";
import type { Content } from "./inbound.ts";
import { meaning } from "./meaning.ts";
import { bad, type Command, current, type Meaning } from "./meant.ts";
import { invoiceSentence, type Wanted } from "./note-wanted.ts";
import { leads, menuOf, startedBy, taskIn } from "./offered.ts";
import { meant as meantHere } from "./pieces.ts";
import { cancelsOwn } from "./own-requests.ts";
import type { Expectation, FlowEvent } from "./program.ts";
import { programOf } from "./programs.ts";
import { setAside } from "./requests.ts";
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
    const waits = isBeside(frame, expectation, meant);
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

/** "Cadastrar nova empresa" where a name is asked: the words of a task by themselves, and nobody's name. */
function unlessTask(
  draft: Draft,
  expectation: Expectation,
  content: Content,
  meant: Meaning,
): Meaning {
  if (content.type !== "text" || current(expectation)?.kind !== "name") return meant;
  if (meant.kind !== "flow" || meant.event.type !== "ANSWER") return meant;
  // One word may be a name as well.
  const isTask = foldWords(content.text).includes(" ") && taskIn(draft, content.text);
  return isTask ? bad({ ok: false, reason: "absent" }) : meant;
}

/** Begun by "cadê minha nota?" outside a request. */
const LOOK_UP = "look-up-note";

/**
 * Another flow that a text asks for. Where nothing is asked of the person because somebody else has to answer, that may be
 * the same flow once more, and whatever else a text begins outside any.
 */
function another(
  draft: Draft,
  frame: Frame,
  { rests }: Expectation,
  text: string,
): Wanted | undefined {
  if (rests === "notify" || rests === "wait") {
    const wanted = begins(draft, text) ? wantedBy(draft, text) : undefined;
    // "Cadê minha nota?" is about the one that is being waited for, unless it says which.
    return wanted?.flow === LOOK_UP && wanted.input?.["note"] === undefined ? undefined : wanted;
  }
  if (!frame.caller && !ISSUING.has(frame.flow) && isWholeNote(draft, text))
    return invoiceSentence(draft, text);
  const other = startedBy(draft, text, "exact");
  if (other) return other.flow !== frame.flow ? { flow: other.flow, prefill: {} } : undefined;
  // "Quanto faturei esse mês?" asks for another task by its first words; a sentence that tells something may only hold them.
  const asked = text.trim().endsWith("?") ? startedBy(draft, text, "within") : undefined;
  return asked && asked.flow !== frame.flow && leads(asked, text)
    ? wantedBy(draft, text)
    : undefined;
}

/** Whose note and of how much, and one thing more: no question of another task has such an answer. */
function isWholeNote(draft: Draft, text: string): boolean {
  const held = invoiceSentence(draft, text)?.prefill ?? {};
  return "document" in held && "value" in held && ("name" in held || "description" in held);
}

/**
 * While what costs is on its way, perhaps for hours: a person of the business may do what changes nothing about it. "Recarreguei"
 * is what lets the very note go that they wait for. Not another note: whether this one came to be is not known yet.
 */
function standsBeside({ session }: Draft, { flow }: Wanted): boolean {
  return session.role === "operator" && !ISSUING.has(flow) && flow !== REPEAT;
}

/** Ends in a note as the others do. */
const REPEAT = "repeat-note";

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

function command(
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
  } else if (frame.flow === "menu" || namesNote(draft, text)) cancelNote(draft, content, frame);
  else {
    draft.word("cancel-which");
  }
}

/** A choice at which nothing was said yet, of this or of what went before. */
function isUntold(draft: Draft, frame: Frame, { rests }: Expectation): boolean {
  const said = programOf(draft, frame).answers?.(frame.state) ?? {};
  return rests === "choose" && Object.keys(said).length === 0;
}

function isMarks(content: Content): boolean {
  return content.type === "text" && /^[\s?!.]+$/.test(content.text);
}

/** Somebody else has to answer: what the person writes meanwhile is nothing to be understood. */
function isElsewhere({ rests }: Expectation): boolean {
  return rests === "notify" || rests === "wait" || rests === "effect";
}

function notUnderstood(draft: Draft, content: Content, of?: Expectation): void {
  if (of && isElsewhere(of) && content.type !== "choice") {
    whileWaiting(draft, content);
    return;
  }
  if (draft.top && mayTell(content)) unread(draft, draft.top);
  if (content.type === "text" || content.type === "choice") draft.word("not-understood");
  else draft.word(content.type === "media" ? `got-${content.media}` : `got-${content.type}`);
  reprompt(draft);
}

/** Words that nobody understood, or could read: a smile or a place says nothing of what stands. */
function mayTell(content: Content): boolean {
  if (content.type !== "media") return content.type === "text";
  return SPOKEN.has(content.media) || content.media === "document";
}

/** A note told in a sentence while one is being issued, and not that one once more: it must not be thought to be on its way. */
function isOtherSale(draft: Draft, frame: Frame, text: string): boolean {
  if (!ISSUING.has(frame.flow)) return false;
  const wanted = invoiceSentence(draft, text);
  const said = Object.entries({ ...wanted?.prefill, ...wanted?.input });
  const known = programOf(draft, frame).answers?.(frame.state) ?? {};
  const telling = said.filter(([slot]) => TELLING.has(slot));
  return telling.length > 1 && telling.some(([slot, value]) => known[slot] !== value);
}

/** What tells one sale from another. */
const TELLING: ReadonlySet<string> = new Set(["document", "name", "value"]);

/** What people say something with, that nobody here sees or hears. */
const SPOKEN: ReadonlySet<string> = new Set(["audio", "image", "video"]);

/** Nothing is asked of the person: a smile is a smile, and of the rest only what may hold words is wanted as words. */
function whileWaiting(draft: Draft, content: Content): void {
  if (content.type === "text" && draft.top && isOtherSale(draft, draft.top, content.text)) {
    draft.word("note-not-taken", { role: draft.session.role });
    return;
  }
  const media = content.type === "media" ? content.media : "";
  if (media === "sticker" || (content.type === "text" && isClosing(content.text))) {
    draft.quiet = "thanks";
    return;
  }
  if (SPOKEN.has(media)) draft.word(`got-${media}`);
  reprompt(draft);
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
