/**
 * What is remembered of requests for a person of the business: which of the bot's messages showed which, the last decision, and the
 * codes of those that are over.
 *
 * Only the business's people store this, never customers in a form.
 */
import { digestOf } from "../arrival/recent-messages.ts";
import type { ShownRequest } from "../session/effect.ts";
import type { RequestFrame } from "../session/frame.ts";
import type { Session } from "../session/session.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { codeOf } from "./request-code.ts";

/** Messages remembered: more requests than these are answered by their codes. */
export const SHOWN = 20;
/** Number of old codes that new requests do not get. */
const OVER = 20;
/** For this time "cancela" alone may be about the decision, ms. */
const RECENT_MS = 15 * 60_000;

/**
 * Remembers that a message of the bot left under this id and ends with this request, as one text: `DIGEST frame code`. The entries of a
 * request that is over stay, because a reply to it must not decide another one.
 */
export function rememberShown(
  session: Pick<Session, "shown">,
  message: string,
  request: ShownRequest,
): void {
  const entry = `${digestOf(message)} ${request.frame} ${request.code}`;
  const others = (session.shown ?? []).filter((other) => other !== entry);
  session.shown = [...others, entry].slice(-SHOWN);
}

/** The request that a message of ours ends with; undefined when it shows none, or is forgotten. */
export function shownBy(
  { shown }: Pick<Session, "shown">,
  message: string,
): ShownRequest | undefined {
  if (!shown) return undefined;
  const digest = digestOf(message);
  const entry = shown.findLast((one) => one.startsWith(`${digest} `));
  const [, frame = "", code = ""] = entry?.split(" ") ?? [];
  return entry === undefined ? undefined : { frame, code };
}

/** Whether it is known which messages showed the request of this frame. */
export function isShown({ shown = [] }: Session, frame: string): boolean {
  return shown.some((entry) => entry.split(" ")[1] === frame);
}

/** The entries with their frames under other names. */
export function renameShown(shown: readonly string[], nameOf: (frame: string) => string): string[] {
  return shown.map((entry) => {
    const [digest = "", frame = "", code = ""] = entry.split(" ");
    return `${digest} ${nameOf(frame)} ${code}`;
  });
}

/** A request was answered here; an end without a decision does not count. */
export function rememberDecision(
  { session, env }: TurnDraft,
  { caller: { code, request } }: RequestFrame,
  outcome: string,
): void {
  session.decided = { code, outcome, at: env.now, request };
  rememberOver(session, code);
}

/**
 * Remembers the code of a request that has ended. A late "aprovar A7" must not approve a new request under the same code
 * that its sender never read.
 */
export function rememberOver(session: Session, code: string): void {
  const others = (session.over ?? []).filter((other) => other !== code);
  session.over = [...others, code].slice(-OVER);
}

/** The code under which a request was known here: not its own where that was taken. */
export function codeKnown({ session }: TurnDraft, request: string): string {
  return session.decided?.request === request ? session.decided.code : codeOf(request);
}

/** The decision that was made here a moment ago. */
export function decidedLately({ session: { decided }, env }: TurnDraft): Session["decided"] {
  return decided && env.now - decided.at <= RECENT_MS ? decided : undefined;
}

/** Somebody else's word counts, or whoever asked wants something else now. */
export function forgetDecision({ session }: TurnDraft, code: string): void {
  if (session.decided?.code === code) delete session.decided;
}
