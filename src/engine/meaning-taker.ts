/**
 * Whom a note is for, told anew: a name goes with no document and no address but its own. Where the sentence brings no document, or a
 * wrong one, and where it says nothing of where the other person lives, what else it says counts, and those are asked for again.
 */
import type { JsonObject } from "../base/index.ts";
import { isSameName, offeredDocument } from "../understanding/index.ts";
import type { Expectation, ExpectedSlot, ProgramContext, SlotReading } from "./program.ts";

export const DOCUMENTS: ReadonlySet<string> = new Set(["document", "cpf", "cnpj"]);

export interface Doubt {
  readonly slot: ExpectedSlot;
  /** What is wrong with the one that was offered; undefined where none was. */
  readonly reading?: SlotReading;
}

/** What does not go with these values of a sentence, in the order in which it is asked again. */
export function takerInDoubt(
  { slots }: Expectation,
  text: string,
  values: JsonObject,
  context: ProgramContext,
): readonly Doubt[] {
  const document = documentInDoubt(slots, text, values, context);
  const address = isSomebodyElse(slots, values) ? addressInDoubt(slots, values) : undefined;
  return [document, address].filter((doubt) => doubt !== undefined);
}

function documentInDoubt(
  slots: readonly ExpectedSlot[],
  text: string,
  values: JsonObject,
  context: ProgramContext,
): Doubt | undefined {
  const [slot, second] = slots.filter(({ kind }) => DOCUMENTS.has(kind));
  if (!slot?.filled || second || Object.hasOwn(values, slot.name)) return undefined;
  const offered = offeredDocument(text);
  if (offered !== undefined) return { slot, reading: slot.read(offered, context) };
  return isSomebodyElse(slots, values) ? { slot } : undefined;
}

/** Where the person of before lives, of whom the sentence does not speak. */
function addressInDoubt(slots: readonly ExpectedSlot[], values: JsonObject): Doubt | undefined {
  const [slot, second] = slots.filter(({ kind }) => kind === "address");
  return slot?.filled && !second && !Object.hasOwn(values, slot.name) ? { slot } : undefined;
}

/** The one name there is is known, and these values bring another person's. */
function isSomebodyElse(slots: readonly ExpectedSlot[], values: JsonObject): boolean {
  const [person, another] = slots.filter(({ kind }) => kind === "name");
  if (!person?.filled || another) return false;
  const { value: known } = person;
  const told = values[person.name];
  return typeof known === "string" && typeof told === "string" && !isSameName(told, known);
}
