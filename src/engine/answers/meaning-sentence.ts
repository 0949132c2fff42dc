/** What one sentence of a plugin's reader says for the slots of a flow: several answers at once, or all of them anew. */
import { canonicalJson, type Json, type JsonObject } from "../../base/index.ts";
import { saysNumber } from "../../understanding/index.ts";
import type { Expectation, ExpectedSlot, SlotReading } from "../turn/program.ts";
import type { Doubt, ReadingContext } from "../turn/reader.ts";
import { amendmentIn, sentenceIn } from "../turn/readers.ts";
import { edits, flow, given, type MeantFlow } from "./meaning-result.ts";

/** Kinds of documents of a person or a company. */
export const DOCUMENTS: ReadonlySet<string> = new Set(["document", "cpf", "cnpj"]);
/** Strict kinds that a sentence of a reader can hold. */
const IN_SENTENCES = new Set(["document", "cpf", "cnpj", "money", "month", "date"]);
/** One amount, document or date and nothing beside it: no sentence, and the most frequent answer. */
const ONE_NUMBER = /^\s*(?:r\$\s*)?\d[\d.]*(?:,\d\d)?\s*$|^\s*\d[\d./-]*\s*$/i;
/** Two of these make a text a sentence about the whole. */
const TELLING = new Set(["document", "cpf", "cnpj", "money", "name"]);

/**
 * What one sentence says, by kind: only when it answers the current question and more. To a choice, what it says
 * beside is as good ("150 pra Maria Souza"), whether it names an option or not.
 */
export function bySentence(
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
  const give = (kinds: readonly string[], value: Json | undefined): void => {
    const fits = expectation.slots.filter((one) => kinds.includes(one.kind));
    const slot =
      fits.find((one) => one.name === asked) ?? (fits.length === 1 ? fits[0] : undefined);
    if (value !== undefined && slot) values[slot.name] = value;
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
  for (const doubt of doubts) amiss.set(...byName(doubt));
  return amiss.size > 0
    ? askedAgain(expectation, values, amiss, doubts)
    : flow(given(expectation, values));
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
  const beside = Object.fromEntries(news.map(({ name }) => [name, values[name] ?? null]));
  // What was said of somebody else is not shown as theirs.
  const anew = doubts.length > 0 ? doubts.map(({ slot }) => slot.name) : undefined;
  return edits(again, { anew, reading: amiss.get(again[0] ?? ""), beside });
}

/** A value as somebody would write it: cents as an amount. */
function written({ kind }: ExpectedSlot, value: Json): string {
  if (kind === "money" && typeof value === "number")
    return `R$ ${(value / 100).toFixed(2).replace(".", ",")}`;
  return typeof value === "string" ? value : "";
}

export function byName({ slot, reading }: Doubt): [string, SlotReading | undefined] {
  return [slot.name, reading];
}
