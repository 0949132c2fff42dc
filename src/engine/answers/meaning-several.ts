/**
 * Several answers in one message. At least one names its slot ("o valor é 250 e o nome é Ana Lima", a form of lines), or
 * an amount stands beside a name ("são 180, e foi pra Ana"). Pure.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import { breaksIn, listIn, marked, opened } from "../../understanding/index.ts";
import { addressPart } from "./meaning-address.ts";
import { labelled } from "./meaning-labels.ts";
import type { Unnamed } from "./meaning-amount.ts";
import { unnamed } from "./meaning-unnamed.ts";
import { askedAgain } from "./meaning-sentence.ts";
import { STRICT } from "./meaning-values.ts";
import { amendmentIn } from "../turn/readers.ts";
import { current, edits, flow, given, type MeantFlow, wrong } from "./meaning-result.ts";
import type { Expectation, FlowEvent, SlotReading } from "../turn/program.ts";
import type { ReadingContext } from "../turn/reader.ts";

/** Longer texts are stories. */
const LONGEST = 400;
/** Places where another slot may be named. */
const MOST_PLACES = 12;
/** Kinds that take any text: what follows them without a sign of its own belongs to them. */
const WHOLE: ReadonlySet<string> = new Set(["text", "address"]);

interface Told {
  readonly slot: string;
  readonly kind: string | undefined;
  readonly event: FlowEvent;
  readonly reading?: Extract<SlotReading, { ok: false }>;
  /** It names no slot. */
  readonly unnamed?: Unnamed;
}

/** What all parts say together; undefined unless each says an answer of its own, two at least. */
export function severalLabelled(
  expectation: Expectation,
  text: string,
  context: ReadingContext,
): MeantFlow | undefined {
  if (text.length > LONGEST) return undefined;
  const named = listed(expectation, text, context);
  if (named) return named;
  const told = parts(
    opened(text),
    (part) => toldBy(expectation, part, context),
    (part) => saidBy(expectation, part, context),
    (part) => askedBy(expectation, part, context),
  );
  if (!told || new Set(told.map(({ slot }) => slot)).size < told.length) return undefined;
  if (told.every((one) => one.unnamed) && !isSaidApart(expectation, told)) return undefined;
  if (!isNameThere(expectation, told)) return undefined;
  const values: Record<string, Json> = {};
  const again: Told[] = [];
  for (const one of told)
    if ("values" in one.event) Object.assign(values, one.event.values);
    else again.push(one);
  const other =
    again.length === 0 ? someoneElse(expectation, text, values, told, context) : undefined;
  if (other) return other;
  const [first] = again;
  if (!first) {
    const corrects = told.some(({ event }) => event.type === "CORRECT");
    return flow({ type: corrects ? "CORRECT" : "ANSWER", values });
  }
  const slots = again.map(({ slot }) => slot);
  return edits(slots, { reading: first.reading, beside: values });
}

/**
 * One value that names nothing: "muda pra 180", "é pra Joana Prado Lima"; to a summary "Joana Prado Lima", too, which can be
 * nothing else there.
 */
export function saidAlone(
  expectation: Expectation,
  text: string,
  context: ReadingContext,
): MeantFlow | undefined {
  const told = saidBy(expectation, opened(text), context);
  if (!told?.unnamed || text.length > LONGEST) return undefined;
  const isPlain = expectation.rests === "confirm" && told.kind === "name";
  if (!told.unnamed.isSure && !isPlain) return undefined;
  const { event, reading } = told;
  if (!("values" in event)) return { ...flow(event), ...wrong(reading) };
  return someoneElse(expectation, text, event.values, [told], context) ?? flow(event);
}

/** "Foi pra Joana": what was known of whoever it was for before does not hold for her, and is asked for. */
function someoneElse(
  expectation: Expectation,
  text: string,
  values: JsonObject,
  told: readonly Told[],
  context: ReadingContext,
): MeantFlow | undefined {
  if (!told.some((one) => one.kind === "name" && one.unnamed?.isSure)) return undefined;
  const doubts = amendmentIn(expectation, text, values, context)?.again ?? [];
  if (doubts.length === 0) return undefined;
  const amiss = new Map(doubts.map(({ slot, reading }) => [slot.name, reading]));
  return askedAgain(expectation, values, amiss, doubts);
}

/** Nothing is named: to a summary one of them has to say what it is, to a question all but its answer. */
function isSaidApart({ rests, slot }: Expectation, told: readonly Told[]): boolean {
  if (rests === "confirm") return told.some((one) => one.unnamed?.isSure);
  if (rests !== "ask" || !told.some((one) => one.slot === slot)) return false;
  return told.every((one) => one.slot === slot || one.unnamed?.isSure);
}

