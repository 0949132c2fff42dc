/**
 * The requests that wait for a person of the business: those beside the stack, and the one in hand, which is a frame of it. Each is
 * shown, asked for and turned to in one way.
 */
import { foldWords } from "../../brazil/index.ts";
import { refusalIn } from "../../understanding/index.ts";
import { meaning } from "../answers/meaning.ts";
import type { Content } from "../session/inbound.ts";
import { isMenu, expects, promptOf } from "../turn/programs.ts";
import { type Frame, isRequest, type RequestFrame } from "../session/frame.ts";
import { openRequests } from "../session/session.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { reprompt } from "../stack/frames.ts";
import { codesIn } from "./request-code.ts";

/** Most rows of a "which one?" list. Further requests are answered by their codes. */
const MAX_ROWS = 50;
/** Longest label of a choice. */
const MAX_LABEL = 200;
/** Shorter names could be other words. Letters. */
const NAME_LETTERS = 3;

/** Those that a text names by their codes. */
export function namedByCode(draft: TurnDraft, text: string): readonly RequestFrame[] {
  const open = openRequests(draft.session);
  if (open.length === 0) return open;
  const codes = codesIn(text);
  return open.filter(({ caller }) => codes.includes(caller.code));
}

export function namesRequest(draft: TurnDraft, text: string): boolean {
  return namedByCode(draft, text).length > 0;
}

/** Whether a text has the first name of the person who sent the request. */
export function isNamed({ caller }: RequestFrame, said: string): boolean {
  const [first = ""] = foldWords(caller.from ?? "").split(" ");
  return first.length >= NAME_LETTERS && ` ${said} `.includes(` ${first} `);
}

/** Whether a frame is a request that asks for its decision. Elsewhere "saiu errado" may be a reason. */
export function isDecided(draft: TurnDraft, frame: Frame): boolean {
  if (!isRequest(frame)) return false;
  return expects(draft, frame).rests === "choose";
}

/** Whether the content answers the question of a frame. */
export function fits(draft: TurnDraft, frame: Frame, content: Content): boolean {
  const expectation = expects(draft, frame);
  const isAnswer = (said: Content) => {
    const meant = meaning(expectation, said, draft.context);
    return meant.kind === "flow" && meant.event.type !== "BAD";
  };
  if (isAnswer(content)) return true;
  if (content.type !== "text" || !isRequest(frame) || expectation.rests !== "choose") return false;
  // The reason may be what makes it no answer: "recusar, não é minha cliente".
  const refusal = refusalIn(content.text, draft.context.business);
  return refusal !== undefined && isAnswer(textOf(refusal.word));
}

export function textOf(text: string): Content {
  return { type: "text", text };
}

/** Puts a request that was being answered back among the open ones. */
export function putBack(draft: TurnDraft, frame: RequestFrame): void {
  const { session } = draft;
  session.frames = session.frames.filter((other) => other !== frame);
  session.requests.push(frame);
}

/** Puts the request in hand back at the person's wish, and says so. */
export function setAside(draft: TurnDraft, frame: RequestFrame): void {
  putBack(draft, frame);
  draft.wordOf(frame, "request-set-aside", { code: frame.caller.code });
  if (draft.top) reprompt(draft, "resume");
}

/**
 * Makes a request the question in progress. One is in hand at a time: the one before goes back to the others, whatever was said of
 * it so far.
 */
export function turnTo({ session }: TurnDraft, frame: RequestFrame): void {
  const others = session.frames.filter((other) => other !== frame);
  session.requests = [
    ...session.requests.filter((other) => other !== frame),
    ...others.filter(isRequest),
  ];
  session.frames = [...others.filter((other) => !isRequest(other)), frame];
  delete session.pick;
}

/** Asks the question in progress again; beside the menu, or where there is none, shows what waits. */
export function showWaiting(draft: TurnDraft, keep = ""): void {
  const { top, session } = draft;
  if (top && (!isMenu(draft, top) || session.requests.length === 0)) reprompt(draft);
  else askWhich(draft, session.requests, keep);
}

/**
 * Shows requests: the only one, or a list and the question which of them is meant. `keep`: the words that are the answer to the one
 * that is picked.
 */
export function askWhich(draft: TurnDraft, frames: readonly RequestFrame[], keep = ""): void {
  const { session, env, top } = draft;
  const [only, second] = frames;
  if (!only) return;
  if (!second) {
    if (top === only) reprompt(draft);
    else draft.sayOf(only, promptOf(draft, only));
    return;
  }
  for (const frame of session.frames.filter(isRequest)) putBack(draft, frame);
  const rows = frames.slice(0, MAX_ROWS);
  session.pick = { text: keep, at: env.now, requests: rows.map((frame) => frame.id) };
  draft.say({
    key: "which-request",
    text: env.library.word("which-request", { count: frames.length }, draft.context),
    choices: rows.map((frame) => ({ id: `request:${frame.id}`, label: rowOf(frame) })),
  });
}

/** How a list shows a request. */
export function rowOf({ caller: { code, from, about } }: RequestFrame): string {
  return [code, from, about]
    .filter((part) => part)
    .join(" · ")
    .slice(0, MAX_LABEL);
}
