/**
 * An operator's message as an answer to waiting requests: by code, or without one when a single request waits. Otherwise
 * the bot asks which one is meant.
 */
import {
  asksWhatWaits,
  consent,
  decision,
  isClosing,
  isNamedIn,
  isOfARequest,
  refusalIn,
  refusedOf,
} from "../../understanding/index.ts";
import { inFlow } from "../routing/inside-flow.ts";
import { outsideFlow } from "../routing/outside-flow.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { wasShownLater } from "../arrival/early-decision.ts";
import { begins, closes } from "../stack/entrance.ts";
import { reprompt, send } from "../stack/frames.ts";
import type { Content } from "../session/inbound.ts";
import { taskIn } from "../routing/offered-flows.ts";
import { meaning } from "../answers/meaning.ts";
import type { Command } from "../answers/meaning-result.ts";
import { programOf } from "../turn/programs.ts";
import { refuse } from "./refusal.ts";
import { codesIn, withoutCode } from "../requests/request-code.ts";
import { putBack } from "../requests/requests.ts";
import { isMenu } from "../session/roles.ts";
import { type Frame, isRequest } from "../session/session.ts";

/** "aprovar" with several open requests: for this long an answer to "which one?" counts, ms. */
const PICK_MS = 10 * 60_000;

const NUMBER = /^\s*(\d{1,2})\s*[.)]?\s*$/;
/** Most rows of a "which one?" list. Further requests are answered by their codes. */
const MAX_ROWS = 50;
/** Longest label of a choice. */
const MAX_LABEL = 200;

/** `aprovar A7`, `A7`, `recusar a7 por favor`: the text names an open request by its code. */
export function toRequest(draft: TurnDraft, text: string): boolean {
  const { session } = draft;
  const coded = [...session.requests, ...session.frames].filter(({ caller }) => caller?.code);
  if (coded.length === 0) return false;
  const words = codesIn(text);
  const named = coded.filter(({ caller }) => words.includes(caller?.code ?? ""));
  const [frame, second] = named;
  const code = frame?.caller?.code;
  if (!frame || !code) return false;
  const rest = withoutCode(text, code);
  // A code may stand in an address that is being dictated: only what answers the request is taken from the question.
  const busy = draft.top && draft.top.caller?.kind !== "request";
  if (busy && rest !== "" && (second || !fits(draft, frame, { type: "text", text: rest })))
    return false;
  if (second) {
    which(draft, named, "");
    return true;
  }
  const picked = session.pick;
  const kept = picked && draft.env.now - picked.at <= PICK_MS ? picked.text : "";
  delete session.pick;
  engage(draft, frame, rest !== "" ? rest : kept);
  return true;
}

/** The operator turns to a request: it is answered at once, or becomes the question in progress. */
export function engage(draft: TurnDraft, frame: Frame, text: string): void {
  const { session } = draft;
  // One request is looked at at a time: the one before goes back to the others, whatever was said of it so far.
  const others = session.frames.filter((other) => other !== frame);
  session.requests = [
    ...session.requests.filter((other) => other !== frame),
    ...others.filter((other) => other.caller?.kind === "request"),
  ];
  session.frames = [...others.filter((other) => other.caller?.kind !== "request"), frame];
  if (text === "") reprompt(draft);
  else toAnswer(draft, frame, { type: "text", text });
}

/**
 * A message to the request in progress. A single word that is another decision than the one taken ("aprovar" where the
 * reason of a refusal is asked) is no reason: the decision is asked again, because what costs may hang on it.
 */
export function toAnswer(draft: TurnDraft, frame: Frame, content: Content): void {
  const { slots, slot } = programOf(draft, frame).expects(frame.state, draft.context);
  const asked = slots.find((one) => one.name === slot);
  const written = content.type === "text" ? content.text.trim() : "";
  const text = decision(written, draft.context.business)?.word ?? written;
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
    if (decision(written, draft.context.business)) {
      reprompt(draft);
      return;
    }
  }
  const named = refusedOf(written, draft.context.business);
  if (named) {
    const shown = programOf(draft, frame).prompt(frame.state, draft.context);
    const isTheirs = isNamedIn(named.of, shown.map(({ text: line }) => line).join(" "));
    // Said where the reason is asked, or of somebody else: nothing is refused by it.
    if (asked?.kind !== "text" && isTheirs) inFlow(draft, frame, textOf(named.word));
    else {
      if (asked?.kind !== "text") draft.word("not-understood");
      reprompt(draft);
    }
    return;
  }
  const refusal = refusalIn(written, draft.context.business);
  if (refusal && refuse(draft, frame, refusal)) return;
  // Said once more where its reason is asked.
  const isAgain = refusal && asked?.kind === "text";
  inFlow(draft, frame, isAgain ? textOf(refusal.reason) : content);
}

