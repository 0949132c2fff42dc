/** Another amount than the one that was given: "180" to a summary, "não, 180" and "não é 150, é 130" also to other questions. */
import { isBareDocument } from "../../understanding/index.ts";
import { flow, type MeantFlow, proposal, wrong } from "./meant.ts";
import type { Expectation, ExpectedSlot, FlowEvent, SlotReading } from "../turn/program.ts";
import type { ReadingContext } from "../turn/reader.ts";

/** What is done with it, and what is wrong with the amount where it cannot be taken. */
export interface NewAmount {
  readonly event: FlowEvent;
  readonly reading: SlotReading;
}

/** Digits that can be an amount; one or two may pick from a list. */
const AMOUNT = /^\s*(?:\d{3,}|\d[\d.]*,\d\d|\d{1,3}(?:[.,]\d{3})+)\s*$/;
const FIGURE = String.raw`(?:r\$\s*)?\d[\d.,]*\d(?:\s*(?:reais|real))?`;
const IS = String.raw`(?:(?:\u00e9|eh?|s\u00e3o|sao|foi|foram|era|eram|seria|por|it'?s|it is|it was|is|was)\s+)`;
const TWO_DIGITS = /^\s*[1-9]\d\s*$/;
/** Kinds that a number alone may answer. */
const NUMERIC: ReadonlySet<string> = new Set([
  ...(["document", "cpf", "cnpj", "phone", "cep", "month", "date", "number"] as const),
]);
/** Takes back what was said, and says an amount: nothing else stands there. */
const TAKES_BACK = new RegExp(
  String.raw`^(?:(?:a[i\u00ed]|ah|eita|xi|n[a\u00e3]o|no|opa|ops|digo|perd[a\u00e3]o|desculpa|desculpe|sorry|errei|oops|na verdade|actually|quer dizer|ou melhor|i mean)[\s,.:!]+)+${IS}?(${FIGURE})(?:\s+(?:mesmo|msm|viu|t[a\u00e1]|ok|por favor|please))?\s*[.!]*$`,
  "i",
);
const NOT = String.raw`(?:(?:it'?s|it is)\s+)?(?:n[a\u00e3]o|not)\s+${IS}?(?:de\s+)?`;
/** "não é 150, é 130". */
const NOT_BUT = new RegExp(
  String.raw`^${NOT}(${FIGURE})[\s,.;]+(?:(?:mas|sim|e|but)[\s,]+)?${IS}(${FIGURE})\s*[.!]*$`,
  "i",
);
/** "é 130, não 150". */
const BUT_NOT = new RegExp(
  String.raw`^${IS}(${FIGURE})[\s,.;]+(?:(?:e|and)\s+)?${NOT}(${FIGURE})\s*[.!]*$`,
  "i",
);
/** Beside an answer of these kinds, a number of that form can be no other. */
const BESIDE: ReadonlySet<string> = new Set([
  ...(["text", "name", "choice", "month", "date", "money"] as const),
  ...(["document", "cpf", "cnpj", "address", "email"] as const),
]);
/** … but a day, where one is asked. */
const DAYS: ReadonlySet<string> = new Set(["month", "date"]);
/** Of a month, at most. */
const LAST_DAY = 31;
/** More digits than of any amount that is only corrected: half a document, a CEP. */
const LONG_NUMBER = /(?:\d[.-]?){7,}$/;
/** Longer than any of it. */
const LONGEST = 60;

/** To a summary with one amount in it: after "what do you want to change?" a number can be nothing else. */
export function newAmount(
  expectation: Expectation,
  text: string,
  context: ReadingContext,
): NewAmount | undefined {
  const money = onlyAmount(expectation);
  if (!money) return undefined;
  if (!AMOUNT.test(text)) return takenBack(money, text, context);
  return corrected(money, money.read(text, context));
}

