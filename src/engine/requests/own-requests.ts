/**
 * A customer's own open requests to the business. Several may be open at once: "meus pedidos" lists them, and none is
 * withdrawn until it is known which one is meant.
 */
import { foldWords } from "../../brazil/index.ts";
import {
  asksForRequests,
  givenUpIn,
  mayBeOfRequests,
  meansNone,
  meansSeveral,
  namesRequests,
  pickedIn,
  pickOption,
  tellingWords,
  understand,
} from "../../understanding/index.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { wasShownLater } from "../answers/premature-decision.ts";
import { reprompt, send, stepOf } from "../stack/frames.ts";
import type { Content } from "../session/inbound.ts";
import { current } from "../answers/meaning-result.ts";
import type { Expectation, Paragraph } from "../turn/program.ts";
import { expects, programOf, titleOf, isMenu } from "../turn/programs.ts";
import { traitsOf } from "../turn/readers.ts";
import { type Frame, isRequest } from "../session/frame.ts";

/** "Which one?": how long a number is taken for its answer. */
const PICK_MS = 10 * 60_000;
/** The answers by which requests differ, in the order in which they are shown. */
const TELLING = ["service", "value", "name"];
/** Longest part of a row, letters; of a row, as channels take it. */
const MAX_PART = 60;
const MAX_ROW = 200;
/** Longer texts are never such a wish, characters. */
const LONGEST = 90;

type State = "waits" | "issuing" | "processing" | "person" | "unsent";

interface Own {
  readonly frame: Frame;
  readonly state: State;
  readonly about: string;
}

const FIGURE = /\d[\d.]*(?:,\d\d)?/;
/** What waits for this customer, the oldest first; with `drafts` also what is being made. */
function owned(draft: TurnDraft, drafts = false): readonly Own[] {
  return draft.session.frames.flatMap((frame) => {
    const state = stateOf(draft, frame);
    if (state === undefined || (state === "unsent" && !drafts)) return [];
    return [{ frame, state, about: aboutOf(draft, frame) }];
  });
}

function stateOf(draft: TurnDraft, frame: Frame): State | undefined {
  const { invocations } = frame;
  if (isRequest(frame) || isPart(draft, frame)) return undefined;
  const program = programOf(draft, frame);
  const expectation = program.expects(frame.state, draft.context);
  if (invocations.some(({ class: of }) => of === "fiscal" || of === "costly"))
    return stepOf(draft, program, frame.state).includes("-held") ? "processing" : "issuing";
  const { isRequest: isAsked } = traitsOf(draft, frame.flow);
  switch (expectation.rests) {
    case "notify":
      return "waits";
    case "handoff":
      return isAsked ? "person" : undefined;
    case "ask":
    case "choose":
    case "confirm":
    case "subflow":
      return isAsked ? "unsent" : undefined;
    default:
      return undefined;
  }
}

/** Whether it was begun by a request as a part of it, and not chosen from a menu. */
function isPart(draft: TurnDraft, frame: Frame): boolean {
  const parent = draft.parentOf(frame);
  if (!parent) return false;
  return traitsOf(draft, parent.flow).isRequest === true || isPart(draft, parent);
}

function aboutOf(draft: TurnDraft, frame: Frame): string {
  const program = programOf(draft, frame);
  const rows = program.summary(frame.state, draft.context);
  const telling = TELLING.flatMap((name) => rows.filter(({ slot }) => slot === name));
  const parts = (telling.length > 0 ? telling : rows.slice(0, TELLING.length)).map(({ echo }) =>
    echo.slice(0, MAX_PART),
  );
  const title = titleOf(draft, program);
  return (parts.length > 0 ? parts.join(" \u00b7 ") : title).slice(0, MAX_ROW);
}

function waiting(draft: TurnDraft): readonly Own[] {
  return owned(draft).filter(({ state }) => state === "waits");
}