/**
 * "aprovar" or "recusar" while requests wait: it decides on one of them, whatever question was asked meanwhile. One that
 * is not open any more is never decided by the code of another.
 */
export function toDecision(draft: TurnDraft, text: string): boolean {
  const { session, top } = draft;
  const said = decision(text, draft.context.business);
  if (!said || namesRequest(draft, text)) return false;
  const open = [...session.requests, ...session.frames.filter(isRequest)];
  const [only] = open;
  if (!only) return false;
  if (said.code === undefined && (!top || (isRequest(top) && !isOvertaken(draft)))) return false;
  if (!open.some((frame) => fits(draft, frame, { type: "text", text: said.word }))) return false;
  const row = said.code === undefined ? undefined : pickedFrame(draft, textOf(said.code));
  if (row) {
    delete session.pick;
    engage(draft, row, said.word);
    return true;
  }
  if (said.code !== undefined) draft.word("request-unknown", { code: said.code });
  const kept = said.code === undefined ? said.word : "";
  if (open.length === 1) engage(draft, only, kept);
  else {
    for (const frame of session.frames.filter(isRequest)) putBack(draft, frame);
    which(draft, session.requests, kept);
  }
  return true;
}

/** Whether another request was shown since the operator last wrote. Then a plain word may be about either. */
function isOvertaken({ session, seenBefore }: TurnDraft): boolean {
  return session.requests.some(({ asked }) => asked !== undefined && asked > (seenBefore ?? 0));
}

/** "Emitir" at a request, typed or pressed on an older menu. It begins another task and does not approve the request. */
export function toTask(draft: TurnDraft, content: Content): boolean {
  const { session, top } = draft;
  if (top ? !isDecided(draft, top) : session.requests.length === 0) return false;
  const text = saidIn(content);
  if (text === undefined || !taskIn(draft, text)) return false;
  if (top) putBack(draft, top);
  outsideFlow(draft, textOf(text), "none");
  return true;
}

/** The text, or the label of the one row that was pressed. */
function saidIn(content: Content): string | undefined {
  if (content.type === "text") return content.text;
  if (content.type !== "choice") return undefined;
  const [only, second] = content.picks;
  return second ? undefined : only?.label;
}

/** Whether a frame is a request that asks for its decision. Elsewhere "saiu errado" may be a reason. */
export function isDecided(draft: TurnDraft, frame: Frame): boolean {
  if (!isRequest(frame)) return false;
  return programOf(draft, frame).expects(frame.state, draft.context).rests === "choose";
}

/**
 * "Tá certo, pode emitir" where no question takes a yes: beside the menu, it can only be meant for what customers wait for.
 * It is said to nobody's summary, so it decides nothing: the request is shown, and asked for.
 */
export function toConsent(draft: TurnDraft, text: string): boolean {
  const { session, top } = draft;
  if (session.role !== "operator" || (top && !isMenu(draft, top))) return false;
  const said = consent(text, draft.context.business);
  // "Emite um recibo" is a task by its own words.
  if (!said || taskIn(draft, text)) return false;
  const [only, second] = session.requests;
  if (!only) {
    if (said !== "acts") return false;
    draft.word("request-none");
    if (top) reprompt(draft);
    return true;
  }
  // Outside any flow it is the only one's answer; at the menu "enviar" is a task as well.
  if (!top || (said !== "acts" && fits(draft, top, textOf(text)))) return false;
  if (second) which(draft, session.requests, "");
  else engage(draft, only, "");
  return true;
}

/**
 * A decision of the business when no request is open. It cannot be a choice from a menu, so the reply says that nothing
 * is open.
 */
export function nothingWaits(draft: TurnDraft, text: string): boolean {
  const { session, top } = draft;
  const said = decision(text, draft.context.business);
  if (!said || session.role !== "operator" || namesRequest(draft, text)) return false;
  if ([...session.requests, ...session.frames].some(isRequest)) return false;
  if (top && fits(draft, top, textOf(text))) return false;
  if (said.code === undefined) draft.word("request-none");
  else draft.word("request-unknown", { code: said.code });
  if (top) reprompt(draft);
  return true;
}

/** A number right after "which one?" answers it, even while another question waits. */
export function toList(draft: TurnDraft, content: Content): boolean {
  const { session, env } = draft;
  const picked = session.pick;
  if (!picked || env.now - picked.at > PICK_MS || content.type === "media") return false;
  const frame = pickedFrame(draft, content);
  if (!frame) return false;
  delete session.pick;
  if (wasShownLater(draft, picked.at)) which(draft, session.requests, picked.text);
  else engage(draft, frame, picked.text);
  return true;
}

