/**
 * An amount that replaces the one given before: "180" at a summary; "não, 180" or "não é 150, é 130" at any question.
 */
import {
  figureIn,
  isBareDocument,
  isBareValue,
  leadToAmount,
  plainOf,
  type SaidFigure,
  tidy,
} from "../../understanding/index.ts";
import { edits, flow, type MeantFlow, proposal } from "./meaning-result.ts";
import type { Expectation, ExpectedSlot, FlowEvent, SlotReading } from "../turn/program.ts";
import type { ReadingContext } from "../turn/reader.ts";

/** What is said by it, of one slot. */
export interface Unnamed {
  readonly slot: ExpectedSlot;
  readonly reading: SlotReading;
  /** It says by its own words that it is an amount, or whom it is for. */
  readonly isSure: boolean;
}

/** Digits that can be an amount; one or two may pick from a list. */
const AMOUNT = /^\s*(?:\d{3,}|\d[\d.]*,\d\d|\d{1,3}(?:[.,]\d{3})+)\s*$/;
const TWO_DIGITS = /^\s*[1-9]\d\s*$/;
/** Kinds that a number alone may answer. */
const NUMERIC: ReadonlySet<string> = new Set([
  "document",
  "cpf",
  "cnpj",
  "phone",
  "cep",
  "month",
  "date",
  "time",
  "datetime",
  "period",
  "number",
]);
/** Beside an answer of these kinds, a number of that form can be no other. */
const BESIDE: ReadonlySet<string> = new Set([
  "text",
  "name",
  "choice",
  "month",
  "date",
  "money",
  "document",
  "cpf",
  "cnpj",
  "address",
  "email",
]);
/** … but a day, where one is asked. */
const DAYS: ReadonlySet<string> = new Set(["month", "date", "time", "datetime", "period"]);
/** Of a month, at most. */
const LAST_DAY = 31;
/** More digits than of any amount that is only corrected: half a document, a CEP. */
const LONG_NUMBER = /(?:\d[.-]?){7,}$/;

/** To a summary with one amount in it: after "what do you want to change?" a number can be nothing else. */
export function newAmount(
  expectation: Expectation,
  text: string,
  context: ReadingContext,
): MeantFlow | undefined {
  const money = knownAmount(expectation);
  if (!money) return undefined;
  if (AMOUNT.test(text)) return corrected(money, money.read(text, context));
  const said = isBareDocument(text) ? undefined : figureIn(text);
  return said?.takesBack && (said.isMoney || AMOUNT.test(said.figure))
    ? corrected(money, readingOf(money, said, context))
    : undefined;
}

/** To any other question: only what takes the amount back in so many words. */
export function otherAmount(
  expectation: Expectation,
  asked: ExpectedSlot,
  text: string,
  context: ReadingContext,
): MeantFlow | undefined {
  // "Na verdade é 11444777000161": who receives it.
  const said = BESIDE.has(asked.kind) && !isBareDocument(text) ? figureIn(text) : undefined;
  // A plain amount takes nothing back: the other questions of the form are not looked at.
  if (!said || (said.denied === undefined && !said.takesBack)) return undefined;
  const money = knownAmount(expectation);
  if (!money || asked.name === money.name) return undefined;
  const { figure, denied } = said;
  if (denied !== undefined)
    // Another amount than the one that is known is denied: that may be about something else.
    return isSame(money, denied, context)
      ? corrected(money, readingOf(money, said, context))
      : undefined;
  if (figure.length < 2) return undefined;
  if (!said.isMoney && /^\d+$/.test(figure)) {
    if (Number(figure) <= (expectation.choices?.length ?? 0)) return undefined;
    if (!DAYS.has(asked.kind) && LONG_NUMBER.test(figure)) return undefined;
    if (isDoubtful(asked, figure))
      return DAYS.has(asked.kind) ? undefined : proposedAmount(expectation, figure, context);
  }
  return corrected(money, readingOf(money, said, context));
}

/** The bare number that a text takes something back with: "na verdade é 95". */
export function figureTakenBack(text: string): string | undefined {
  const said = figureIn(text);
  return said?.takesBack && said.denied === undefined && /^\d\d+$/.test(said.figure)
    ? said.figure
    : undefined;
}

/** "Na verdade é 25": where the number may as well be something else, it is proposed. */
export function proposedAmount(
  expectation: Expectation,
  figure: string,
  context: ReadingContext,
): MeantFlow | undefined {
  const money = knownAmount(expectation);
  const said = money?.read(figure, context);
  return money && said?.ok ? proposal(money.name, said.value, said.echo) : undefined;
}

/** Whether the number that is taken back may be a day, or the door of an address that is known. */
function isDoubtful({ kind, filled }: ExpectedSlot, figure: string): boolean {
  return (kind === "address" && filled) || Number(figure) <= LAST_DAY;
}