/** Whether a message of a customer was about what they asked for before; then it is answered by now. */
export function toOwn(draft: TurnDraft, content: Content): boolean {
  if (draft.session.role === "operator") return false;
  if (content.type !== "text" || content.text.length > LONGEST) return false;
  // Most messages are neither, and are not read any further.
  if (!mayBeOfRequests(content.text) || takesText(draft)) return false;
  const said = foldWords(content.text);
  return listsOwn(draft, said) || namesOwn(draft, content.text, said);
}

/** Whether the current question takes any text. Then these words may be its answer. */
function takesText(draft: TurnDraft): boolean {
  const { top } = draft;
  if (!top) return false;
  const asked = current(expects(draft, top));
  return asked?.kind === "text" || asked?.secret === true;
}

/** "Meus pedidos": what is open, each with its state. */
function listsOwn(draft: TurnDraft, said: string): boolean {
  const asks = asksForRequests(said);
  if (!asks) return false;
  const own = owned(draft, true);
  const sent = own.filter(({ state }) => state !== "unsent");
  if (!asks.all && sent.length < 2) return false;
  if (own.length === 0) draft.word("own-none");
  else draft.word("own-list", { lines: linesOf(draft, own) });
  asksOn(draft);
  return true;
}

function linesOf(draft: TurnDraft, own: readonly Own[]): string {
  const { env, context } = draft;
  return own
    .map(({ about, state }, at) =>
      env.library.word("own-line", { at: at + 1, about, state }, context),
    )
    .join("\n");
}

/** Asks the current question again; a waiting step has none. */
function asksOn(draft: TurnDraft): void {
  const { top } = draft;
  if (!top) return;
  const { rests } = expects(draft, top);
  if (rests === "ask" || rests === "choose" || rests === "confirm") reprompt(draft);
}

/** Whether only waiting requests or the menu are in progress. */
function isIdle(draft: TurnDraft): boolean {
  const { top } = draft;
  if (!top || isMenu(draft, top)) return true;
  const { rests } = expects(draft, top);
  return rests === "notify" || rests === "effect" || rests === "wait" || rests === "handoff";
}

/** "Cancela o primeiro", "desisto do pedido da Maria", "cancela o de 100". */
function namesOwn(draft: TurnDraft, text: string, said: string): boolean {
  const rest = text.includes("?") ? undefined : givenUpIn(said, draft.context.business);
  if (rest === undefined) return false;
  const own = waiting(draft);
  if (own.length === 0) return false;
  const idle = isIdle(draft);
  if (!idle && !namesRequests(rest)) return false;
  const meant = meantBy(draft, text, rest, own);
  if (meant.length > 0 && (idle || meant.length === 1 || meansSeveral(rest))) {
    giveUp(draft, meant);
    return true;
  }
  if (!idle || !namesRequests(rest)) return false;
  const isAny = tellingWords(rest).length === 0;
  if (own.length > 1) which(draft, own);
  else if (isAny) giveUp(draft, own);
  return own.length > 1 || isAny;
}

/** The requests that words mean; none when they tell none, or leave several. */
function meantBy(
  draft: TurnDraft,
  text: string,
  said: string,
  own: readonly Own[],
): readonly Own[] {
  if (meansSeveral(said)) return own;
  const words = tellingWords(said);
  if (words.length === 0) return [];
  const [figure] = FIGURE.exec(text) ?? [];
  const amount = figure && understand("money", `R$ ${figure}`, draft.context);
  const worth =
    amount && amount.ok ? own.filter(({ frame }) => valueOf(draft, frame) === amount.value) : [];
  if (worth.length > 0) return worth.length === 1 ? worth : [];
  const rows = own.map(({ frame, about }) => ({ id: frame.id, label: about }));
  const picked = pickOption(words.join(" "), rows);
  return picked.type === "match" ? own.filter(({ frame }) => frame.id === picked.option.id) : [];
}

