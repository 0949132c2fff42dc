/**
 * Whom a note is for, told anew: a name goes with no document but its own. Where the sentence brings none, or a wrong one, what else
 * it says counts, and the document is asked for again.
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

/** The document that does not go with these values of a sentence; undefined where it does. */
export function documentInDoubt(
  { slots }: Expectation,
  text: string,
  values: JsonObject,
  context: ProgramContext,
): Doubt | undefined {
  const [slot, second] = slots.filter(({ kind }) => DOCUMENTS.has(kind));
  if (!slot?.filled || second || Object.hasOwn(values, slot.name)) return undefined;
  const offered = offeredDocument(text);
  if (offered !== undefined) return { slot, reading: slot.read(offered, context) };
  const [person, another] = slots.filter(({ kind }) => kind === "name");
  if (!person?.filled || another) return undefined;
  const { value: known } = person;
  const told = values[person.name];
  if (typeof known !== "string" || typeof told !== "string") return undefined;
  return isSameName(told, known) ? undefined : { slot };
}