function textOf(text: string): Content {
  return { type: "text", text };
}

export function fits(draft: TurnDraft, frame: Frame, content: Content): boolean {
  const expectation = programOf(draft, frame).expects(frame.state, draft.context);
  const isAnswer = (said: Content) => {
    const meant = meaning(expectation, said, draft.context);
    return meant.kind === "flow" && meant.event.type !== "BAD";
  };
  if (isAnswer(content)) return true;
  // The reason may be what makes it no answer: "recusar, não é minha cliente".
  const refusal =
    content.type === "text" && isRequest(frame)
      ? refusalIn(content.text, draft.context.business)
      : undefined;
  return refusal !== undefined && expectation.rests === "choose" && isAnswer(textOf(refusal.word));
}

/** No code and no question in progress: the only open request, or "which one?". */
export function toAnyRequest(draft: TurnDraft, content: Content, name: Command): boolean {
  const { session } = draft;
  const fitting = session.requests.filter((frame) => fits(draft, frame, content));
  if (fitting.length === 0 || name !== "none") {
    if (fitting.length === 0)
      return (name === "none" || name === "edit") && shownAgain(draft, content, name);
    if (name === "greeting" || name === "menu" || name === "thanks" || name === "help")
      return false;
  }
  const only = fitting[0];
  if (session.requests.length === 1 && only) {
    session.requests = [];
    session.frames.push(only);
    toAnswer(draft, only, content);
    return true;
  }
  if (content.type !== "text") return false;
  // A bare number answers a list that is not the last thing shown any more: what it decides is asked again.
  which(draft, session.requests, NUMBER.test(content.text) ? "" : content.text);
  return true;
}

/**
 * A message that answers no request and begins nothing, while requests wait. It is probably about them, and a menu would
 * look as if it had been understood. The waiting requests are shown again, and nothing is decided.
 */
function shownAgain(draft: TurnDraft, content: Content, name: Command): boolean {
  const { session } = draft;
  const [only, second] = session.requests;
  if (!only || session.role !== "operator" || content.type === "choice") return false;
  if (content.type === "text") {
    const isAbout = isOfARequest(content.text);
    if (!isAbout && begins(draft, content.text)) return false;
    // A number answers a list that is not shown any more; "ok" right after an end is for what ended.
    if (NUMBER.test(content.text) || closes(draft, content.text)) return false;
    const asksFor = asksWhatWaits(content.text);
    // Whose request it is changes it.
    if (name === "edit") draft.word("request-not-changed");
    else if (!isClosing(content.text) && !asksFor) draft.word("not-understood");
  } else draft.word(content.type === "media" ? `got-${content.media}` : `got-${content.type}`);
  if (second) which(draft, session.requests, "");
  else draft.sayOf(only, programOf(draft, only).prompt(only.state, draft.context));
  return true;
}

/** Whether a text names an open request by its code. */
export function namesRequest(draft: TurnDraft, text: string): boolean {
  const words = codesIn(text);
  const open = [...draft.session.requests, ...draft.session.frames];
  return open.some(({ caller }) => caller?.code !== undefined && words.includes(caller.code));
}

/** Asks which of several requests is meant. `text` is then applied to it; empty: it is only shown again. */
export function which(draft: TurnDraft, frames: readonly Frame[], text: string): void {
  const { session, env } = draft;
  const rows = frames.slice(0, MAX_ROWS);
  session.pick = { text, at: env.now, requests: rows.map((frame) => frame.id) };
  draft.say({
    key: "which-request",
    text: env.library.word("which-request", { count: frames.length }, draft.context),
    choices: rows.map((frame) => ({
      id: `request:${frame.id}`,
      label: rowOf(frame),
    })),
  });
}

function rowOf({ caller }: Frame): string {
  return [caller?.code, caller?.from, caller?.about]
    .filter((part) => part)
    .join(" · ")
    .slice(0, MAX_LABEL);
}

function pickedFrame(draft: TurnDraft, content: Content): Frame | undefined {
  const { session } = draft;
  const ids = session.pick?.requests ?? [];
  const find = (id: string | undefined) => session.requests.find((frame) => frame.id === id);
  if (content.type === "choice") {
    const [row] = content.picks;
    // A vote tells the row alone, which begins with the code.
    return (
      find(row?.id?.replace(/^request:/, "")) ??
      session.requests.find((frame) => row !== undefined && rowOf(frame) === row.label)
    );
  }
  if (content.type !== "text") return undefined;
  const number = NUMBER.exec(content.text);
  return number ? find(ids[Number(number[1]) - 1]) : undefined;
}