/** A bare name is one beside an amount, and where nothing is asked: elsewhere it may be a heading of a form. */
function isNameThere({ rests }: Expectation, told: readonly Told[]): boolean {
  const isBare = told.some(({ kind, unnamed: one }) => kind === "name" && one?.isSure === false);
  return !isBare || rests === "confirm" || told.every(({ kind }) => kind !== "document");
}

const MOST_NAMES = 6;

/** "O nome e o valor estão errados", "quero mudar o valor e a descrição": slots by their names alone, to be asked again. */
function listed(
  expectation: Expectation,
  text: string,
  context: ReadingContext,
): MeantFlow | undefined {
  const { parts: names, isWrong } = listIn(text);
  const [head = ""] = names;
  if (names.length < 2 || names.length > MOST_NAMES) return undefined;
  const edit = (part: string): string | undefined => {
    const told = toldBy(expectation, part, context);
    return told?.event.type === "EDIT" && !told.reading ? told.slot : undefined;
  };
  const asks = isWrong || expectation.rests === "confirm" || edit(head) !== undefined;
  if (!asks) return undefined;
  const slots = names.map((name) => edit(name) ?? edit(`mudar ${name}`));
  if (!slots.every((slot) => slot !== undefined)) return undefined;
  return new Set(slots).size < slots.length ? undefined : flow({ type: "EDIT", slots });
}

type Read = (part: string) => Told | undefined;

/**
 * The text cut where another slot is named; what names none belongs to the one before, unless it can be only another answer: then
 * the one before must be whole. "O mês tá errado, é 10" is of the month.
 */
function parts(text: string, named: Read, said: Read, answer: Read): Told[] | undefined {
  const places = breaksIn(text);
  if (places.length === 0 || places.length > MOST_PLACES) return undefined;
  const read: Read = (part) => named(part) ?? said(part);
  const cuts: { readonly from: number; readonly to: number }[] = [];
  let from = 0;
  for (const { at, length } of places) {
    const rest = text.slice(at + length);
    const next = rest.slice(0, nextPlace(rest));
    if (!named(next)) {
      const other = said(next);
      const before = other && read(text.slice(from, at).trim());
      if (!before || !goesApart(before, other)) continue;
    }
    cuts.push({ from, to: at });
    from = at + length;
  }
  if (cuts.length === 0) return undefined;
  cuts.push({ from, to: text.length });
  const told = cuts.map(({ from: start, to }) => {
    const part = text.slice(start, to).trim();
    return read(part) ?? (start === 0 ? answer(part) : undefined);
  });
  return told.every((one) => one !== undefined) ? told : undefined;
}

/** Whether what names nothing is no more of what stands before it. */
function goesApart(before: Told, other: Told): boolean {
  if (!("values" in before.event) || before.slot === other.slot) return false;
  if (other.kind === "money") return other.unnamed?.isSure === true;
  return !WHOLE.has(before.kind ?? "") && (other.unnamed?.isSure || before.kind === "money");
}

function nextPlace(rest: string): number | undefined {
  return breaksIn(rest).find(({ at }) => at > 0)?.at;
}

function toldBy(expectation: Expectation, part: string, context: ReadingContext): Told | undefined {
  const label =
    addressPart(expectation, part, context) ??
    labelled(expectation, part, context) ??
    labelled(expectation, marked(part), context);
  if (!label?.ok) return undefined;
  const { event, reading } = label;
  const [slot, second] =
    "values" in event ? Object.keys(event.values) : "slots" in event ? (event.slots ?? []) : [];
  if (slot === undefined || second !== undefined) return undefined;
  return { slot, kind: kindOf(expectation, slot), event, ...(reading ? { reading } : {}) };
}

function kindOf({ slots }: Expectation, name: string): string | undefined {
  return slots.find((slot) => slot.name === name)?.kind;
}

/** "Alfa Ltda, o valor é 350": what stands first answers the question, where that is one for a name or a value. */
function askedBy(
  expectation: Expectation,
  part: string,
  context: ReadingContext,
): Told | undefined {
  const slot = expectation.rests === "ask" ? current(expectation) : undefined;
  if (!slot || (slot.kind !== "name" && !STRICT.has(slot.kind))) return undefined;
  const reading = slot.read(part, context);
  return reading.ok
    ? {
        slot: slot.name,
        kind: slot.kind,
        event: given(expectation, { [slot.name]: reading.value }),
      }
    : undefined;
}

function saidBy(expectation: Expectation, part: string, context: ReadingContext): Told | undefined {
  const found = unnamed(expectation, part, context);
  if (!found) return undefined;
  const { slot, reading } = found;
  const told = { slot: slot.name, kind: slot.kind, unnamed: found };
  return reading.ok
    ? { ...told, event: given(expectation, { [slot.name]: reading.value }) }
    : { ...told, event: { type: "EDIT", slots: [slot.name] }, reading };
}
