/**
 * Whom a note is for, told anew: a name goes with no document and no address but its own. Where the sentence brings no document, or a
 * wrong one, and where it says nothing of where the other person lives, what else it says counts, and those are asked for again.
 */
import {
  type Amendment,
  documentAndName,
  type Doubt,
  type Expectation,
  type ExpectedSlot,
  type Json,
  type JsonObject,
  type ProgramContext,
} from "../../../plugin.ts";
import { offeredDocument } from "./correction/document-offered.ts";
import { invoice } from "../sentence/invoice.ts";
import { otherTaker } from "./correction/other-taker.ts";
import { isSameName } from "./correction/same-name.ts";

type Form = Pick<Expectation, "rests" | "slots">;

const DOCUMENTS: ReadonlySet<string> = new Set(["document", "cpf", "cnpj"]);

/** Beside `values` of a sentence: what does not go with them. By itself: that the note is for somebody else. */
export function amendedBy(
  form: Form,
  text: string,
  values: JsonObject | undefined,
  context: ProgramContext,
): Amendment | undefined {
  if (!values) return takerAnew(form, text, context);
  const again = inDoubt(form, text, values, context);
  return again.length === 0
    ? undefined
    : { again, anew: again.map(({ slot }) => slot.name), values: {} };
}

/** What does not go with these values of a sentence, in the order in which it is asked again. */
function inDoubt(
  { slots }: Form,
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

/**
 * "Na verdade é pra outra empresa": who was said before goes whole, document, name and address, and what is said of the other one
 * counts. Undefined where nobody was named yet, or the text says something else.
 */
function takerAnew(form: Form, text: string, context: ProgramContext): Amendment | undefined {
  if (form.rests === "ended") return undefined;
  const other = otherTaker(text);
  if (!other) return undefined;
  // Looked at only now: a plain answer is understood without the other questions.
  const { slots } = form;
  const [number, second] = slots.filter(({ kind }) => DOCUMENTS.has(kind));
  const [person, another] = slots.filter(({ kind }) => kind === "name");
  if (!number?.filled || second || !person?.filled || another) return undefined;
  const told = toldOf(other.rest, number, person, context);
  const whose = [number, person, ...slots.filter(({ kind }) => kind === "address")];
  const again = whose
    .filter(({ name }) => !Object.hasOwn(told, name))
    .map((slot): Doubt => ({ slot }));
  return { again, anew: whose.map(({ name }) => name), values: told };
}

function toldOf(
  text: string,
  number: ExpectedSlot,
  person: ExpectedSlot,
  context: ProgramContext,
): JsonObject {
  if (text === "") return {};
  const told: Record<string, Json> = {};
  const both = documentAndName(text, context.business);
  const document = number.read(both?.document ?? offeredDocument(text) ?? text, context);
  if (document.ok) told[number.name] = document.value;
  const sentence = both ? undefined : invoice(text, context);
  const said = both?.name ?? (sentence?.ok === true ? sentence.value.name : undefined);
  const name = said === undefined ? undefined : person.read(said, context);
  if (name?.ok) told[person.name] = name.value;
  return told;
}
