/**
 * Slot kind of an address in one message: "Rua das Flores, 123, ap 4, Centro, São Paulo/SP, 01310-100", with commas or in
 * lines.
 *
 * The address is read as a whole or not at all. The hint names what is missing, so that the question can say it. A CEP of
 * another state is asked about, because the authority refuses it. One that came in another way is shown as not confirmed.
 */
import { z } from "zod";
import { type Json, type JsonObject, present } from "../../base/index.ts";
import {
  Address,
  ADDRESS_LIMITS,
  foldWords,
  formatCep,
  townByCode,
  townLabel,
  ufOfCep,
} from "../../brazil/index.ts";
import type { ProgramContext, SlotReading } from "../../engine/index.ts";
import { type City, splitStreet, type Street, understand } from "../../understanding/index.ts";
import { type KindContext, refused, type SlotKind } from "../authoring/vocabulary.ts";

const CEP = /\b(?:(?:o )?cep(?: (?:\u00e9|eh?))?:?\s*)?(\d{2}\.?\d{3}-?\d{3})\b/i;
const STREET =
  /^\s*(?:r|rua|av|avenida|al|alameda|tv|travessa|p[cç]a|praça|rod|rodovia|estrada)\b/i;
/** Longer texts are stories, not addresses. */
const MAX_TEXT = 400;

export const addressKind: SlotKind = {
  name: "address",
  version: 2,
  schema: () =>
    Address.extend({
      logradouro: z.string().min(1).max(ADDRESS_LIMITS.logradouro),
      numero: z.string().min(1).max(ADDRESS_LIMITS.numero),
      bairro: z.string().min(1).max(ADDRESS_LIMITS.bairro),
      codigo_municipio: z.string().regex(/^\d{7}$/),
      uf: z.string().length(2),
      cep: z.string().regex(/^\d{8}$/),
    }),
  read,
  echo: (value, { locale }) => line(value, locale),
  facets: { city: (value) => (value as JsonObject).codigo_municipio },
  names: ["endereco", "address"],
  bad: ["absent", "no-cep", "no-city", "no-number", "no-district", "unknown-range", "other-state"],
  longest: "x".repeat(280),
};

function read(text: string, context: KindContext): SlotReading {
  if (text.length > MAX_TEXT) return refused("invalid", "too-long");
  const cep = understandCep(text, context);
  if (!cep.ok) return cep.reading;
  const parts = text
    .replace(CEP, ",")
    .split(/[,\n;]|\s[-–]\s/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const town = takeTown(parts, context) ?? townAtEnd(parts, cep.value, context);
  if (town === null) return refused("invalid", "no-city");
  if (ufOfCep(cep.value) !== town.city.uf) return refused("invalid", "other-state");
  const street = takeStreet(town.rest);
  if (street === null) return refused("absent");
  if (street.numero === undefined) return refused("invalid", "no-number");
  const district = street.rest.at(-1) ?? districtBehind(town.rest.join(", "), street);
  if (district === undefined) return refused("invalid", "no-district");
  const complement = [street.complemento, ...street.rest.slice(0, -1)]
    .filter((part) => part !== undefined)
    .join(", ");
  const { logradouro, numero } = street;
  // Half a street leads nowhere: nothing is cut off. The complement counts with the street, behind which it is written.
  const whole = complement === "" ? logradouro : `${logradouro}, ${complement}`;
  const isLong =
    whole.length > ADDRESS_LIMITS.logradouro ||
    complement.length > ADDRESS_LIMITS.complemento ||
    numero.length > ADDRESS_LIMITS.numero ||
    district.length > ADDRESS_LIMITS.bairro;
  if (isLong) return refused("invalid", "too-long");
  const value: JsonObject = present({
    logradouro,
    numero,
    complemento: complement === "" ? undefined : complement,
    bairro: district,
    codigo_municipio: town.city.code,
    uf: town.city.uf,
    cep: cep.value,
  });
  return { ok: true, value, echo: line(value, context.locale) };
}

type Cep =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly reading: SlotReading };

function understandCep(text: string, context: KindContext): Cep {
  const match = CEP.exec(text);
  if (!match?.[1]) {
    // Nothing of an address lacks nothing in particular.
    if (!/[\d,]/.test(text) && !STREET.test(text)) return { ok: false, reading: refused("absent") };
    return { ok: false, reading: refused(/\d/.test(text) ? "invalid" : "absent", "no-cep") };
  }
  const reading = understand("cep", match[1], context);
  return reading.ok
    ? { ok: true, value: reading.value }
    : { ok: false, reading: refused("invalid", "unknown-range") };
}

