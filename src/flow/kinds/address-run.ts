/**
 * Reads an address without commas: "Rua das Flores 123 Centro Campinas SP 13010-000". The town stands last and must be one
 * of the CEP's state. The district is the rest after the house number.
 */
import { foldWords, ufOfCep } from "../../brazil/index.ts";
import { type City, type Street, understand } from "../../understanding/index.ts";
import type { KindContext } from "../authoring/vocabulary.ts";

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