/** To any other question: only what takes the amount back in so many words. */
export function otherAmount(
  expectation: Expectation,
  asked: ExpectedSlot,
  text: string,
  context: ReadingContext,
): MeantFlow | undefined {
  if (!BESIDE.has(asked.kind) || !deniesOrCorrects(text)) return undefined;
  const money = onlyAmount(expectation);
  if (!money || asked.name === money.name) return undefined;
  const figure = figureTakenBack(text);
  if (figure !== undefined) {
    if (Number(figure) <= (expectation.choices?.length ?? 0)) return undefined;
    if (!DAYS.has(asked.kind) && LONG_NUMBER.test(figure)) return undefined;
    if (isDoubtful(asked, figure))
      return DAYS.has(asked.kind) ? undefined : proposedAmount(expectation, figure, context);
  }
  const amount = takenBack(money, text, context, true);
  return amount && { ...flow(amount.event), ...wrong(amount.reading) };
}

/** The bare number that a text takes something back with: "na verdade é 95". */
export function figureTakenBack(text: string): string | undefined {
  const figure = text.length > LONGEST ? undefined : TAKES_BACK.exec(text)?.[1];
  return figure !== undefined && /^\d+$/.test(figure) ? figure : undefined;
}

/** "Na verdade é 25": where the number may as well be something else, it is proposed. */
export function proposedAmount(
  expectation: Expectation,
  figure: string,
  context: ReadingContext,
): MeantFlow | undefined {
  const money = onlyAmount(expectation);
  const said = money?.read(figure, context);
  return money && said?.ok ? proposal(money.name, said.value, said.echo) : undefined;
}

/** Whether the number that is taken back may be a day, or the door of an address that is known. */
function isDoubtful({ kind, filled }: ExpectedSlot, figure: string): boolean {
  if (!/^\d+$/.test(figure)) return false;
  return (kind === "address" && filled) || Number(figure) <= LAST_DAY;
}

/** To the question for the amount itself: "não, 140", after a slip of the thumb. */
export function sameAmount(
  asked: ExpectedSlot,
  text: string,
  context: ReadingContext,
): SlotReading | undefined {
  if (asked.kind !== "money" || text.length > LONGEST) return undefined;
  const figure = TAKES_BACK.exec(text)?.[1];
  return figure === undefined ? undefined : asked.read(figure, context);
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

/** Looked at before the other questions are, of which there may be many. */
function deniesOrCorrects(text: string): boolean {
  if (text.length > LONGEST) return false;
  return NOT_BUT.test(text) || BUT_NOT.test(text) || TAKES_BACK.test(text);
}

/** `short`: two digits are enough, which no row and no day can be. */
function takenBack(
  money: ExpectedSlot,
  text: string,
  context: ReadingContext,
  short = false,
): NewAmount | undefined {
  // "Na verdade é 11444777000161": who receives it.
  if (text.length > LONGEST || isBareDocument(text)) return undefined;
  const [, notThis, butThis] = NOT_BUT.exec(text) ?? [];
  const [, isThis, notThat] = BUT_NOT.exec(text) ?? [];
  const denied = notThis ?? notThat;
  const said = butThis ?? isThis;
  if (denied !== undefined && said !== undefined) {
    // Another amount than the one that is known is denied: that may be about something else.
    const old = money.read(denied, context);
    return old.ok && old.value === money.value
      ? corrected(money, money.read(said, context))
      : undefined;
  }
  const figure = TAKES_BACK.exec(text)?.[1];
  if (figure === undefined) return undefined;
  const isAmount = AMOUNT.test(figure) || /[a-z$]/i.test(figure);
  return isAmount || (short && TWO_DIGITS.test(figure))
    ? corrected(money, money.read(figure, context))
    : undefined;
}

function onlyAmount({ slots }: Expectation): ExpectedSlot | undefined {
  const [money, second] = slots.filter(({ kind }) => kind === "money");
  return money?.filled === true && !second ? money : undefined;
}

/** What cannot be taken (too high, two readings) is asked for again, with what is wrong: the old one holds no more. */
function corrected(money: ExpectedSlot, reading: SlotReading): NewAmount | undefined {
  if (reading.ok)
    return { event: { type: "CORRECT", values: { [money.name]: reading.value } }, reading };
  if (reading.reason === "absent") return undefined;
  return { event: { type: "EDIT", slots: [money.name] }, reading };
}
