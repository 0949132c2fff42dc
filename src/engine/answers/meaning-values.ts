/** Values for slots other than the current one: several values in one message, or one that fits only another slot. */
import { canonicalJson, type Json, type JsonObject } from "../../base/index.ts";
import { fold } from "../../brazil/index.ts";
import {
  documentAndName,
  FIRST_NAMES,
  personOrCompany,
  saysDay,
  saysMoney,
  saysNumber,
  tellsWhose,
} from "../../understanding/index.ts";
import { flow, type MeantFlow, wrong } from "./meaning-result.ts";
import { amendmentIn, sentenceIn } from "../turn/readers.ts";
import type { Expectation, ExpectedSlot, FlowEvent, SlotReading } from "../turn/program.ts";
import type { Doubt, ReadingContext } from "../turn/reader.ts";

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
/** Kinds of documents of a person or a company. */
const DOCUMENTS: ReadonlySet<string> = new Set(["document", "cpf", "cnpj"]);
/** Strict kinds that a sentence of a reader can hold. */
const IN_SENTENCES = new Set(["document", "cpf", "cnpj", "money", "month", "date"]);
/** One amount, document or date and nothing beside it: no sentence, and the most frequent answer. */
const ONE_NUMBER = /^\s*(?:r\$\s*)?\d[\d.]*(?:,\d\d)?\s*$|^\s*\d[\d./-]*\s*$/i;
/** Kinds that take any text: other values in the same message are never cut out of them. */
const WHOLE = new Set(["text", "address"]);
/** Two of these make a text a sentence about the whole. */
const TELLING = new Set(["document", "cpf", "cnpj", "money", "name"]);
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
    ? askedAgain(expectation, values, new Map(doubts.map(named)), doubts)
    : flow(event(expectation, values));
}

function named({ slot, reading }: Doubt): [string, SlotReading | undefined] {
  return [slot.name, reading];
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

/**
 * What one sentence says, by kind: only when it answers the current question and more. To a choice, what it says
 * beside is as good ("150 pra Maria Souza"), whether it names an option or not.
 */
function bySentence(
  expectation: Expectation,
  slot: ExpectedSlot,
  text: string,
  context: ReadingContext,
): JsonObject | undefined {
  const chooses = slot.kind === "choice";
  if (!(chooses || IN_SENTENCES.has(slot.kind)) || ONE_NUMBER.test(text)) return undefined;
  const said = sentence(expectation, slot.name, text, context);
  if (!said) return undefined;
  const { values, description } = said;
  if (chooses) {
    // What was done may be an option alone, or a reason: it takes more to be a sentence.
    const isSure = expectation.slots.some(
      ({ name: one, kind }) => kind !== "text" && Object.hasOwn(values, one),
    );
    const option = slot.read(description ?? text, context);
    if (option.ok) values[slot.name] = option.value;
    return isSure && Object.keys(values).length >= 2 ? values : undefined;
  }
  return Object.hasOwn(values, slot.name) && Object.keys(values).length >= 2 ? values : undefined;
}

/** What a sentence says for the slots of a flow; of several of one kind only for the one that is asked. */
function sentence(
  expectation: Expectation,
  asked: string | undefined,
  text: string,
  context: ReadingContext,
): { readonly values: Record<string, Json>; readonly description: string | undefined } | undefined {
  const told = sentenceIn(text, context);
  if (!told) return undefined;
  const values: Record<string, Json> = {};
  const give = (kinds: readonly string[], given: Json | undefined): void => {
    const fits = expectation.slots.filter((one) => kinds.includes(one.kind));
    const slot =
      fits.find((one) => one.name === asked) ?? (fits.length === 1 ? fits[0] : undefined);
    if (given !== undefined && slot) values[slot.name] = given;
  };
  give(["money"], told.money);
  give([...DOCUMENTS], told.document);
  give(["name"], told.name);
  give(["text"], told.text);
  give(["date"], told.date);
  give(["month"], told.date?.slice(0, 7));
  return { values, description: told.text };
}

/**
 * The whole in one sentence where all of it was answered: everything it says counts, or somebody who tells it anew with
 * another amount would confirm the old one. An option that what was done names is one of the single list there is. One of its values
 * that cannot be taken is asked for again, with what is wrong with it.
 */
export function saidAnew(
  expectation: Expectation,
  text: string,
  context: ReadingContext,
): MeantFlow | undefined {
  if (ONE_NUMBER.test(text) || !saysNumber(text)) return undefined;
  const said = sentence(expectation, undefined, text, context);
  if (!said) return undefined;
  const { values, description } = said;
  const [list, second] = expectation.slots.filter(({ kind }) => kind === "choice");
  const option = list && !second && description ? list.read(description, context) : undefined;
  if (list && option?.ok) values[list.name] = option.value;
  const isSure = expectation.slots.filter(
    ({ name, kind }) => TELLING.has(kind) && Object.hasOwn(values, name),
  );
  const doubts = amendmentIn(expectation, text, values, context)?.again ?? [];
  // An answer that was offered tells as much as one that was read.
  if (isSure.length + doubts.filter(({ reading }) => reading).length < 2) return undefined;
  const amiss = new Map<string, SlotReading | undefined>();
  for (const slot of isSure) {
    const reading = slot.read(written(slot, values[slot.name] ?? ""), context);
    if (!reading.ok) amiss.set(slot.name, reading);
  }
  for (const doubt of doubts) amiss.set(...named(doubt));
  return amiss.size > 0
    ? askedAgain(expectation, values, amiss, doubts)
    : flow(event(expectation, values));
}

/** What has to be asked for again, the first one with what is wrong with it; the other values count, as far as they are news. */
export function askedAgain(
  { slots }: Expectation,
  values: JsonObject,
  amiss: ReadonlyMap<string, SlotReading | undefined>,
  doubts: readonly Doubt[],
): MeantFlow {
  const again = slots.filter(({ name }) => amiss.has(name)).map(({ name }) => name);
  const news = slots.filter(
    ({ name, value }) =>
      Object.hasOwn(values, name) &&
      !amiss.has(name) &&
      canonicalJson(values[name] ?? null) !== canonicalJson(value ?? null),
  );
  return {
    // What was said of somebody else is not shown as theirs.
    ...flow({
      type: "EDIT",
      slots: again,
      ...(doubts.length > 0 ? { anew: doubts.map(({ slot }) => slot.name) } : {}),
    }),
    ...wrong(amiss.get(again[0] ?? "")),
    ...(news.length > 0
      ? { beside: Object.fromEntries(news.map(({ name }) => [name, values[name] ?? null])) }
      : {}),
  };
}

/** A value as somebody would write it: cents as an amount. */
function written({ kind }: ExpectedSlot, value: Json): string {
  if (kind === "money" && typeof value === "number")
    return `R$ ${(value / 100).toFixed(2).replace(".", ",")}`;
  return typeof value === "string" ? value : "";
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
  return only && !second ? event(expectation, { [only.slot.name]: only.value }) : undefined;
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
  return reading?.ok ? event(expectation, { [slot.name]: reading.value }) : undefined;
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

function event(expectation: Expectation, values: JsonObject): FlowEvent {
  const corrects = expectation.slots.some(
    (slot) => slot.filled && slot.name !== expectation.slot && Object.hasOwn(values, slot.name),
  );
  return { type: corrects ? "CORRECT" : "ANSWER", values };
}
