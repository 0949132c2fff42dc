/**
 * Answers that name their slot: "o valor é 200", "nome: Ana", "muda o endereço", "o cpf está errado".
 *
 * The name must open the message and be followed by a sign that it is a name here, so that "valor do aluguel de maio"
 * stays a description.
 */
import type { JsonObject } from "../base/index.ts";
import { plainOf, tidy } from "../understanding/index.ts";
import type {
  Expectation,
  ExpectedSlot,
  FlowEvent,
  ProgramContext,
  SlotReading,
} from "./program.ts";

export type Labelled =
  /** `reading`: the new value is none of the slot's, and why. */
  | {
      readonly ok: true;
      readonly event: FlowEvent;
      readonly reading?: Extract<SlotReading, { ok: false }>;
    }
  | { readonly ok: false; readonly reading: Extract<SlotReading, { ok: false }> };

/** Longest text that can be an edit in so many words. */
const LONGEST = 400;
const LEAD = String.raw`(?:(?:sim|ok|certo|isso|ta|ta certo|tudo certo|quase|mas|porem|so que|so|yes|but|na verdade|ops|opa|errei|desculpa|perai|nao|actually|sorry|no)[,.! ]+)*`;
const VERB = String.raw`(?:(?:eu )?(?:quero|queria|preciso|pode|da pra|gostaria de|want to|please)? ?(?:corrig\w+|mud\w+|troc\w+|alter\w+|edit\w+|ajust\w+|arrum\w+|change|fix) )?`;
const ARTICLE = String.raw`(?:(?:o|a|os|as|meu|minha|the|my|de|do|da) )?`;
const WRONG =
  /^ ?(?:(?:ta|esta|ficou|saiu|veio|foi|is|was) )?(?:errad[oa]|incorret[oa]|wrong)\b[ .!]*/;
const PLAIN = /^[a-z0-9]+$/;
const SIGN =
  /^ ?(?::|=|-|,)? ?(?:(?:correto |certo |certa |correta |right )?(?:e|eh|era|seria|fica|vai ser|sao|is|should be|para|pra|pro|por|to)\b|:|=) ?/;

/** The edit a text spells out; undefined when it names no slot. */
export function labelled(
  expectation: Expectation,
  text: string,
  context: ProgramContext,
): Labelled | undefined {
  if (text.length > LONGEST || expectation.rests === "ended") return undefined;
  const tidied = tidy(text);
  const line = plainOf(tidied);
  for (const { slot, name } of namesIn(line, expectation)) {
    const match = new RegExp(`^${LEAD}(${VERB})${ARTICLE}${escape(name)}(?![a-z0-9])`).exec(line);
    if (!match) continue;
    const found = told(
      expectation,
      slot,
      { text: tidied, line, at: match[0].length, verb: match[1] !== "" },
      context,
    );
    if (found) return found;
  }
  return undefined;
}

interface Said {
  /** The message, tidied. */
  readonly text: string;
  /** The same letters made comparable, position for position. */
  readonly line: string;
  /** Where the slot's name ends. */
  readonly at: number;
  readonly verb: boolean;
}

function told(
  expectation: Expectation,
  slot: ExpectedSlot,
  said: Said,
  context: ProgramContext,
): Labelled | undefined {
  const after = said.line.slice(said.at);
  const wrong = WRONG.exec(after)?.[0].length ?? 0;
  const gap = wrong > 0 ? (/^[,;. ]+/.exec(after.slice(wrong))?.[0].length ?? 0) : 0;
  const sign = SIGN.exec(after.slice(wrong + gap))?.[0].length ?? 0;
  const value = sign > 0 ? said.text.slice(said.at + wrong + gap + sign).trim() : "";
  const edit: Labelled = { ok: true, event: { type: "EDIT", slots: [slot.name] } };
  if (value === "") {
    const bare = /^[ .!?]*$/.test(after);
    return wrong > 0 || (bare && (said.verb || expectation.rests === "confirm")) ? edit : undefined;
  }
  const reading = slot.read(value, context);
  if (reading.ok)
    return { ok: true, event: put(expectation, slot, { [slot.name]: reading.value }) };
  // A reason that tells something is told; "muda o valor pra o de ontem" is only asked anew.
  if (slot.filled && reading.reason !== "absent" && asksNothing(expectation))
    return { ...edit, reading };
  if (wrong > 0 || said.verb) return edit;
  return slot.name === expectation.slot && reading.reason !== "absent"
    ? { ok: false, reading }
    : undefined;
}

/** At a summary, and while a flow that was called asks, nothing else is asked: what is named there is meant. */
function asksNothing({ rests }: Expectation): boolean {
  return rests === "confirm" || rests === "subflow";
}

/** ANSWER while nothing but the current slot is already filled, else CORRECT. */
export function put(expectation: Expectation, slot: ExpectedSlot, values: JsonObject): FlowEvent {
  const corrects = slot.filled && slot.name !== expectation.slot;
  return { type: corrects ? "CORRECT" : "ANSWER", values };
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
