/** Values for slots other than the current one: several values in one message, or one that fits only another slot. */
import type { Json, JsonObject } from "../../base/index.ts";
import { fold } from "../../brazil/index.ts";
import {
  documentAndName,
  FIRST_NAMES,
  personOrCompany,
  saysDay,
  saysMoney,
  tellsWhose,
} from "../../understanding/index.ts";
import { flow, given, type MeantFlow } from "./meaning-result.ts";
import { askedAgain, byName, bySentence, DOCUMENTS } from "./meaning-sentence.ts";
import { amendmentIn, sentenceIn } from "../turn/readers.ts";
import type { Expectation, ExpectedSlot, FlowEvent } from "../turn/program.ts";
import type { ReadingContext } from "../turn/reader.ts";

/** Kinds whose values cannot be mistaken for free text. */
export const STRICT = new Set([
  "document",
  "cpf",
  "cnpj",
  "money",
  "month",
  "date",
  "email",
  "phone",
  "cep",
]);
/** Kinds that take any text: other values in the same message are never cut out of them. */
const WHOLE = new Set(["text", "address"]);
const LETTER = /\p{L}/u;
const LONGEST_NAME = 120;
/** Parts of one message that are looked at. */
const MAX_PARTS = 8;

/** Two or more values in one message, when every part of it is one; undefined otherwise. */
export function manyValues(
  expectation: Expectation,
  slot: ExpectedSlot,
  text: string,
  context: ReadingContext,
): MeantFlow | undefined {
  if (WHOLE.has(slot.kind)) return undefined;
  const parts =
    whoReceives(expectation, slot, text, context) ?? byParts(expectation, slot, text, context);
  const whole = bySentence(expectation, slot, text, context);
  // Parts that are values may have words between them that say more: "150 pra Maria Souza cpf …, corte".
  const values = parts && !(whole && holdsAll(whole, parts)) ? parts : whole;
  if (!values) return undefined;
  const doubts = amendmentIn(expectation, text, values, context)?.again ?? [];
  return doubts.length > 0
    ? askedAgain(expectation, values, new Map(doubts.map(byName)), doubts)
    : flow(given(expectation, values));
}

function holdsAll(whole: JsonObject, parts: JsonObject): boolean {
  return Object.entries(parts).every(([slot, value]) => whole[slot] === value);
}

/** "529.982.247-25 Maria Souza", asked for either: both, when the flow has one slot for each. */
function whoReceives(
  expectation: Expectation,
  slot: ExpectedSlot,
  text: string,
  context: ReadingContext,
): JsonObject | undefined {
  if (!(DOCUMENTS.has(slot.kind) || slot.kind === "name") || !LETTER.test(text)) return undefined;
  const [number, otherNumber] = expectation.slots.filter((one) => DOCUMENTS.has(one.kind));
  const [person, otherPerson] = expectation.slots.filter((one) => one.kind === "name");
  if (!number || otherNumber || !person || otherPerson) return undefined;
  const both = documentAndName(text, context.business);
  if (!both || tellsWhose(both.name)) return undefined;
  // The number was asked by its own kind: a CPF is none where a CNPJ is wanted.
  if (number.kind !== "document" && (both.document.length === 11) !== (number.kind === "cpf"))
    return undefined;
  return { [number.name]: both.document, [person.name]: both.name };
}

function byParts(
  expectation: Expectation,
  slot: ExpectedSlot,
  text: string,
  context: ReadingContext,
): JsonObject | undefined {
  const parts = text
    .split(/[\n;]|,(?!\d)|\s+e\s+(?=(?:r\$\s*)?\d)/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (parts.length < 2 || parts.length > MAX_PARTS) return undefined;
  const values: Record<string, Json> = {};
  const left: string[] = [];
  for (const part of parts) {
    const found = candidates(expectation, slot)
      .filter((one) => !Object.hasOwn(values, one.name))
      .map((one) => ({ one, reading: reads(one, slot, part, context) }))
      .find(({ reading }) => reading?.ok);
    if (found?.reading?.ok) values[found.one.name] = found.reading.value;
    else left.push(part);
  }
  const [only, second] = left;
  if (second !== undefined || (only !== undefined && Object.hasOwn(values, slot.name)))
    return undefined;
  if (only !== undefined) {
    const reading = slot.read(only, context);
    if (!reading.ok) return undefined;
    values[slot.name] = reading.value;
  }
  return Object.keys(values).length >= 2 ? values : undefined;
}

/** The current slot first, then the empty ones of strict kinds, then the filled ones. */
function candidates(expectation: Expectation, slot: ExpectedSlot): ExpectedSlot[] {
  const others = expectation.slots.filter((one) => one.name !== slot.name && STRICT.has(one.kind));
  return [
    ...(STRICT.has(slot.kind) ? [slot] : []),
    ...others.filter((one) => !one.filled),
    ...others.filter((one) => one.filled),
  ];
}

function reads(
  slot: ExpectedSlot,
  asked: ExpectedSlot | undefined,
  text: string,
  context: ReadingContext,
) {
  if (slot.name !== asked?.name) {
    if (slot.kind === "money" && !saysMoney(text)) return undefined;
    if ((slot.kind === "month" || slot.kind === "date") && !saysDay(text)) return undefined;
  }
  return slot.read(text, context);
}

/** A value that fits exactly one other slot; undefined when it fits none or several. */
export function otherValue(
  expectation: Expectation,
  text: string,
  context: ReadingContext,
): FlowEvent | undefined {
  const fits = expectation.slots.flatMap((slot) => {
    if (slot.name === expectation.slot || !STRICT.has(slot.kind)) return [];
    const reading = reads(slot, undefined, text, context);
    return reading?.ok ? [{ slot, value: reading.value }] : [];
  });
  const empty = fits.filter(({ slot }) => !slot.filled);
  const [only, second] = empty.length > 0 ? empty : fits;
  return only && !second ? given(expectation, { [only.slot.name]: only.value }) : undefined;
}

/** "Maria Souza", where the one name of the flow is not asked yet, and it can be nothing else. */
export function otherName(
  expectation: Expectation,
  text: string,
  context: ReadingContext,
): FlowEvent | undefined {
  const [slot, second] = expectation.slots.filter(({ kind }) => kind === "name");
  if (!slot || second || slot.filled || slot.name === expectation.slot) return undefined;
  const name = loneName(text, context);
  const reading = name === undefined ? undefined : slot.read(name, context);
  return reading?.ok ? given(expectation, { [slot.name]: reading.value }) : undefined;
}

/** A name of two words or more that a sentence would take for one, and nothing beside it. */
export function loneName(text: string, context: ReadingContext): string | undefined {
  if (text.length > LONGEST_NAME || !/\S\s+\S/.test(text.trim()) || /[?\d]/.test(text))
    return undefined;
  if (!context.readers?.some((reader) => reader.sentence !== undefined)) {
    const [head = ""] = fold(text.trim()).split(/\s+/);
    return FIRST_NAMES.has(head)
      ? (personOrCompany(text, context.business) ?? undefined)
      : undefined;
  }
  const beside = sentenceIn(`R$ 1,00, ${text}`, context);
  if (!beside) return undefined;
  return (beside.text ?? beside.document ?? beside.date) ? undefined : beside.name;
}
