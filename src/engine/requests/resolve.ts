/**
 * What a person of the business says while requests wait, in three questions: which request is meant, what is said about it, and
 * what is done. The answers are data; only `carryOut` changes anything.
 *
 * Which one is told, in this order, by where it is said, by whose it is, by its code, and last by being the only one. What may be
 * about another one, or is only said in passing, decides nothing: what waits is shown.
 */
import { foldWords } from "../../brazil/index.ts";
import {
  asksWhatWaits,
  consent,
  decidesOn,
  isClosing,
  isOfARequest,
  takenBack,
  withdrawsRequest,
} from "../../understanding/index.ts";
import type { Command } from "../answers/meaning-result.ts";
import { isMenu, taskIn } from "../turn/programs.ts";
import { isAuthored } from "../routing/row.ts";
import type { Content } from "../session/inbound.ts";
import { isRequest } from "../session/frame.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { begins, closes } from "../stack/entrance.ts";
import { type Act, type Heard, hear, type Spoken } from "./act.ts";
import { fits, isDecided, isNamed, namedByCode, namesRequest, textOf } from "./open-requests.ts";
import {
  byOtherQuote,
  byPress,
  byQuote,
  byRow,
  crosses,
  keptFor,
  NUMBER,
  pickedFrame,
} from "./pointed-request.ts";
import { withoutCode } from "./request-code.ts";
import { decidedLately } from "./request-memory.ts";
import { byUnknownCode } from "./unknown-code.ts";

/** Longer texts do not tell whose request is meant, characters. */
const LONGEST = 80;

/** What is said of requests, whatever is asked meanwhile; undefined: it is about something else. */
export function resolve(
  draft: TurnDraft,
  spoken: Spoken,
  commandOf: () => Command,
): Act | undefined {
  const { session } = draft;
  const heard = hear(draft, spoken);
  if (session.role !== "operator" && heard.open.length === 0 && !session.shown) return undefined;
  const pointed =
    byUnknownCode(draft, heard) ??
    byQuote(draft, heard) ??
    byRow(draft, heard) ??
    byPress(draft, heard) ??
    byTask(draft, heard) ??
    byOtherQuote(draft, heard) ??
    crosses(draft, heard);
  const { text } = heard;
  if (pointed || text === undefined) return pointed;
  // Such words count only where they are not the author's own.
  const yields = (act: () => Act | undefined): Act | undefined =>
    isAuthored(draft, heard.content) ? undefined : act();
  return (
    byPerson(draft, heard, text) ??
    yields(() => withdraws(draft, heard, text, "named")) ??
    byCode(draft, text) ??
    byDecision(draft, heard, text) ??
    yields(
      () =>
        decidesNone(draft, heard, text) ??
        agrees(draft, text) ??
        takesBack(draft, text, commandOf) ??
        withdraws(draft, heard, text, "any"),
    )
  );
}

/** In a conversation that a person has only what names its request is for the bot, and the answer to the one in hand. */
export function resolveNamed(draft: TurnDraft, spoken: Spoken): Act | undefined {
  const heard = hear(draft, spoken);
  const { text = "", content } = heard;
  const named = byQuote(draft, heard) ?? byCode(draft, text, "answers");
  const { top } = draft;
  if (named || !top || !isRequest(top) || taskIn(draft, text)) return named;
  return byUnknownCode(draft, heard) ?? { to: top, content };
}

/** What is left where no flow is in progress: the answer of the request in hand, of the only one, or of one of several. */
export function resolveRest(
  draft: TurnDraft,
  content: Content,
  commandOf: () => Command,
): Act | undefined {
  const { session, top } = draft;
  if (top) return isRequest(top) ? { to: top, content } : undefined;
  const { requests } = session;
  const [only, second] = requests;
  if (!only) return undefined;
  const command = commandOf();
  const fitting = requests.filter((frame) => fits(draft, frame, content));
  if (fitting.length === 0)
    return command === "none" || command === "edit" ? misses(draft, content, command) : undefined;
  if (ELSEWHERE.has(command)) return undefined;
  if (!second) return { to: only, content };
  if (content.type !== "text") return undefined;
  // A bare number answers a list that is not the last thing shown any more: what it decides is asked again.
  return { which: requests, keep: NUMBER.test(content.text) ? "" : content.text };
}