function valueOf(draft: TurnDraft, frame: Frame): unknown {
  const rows = programOf(draft, frame).summary(frame.state, draft.context);
  return rows.find(({ slot }) => slot === "value")?.value;
}

/** Asks which one is to be given up. */
function which(draft: TurnDraft, own: readonly Own[]): void {
  const { session, env } = draft;
  session.pick = { text: "", at: env.now, requests: own.map(({ frame }) => frame.id) };
  draft.say({
    key: "own-which",
    text: env.library.word("own-which", { count: own.length }, draft.context),
    choices: own.map(({ frame, about }) => ({ id: `own:${frame.id}`, label: about })),
  });
}

/** The answer to it. */
export function picksOwn(draft: TurnDraft, content: Content): boolean {
  const { session, env } = draft;
  const { pick } = session;
  if (
    session.role === "operator" ||
    !pick ||
    env.now - pick.at > PICK_MS ||
    wasShownLater(draft, pick.at)
  )
    return false;
  const all = waiting(draft);
  const own = pick.requests.flatMap((id) => all.find(({ frame }) => frame.id === id) ?? []);
  if (own.length === 0) return false;
  if (content.type === "choice") {
    const [row] = content.picks;
    const one = own.find(
      ({ frame, about }) => row?.id === `own:${frame.id}` || row?.label === about,
    );
    if (!one) return false;
    delete session.pick;
    giveUp(draft, [one]);
    return true;
  }
  if (content.type !== "text" || content.text.length > LONGEST) return false;
  const said = foldWords(content.text);
  if (meansNone(said)) {
    delete session.pick;
    draft.word("own-kept");
    asksOn(draft);
    return true;
  }
  const rest = pickedIn(said, draft.context.business);
  const meant = rest === undefined ? [] : meantBy(draft, content.text, rest, own);
  if (meant.length === 0) return false;
  delete session.pick;
  giveUp(draft, meant);
  return true;
}

/**
 * "Cancelar" to the question in progress: with one request waiting it is given up, and named; with more it is asked which; what is
 * only being made goes before those. False where nothing waits.
 */
export function cancelsOwn(
  draft: TurnDraft,
  frame: Frame,
  { rests, sealed }: Expectation,
): boolean {
  if (draft.session.role === "operator" || isRequest(frame) || isPart(draft, frame)) return false;
  const own = waiting(draft);
  const [only, second] = own;
  if (!only) return false;
  if (stateOf(draft, frame) === "unsent") {
    giveUp(draft, [{ frame, state: "unsent", about: aboutOf(draft, frame) }]);
    return true;
  }
  if (rests !== "notify" && !sealed) return false;
  // One that is being issued cannot be stopped; another one that waits can.
  if (second || only.frame !== frame) which(draft, own);
  else giveUp(draft, own);
  return true;
}

/** Takes requests back, and says which. */
function giveUp(draft: TurnDraft, own: readonly Own[]): void {
  const { session, env } = draft;
  const common = env.library.word("cancelled", {}, draft.context);
  // A flow's own words about its end stay; the common one is said by name, and what is left below is told as that.
  const isKept = ({ key, text }: Paragraph): boolean =>
    key?.startsWith("say.") === true || (key === "cancelled" && text !== common);
  const said: Paragraph[] = [];
  const gone: string[] = [];
  // From the top of the stack: none below is asked about meanwhile.
  for (const { frame, about } of [...own].reverse()) {
    const before = draft.paragraphs.length;
    send(draft, frame, { type: "CANCEL" });
    const isGone = !session.frames.includes(frame);
    if (isGone) gone.unshift(about);
    said.push(...draft.paragraphs.splice(before).filter((one) => !isGone || isKept(one)));
  }
  if (gone.length > 0) draft.word("own-dropped", { about: gone.join("; "), count: gone.length });
  draft.say(...said);
  const left = owned(draft);
  if (left.length > 0) draft.word("own-left", { lines: linesOf(draft, left) });
  asksOn(draft);
}
