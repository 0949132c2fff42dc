/**
 * A part of a message that names no slot and fits only one: "na verdade é 180", "são 200 reais", "foi pra Joana", "Joana
 * Prado Lima". It is read only beside parts that name their slots. Pure.
 */
import { foldWords } from "../../brazil/index.ts";
import {
  isBareDocument,
  isBareValue,
  isServiceWord,
  isWork,
  leadToValue,
  leadToWhom,
  leadToWork,
  namesNobody,
  plainOf,
  replacedIn,
  tidy,
} from "../../understanding/index.ts";
import { amountIn, isSame, onlyOf, type Unnamed } from "./meaning-amount.ts";
import { loneName, otherValue } from "./meaning-values.ts";
import type { Expectation, ExpectedSlot } from "../turn/program.ts";
import type { ReadingContext } from "../turn/reader.ts";

/** Longer is more than one value. */
const LONGEST = 120;
const CAPITAL = /^\p{Lu}/u;

/** What a part says; undefined where it may be anything. */
export function unnamed(
  expectation: Expectation,
  part: string,
  context: ReadingContext,
): Unnamed | undefined {
  if (part.length > LONGEST || part.includes("?")) return undefined;
  return (
    insteadIn(expectation, part, context) ??
    amountIn(expectation, part, context) ??
    whoIn(expectation, part, context) ??
    strictIn(expectation, part, context) ??
    workIn(expectation, part, context)
  );
}

/** "Troca Maria por Joana", "muda de 150 para 180": what is known, and what it should be. */
function insteadIn(
  expectation: Expectation,
  part: string,
  context: ReadingContext,
): Unnamed | undefined {
  const found = replacedIn(plainOf(part));
  if (!found) return undefined;
  const text = tidy(part);
  const known = text.slice(found.from, found.to);
  const value = text.slice(found.at);
  for (const slot of [onlyOf(expectation, "money"), onlyOf(expectation, "name")]) {
    if (!slot?.filled || !isSame(slot, known, context)) continue;
    const reading = slot.read(value, context);
    if (reading.ok) return { slot, reading, isSure: true };
  }
  return undefined;
}

/** "Foi corte e barba": what was done, where nothing is asked. */
function workIn(
  expectation: Expectation,
  part: string,
  context: ReadingContext,
): Unnamed | undefined {
  const slot = onlyOf(expectation, "text");
  if (!slot?.filled || (expectation.rests !== "confirm" && expectation.rests !== "notify"))
    return undefined;
  const text = tidy(part);
  const lead = leadToWork(plainOf(part));
  const work = text.slice(lead).replace(/[ .!]+$/, "");
  if (lead === 0 || !isWork(work, context.business)) return undefined;
  const reading = slot.read(work, context);
  return reading.ok ? { slot, reading, isSure: true } : undefined;
}

/** "Foi mês passado", "111.444.777-35": no text, and no answer but one. */
function strictIn(
  expectation: Expectation,
  part: string,
  context: ReadingContext,
): Unnamed | undefined {
  const { slot: _, asked: __, ...rest } = expectation;
  const text = tidy(part).slice(leadToValue(plainOf(part)));
  if (!isBareDocument(text) && !isBareValue(text)) return undefined;
  const event = otherValue(rest, text, context);
  const [name] = event && "values" in event ? Object.keys(event.values) : [];
  const slot = expectation.slots.find((one) => one.name === name);
  if (!slot || !event || !("values" in event)) return undefined;
  const value = event.values[slot.name] ?? null;
  return { slot, reading: { ok: true, value, echo: "" }, isSure: true };
}

function whoIn(
  expectation: Expectation,
  part: string,
  context: ReadingContext,
): Unnamed | undefined {
  const slot = onlyOf(expectation, "name");
  if (!slot) return undefined;
  const text = tidy(part);
  const line = plainOf(part);
  const lead = leadToWhom(line);
  if (lead > 0) {
    const name = text.slice(lead);
    // In small letters it may be anything: "pra ontem".
    if (!CAPITAL.test(name) && loneName(name, context) === undefined) return undefined;
    return namesNobody(line.slice(lead)) ? undefined : named(slot, name, context, true);
  }
  const rest = text.slice(leadToValue(line));
  const name = loneName(rest, context);
  // Only the name: "é cento e noventa e o nome é Joana" says more. "Consultoria Empresarial" is what was done.
  if (name === undefined || foldWords(name) !== foldWords(rest)) return undefined;
  return isServiceWord(plainOf(name)) ? undefined : named(slot, name, context, false);
}

function named(
  slot: ExpectedSlot,
  name: string,
  context: ReadingContext,
  isSure: boolean,
): Unnamed | undefined {
  const reading = slot.read(name, context);
  return reading.ok ? { slot, reading, isSure } : undefined;
}
