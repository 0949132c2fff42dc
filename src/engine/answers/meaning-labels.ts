/**
 * Answers that name their slot: "o valor é 200", "nome: Ana", "muda o endereço", "o cpf está errado".
 *
 * The name must open the message and be followed by a sign that it is a name here, so that "valor do aluguel de maio"
 * stays a description.
 */
import type { JsonObject } from "../../base/index.ts";
import { isWork, plainOf, tidy } from "../../understanding/index.ts";
import { loneName, STRICT } from "./meaning-values.ts";
import { withThings } from "../turn/things.ts";
import type { Expectation, ExpectedSlot, FlowEvent, SlotReading } from "../turn/program.ts";
import type { ReadingContext } from "../turn/reader.ts";

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
const LEAD = String.raw`(?:(?:sim|ok|e|and|ah|tambem|also|certo|isso|ta|ta certo|tudo certo|quase|mas|porem|so que|so|yes|but|na verdade|ops|opa|errei|desculpa|perai|nao|actually|sorry|no)[,.! ]+)*`;
const VERB = String.raw`(?:(?:eu )?(?:quero|queria|preciso|pode|da pra|gostaria de|want to|please)? ?(?:corrig\w+|mud\w+|troc\w+|alter\w+|edit\w+|ajust\w+|arrum\w+|change|fix) )?`;
const ARTICLE = String.raw`(?:(?:o|a|os|as|meu|minha|the|my|de|do|da) )?`;
/** "Errado o nome", "wrong name". */
const AMISS = String.raw`(?:(?:(?:ta|esta|ficou|saiu|veio|it['\u2019]?s|it is|is|was) )?(?:errad[oa]|incorret[oa]|trocad[oa]|wrong) )?`;
const WRONG =
  /^(?: |['\u2019]s )?(?:(?:ta|esta|ficou|saiu|veio|foi|e|eh|estao|tao|is|was|are) )?(?:errad[oa]s?|incorret[oa]s?|trocad[oa]s?|wrong)\b[ .!]*/;
/** Whose it is, between the name and the sign: "o nome dela é", "o valor do pedido é". */
const WHOSE = withThings(
  ({ things, people }) =>
    new RegExp(`^ (?:del[ae]s?|d[ao] (?:cliente|empresa|pedido|${people}|${things}))(?= )`),
);
/** What leads to the right value, after it was said that the other is wrong. */
const RIGHT =
  /^(?:(?:o|a|the) )?(?:(?:certo|certa|correto|correta|right one|correct one) )?(?:na verdade )?(?:e|eh|era|foi|seria|deveria ser|tinha que ser|it['\u2019]?s|it is|is|it should be|should be|it should have been)\b[: ]+/;
/** "Com dois n": how it is spelt. */
const SPELT = /^(?:com|sem|with|without)\b/;
const DENIED =
  /(?<=\d|reais|real)[ ,;]+(?:e |and )?(?:n[a\u00e3]o|not)(?: (?:\u00e9|e|eh|era|de))* (?:r\$ ?)?\d[\d.,]*(?: ?reais)?[ .!]*$/i;
const BEHIND = /[ ,]+(?:na verdade|na real|mesmo|msm|viu|actually|instead)[ .!]*$/i;
const PLAIN = /^[a-z0-9]+$/;
const SIGN =
  /^ ?(?::|=|-|,)? ?(?:(?:correto |certo |certa |correta |right )?(?:e|eh|era|seria|fica|vai ser|sao|is|should be|para|pra|pro|por|to)\b|:|=) ?/;

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
    const match = new RegExp(
      `^${LEAD}(${AMISS})(${VERB})${ARTICLE}${escape(name)}(?![a-z0-9])`,
    ).exec(line);
    if (!match) continue;
    const found = told(
      expectation,
      slot,
      {
        ...{ text: tidied, line, at: match[0].length },
        amiss: match[1] !== "",
        verb: match[2] !== "",
      },
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
  /** It said before that it is wrong. */
  readonly amiss: boolean;
  readonly verb: boolean;
}

function told(
  expectation: Expectation,
  slot: ExpectedSlot,
  said: Said,
  context: ReadingContext,
): Labelled | undefined {
  const at = said.at + (WHOSE(context).exec(said.line.slice(said.at))?.[0].length ?? 0);
  const after = said.line.slice(at);
  const found = WRONG.exec(after)?.[0].length ?? 0;
  const wrong = said.amiss || found > 0;
  const gap = wrong ? (/^[,;.:! ]+/.exec(after.slice(found))?.[0].length ?? 0) : 0;
  const rest = after.slice(found + gap);
  const sign = SIGN.exec(rest)?.[0].length ?? 0;
  const right = wrong ? (RIGHT.exec(rest)?.[0].length ?? 0) : 0;
  const led = Math.max(sign, right);
  const edit: Labelled = { ok: true, event: { type: "EDIT", slots: [slot.name] } };
  const behind = said.text.slice(at + found + gap + led).trim();
  const isTold =
    led > 0 ||
    (wrong && isValue(slot, behind, context)) ||
    (asksNothing(expectation) && isValueAlone(slot, behind, context));
  const value = isTold ? withoutDenied(slot, behind) : "";
  if (value === "") {
    const bare = /^(?: (?:tambem|tb|tbm|also|too))?[ .!?]*$/.test(after);
    return wrong || (bare && (said.verb || expectation.rests === "confirm")) ? edit : undefined;
  }
  if (slot.kind === "name" && SPELT.test(value.toLowerCase())) return edit;
  const reading = slot.read(value, context);
  if (reading.ok)
    return { ok: true, event: put(expectation, slot, { [slot.name]: reading.value }) };
  // A reason that tells something is told; "muda o valor pra o de ontem" is only asked anew.
  if (slot.filled && reading.reason !== "absent" && asksNothing(expectation))
    return { ...edit, reading };
  if (wrong || said.verb) return edit;
  return slot.name === expectation.slot && reading.reason !== "absent"
    ? { ok: false, reading }
    : undefined;
}

/** "180 e não 150": what it is not says no more. */
function withoutDenied({ kind }: ExpectedSlot, text: string): string {
  return kind === "money" ? text.replace(DENIED, "").replace(BEHIND, "") : text;
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