/** Commands that are about no request, although a request may take their words. */
const ELSEWHERE: ReadonlySet<Command> = new Set(["greeting", "menu", "thanks", "help"]);

/**
 * A message that answers no request and begins nothing, while requests wait. It is probably about them, and a menu would
 * look as if it had been understood.
 */
function misses(draft: TurnDraft, content: Content, command: Command): Act | undefined {
  const { role, requests: which } = draft.session;
  if (role !== "operator" || content.type === "choice") return undefined;
  if (content.type !== "text")
    return {
      says: [content.type === "media" ? `got-${content.media}` : `got-${content.type}`],
      which,
    };
  const { text } = content;
  if (!isOfARequest(text) && begins(draft, text)) return undefined;
  // A number answers a list that is not shown any more; "ok" right after an end is for what ended.
  if (NUMBER.test(text) || closes(draft, text)) return undefined;
  // Whose request it is changes it.
  if (command === "edit") return { says: ["request-not-changed"], which };
  return isClosing(text) || asksWhatWaits(text) ? { which } : { says: ["not-understood"], which };
}

/** "Emitir" at a request, typed or pressed on an older menu. It begins another task and does not approve the request. */
function byTask(draft: TurnDraft, { content, text }: Heard): Act | undefined {
  const { session, top } = draft;
  if (top ? !isDecided(draft, top) : session.requests.length === 0) return undefined;
  const [only, second] = content.type === "choice" ? content.picks : [];
  const task = text ?? (second ? undefined : only?.label);
  return task !== undefined && taskIn(draft, task) ? { task } : undefined;
}

/**
 * "Recusa a outra", "aprova o da Ana", "aprovar todos": a decision about another request than the current one, or about
 * several. Nothing is decided yet; the request that is meant, or the list, is shown.
 */
function byPerson(draft: TurnDraft, { open }: Heard, text: string): Act | undefined {
  const { session, top } = draft;
  if (session.role !== "operator" || text.length > LONGEST || open.length < 2) return undefined;
  const decides = decidesOn(text);
  if (!decides || namesRequest(draft, text)) return undefined;
  const said = foldWords(text);
  const meant = open.filter((frame) => (decides.other ? frame !== top : isNamed(frame, said)));
  const [to, second] = meant;
  if (to && !second && !decides.several) return { to };
  if (decides.several) return { says: ["request-one-by-one"], which: open };
  return decides.other ? { which: open } : undefined;
}

/**
 * "Cancela o pedido da Maria" from the business. Only the customer can withdraw a request, so nothing is decided. `how`: only of a
 * request that waits from whom it names, or of any.
 */
function withdraws(
  draft: TurnDraft,
  { open }: Heard,
  text: string,
  how: "named" | "any",
): Act | undefined {
  const { session, top } = draft;
  if (session.role !== "operator" || open.length === 0 || text.length > LONGEST) return undefined;
  if (top && !isMenu(draft, top) && !isRequest(top)) return undefined;
  const said = foldWords(text);
  if (!withdrawsRequest(said, draft.context.business)) return undefined;
  const named = open.filter((frame) => isNamed(frame, said));
  if (how === "named" && named.length === 0) return undefined;
  const [to, ...others] = named.length > 0 ? named : open;
  const says = ["request-not-ours"] as const;
  return to && others.length === 0
    ? { says, to }
    : { says, which: named.length > 0 ? named : open };
}

/**
 * `aprovar A7`, `A7`, `recusar a7 por favor`: the text names an open request by its code. `what`: only where it answers that
 * request, or also where it begins nothing.
 */
