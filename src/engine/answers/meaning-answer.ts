/**
 * What a text means to the current question: an answer, a proposal accepted or declined, an answer to another question, or
 * nothing readable.
 */
import {
  isBareDocument,
  isBareValue,
  namesMoney,
  pickOption,
  understand,
  wishesToChange,
  type Command as SaidCommand,
} from "../../understanding/index.ts";
import { loneAmount, otherAmount, sameAmount } from "./meaning-amount.ts";
import { saidAlone } from "./meaning-several.ts";
import { manyValues, otherName, otherValue, STRICT } from "./meaning-values.ts";
import { saidAnew } from "./meaning-sentence.ts";
import {
  bad,
  current,
  flow,
  isForOther,
  type Meaning,
  NONE,
  picked,
  PROPOSAL,
} from "./meaning-result.ts";
import type { Choice } from "../session/effect.ts";
import type { Expectation } from "../turn/program.ts";
import type { ReadingContext } from "../turn/reader.ts";

/** Kinds that take nearly any text. */
const FREE = new Set(["text", "name"]);
/** Asked last. */
const DAYS = new Set(["month", "date"]);
/** Longer is more than an amount. */
const LONGEST_FIGURE = 40;
/** Kinds to which a name can be no answer. */
const NAMELESS = new Set([...STRICT, "choice"]);
/** Kinds to which a document can be no answer, whatever digits and letters stand in it. */
const NO_DOCUMENT = new Set([...FREE, "money", "month", "date"]);
/** The meaning of a text that is no command, at a question or a choice. */
export function answered(
  expectation: Expectation,
  text: string,
  command: SaidCommand,
  context: ReadingContext,
): Meaning {
  const slot = current(expectation);
  if (!slot) return NONE;
  // A password may look like anything else.
  if (slot.secret === true) {
    const said = slot.read(text, context);
    return said.ok ? flow({ type: "ANSWER", values: { [slot.name]: said.value } }) : bad(said);
  }
  const proposal = proposed(expectation, text, context);
  if (proposal) return picked(expectation, proposal);
  // Not that row, not that amount: the question again, without it.
  const isProposed = slot.kind === "choice" || slot.kind === "money";
  if (isProposed && isDeclined(expectation, text, context) && !isOther(expectation))
    return flow({ type: "EDIT", slots: [slot.name] });
  const amount = otherAmount(expectation, slot, text, context);
  if (amount) return amount;
  if (isOther(expectation) && isDeclined(expectation, text, context))
    return flow({ type: "EDIT", slots: [slot.name] });
  const same = sameAmount(slot, text, context);
  if (same?.ok) return flow({ type: "ANSWER", values: { [slot.name]: same.value } });
  const many = manyValues(expectation, slot, text, context);
  if (many) return many;
  // "ontem" is no description and "150 reais" no name, where the flow asks for a day and an amount.
  const isElsewhere =
    (FREE.has(slot.kind) && isBareValue(text)) ||
    (NO_DOCUMENT.has(slot.kind) && isBareDocument(text));
  const elsewhere = isElsewhere ? otherValue(expectation, text, context) : undefined;
  if (elsewhere) return flow(elsewhere);
  if (
    command === "edit" &&
    (slot.kind === "name" || (slot.kind === "text" && wishesToChange(text)))
  ) {
    // "na verdade é no cpf …" says already what to change, and to what.
    const other = slot.kind === "name" ? otherValue(expectation, text, context) : undefined;
    return other ? flow(other) : { kind: "command", command };
  }
  if (FREE.has(slot.kind)) {
    const figure = onlyFigure(expectation, text, context);
    if (figure) return figure;
  }
  const reading = slot.read(text, context);
  if (reading.ok) return flow({ type: "ANSWER", values: { [slot.name]: reading.value } });
  // Only now: a plain answer is understood without a look at the other questions.
  const alone = STRICT.has(slot.kind) ? saidAlone(expectation, text, context) : undefined;
  const { event: said } = alone ?? {};
  if (said && "values" in said && Object.hasOwn(said.values, slot.name)) return alone ?? NONE;
  const lone = loneAmount(expectation, slot, text, context);
  if (lone) return flow(lone);
  // The whole of it told again, without the day that is asked: what else it says counts.
  const anew =
    DAYS.has(slot.kind) && !reading.options && reading.hint !== "future"
      ? saidAnew(expectation, text, context)
      : undefined;
  if (anew) return anew;
  if (expectation.optional && slot.kind !== "yesno") {
    const reply = understand("yesno", text, context);
    if (reply.ok && reply.value === "no") return flow({ type: "SKIP" });
  }
  // An amount in so many words is no wrong document.
  if (reading.reason === "absent" || (slot.kind !== "money" && namesMoney(text))) {
    const other = otherValue(expectation, text, context);
    if (other) return flow(other);
    const name =
      NAMELESS.has(slot.kind) && !reading.options
        ? otherName(expectation, text, context)
        : undefined;
    if (name) return flow(name);
    if (alone) return alone;
    if (command === "edit") return { kind: "command", command };
  }
  return bad(reading);
}

/** "É 97" is neither a description nor a name: it is another amount. */
function onlyFigure(
  expectation: Expectation,
  text: string,
  context: ReadingContext,
): Meaning | undefined {
  if (text.length > LONGEST_FIGURE || !/\d/.test(text)) return undefined;
  const said = saidAlone(expectation, text, context);
  const [name, second] = said && "values" in said.event ? Object.keys(said.event.values) : [];
  const money = expectation.slots.find((one) => one.name === name);
  return money?.kind === "money" && money.filled && second === undefined ? said : undefined;
}

/** One of the readings that were proposed, by number or, when there is one only, by a plain yes. */
function proposed(
  expectation: Expectation,
  text: string,
  context: ReadingContext,
): Choice | undefined {
  const proposals = expectation.choices?.filter((choice) => choice.id.startsWith(PROPOSAL)) ?? [];
  const [only, second] = proposals;
  if (!only) return undefined;
  const choice = pickOption(text, proposals);
  if (choice.type === "match") return choice.option;
  if (second) return undefined;
  const reply = understand("yesno", text, context);
  return reply.ok && reply.value === "yes" ? only : undefined;
}

/** What is proposed is no answer to what is asked. */
function isOther({ choices = [] }: Expectation): boolean {
  return choices.some(isForOther);
}

/** A plain no to what was proposed. */
function isDeclined({ choices = [] }: Expectation, text: string, context: ReadingContext): boolean {
  if (!choices.some(({ id }) => id.startsWith(PROPOSAL))) return false;
  const reply = understand("yesno", text, context);
  return reply.ok && reply.value !== "yes";
}