/** To the question for the amount itself: "não, 140", after a slip of the thumb. */
export function sameAmount(
  asked: ExpectedSlot,
  text: string,
  context: ReadingContext,
): SlotReading | undefined {
  const said = asked.kind === "money" ? figureIn(text) : undefined;
  return said?.takesBack && said.denied === undefined ? readingOf(asked, said, context) : undefined;
}

/**
 * "150" where a service or a name is asked, and an amount later: it is no row of the list and nobody's name. Of two digits, which
 * may be a slip for a row, only where the row itself was said beside (`among`).
 */
export function loneAmount(
  { slots, choices = [] }: Expectation,
  asked: ExpectedSlot,
  text: string,
  context: ReadingContext,
  among = false,
): FlowEvent | undefined {
  if (asked.kind !== "choice" && asked.kind !== "name") return undefined;
  if (!AMOUNT.test(text) && !(among && TWO_DIGITS.test(text))) return undefined;
  if (Number(text) <= choices.length) return undefined;
  const [money, second] = slots.filter(({ kind }) => kind === "money");
  if (!money || second || money.filled) return undefined;
  const others = slots.filter(({ kind, filled }) => !filled && NUMERIC.has(kind));
  if (others.some((slot) => slot.read(text, context).ok)) return undefined;
  const reading = money.read(text, context);
  return reading.ok ? { type: "ANSWER", values: { [money.name]: reading.value } } : undefined;
}

/** An amount among the parts of a message: "na verdade é 180", "são 200 reais", "é cento e noventa". */
export function amountIn(
  expectation: Expectation,
  part: string,
  context: ReadingContext,
): Unnamed | undefined {
  const slot = onlyOf(expectation, "money");
  if (!slot || isBareDocument(part)) return undefined;
  const said = figureIn(part);
  if (!said) return inLetters(slot, part, context);
  const { figure, denied, isMoney } = said;
  if (denied !== undefined && slot.filled && !isSame(slot, denied, context)) return undefined;
  const reading = readingOf(slot, said, context);
  if (!isMoney && denied === undefined && mayBeDay(figure))
    return proposedIn(expectation, slot, said, reading);
  return reading.ok || reading.reason !== "absent"
    ? { slot, reading, isSure: isMoney || denied !== undefined || said.isLed }
    : undefined;
}

/** "Foi 10": one or two figures, and no more than a month has days. */
function mayBeDay(figure: string): boolean {
  return /^\d\d?$/.test(figure) && Number(figure) <= LAST_DAY;
}

/** "Na verdade é 25" takes back an amount more likely than a day: it is proposed. What is a row of a list is none. */
function proposedIn(
  { choices = [] }: Expectation,
  slot: ExpectedSlot,
  { figure, holdsNoMore }: SaidFigure,
  reading: SlotReading,
): Unnamed | undefined {
  if (!slot.filled || !holdsNoMore || Number(figure) <= choices.length || !reading.ok)
    return undefined;
  const { value, echo } = reading;
  return {
    slot,
    reading: { ok: false, reason: "ambiguous", options: [{ value, echo }] },
    isSure: true,
  };
}

function inLetters(slot: ExpectedSlot, part: string, context: ReadingContext): Unnamed | undefined {
  const rest = tidy(part).slice(leadToAmount(plainOf(part)));
  if (/\d/.test(rest) || !isBareValue(rest)) return undefined;
  const reading = slot.read(rest, context);
  return reading.ok ? { slot, reading, isSure: true } : undefined;
}

function readingOf(
  slot: ExpectedSlot,
  { figure, isMoney }: SaidFigure,
  context: ReadingContext,
): SlotReading {
  return slot.read(isMoney ? `${figure} reais` : figure, context);
}

/** Whether a text is the value that is known of a slot. */
export function isSame(slot: ExpectedSlot, text: string, context: ReadingContext): boolean {
  const old = slot.read(text, context);
  return old.ok && old.value === slot.value;
}

/** The one slot of a kind; undefined where there are several. */
export function onlyOf({ slots }: Expectation, kind: string): ExpectedSlot | undefined {
  const [slot, second] = slots.filter((one) => one.kind === kind);
  return second ? undefined : slot;
}

function knownAmount(expectation: Expectation): ExpectedSlot | undefined {
  const money = onlyOf(expectation, "money");
  return money?.filled === true ? money : undefined;
}

/** What cannot be taken (too high, two readings) is asked for again, with what is wrong: the old one holds no more. */
function corrected(money: ExpectedSlot, reading: SlotReading): MeantFlow | undefined {
  if (reading.ok) return flow({ type: "CORRECT", values: { [money.name]: reading.value } });
  if (reading.reason === "absent") return undefined;
  return edits([money.name], { reading });
}