function byCode(draft: TurnDraft, text: string, what: "answers" | "any" = "any"): Act | undefined {
  const { top } = draft;
  const named = namedByCode(draft, text);
  const [to, second] = named;
  const code = to?.caller.code;
  if (!to || code === undefined) return undefined;
  const rest = withoutCode(text, code);
  // A code may stand in an address that is being dictated: only what answers the request is taken from the question.
  const isBusy = top && !isRequest(top) && (what === "answers" || !isMenu(draft, top));
  const isAnswer = rest === "" || (!second && fits(draft, to, textOf(rest)));
  if (isBusy && !isAnswer) return undefined;
  // What begins a task of its own is no word about a request, although a code stands in it.
  if (top && isMenu(draft, top) && !isAnswer && begins(draft, text)) return undefined;
  if (second) return { which: named };
  return { to, content: textOf(rest !== "" ? rest : keptFor(draft)) };
}

/**
 * "aprovar" or "recusar" while requests wait: it decides on one of them, whatever question was asked meanwhile. One that
 * is not open any more is never decided by the code of another.
 */
function byDecision(draft: TurnDraft, heard: Heard, text: string): Act | undefined {
  const { session, top, seenBefore = 0 } = draft;
  const { open, decision } = heard;
  if (!decision || open.length === 0 || namesRequest(draft, text)) return undefined;
  const { code, word } = decision;
  // Another request may have been shown since the person last wrote: a plain word may be about either.
  const isOvertaken = () => session.requests.some(({ asked = 0 }) => asked > seenBefore);
  if (code === undefined && (!top || (isRequest(top) && !isOvertaken()))) return undefined;
  if (!open.some((frame) => fits(draft, frame, textOf(word)))) return undefined;
  const row = code === undefined ? undefined : pickedFrame(draft, textOf(code));
  if (row === "older") return { which: open, keep: word };
  if (row) return { to: row, content: textOf(word) };
  const says = code === undefined ? undefined : (["request-unknown", { code }] as const);
  const kept = code === undefined ? word : "";
  const [to, second] = open;
  return second ? { says, which: open, keep: kept } : { says, to, content: textOf(kept) };
}

/** The same when no request is open. It cannot be a choice from a menu, so the reply says that nothing is open. */
function decidesNone(draft: TurnDraft, heard: Heard, text: string): Act | undefined {
  const { session, top } = draft;
  const { open, decision } = heard;
  if (!decision || session.role !== "operator" || open.length > 0) return undefined;
  if (top && fits(draft, top, textOf(text))) return undefined;
  const { code } = decision;
  return { says: code === undefined ? ["request-none"] : ["request-unknown", { code }] };
}

/**
 * "Tá certo, pode emitir" where no question takes a yes: beside the menu, it can only be meant for what customers wait for.
 * It is said to nobody's summary, so it decides nothing: the request is shown, and asked for.
 */
function agrees(draft: TurnDraft, text: string): Act | undefined {
  const { session, top } = draft;
  if (session.role !== "operator" || (top && !isMenu(draft, top))) return undefined;
  const said = consent(text, draft.context.business);
  // "Emite um recibo" is a task by its own words.
  if (!said || taskIn(draft, text)) return undefined;
  if (session.requests.length === 0)
    return said === "acts" ? { says: ["request-none"] } : undefined;
  // Outside any flow it is the only one's answer; at the menu "enviar" is a task as well.
  if (!top || (said !== "acts" && fits(draft, top, textOf(text)))) return undefined;
  const [to, second] = session.requests;
  return second ? { which: session.requests } : { to };
}

/**
 * Whether a message would take back what was decided here lately: it names it, or says "cancelar" where nothing else is being
 * answered. Told once: the next one is about something else.
 */
function takesBack(draft: TurnDraft, text: string, commandOf: () => Command): Act | undefined {
  const { top } = draft;
  const decided = decidedLately(draft);
  if (!decided) return undefined;
  const words = foldWords(text);
  const said = takenBack(words);
  const isNamed = words.split(" ").includes(decided.code.toLowerCase());
  if (!(isNamed && said.begins) && commandOf() !== "cancel") return undefined;
  // Of a request that is being looked at, "cancela" puts that one off.
  if (top && isRequest(top) && !isNamed) return undefined;
  if (top && !isMenu(draft, top) && !isNamed && !said.names) return undefined;
  const { code, outcome } = decided;
  return { says: ["request-decided", { code, outcome }], forgets: true };
}
