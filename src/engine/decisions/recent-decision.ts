/**
 * The last decision of a person of the business. It has reached the customer's flow, and no message here takes it back. So
 * "cancela o pedido" after an approval must not get an answer that sounds as if the work had stopped.
 */
import { foldWords } from "../../brazil/index.ts";
import { takenBack } from "../../understanding/index.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import type { Command } from "../answers/meaning-result.ts";
import { codeOf } from "../requests/outreach.ts";
import { isMenu } from "../session/roles.ts";
import type { Frame, Session } from "../session/session.ts";

/** For this time "cancela" alone may be about the decision, ms. */
const RECENT_MS = 15 * 60_000;

/** A request was answered here; an end without a decision does not count. */
export function rememberDecision(
  { session, env }: TurnDraft,
  { caller }: Frame,
  outcome: string,
): void {
  if (caller?.kind !== "request" || caller.code === undefined) return;
  const { code, request } = caller;
  session.decided = { code, outcome, at: env.now, ...(request === undefined ? {} : { request }) };
  rememberOver(session, code);
}

/** Number of old codes that new requests do not get. */
const OVER = 20;

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

/**
 * Whether a message would take back what was decided here lately: it names it, or says "cancelar" where nothing else is being
 * answered. Told once: the next one is about something else.
 */
export function takesBack(draft: TurnDraft, text: string, command: () => Command): boolean {
  const { session, top } = draft;
  const decided = decidedLately(draft);
  if (!decided) return false;
  const words = foldWords(text);
  const said = takenBack(words);
  const isNamed = words.split(" ").includes(decided.code.toLowerCase());
  if (!(isNamed && said.begins) && command() !== "cancel") return false;
  // Of a request that is being looked at, "cancela" puts that one off.
  if (top?.caller?.kind === "request" && !isNamed) return false;
  const isIdle = !top || isMenu(draft, top);
  if (!isIdle && !isNamed && !said.names) return false;
  delete session.decided;
  draft.word("request-decided", { code: decided.code, outcome: decided.outcome });
  return true;
}
