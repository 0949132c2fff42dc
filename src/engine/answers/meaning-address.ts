/**
 * A change of one part of a known address: "o número é 125", "o CEP é 13010-001", "complemento sala 5". The other parts
 * stay as they are. Pure.
 */
import type { Json, JsonObject } from "../../base/index.ts";
import { Address, ADDRESS_LIMITS, ufOfCep } from "../../brazil/index.ts";
import {
  addressPartIn,
  partsOf,
  plainOf,
  type SaidPart,
  understand,
} from "../../understanding/index.ts";
import type { Labelled } from "./meaning-labels.ts";
import type { Expectation } from "../turn/program.ts";
import type { ReadingContext } from "../turn/reader.ts";

/** Longer is more than a part. */
const LONGEST = 120;
const DOOR = /^(?:\d{1,6}(?: ?-? ?[a-z])?|s ?\/? ?n[º°o]?)$/;
const CEP = /^\d{2}\.?\d{3}-?\d{3}$/;
/** Parts that a sentence changes at most. */
const MOST = 4;

/** The address with other parts; undefined where the text is about something else, or no address is known. */
export function addressPart(
  expectation: Expectation,
  text: string,
  context: ReadingContext,
): Labelled | undefined {
  if (text.length > LONGEST || expectation.rests === "ended") return undefined;
  const asks = expectation.rests === "ask" || expectation.rests === "choose";
  const whole = [told(text, context, asks)];
  const each = partsOf(text);
  const parts =
    whole[0] || each.length > MOST ? whole : each.map((part) => told(part, context, asks));
  const known = parts.every((part) => part !== undefined) ? knownAddress(expectation) : undefined;
  if (!known) return undefined;
  const { slot, address } = known;
  const changed: Record<string, Json> = { ...(slot.value as Record<string, Json>) };
  for (const part of parts)
    if (part) changed[part.part] = part.unit ? withUnit(complementOf(changed), part) : part.value;
  if (complementOf(changed).length > ADDRESS_LIMITS.complemento) return undefined;
  const cep = parts.findLast((part) => part?.part === "cep")?.value;
  if (cep !== undefined && ufOfCep(cep) !== address.uf) {
    const reading = { ok: false, reason: "invalid", hint: "other-state" } as const;
    return { ok: true, event: { type: "EDIT", slots: [slot.name] }, reading };
  }
  return { ok: true, event: { type: "CORRECT", values: { [slot.name]: changed } } };
}

function knownAddress({ slots, slot: asked }: Expectation) {
  const [slot, second] = slots.filter(({ kind }) => kind === "address");
  if (!slot?.filled || second || slot.name === asked) return undefined;
  const address = Address.safeParse(slot.value).data;
  return address && { slot, address };
}

interface Told {
  readonly part: SaidPart["part"];
  readonly value: string;
  /** What is numbered, of a complement: another number of the same takes its place, anything else stands. */
  readonly unit?: string;
}

/** "Ap 4", "apto 4", "apartamento 4" are one. */
function kindOf(unit: string): string {
  return unit.slice(0, 2) === "ap" ? "ap" : unit.slice(0, 4);
}

function complementOf({ complemento = "" }: JsonObject): string {
  return typeof complemento === "string" ? complemento : "";
}

function withUnit(known: string, { unit, value }: Told): string {
  const others = known
    .split(/,\s*/)
    .filter((one) => one !== "" && kindOf(plainOf(one)) !== kindOf(unit ?? ""));
  return [...others, value].join(", ");
}

/** `asks`: something else is asked. */
function told(text: string, context: ReadingContext, asks: boolean): Told | undefined {
  const said = addressPartIn(text, context.business);
  if (!said) return undefined;
  const { part, unit, isSigned } = said;
  // "Sala 5" alone may be what was done, where that is asked.
  if (unit !== undefined) return isSigned || !asks ? { part, unit, value: said.value } : undefined;
  const value = valueOf(said, context);
  return value === undefined ? undefined : { part, value };
}

function valueOf({ part, value, isSigned }: SaidPart, context: ReadingContext): string | undefined {
  switch (part) {
    case "numero":
      // Another number than a door's: of a document, of an order.
      if (!DOOR.test(plainOf(value))) return undefined;
      return /^s/i.test(value) ? "S/N" : value.replace(/[\s-]/g, "").toUpperCase();
    case "cep": {
      const cep = CEP.test(value) ? understand("cep", value, context) : undefined;
      return cep?.ok ? cep.value : undefined;
    }
    default: {
      // "Bairro nobre" may be a description.
      const isPart = isSigned || (part === "complemento" && /\d/.test(value));
      return isPart &&
        value !== "" &&
        value.length <= ADDRESS_LIMITS[part] &&
        partsOf(value).length < 2
        ? value
        : undefined;
    }
  }
}
