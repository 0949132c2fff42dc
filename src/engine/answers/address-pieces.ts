/**
 * An address that comes in pieces, or among the lines of a message that answers other questions too. A person who hears that the CEP is
 * missing sends the CEP alone: the pieces are kept until the address is complete or another question is asked.
 */
import { foldWords } from "../../brazil/index.ts";
import {
  addressBlock,
  beginsName,
  doorIn,
  isNoPiece,
  isNumberAlone,
} from "../../understanding/index.ts";
import { placeOf } from "../arrival/burst.ts";
import type { Frame } from "../session/frame.ts";
import type { Content } from "../session/inbound.ts";
import type { TurnDraft } from "../session/turn-draft.ts";
import { take } from "../stack/frame-event.ts";
import type { Expectation } from "../turn/program.ts";
import { expects } from "../turn/programs.ts";
import type { ReadingContext } from "../turn/reader.ts";
import { figureTakenBack, proposedAmount } from "./meaning-amount.ts";
import { current, isForOther, type Meaning } from "./meaning-result.ts";
import { meaning } from "./meaning.ts";

/** What lacks of a piece, in the order in which it is found missing: what comes later is nearer to a whole address. */
const LACKS: readonly (string | undefined)[] = ["no-cep", "no-city", "no-number", "no-district"];
/** Parts of something, or a number. */
const PARTS = /[,\d]/;
/** Pieces together that are longer are no address. */
const LONGEST = 300;
/** Places in it where a piece is tried. */
const MAX_PLACES = 12;
const MAX_WORDS = 6;

/** What a message means to the step that rests; to the question for an address, also together with the pieces before it. */
export function meant(
  draft: TurnDraft,
  frame: Frame,
  expectation: Expectation,
  content: Content,
): Meaning {
  const { session, context } = draft;
  const alone = meaning(expectation, content, context);
  if (content.type !== "text" || current(expectation)?.kind !== "address") return alone;
  const of = placeOf(frame, expectation);
  const before = session.pieces?.of === of ? session.pieces.text : undefined;
  const amount =
    before === undefined ? undefined : amountMeant(expectation, before, content.text, context);
  if (amount) return amount;
  const isDoor = before !== undefined && figureTakenBack(content.text) !== undefined;
  if (before !== undefined && (isDoor || !isAnswer(alone))) {
    const fitted = fit(expectation, before, content.text, context);
    if (fitted) {
      if (isAnswer(fitted.meaning)) delete session.pieces;
      else session.pieces = { of, text: fitted.text };
      return fitted.meaning;
    }
  }
  if (alone.kind !== "flow") return alone;
  if (alone.event.type !== "BAD") {
    // What says no more of it, or declines what was proposed beside it, leaves what is known of it.
    const isOfIt =
      "values" in alone.event && Object.hasOwn(alone.event.values, expectation.slot ?? "");
    if (isOfIt || (alone.event.type === "EDIT" && !expectation.choices?.some(isForOther)))
      delete session.pieces;
    return alone;
  }
  const { reason, hint } = alone.event;
  // "não sei" is no piece; "Centro, São Paulo SP" is one, though nothing of an address by itself.
  const isPiece =
    !(isPlaced(before) && isNumberAlone(content.text)) &&
    (reason === "invalid" ||
      (before !== undefined && PARTS.test(content.text) && !isTalk(content.text)));
  if (!isPiece && before !== undefined)
    // What lacks is not what lacks of this: it is asked for as before.
    return meaning(expectation, { type: "text", text: before }, context);
  if (!isPiece || !LACKS.includes(hint)) return alone;
  const text = before === undefined ? content.text : `${before}\n${content.text}`;
  if (text.length > LONGEST) {
    delete session.pieces;
    return alone;
  }
  session.pieces = { of, text };
  if (before === undefined) return alone;
  const together = meaning(expectation, { type: "text", text }, context);
  const last = meaning(expectation, { type: "text", text: before }, context);
  if (lackOf(together) >= 0 && lackOf(together) < lackOf(last)) {
    // It says less behind the rest than without it: what lacked lacks still.
    session.pieces = { of, text: before };
    return last;
  }
  if (isAnswer(together)) delete session.pieces;
  return together.kind === "flow" ? together : alone;
}

/**
 * A piece put where it belongs: the number behind the street, the district before the town. Undefined when nothing that lacked
 * is there with it.
 */
