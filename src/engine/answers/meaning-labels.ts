/**
 * Answers that name their slot: "o valor é 200", "nome: Ana", "muda o endereço", "o cpf está errado".
 *
 * The name must open the message, and a sign that it is a name must follow. So "valor do aluguel de maio" stays a
 * description.
 */
import {
  isSpelling,
  isWork,
  type Named,
  namedIn,
  naming,
  plainOf,
  tidy,
  withoutDenied,
} from "../../understanding/index.ts";
import { given } from "./meaning-result.ts";
import { loneName, STRICT } from "./meaning-values.ts";
import type { Expectation, ExpectedSlot, FlowEvent, SlotReading } from "../turn/program.ts";
import type { ReadingContext } from "../turn/reader.ts";

export type Labelled =
  /** `reading`: the new value does not fit the slot, and why. */
  | {
      readonly ok: true;
      readonly event: FlowEvent;
      readonly reading?: Extract<SlotReading, { ok: false }>;
    }
  | { readonly ok: false; readonly reading: Extract<SlotReading, { ok: false }> };

/** Longest text that can be an edit in so many words. */
const LONGEST = 400;
const PLAIN = /^[a-z0-9]+$/;

/** The edit a text spells out; undefined when it names no slot. */
export function labelled(
  expectation: Expectation,
  text: string,
  context: ReadingContext,
): Labelled | undefined {
  if (text.length > LONGEST || expectation.rests === "ended") return undefined;
  const tidied = tidy(text);
  const line = plainOf(tidied);
  for (const { slot, name } of namesIn(line, expectation)) {
    const said = namedIn(line, naming(`${escape(name)}(?![a-z0-9])`), context.business);
    const found = said && told(expectation, slot, said, tidied.slice(said.at).trim(), context);
    if (found) return found;
  }
  return undefined;
}

/** `behind`: what stands behind the slot's name. */
function told(
  expectation: Expectation,
  slot: ExpectedSlot,
  { isWrong, verb, isSigned, isBare }: Named,
  behind: string,
  context: ReadingContext,
): Labelled | undefined {
  const edit: Labelled = { ok: true, event: { type: "EDIT", slots: [slot.name] } };
  const isTold =
    isSigned ||
    (isWrong && isValue(slot, behind, context)) ||
    (asksNothing(expectation) && verb !== "put" && isValueAlone(slot, behind, context));
  const value = isTold ? (slot.kind === "money" ? withoutDenied(behind) : behind) : "";
  if (value === "") {
    const isMeant = isWrong || (isBare && (verb || expectation.rests === "confirm"));
    return isMeant ? edit : undefined;
  }
  if (slot.kind === "name" && isSpelling(value)) return edit;
  const reading = slot.read(value, context);
  if (reading.ok) return { ok: true, event: given(expectation, { [slot.name]: reading.value }) };
  // A helpful reason is sent. "muda o valor pra o de ontem" has none, so the slot is only asked again.
  if (slot.filled && reading.reason !== "absent" && asksNothing(expectation))
    return { ...edit, reading };
  if (isWrong || verb) return edit;
  return slot.name === expectation.slot && reading.reason !== "absent"
    ? { ok: false, reading }
    : undefined;
}

/** "Nome errado, João Silva": what stands behind can be nothing but the value. */
function isValue(slot: ExpectedSlot, text: string, context: ReadingContext): boolean {
  if (slot.kind === "name") return loneName(text, context) !== undefined;
  return STRICT.has(slot.kind) && slot.read(text, context).ok;
}

/** "Valor 210", "serviço consultoria", "descrição consultoria financeira": its name, and nothing but the value. */
function isValueAlone(slot: ExpectedSlot, text: string, context: ReadingContext): boolean {
  switch (slot.kind) {
    case "text":
      return isWork(text, context.business);
    case "choice":
      return text !== "" && slot.read(text, context).ok;
    default:
      return isValue(slot, text, context) || isRefused(slot, text, context);
  }
}

/** "Valor 60000" above a ceiling, "cpf 111.111.111-11": a value, and none that the slot takes. */
function isRefused(slot: ExpectedSlot, text: string, context: ReadingContext): boolean {
  if (!STRICT.has(slot.kind) || text === "") return false;
  const reading = slot.read(text, context);
  return !reading.ok && reading.reason !== "absent" && reading.reason !== "ambiguous";
}

/** At a summary, and while a flow that was called asks, nothing else is asked: what is named there is meant. */
function asksNothing({ rests }: Expectation): boolean {
  return rests === "confirm" || rests === "subflow";
}

/**
 * Names of the live slots whose letters stand in the line, longest first, so that "cpf cnpj" goes before "cpf"; a name two
 * slots share is nobody's.
 */
function namesIn(line: string, expectation: Expectation): { slot: ExpectedSlot; name: string }[] {
  const found = expectation.named?.(line) ?? among(expectation.slots, line);
  if (found.length === 0) return [];
  const owners = new Map<string, ExpectedSlot[]>();
  for (const { slot, name } of found) owners.set(name, [...(owners.get(name) ?? []), slot]);
  return [...owners]
    .flatMap(([name, slots]) => (slots.length === 1 && slots[0] ? [{ slot: slots[0], name }] : []))
    .sort((a, b) => b.name.length - a.name.length);
}

function among(slots: readonly ExpectedSlot[], line: string) {
  return slots.flatMap((slot) =>
    slot.names
      .filter((name) => name.length >= 2 && mayStandIn(line, name))
      .map((name) => ({ slot, name })),
  );
}

/** False when the first word of the name is not in the line: then no pattern of the name can match, and none is made. */
function mayStandIn(line: string, name: string): boolean {
  const end = name.indexOf(" ");
  const word = end < 0 ? name : name.slice(0, end);
  return !PLAIN.test(word) || line.includes(word);
}

function escape(name: string): string {
  return name.replace(/[^a-z0-9]+/g, "[^a-z0-9]+");
}