/** The town stands last, as "São Paulo/SP", "São Paulo - SP" or in two parts. */
function takeTown(
  parts: readonly string[],
  context: KindContext,
): { city: City; rest: readonly string[] } | null {
  for (const size of [2, 1]) {
    if (parts.length < size) continue;
    const last = parts.slice(-size);
    if (size === 2 && !/^[a-z]{2}$/i.test(last[1] ?? "")) continue;
    const reading = understand("city", last.join("/"), context);
    if (reading.ok) return { city: reading.value, rest: parts.slice(0, -size) };
  }
  return null;
}

/** Street and number may share a part or stand in two. */
function takeStreet(
  parts: readonly string[],
): (Street & { readonly rest: readonly string[] }) | null {
  const [first, second, ...others] = parts;
  if (first === undefined) return null;
  const street = splitStreet(first);
  if (street?.numero !== undefined) return { ...street, rest: parts.slice(1) };
  const joined = second === undefined ? null : splitStreet(`${first}, ${second}`);
  if (joined?.numero !== undefined) return { ...joined, rest: others };
  return street && { ...street, rest: parts.slice(1) };
}

const NOT_CONFIRMED = { "pt-BR": "CEP não conferido", en: "CEP not confirmed" } as const;

function line(value: Json, locale: ProgramContext["locale"]): string {
  const address = Address.safeParse(value).data;
  if (!address) return "";
  const { logradouro, numero, complemento, bairro, codigo_municipio, uf, cep } = address;
  const town = townByCode(codigo_municipio);
  const place = town ? townLabel(town) : uf;
  const code =
    ufOfCep(cep) === uf ? formatCep(cep) : `${formatCep(cep)} (${NOT_CONFIRMED[locale]})`;
  return [`${logradouro}, ${numero}`, complemento, bairro, place, code]
    .filter((part) => part !== undefined && part !== "")
    .join(", ");
}

/** Words of the longest name of a town, with its state. */
const MOST_WORDS = 9;
/** Longest district that is cut out of a line. */
const LONGEST = 60;
const NAME = /^[\p{L}'.\u00b0-]+(?: [\p{L}\d'.\u00b0-]+)*$/u;

/** The town at the end of the last part, and the parts without it; null where none of the CEP's state stands there. */
export function townAtEnd(
  parts: readonly string[],
  cep: string,
  context: KindContext,
): { city: City; rest: readonly string[] } | null {
  const last = parts.at(-1);
  const uf = ufOfCep(cep);
  if (last === undefined || uf === null) return null;
  const words = last.split(/\s+/);
  const marked = words.at(-1)?.replace(/^[/-]/, "").toUpperCase() === uf;
  const named = marked ? words.slice(0, -1) : words;
  // The longest name first: "Santa Cruz do Rio Pardo" is not Rio Pardo.
  for (let from = Math.max(0, named.length - MOST_WORDS); from < named.length; from++) {
    const name = named.slice(from).join(" ").replace(/[/-]$/, "");
    const reading = understand("city", `${name}/${uf}`, context);
    if (!reading.ok || foldWords(reading.value.name) !== foldWords(name)) continue;
    const before = named.slice(0, from).join(" ");
    return { city: reading.value, rest: [...parts.slice(0, -1), ...(before ? [before] : [])] };
  }
  return null;
}

/** What stands behind the door and its complement in the same part; undefined where that is no name. */
export function districtBehind(
  part: string,
  { numero = "", complemento = "" }: Street,
): string | undefined {
  const door = numero === "S/N" ? String.raw`s\s?/?\s?n[\u00ba\u00b0o]?\.?` : numero;
  const at = new RegExp(String.raw`[\s,.\u00ba\u00b0](?:${door})(?=[\s,]|$)`, "i").exec(part);
  if (numero === "" || !at) return undefined;
  let rest = part.slice(at.index + at[0].length).replace(/^[\s,-]+/, "");
  if (complemento !== "") {
    if (!rest.toLowerCase().startsWith(complemento.toLowerCase())) return undefined;
    rest = rest.slice(complemento.length).replace(/^[\s,-]+/, "");
  }
  const name = rest.replace(/^bairro:?\s+/i, "").trim();
  return name !== "" && name.length <= LONGEST && NAME.test(name) ? name : undefined;
}