function fit(
  expectation: Expectation,
  before: string,
  said: string,
  context: ReadingContext,
): { readonly text: string; readonly meaning: Meaning } | undefined {
  const lack = lackOf(meaning(expectation, { type: "text", text: before }, context));
  const piece = lack === NUMBER ? doorIn(said) : said.trim();
  if (lack < 0 || before.length + piece.length > LONGEST) return undefined;
  if (piece === said.trim() && isTalk(said)) return undefined;
  const parts = before.split(/[,\n;]/).map((part) => part.trim());
  if (parts.length > MAX_PLACES) return undefined;
  const texts = parts.map((_, at) => [...parts.slice(0, at + 1), piece, ...parts.slice(at + 1)]);
  let best: { text: string; meaning: Meaning; lack: number } | undefined;
  for (const text of texts.map((one) => one.join(", "))) {
    const read = meaning(expectation, { type: "text", text }, context);
    if (isAnswer(read)) return { text, meaning: read };
    const left = lackOf(read);
    if (left > (best?.lack ?? lack)) best = { text, meaning: nearer(read), lack: left };
  }
  return best ?? between(expectation, before, piece, context);
}

/** No door is looked for: nothing of an address was said, or it was. */
function isPlaced(before = "0"): boolean {
  return /\b\d{1,6} *(?:[,;\n]|$)/.test(before);
}

/** "Na verdade é 95" behind a door that was said: it or the amount, which is proposed. Undefined where a door lacks. */
function amountMeant(
  expectation: Expectation,
  before: string,
  said: string,
  context: ReadingContext,
): Meaning | undefined {
  const figure = figureTakenBack(said);
  if (figure === undefined) return undefined;
  const door = meaning(expectation, { type: "text", text: before }, context);
  if (lackOf(door) === NUMBER) return undefined;
  return proposedAmount(expectation, figure, context);
}

/** The same without commas: where the address is whole with it, as far behind as can be. */
function between(
  expectation: Expectation,
  before: string,
  piece: string,
  context: ReadingContext,
): { readonly text: string; readonly meaning: Meaning } | undefined {
  const words = before.split(/\s+/);
  if (words.length > 2 * MAX_PLACES) return undefined;
  for (let at = words.length - 1; at > 1; at--) {
    if (beginsName(words[at - 1] ?? "")) continue;
    const text = `${words.slice(0, at).join(" ")}, ${piece}, ${words.slice(at).join(" ")}`;
    const read = meaning(expectation, { type: "text", text }, context);
    if (isAnswer(read)) return { text, meaning: read };
  }
  return undefined;
}

/** Letters that answer something else, or nothing. */
function isTalk(said: string): boolean {
  if (said.includes("?") || isNoPiece(said)) return true;
  return !/\d/.test(said) && foldWords(said).split(" ").length > MAX_WORDS;
}

const NUMBER = LACKS.indexOf("no-number");

/** What is found missing first, as its place in {@link LACKS}; -1 where it is something else. */
function lackOf(read: Meaning): number {
  return read.kind === "flow" && read.event.type === "BAD" ? LACKS.indexOf(read.event.hint) : -1;
}

/** Something lacks still, but less than before. */
function nearer(read: Meaning): Meaning {
  return read.kind === "flow" && read.event.type === "BAD"
    ? { ...read, event: { ...read.event, nearer: true } }
    : read;
}

function isAnswer(read: Meaning): boolean {
  return read.kind === "flow" && read.event.type !== "BAD";
}

/** `before`: paragraphs of the turn when the message came; a question asked since then is answered, and not shown. */
export function takeFormAddress(
  draft: TurnDraft,
  frame: Frame,
  text: string,
  before: number,
): void {
  if (draft.top !== frame) return;
  const line = addressBlock(text);
  if (line === undefined) return;
  const { slots } = expects(draft, frame);
  const [slot, second] = slots.filter(({ kind }) => kind === "address");
  if (!slot || second || slot.filled) return;
  const reading = slot.read(line, draft.context);
  if (!reading.ok) return;
  const kept = draft.paragraphs.filter(({ key }, at) => at < before || !key?.startsWith("ask."));
  draft.paragraphs.splice(0, Infinity, ...kept);
  take(draft, frame, { type: "ANSWER", values: { [slot.name]: reading.value } });
}
